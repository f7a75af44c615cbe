// SPDX-License-Identifier: GPL-2.0
/*
 * Collect the build ids of mapped files. Those of the kernel and its modules are omitted
 * unless samples may point into them: on every other machine perf script would search for
 * their symbols and complain that there are none.
 */
#define _GNU_SOURCE
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <link.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "writer_private.h"

static void put_build_id(struct blob *blob, uint16_t mode, const char *name,
			 const void *id, size_t size)
{
	const size_t length = (strlen(name) / PERFDATA_STRING_ALIGN + 1) *
			      PERFDATA_STRING_ALIGN;
	struct perfdata_build_id record = {
		.header.misc = mode |
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
	elf = elf_begin(fd, ELF_C_READ, NULL);
	size = elf ? dwelf_elf_gnu_build_id(elf, &id) : -1;
	if (size > 0)
		put_build_id(blob, PERF_RECORD_MISC_USER, name, id, size);
	elf_end(elf);
	close(fd);
}

static void visit(const void *node, VISIT which, void *blob)
{
	if (which == postorder || which == leaf)
		put_file(blob, *(char *const *)node);
}

/* A section of notes, as the kernel shows it: the name of each has four bytes. */
struct note {
	uint32_t name_size, size, type;
	char name[4];
	unsigned char id[];
};

/* Find the build id in @left bytes of notes. */
static void put_note(struct blob *blob, uint16_t mode, const char *name,
		     const void *notes, size_t left)
{
	const char *at = notes;
	const struct note *note;
	size_t size;

	for (; left > sizeof(*note); at += size, left -= size) {
		note = (const void *)at;
		size = offsetof(struct note, name) +
		       ((size_t)note->name_size + 3) / 4 * 4 +
		       ((size_t)note->size + 3) / 4 * 4;
		if (size > left)
			return;
		if (note->type != NT_GNU_BUILD_ID || note->name_size != 4 ||
		    memcmp(note->name, "GNU", 4))
			continue;
		put_build_id(blob, mode, name, note->id, note->size);
		return;
	}
}

/* The same in the file @path of sysfs. */
static void put_notes(struct blob *blob, const char *path, const char *name)
{
	uint32_t room[1024];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? 0 : read(fd, room, sizeof(room));

	if (size > 0)
		put_note(blob, PERF_RECORD_MISC_KERNEL, name, room, size);
	if (fd >= 0)
		close(fd);
}

/* The kernel maps it into each process, and into this one: it is no file. */
static void put_vdso(struct blob *blob)
{
	const char *image = (const char *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *head = (const void *)image;
	const ElfW(Phdr) *segment;

	for (int i = 0; image && i < head->e_phnum; i++) {
		segment = (const ElfW(Phdr) *)(image + head->e_phoff) + i;
		if (segment->p_type == PT_NOTE)
			put_note(blob, PERF_RECORD_MISC_USER, "[vdso]",
				 image + segment->p_offset, segment->p_filesz);
	}
}

static int put_module(void *blob, const struct module *module)
{
	char path[128];

	snprintf(path, sizeof(path),
		 "/sys/module/%s/notes/.note.gnu.build-id", module->name);
	put_notes(blob, path, module->path);
	return 0;
}

void buildid_collect(const struct kermon_writer *writer, struct blob *blob)
{
	if (writer->has_kernel) {
		put_notes(blob, "/sys/kernel/notes", "[kernel.kallsyms]");
		modules_each(put_module, blob);
	}
	if (writer->files)
		put_vdso(blob);
	elf_version(EV_CURRENT);
	twalk_r(writer->files, visit, blob);
}
