/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of valid words in messages about those that are not. */
#ifndef KERMON_NAMES_H
#define KERMON_NAMES_H

#include "options.h"

#define NAMES_SIZE	1024

/* "one, two": all of them, from @name of index 0 to the first NULL. Returns @text. */
const char *names_list(const char *(*name)(size_t index), char text[NAMES_SIZE]);

/* An option -s: whether its value is a list of keys; if not, the keys are listed. */
bool names_keys_option(struct options *options);

#endif /* KERMON_NAMES_H */
