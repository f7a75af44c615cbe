// SPDX-License-Identifier: GPL-2.0
/*
 * usage: page_of TITLE <DATA >PAGE
 *
 * Write the page of reports with any data, by the function of the tool.
 */
#include <errno.h>
#include <stdio.h>

#include "page/page.h"

static int copy(const void *context, FILE *out)
{
	char bytes[65536];
	size_t size;

	while ((size = fread(bytes, 1, sizeof(bytes), (FILE *)context)))
		if (fwrite(bytes, 1, size, out) != size)
			return -ENOMEM;
	return ferror((FILE *)context) ? -EIO : 0;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: page_of TITLE <DATA >PAGE\n");
		return 2;
	}
	return page_write(stdout, argv[1], copy, stdin) || fflush(stdout) || ferror(stdout);
}
