/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to png.c: the picture as PNG. */
#ifndef KERMON_ROOFLINE_PNG_H
#define KERMON_ROOFLINE_PNG_H

#include "roofline.h"

/* Whether the program that converts it is installed; if not, print what to install. */
bool png_is_possible(void);

/* Write the picture to @path; "-": standard output. Returns 0 or -errno. */
int png_write(const struct roofline_view *view, const char *path);

#endif /* KERMON_ROOFLINE_PNG_H */
