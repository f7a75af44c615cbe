// SPDX-License-Identifier: GPL-2.0
/* Build ids of the kernel and of the files that were mapped. */
#define _GNU_SOURCE
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "writer_private.h"

#define KERNEL_NAME	"[kernel.kallsyms]"
#define KERNEL_NOTES	"/sys/kernel/notes"

static void put_build_id(struct blob *blob, uint16_t misc, const char *name,
			 const void *id, size_t size)
{
	const size_t length = (strlen(name) / PERFDATA_STRING_ALIGN + 1) *
			      PERFDATA_STRING_ALIGN;
	struct perfdata_build_id record = {
		.header.misc = misc | PERF_RECORD_MISC_BUILD_ID_SIZE,
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

/* A device or a FIFO might block or do something. */
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
		put_build_id(blob, PERF_RECORD_MISC_USER, name, id, size);
	elf_end(elf);
	close(fd);
}

/* The notes of the running kernel, as they are in an ELF file. */
static void put_kernel(struct blob *blob)
{
	FILE *file = fopen(KERNEL_NOTES, "re");
	char notes[4096];
	const Elf64_Nhdr *note;
	size_t at = 0, size;

	if (!file)
		return;
	size = fread(notes, 1, sizeof(notes), file);
	fclose(file);
	while (at + sizeof(*note) <= size) {
		size_t name = at + sizeof(*note), id;

		note = (const void *)(notes + at);
		id = name + (note->n_namesz + 3) / 4 * 4;
		at = id + (note->n_descsz + 3) / 4 * 4;
		if (at > size || at <= name)
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
		    !memcmp(notes + name, "GNU", 4)) {
			put_build_id(blob, PERF_RECORD_MISC_KERNEL,
				     KERNEL_NAME, notes + id, note->n_descsz);
			return;
		}
	}
}

static void visit(const void *node, VISIT which, void *blob)
{
	if (which == postorder || which == leaf)
		put_file(blob, *(char *const *)node);
}

void buildid_collect(const struct kermon_writer *writer, struct blob *blob)
{
	elf_version(EV_CURRENT);
	put_kernel(blob);
	twalk_r(writer->files, visit, blob);
}
