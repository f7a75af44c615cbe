// SPDX-License-Identifier: GPL-2.0
/*
 * Write TRACING_DATA: what the data of tracepoints means, in the words of tracefs. It begins as
 * a file of trace-cmd(1) does, of version 0.6: see trace-cmd.dat.v6(5).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/tracefs.h"
#include "writer_private.h"

static const char magic[] = "\x17\x08\x44tracing";

/*
 * How the buffers of ftrace begin, for users who may not read tracefs: no sample depends on it,
 * but perf does not read a file where it is empty.
 */
static const char default_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static const char default_event[] = "# compressed entry header\n";

static bool is_tracepoint(const struct described_event *event)
{
	return event->attr.type == PERF_TYPE_TRACEPOINT;
}

/* "sched/sched_switch" of "sched:sched_switch:u"; false: it is no such name. */
static bool find_path(const struct described_event *event, char path[TRACEFS_NAME])
{
	char *colon, *modifiers;

	strcpy(path, event->name);
	colon = strchr(path, ':');
	if (!is_tracepoint(event) || !colon)
		return false;
	modifiers = strchr(colon + 1, ':');
	if (modifiers)
		*modifiers = '\0';
	*colon = '/';
	return true;
}

/* Contents of a file of tracefs, preceded by their size. */
static void put_text(struct blob *blob, const char *text, size_t size)
{
	blob_u64(blob, size);
	if (size)
		blob_put(blob, text, size);
}

/* @otherwise: if it cannot be read */
static void put_file(struct blob *blob, const char *path, const char *otherwise)
{
	char *text;
	const long size = tracefs_read(&text, "%s", path);

	if (size < 0)
		put_text(blob, otherwise, strlen(otherwise));
	else
		put_text(blob, text, size);
	free(text);
}

static void put_named_file(struct blob *blob, const char *name, const char *otherwise)
{
	char path[TRACEFS_NAME] = "events/";

	strcat(path, name);
	blob_put(blob, name, strlen(name) + 1);
	put_file(blob, path, otherwise);
}

static void put_head(struct blob *blob)
{
	static const char version[] = "0.6";
	const uint8_t bytes[] = { 0 /* little endian */, sizeof(long) };

	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the byte order of the file");
	blob_put(blob, magic, sizeof(magic) - 1);
	blob_put(blob, version, sizeof(version));
	blob_put(blob, bytes, sizeof(bytes));
	blob_u32(blob, sysconf(_SC_PAGESIZE));
	put_named_file(blob, "header_page", default_page);
	put_named_file(blob, "header_event", default_event);
	blob_u32(blob, 0);	/* events of ftrace itself */
}

/* Whether @path is one of the first @nr events, or, with @length, of its system. */
static bool is_earlier(const struct attrs *attrs, unsigned int nr, const char *path,
		       size_t length)
{
	char other[TRACEFS_NAME];

	for (unsigned int i = 0; i < nr; i++)
		if (find_path(&attrs->events[i], other) &&
		    (length ? !strncmp(path, other, length) : !strcmp(path, other)))
			return true;
	return false;
}

static void put_format(const struct kermon_writer *writer, const struct perf_event_attr *attr,
		       const char *path, struct blob *blob)
{
	char file[2 * TRACEFS_NAME];
	struct blob own = { 0 };

	tracing_regions(writer, attr, &own);
	if (own.size) {
		put_text(blob, own.data, own.size);
	} else {
		snprintf(file, sizeof(file), "events/%s/format", path);
		put_file(blob, file, "");
	}
	blob->failed |= own.failed;
	free(own.data);
}

/* Number of different tracepoints of the system that @path begins with; with @blob, put them. */
static uint32_t put_events(const struct kermon_writer *writer, const char *path, size_t length,
			   struct blob *blob)
{
	const struct attrs *attrs = &writer->attrs;
	char other[TRACEFS_NAME];
	uint32_t nr = 0;

	for (unsigned int i = 0; i < attrs->nr; i++) {
		if (!find_path(&attrs->events[i], other) || strncmp(path, other, length) ||
		    is_earlier(attrs, i, other, 0))
			continue;
		nr++;
		if (blob)
			put_format(writer, &attrs->events[i].attr, other, blob);
	}
	return nr;
}

/* Number of systems; with @blob, put their tracepoints. */
static uint32_t put_systems(const struct kermon_writer *writer, struct blob *blob)
{
	const struct attrs *attrs = &writer->attrs;
	char path[TRACEFS_NAME];
	uint32_t nr = 0;
	size_t length;

	for (unsigned int i = 0; i < attrs->nr; i++) {
		if (!find_path(&attrs->events[i], path))
			continue;
		length = strcspn(path, "/") + 1;
		if (is_earlier(attrs, i, path, length))
			continue;
		nr++;
		if (!blob)
			continue;
		blob_put(blob, path, length - 1);
		blob_put(blob, NULL, 1);
		blob_u32(blob, put_events(writer, path, length, NULL));
		put_events(writer, path, length, blob);
	}
	return nr;
}

void tracing_collect(const struct kermon_writer *writer, struct blob *blob)
{
	const uint32_t nr = put_systems(writer, NULL);

	if (!nr)
		return;
	put_head(blob);
	blob_u32(blob, nr);
	put_systems(writer, blob);
	blob_u32(blob, 0);	/* symbols of the kernel, which the file has elsewhere */
	blob_u32(blob, 0);	/* formats of trace_printk() */
	blob_u64(blob, 0);	/* names of tasks, likewise elsewhere */
}
