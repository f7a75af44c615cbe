/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the library is, beside which its other files are installed; and where those of a user
 * are.
 */
#ifndef KERMON_LOCATION_H
#define KERMON_LOCATION_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Folder of the program or the shared library that contains this function. */
bool location_folder(char path[PATH_MAX]);

/*
 * The folder $@variable/kermon/@name, or ~/@preset/kermon/@name, according to the XDG Base
 * Directory Specification, which ignores relative paths. Return: its length; -ENOENT: neither
 * the variable nor HOME is set; -ENAMETOOLONG.
 */
int xdg_folder(char *path, size_t size, const char *variable, const char *preset,
	       const char *name);

#endif /* KERMON_LOCATION_H */
