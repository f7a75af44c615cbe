/* SPDX-License-Identifier: GPL-2.0 */
/* Where the library is, beside which its other files are installed. */
#ifndef KERMON_LOCATION_H
#define KERMON_LOCATION_H

#include <limits.h>
#include <stdbool.h>

/* Folder of the program or the shared library that contains this function. */
bool location_folder(char path[PATH_MAX]);

#endif /* KERMON_LOCATION_H */
