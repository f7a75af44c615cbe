// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the file that the library is in: the program, or a shared library; and folders of the
 * user.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "location.h"

/* The file that an address is in. */
struct object {
	uintptr_t address;
	char path[PATH_MAX];
};

static int is_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct object *object = data;
	const ElfW(Phdr) *header;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		header = &info->dlpi_phdr[i];
		if (header->p_type != PT_LOAD || object->address -
		    (info->dlpi_addr + header->p_vaddr) >= header->p_memsz)
			continue;
		/* The program itself has no name. */
		snprintf(object->path, sizeof(object->path), "%s",
			 *info->dlpi_name ? info->dlpi_name : "/proc/self/exe");
		return 1;
	}
	return 0;
}

bool location_folder(char path[PATH_MAX])
{
	struct object object = { .address = (uintptr_t)location_folder };

	if (!dl_iterate_phdr(is_object, &object) || !realpath(object.path, path))
		return false;
	*strrchr(path, '/') = '\0';
	return true;
}

/* The value of a variable that names a folder; NULL if it does not. */
static const char *absolute(const char *variable)
{
	const char *path = secure_getenv(variable);

	return path && *path == '/' ? path : NULL;
}

int xdg_folder(char *path, size_t size, const char *variable, const char *preset,
	       const char *name)
{
	const char *given = absolute(variable), *home = absolute("HOME");
	int length;

	if (given)
		length = snprintf(path, size, "%s/kermon/%s", given, name);
	else if (home)
		length = snprintf(path, size, "%s/%s/kermon/%s", home, preset, name);
	else
		return -ENOENT;
	return length < (int)size ? length : -ENAMETOOLONG;
}
