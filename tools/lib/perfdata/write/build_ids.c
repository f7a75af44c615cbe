// SPDX-License-Identifier: GPL-2.0
/*
 * Collect the build ids of mapped files. The kernel's is omitted: no sample points into
 * it, and on every other machine perf script would search for its symbols and complain
 * that there are none.
 */
#define _GNU_SOURCE
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "writer_private.h"

static void put_build_id(struct blob *blob, const char *name, const void *id,
			 size_t size)
{
	const size_t length = (strlen(name) / PERFDATA_STRING_ALIGN + 1) *
			      PERFDATA_STRING_ALIGN;
	struct perfdata_build_id record = {
		.header.misc = PERF_RECORD_MISC_USER |
			       PERF_RECORD_MISC_BUILD_ID_SIZE,
		.header.size = sizeof(record) + length,
		.pid = -1,
		.size = size,
	};

	if (size > sizeof(record.id))
		return;
	memcpy(record.id, id, size);
	blob_put(blob, &record, sizeof(record));
	blob_put(blob, name, strlen(name));
	blob_put(blob, NULL, length - strlen(name));
}

/* Opening a device or a FIFO might block or have side effects. */
static int open_regular(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	if (fd >= 0 && (fstat(fd, &status) || !S_ISREG(status.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

static void put_file(struct blob *blob, const char *name)
{
	int fd = open_regular(name);
	const void *id;
	ssize_t size;
	Elf *elf;

	if (fd < 0)
		return;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	size = elf ? dwelf_elf_gnu_build_id(elf, &id) : -1;
	if (size > 0)
		put_build_id(blob, name, id, size);
	elf_end(elf);
	close(fd);
}

static void visit(const void *node, VISIT which, void *blob)
{
	if (which == postorder || which == leaf)
		put_file(blob, *(char *const *)node);
}

void buildid_collect(const struct kermon_writer *writer, struct blob *blob)
{
	elf_version(EV_CURRENT);
	twalk_r(writer->files, visit, blob);
}
