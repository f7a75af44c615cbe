/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to page.c: a self-contained interactive report in HTML, from the parts in
 * tools/share/page.
 */
#ifndef KERMON_PAGE_H
#define KERMON_PAGE_H

#include <stdio.h>

/*
 * Write the page with the data that @write writes as JSON, which is the format of
 * Documentation/page.rst. @title and names in the data may have any bytes: what the browser
 * would take for markup is escaped; more than 2 MiB of data are compressed. @write returns 0 or -errno, and so does this. Whether
 * @out is complete is for the caller to find out, as with stdio.
 */
int page_write(FILE *out, const char *title,
	       int (*write)(const void *context, FILE *out), const void *context);

#endif /* KERMON_PAGE_H */
