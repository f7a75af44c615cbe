/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to template.c: the page as tools/share/page/assemble assembled it, with @TITLE@ and @DATA@
 * where these belong.
 */
#ifndef KERMON_TEMPLATE_H
#define KERMON_TEMPLATE_H

extern const char page_template[];
extern const char page_template_end[];

#endif /* KERMON_TEMPLATE_H */
