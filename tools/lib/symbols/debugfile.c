// SPDX-License-Identifier: GPL-2.0
/*
 * Whether there may be a debug file, checked where libdwfl would look: by build id, by
 * link, by name.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debugfile.h"

#define FOLDER	"/usr/lib/debug"
#define SUFFIX	".debug"

const char *debugfile_root(const struct symbol_sources *sources)
{
	return sources->symfs ? sources->symfs : "";
}

char *debugfile_path(const struct symbol_sources *sources)
{
	char *path;

	if (asprintf(&path, ":.debug:%s" FOLDER, debugfile_root(sources)) < 0)
		return NULL;
	return path;
}

static bool has_servers(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && *urls;
}

/* A path that is too long to check counts as existing. */
__attribute__((format(printf, 1, 2)))
static bool may_be_there(const char *format, ...)
{
	char path[PATH_MAX];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(path, sizeof(path), format, arguments);
	va_end(arguments);
	return length >= (int)sizeof(path) || !access(path, F_OK);
}

static bool is_known(const struct build_id *id, const char *suffix,
		     const char *root)
{
	char path[BUILD_ID_PATH];

	return build_id_path(id, path) &&
	       may_be_there("%s" FOLDER "/.build-id/%s%s", root, path, suffix);
}

bool debugfile_may_be_known(const struct build_id *id, const char *suffix,
			    const struct symbol_sources *sources)
{
	return has_servers() || is_known(id, suffix, debugfile_root(sources));
}

static bool has_known_id(Dwfl_Module *module, const char *root)
{
	struct build_id id = { .size = 0 };
	const unsigned char *bytes;
	GElf_Addr address;
	int size = dwfl_module_build_id(module, &bytes, &address);

	if (size <= 0)
		return false;
	if (size > BUILD_ID_MAX)
		return true;
	id.size = size;
	memcpy(id.bytes, bytes, size);
	return is_known(&id, SUFFIX, root);
}

/*
 * Whether there is a debug file @name for the folder of @length bytes: in its .debug,
 * or below the global folder, at its path or any tail of it.
 */
static bool is_among_debug_files(const char *root, const char *folder,
				 int length, const char *name)
{
	if (may_be_there("%.*s/.debug/%s", length, folder, name))
		return true;
	if (*folder != '/')
		return false;
	for (const char *from = folder; from; from = strchr(from + 1, '/'))
		if (may_be_there("%s" FOLDER "%.*s/%s", root,
				 (int)(folder + length - from), from, name))
			return true;
	return false;
}

/* Without a link, the name is derived from that of the file. */
static bool has_name(const char *root, const char *path, const char *link)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *folder = slash ? path : ".";
	int length = slash ? slash - path : 1;
	char name[NAME_MAX + sizeof(SUFFIX)];

	if (!link)
		snprintf(name, sizeof(name), "%s" SUFFIX, base);
	return may_be_there("%.*s/%s", length, folder, link ? link : name) ||
	       is_among_debug_files(root, folder, length, link ? link : name) ||
	       (!link && is_among_debug_files(root, folder, length, base));
}

/* Also try the file that a symbolic link points to. */
static bool has_any_name(const char *root, const char *path, const char *link)
{
	bool found = has_name(root, path, link);
	char *real = found ? NULL : realpath(path, NULL);

	if (real && strcmp(real, path))
		found = has_name(root, real, link);
	free(real);
	return found;
}

/*
 * A link with a path names a file shared by several debug files (dwz). It is searched
 * in more places and nearly always exists, so always let libdwfl look.
 */
int debugfile_find(Dwfl_Module *module, void **userdata, const char *name,
		   Dwarf_Addr base, const char *file, const char *link,
		   GElf_Word crc, char **found)
{
	const char *root = *userdata;

	if (!has_servers() && !(link && strchr(link, '/')) &&
	    !has_known_id(module, root) &&
	    !(file && has_any_name(root, file, link))) {
		errno = 0;
		return -1;
	}
	return dwfl_standard_find_debuginfo(module, userdata, name, base, file,
					    link, crc, found);
}
