// SPDX-License-Identifier: GPL-2.0
/*
 * Whether there may be a debug file, checked where libdwfl would look: by build id, by
 * link, by name.
 */
#define _GNU_SOURCE
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

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

/**
 * struct search - for a debug file, where libdwfl would search
 * @opens: open a file that matches; otherwise, only check whether one exists
 * @id: build id that it must have; size 0: it must have @crc
 * @fd: the open file
 */
struct search {
	bool opens;
	struct build_id id;
	GElf_Word crc;
	int fd;
};

static bool has_build_id(int fd, const struct build_id *id)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const void *bytes = NULL;
	ssize_t size = elf ? dwelf_elf_gnu_build_id(elf, &bytes) : -1;
	bool is_equal = size == id->size && !memcmp(bytes, id->bytes, size);

	elf_end(elf);
	return is_equal;
}

static bool has_crc(int fd, GElf_Word crc)
{
	unsigned char bytes[1 << 14];
	uLong sum = crc32(0, NULL, 0);
	ssize_t size;

	while ((size = read(fd, bytes, sizeof(bytes))) > 0)
		sum = crc32(sum, bytes, size);
	return !size && sum == crc;
}

/* A path that is too long to check counts as existing. */
__attribute__((format(printf, 2, 3)))
static bool try_file(struct search *search, const char *format, ...)
{
	char path[PATH_MAX];
	va_list arguments;
	int length, fd;

	va_start(arguments, format);
	length = vsnprintf(path, sizeof(path), format, arguments);
	va_end(arguments);
	if (length >= (int)sizeof(path))
		return !search->opens;
	if (!search->opens)
		return !access(path, F_OK);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	if (search->id.size ? has_build_id(fd, &search->id) :
			      has_crc(fd, search->crc)) {
		search->fd = fd;
		return true;
	}
	close(fd);
	return false;
}

static bool is_known(struct search *search, const struct build_id *id,
		     const char *suffix, const char *root)
{
	char path[BUILD_ID_PATH];

	return build_id_path(id, path) &&
	       try_file(search, "%s" FOLDER "/.build-id/%s%s", root, path,
			suffix);
}

bool debugfile_may_be_known(const struct build_id *id, const char *suffix,
			    const struct symbol_sources *sources)
{
	struct search search = { .opens = false };

	return has_servers() ||
	       is_known(&search, id, suffix, debugfile_root(sources));
}

/* Return: false if the build id of @module is too long for us. */
static bool get_build_id(Dwfl_Module *module, struct build_id *id)
{
	const unsigned char *bytes;
	GElf_Addr address;
	int size = dwfl_module_build_id(module, &bytes, &address);

	*id = (struct build_id){ .size = 0 };
	if (size > BUILD_ID_MAX)
		return false;
	if (size > 0) {
		id->size = size;
		memcpy(id->bytes, bytes, size);
	}
	return true;
}

static bool has_known_id(struct search *search, Dwfl_Module *module,
			 const char *root)
{
	struct build_id id;

	if (!get_build_id(module, &id))
		return true;
	return id.size && is_known(search, &id, SUFFIX, root);
}

/*
 * Whether there is a debug file @name for the folder of @length bytes: in its .debug,
 * or below the global folder, at its path or any tail of it.
 */
static bool is_among_debug_files(struct search *search, const char *root,
				 const char *folder, int length,
				 const char *name)
{
	if (try_file(search, "%.*s/.debug/%s", length, folder, name))
		return true;
	if (*folder != '/')
		return false;
	for (const char *from = folder; from; from = strchr(from + 1, '/'))
		if (try_file(search, "%s" FOLDER "%.*s/%s", root,
			     (int)(folder + length - from), from, name))
			return true;
	return false;
}

/* Without a link, the name is derived from that of the file. */
static bool has_name(struct search *search, const char *root, const char *path,
		     const char *link)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *folder = slash ? path : ".";
	int length = slash ? slash - path : 1;
	char name[NAME_MAX + sizeof(SUFFIX)];

	if (!link)
		snprintf(name, sizeof(name), "%s" SUFFIX, base);
	return try_file(search, "%.*s/%s", length, folder, link ? link : name) ||
	       is_among_debug_files(search, root, folder, length,
				    link ? link : name) ||
	       (!link && is_among_debug_files(search, root, folder, length,
					      base));
}

/* Also try the file that a symbolic link points to. */
static bool has_any_name(struct search *search, const char *root,
			 const char *path, const char *link)
{
	bool found = has_name(search, root, path, link);
	char *real = found ? NULL : realpath(path, NULL);

	if (real && strcmp(real, path))
		found = has_name(search, root, real, link);
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
	struct search search = { .opens = false };
	const char *root = *userdata;

	if (!has_servers() && !(link && strchr(link, '/')) &&
	    !has_known_id(&search, module, root) &&
	    !(file && has_any_name(&search, root, file, link))) {
		errno = 0;
		return -1;
	}
	return dwfl_standard_find_debuginfo(module, userdata, name, base, file,
					    link, crc, found);
}

int debugfile_open(Dwfl_Module *module, const char *root, const char *file,
		   const char *link, GElf_Word crc)
{
	struct search search = { .opens = true, .crc = crc, .fd = -1 };

	if (!get_build_id(module, &search.id) ||
	    (!search.id.size && !link))
		return -1;
	if (!has_known_id(&search, module, root))
		has_any_name(&search, root, file, link);
	return search.fd;
}
