// SPDX-License-Identifier: GPL-2.0
/*
 * Modules of the running kernel: where they are and which files they are from, so that
 * addresses in them have symbols.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "writer_private.h"

/* "-" and "_" are the same in names of modules. */
static bool is_same(const char *name, const char *file, size_t length)
{
	if (strlen(name) != length)
		return false;
	for (size_t i = 0; i < length; i++)
		if (name[i] != file[i] && (name[i] != '_' || file[i] != '-'))
			return false;
	return true;
}

/* Whether the line "kernel/fs/x.ko.xz: ..." of modules.dep is of module @name. */
static bool is_file_of(const char *name, const char *line, size_t length)
{
	const char *base = memrchr(line, '/', length);
	const char *dot;

	base = base ? base + 1 : line;
	dot = memmem(base, line + length - base, ".ko", 3);
	return dot && is_same(name, base, dot - base);
}

/* Find the file of @module in the index that depmod wrote. */
static void find_path(struct module *module, const char *folder, const char *index)
{
	const size_t length = strlen(module->name);
	const char *line, *next;
	size_t end;

	snprintf(module->path, sizeof(module->path), "[%s]", module->name);
	for (line = index; line && length; line = next ? next + 1 : NULL) {
		next = strchr(line, '\n');
		end = strcspn(line, ":\n");
		if (!is_file_of(module->name, line, end))
			continue;
		snprintf(module->path, sizeof(module->path), "%s/%.*s", folder,
			 (int)end, line);
		return;
	}
}

/* The contents of @path, to be freed; NULL if it cannot be read. */
static char *read_all(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &room, '\0', file) < 0) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

int modules_each(int (*fn)(void *data, const struct module *module), void *data)
{
	char folder[256], path[300], line[1024], *index;
	FILE *file = fopen("/proc/modules", "re");
	struct utsname kernel = { 0 };
	struct module module;
	int result = 0;

	if (!file)
		return 0;
	uname(&kernel);
	snprintf(folder, sizeof(folder), "/lib/modules/%s", kernel.release);
	snprintf(path, sizeof(path), "%s/modules.dep", folder);
	index = read_all(path);
	while (!result && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %" SCNu64 " %*s %*s %*s %" SCNx64, module.name,
			   &module.size, &module.start) != 3)
			continue;
		find_path(&module, folder, index);
		result = fn(data, &module);
	}
	free(index);
	fclose(file);
	return result;
}

/* PERF_RECORD_MMAP, as in linux/perf_event.h. */
struct made_map {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	char filename[];
};

static int put_module(void *writer, const struct module *module)
{
	struct made_map map = {
		.header.type = PERF_RECORD_MMAP,
		.header.misc = PERF_RECORD_MISC_KERNEL,
		.pid = -1,
		.addr = module->start,
		.len = module->size,
	};

	return module->start ? writer_put_named(writer, &map.header, sizeof(map),
						module->path) : 0;
}

int modules_put(struct kermon_writer *writer)
{
	return modules_each(put_module, writer);
}
