// SPDX-License-Identifier: GPL-2.0
/*
 * Synthesize records for the state before the recording: the kernel's text, and the
 * threads and executable mappings of the process. As in perf record, their time is 0,
 * "from the beginning", and their id 0, "no event".
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "writer_private.h"

#define KERNEL_TEXT	"[kernel.kallsyms]_text"

/* The longest record: MMAP2 with a path of PATH_MAX. */
#define RECORD_ROOM	(4096 + 256)

struct made_comm {
	struct perf_event_header header;
	uint32_t pid, tid;
	char name[];
};

struct made_mmap {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	char filename[];
};

struct made_mmap2 {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t maj, min;
	uint64_t ino, ino_generation;
	uint32_t prot, flags;
	char filename[];
};

int writer_put_named(struct kermon_writer *writer,
		     struct perf_event_header *record, size_t size,
		     const char *name)
{
	static const struct perfdata_sample_id none;
	char room[RECORD_ROOM] = { 0 };
	size_t length = (strlen(name) / 8 + 1) * 8;

	if (size + length + sizeof(none) > sizeof(room))
		return 0;
	record->size = size + length + sizeof(none);
	memcpy(room, record, size);
	memcpy(room + size, name, strlen(name));
	return writer_put(writer, room, record->size);
}

/* Whether a line of kallsyms, "ffffffff81000000 T _text", is of this symbol. */
static bool is_symbol(const char *line, const char *name)
{
	const char *space = strchr(line, ' ');
	const size_t length = strlen(name);

	return space && space[1] && space[2] == ' ' &&
	       !strncmp(space + 3, name, length) && space[3 + length] == '\n';
}

/*
 * Addresses of the kernel's text; 0 if they are hidden. There are more than 100,000 lines, of
 * which only two are parsed.
 */
static void find_kernel(uint64_t *start, uint64_t *end)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[512];

	*start = 0;
	*end = 0;
	while (file && !*end && fgets(line, sizeof(line), file)) {
		if (is_symbol(line, "_text"))
			*start = strtoull(line, NULL, 16);
		if (is_symbol(line, "_etext"))
			*end = strtoull(line, NULL, 16);
	}
	if (file)
		fclose(file);
}

/* perf requires a kernel mapping even if no sample is in it. */
static int put_kernel(struct kermon_writer *writer)
{
	struct made_mmap map = {
		.header.type = PERF_RECORD_MMAP,
		.header.misc = PERF_RECORD_MISC_KERNEL,
		.pid = -1,
	};
	uint64_t start, end;

	find_kernel(&start, &end);
	if (!start || end <= start)
		return 0;
	map.addr = start;
	map.len = end - start;
	map.pgoff = start;
	return writer_put_named(writer, &map.header, sizeof(map), KERNEL_TEXT);
}

static int put_name(struct kermon_writer *writer, pid_t pid, pid_t tid, const char *name)
{
	struct made_comm comm = {
		.header.type = PERF_RECORD_COMM,
		.pid = pid,
		.tid = tid,
	};

	return writer_put_named(writer, &comm.header, sizeof(comm), name);
}

int marked_thread(struct kermon_writer *writer, const struct marks_thread *thread)
{
	return put_name(writer, thread->pid, thread->tid, thread->comm);
}

static int put_comm(struct kermon_writer *writer, pid_t pid, pid_t tid)
{
	char path[64], name[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fgets(name, sizeof(name), file))
		name[strcspn(name, "\n")] = '\0';
	fclose(file);
	return put_name(writer, pid, tid, name);
}

static int put_threads(struct kermon_writer *writer, pid_t pid)
{
	struct dirent *entry;
	char path[64];
	int result = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return -ESRCH;
	while (!result && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			result = put_comm(writer, pid, atoi(entry->d_name));
	closedir(dir);
	return result;
}

/* Write a line of /proc/PID/maps; only executable mappings are needed. */
static int put_map(struct kermon_writer *writer, pid_t pid, const char *line)
{
	struct made_mmap2 map = {
		.header.type = PERF_RECORD_MMAP2,
		.header.misc = PERF_RECORD_MISC_USER,
		.pid = pid,
		.tid = pid,
		.prot = PROT_READ | PROT_EXEC,
		.flags = MAP_PRIVATE,
	};
	char protection[5], name[4096] = "";
	uint64_t end;
	int n;

	n = sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64
		   " %x:%x %" SCNu64 " %4095[^\n]", &map.addr, &end, protection,
		   &map.pgoff, &map.maj, &map.min, &map.ino, name);
	if (n < 7 || protection[2] != 'x')
		return 0;
	map.len = end - map.addr;
	if (!*name)
		strcpy(name, "//anon");
	if (writer_add_file(writer, name))
		return -ENOMEM;
	return writer_put_named(writer, &map.header, sizeof(map), name);
}

static int put_maps(struct kermon_writer *writer, pid_t pid)
{
	char path[64], *line = NULL;
	size_t room = 0;
	int result = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	while (!result && getline(&line, &room, file) > 0)
		result = put_map(writer, pid, line);
	free(line);
	fclose(file);
	return result;
}

/* The process of thread @tid; 0 if there is none. */
static pid_t process_of(pid_t tid)
{
	char path[64], line[256];
	pid_t pid = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	file = fopen(path, "re");
	while (file && !pid && fgets(line, sizeof(line), file))
		sscanf(line, "Tgid: %d", &pid);
	if (file)
		fclose(file);
	return pid;
}

/* Mappings of processes of other users may be hidden. */
int kermon_writer_process(struct kermon_writer *writer, pid_t tid)
{
	const pid_t pid = process_of(tid);
	int result = pid ? put_threads(writer, pid) : -ESRCH;

	if (!result)
		result = put_maps(writer, pid);
	return result == -ESRCH || result == -ENOENT || result == -EACCES ?
	       0 : result;
}

int kermon_writer_start(struct kermon_writer *writer, pid_t pid)
{
	int result = put_kernel(writer);

	if (!result && writer->has_kernel)
		result = modules_put(writer);
	/* The kernel's part of the exec may be sampled: it has the tool's name. */
	if (!result && writer->exec.pid && writer->attrs.sideband > writer->attrs.logged)
		result = put_comm(writer, writer->exec.pid, writer->exec.pid);
	/* The tool's own mappings end at the exec. */
	if (writer->exec.pid || !pid)
		return result;
	if (!result)
		result = put_threads(writer, pid);
	return result ? result : put_maps(writer, pid);
}
