// SPDX-License-Identifier: GPL-2.0
/*
 * Print records other than samples like perf script with options such as
 * --show-mmap-events.
 */
#include <inttypes.h>
#include <kermon/text.h>
#include <sys/mman.h>

#include "text.h"
#include "util/cursor.h"

/* Namespaces per line. */
#define NAMESPACES_ABREAST	4

/* The text at the end of a record, and a newline. */
static void put_name(FILE *out, struct cursor *c)
{
	kermon_text_print(out, cursor_text(c));
	fputc('\n', out);
}

static void put_comm(FILE *out, const struct record *record, struct cursor *c)
{
	uint32_t pid = cursor_u32(c);
	uint32_t tid = cursor_u32(c);

	fprintf(out, "%s: ",
		record->misc & PERF_RECORD_MISC_COMM_EXEC ? " exec" : "");
	kermon_text_print(out, cursor_text(c));
	fprintf(out, ":%d/%d\n", (int)pid, (int)tid);
}

/* FORK and EXIT. */
static void put_task(FILE *out, const struct record *record, struct cursor *c)
{
	uint32_t pid = cursor_u32(c);
	uint32_t parent_pid = cursor_u32(c);
	uint32_t tid = cursor_u32(c);
	uint32_t parent_tid = cursor_u32(c);

	(void)record;
	fprintf(out, "(%d:%d):(%d:%d)\n", (int)pid, (int)tid, (int)parent_pid,
		(int)parent_tid);
}

/* The start of MMAP and MMAP2. */
static void put_range(FILE *out, struct cursor *c)
{
	uint32_t pid = cursor_u32(c);
	uint32_t tid = cursor_u32(c);
	uint64_t start = cursor_u64(c);
	uint64_t size = cursor_u64(c);
	uint64_t offset = cursor_u64(c);

	fprintf(out, " %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64,
		(int)pid, (int)tid, start, size, offset);
}

static void put_mmap(FILE *out, const struct record *record, struct cursor *c)
{
	put_range(out, c);
	fprintf(out, "]: %c ",
		record->misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x');
	put_name(out, c);
}

/* A size, three bytes of padding, and @size of 20 bytes. */
static void put_build_id(FILE *out, struct cursor *c)
{
	const unsigned char *bytes = cursor_take(c, 24);

	fputs(" <", out);
	for (unsigned int i = 0; bytes && i < bytes[0] && i < 20; i++)
		fprintf(out, "%02x", bytes[4 + i]);
	fputc('>', out);
}

static void put_inode(FILE *out, struct cursor *c)
{
	uint32_t major = cursor_u32(c);
	uint32_t minor = cursor_u32(c);
	uint64_t number = cursor_u64(c);
	uint64_t generation = cursor_u64(c);

	fprintf(out, " %02x:%02x %" PRIu64 " %" PRIu64, major, minor, number,
		generation);
}

static void put_mmap2(FILE *out, const struct record *record, struct cursor *c)
{
	uint32_t prot = 0, flags = 0;

	put_range(out, c);
	if (record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		put_build_id(out, c);
	else
		put_inode(out, c);
	if (!record_is_first_mmap2(record->data, record->size)) {
		prot = cursor_u32(c);
		flags = cursor_u32(c);
	}
	fprintf(out, "]: %c%c%c%c ", prot & PROT_READ ? 'r' : '-',
		prot & PROT_WRITE ? 'w' : '-', prot & PROT_EXEC ? 'x' : '-',
		flags & MAP_SHARED ? 's' : 'p');
	put_name(out, c);
}

static void put_namespaces(FILE *out, const struct record *record,
			   struct cursor *c)
{
	static const char *const names[] = {
		"net", "uts", "ipc", "pid", "user", "mnt", "cgroup",
	};
	uint32_t pid = cursor_u32(c);
	uint32_t tid = cursor_u32(c);
	uint64_t nr = cursor_u64(c);
	uint64_t device, inode;

	(void)record;
	fprintf(out, " %d/%d - nr_namespaces: %u\n\t\t[", (int)pid, (int)tid,
		(unsigned int)nr);
	for (uint64_t i = 0; i < nr && !c->failed; i++) {
		device = cursor_u64(c);
		inode = cursor_u64(c);
		if (i && i % NAMESPACES_ABREAST == 0)
			fputs("\n\t\t ", out);
		fprintf(out, "%" PRIu64 "/%s: %" PRIu64 "/%#" PRIx64 "%s", i,
			i < sizeof(names) / sizeof(names[0]) ? names[i] :
							       "unknown",
			device, inode, i + 1 < nr ? ", " : "]\n");
	}
}

static void put_cgroup(FILE *out, const struct record *record,
		       struct cursor *c)
{
	uint64_t id = cursor_u64(c);

	(void)record;
	fprintf(out, " cgroup: %" PRIu64 " ", id);
	put_name(out, c);
}

static void put_switch(FILE *out, const struct record *record,
		       struct cursor *c)
{
	bool is_out = record->misc & PERF_RECORD_MISC_SWITCH_OUT;
	bool preempted = record->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	uint32_t pid, tid;

	fprintf(out, " %-11s", !is_out ? "IN" : preempted ? "OUT preempt" :
							    "OUT");
	if (record->type == PERF_RECORD_SWITCH_CPU_WIDE) {
		pid = cursor_u32(c);
		tid = cursor_u32(c);
		fprintf(out, "  %s pid/tid: %5d/%-5d",
			is_out ? "next" : "prev", (int)pid, (int)tid);
	}
	fputc('\n', out);
}

/* Skip the id of the event. */
static void put_lost(FILE *out, const struct record *record, struct cursor *c)
{
	(void)record;
	cursor_u64(c);
	fprintf(out, " lost %" PRIu64 "\n", cursor_u64(c));
}

static void put_ksymbol(FILE *out, const struct record *record,
			struct cursor *c)
{
	uint64_t address = cursor_u64(c);
	uint32_t size = cursor_u32(c);
	uint32_t kind = cursor_u32(c);	/* 16 bits of type, 16 of flags */

	(void)record;
	fprintf(out, " addr %" PRIx64 " len %u type %u flags 0x%x name ",
		address, size, kind & 0xffff, kind >> 16);
	put_name(out, c);
}

static void put_bpf(FILE *out, const struct record *record, struct cursor *c)
{
	uint32_t kind = cursor_u32(c);	/* as above */

	(void)record;
	fprintf(out, " type %u, flags %u, id %u\n", kind & 0xffff, kind >> 16,
		cursor_u32(c));
}

#define NO		NULL
#define LINE(name)	put_##name
#define KERNEL(number, name, use, ...)	[number] = use,
#define PERF(...)
#define FORM(...)

static void (*const lines[PERFDATA_RECORD_FIRST])(FILE *out, const struct record *record,
						  struct cursor *c) = {
	PERFDATA_RECORD_TABLE(KERNEL, PERF, FORM)
};

bool record_line(FILE *out, const struct record *record)
{
	const struct record_type *type = record_type_of(record);
	struct cursor c = cursor_of(record->data, record->size);

	if (!type || record->type >= PERFDATA_RECORD_FIRST || !lines[record->type])
		return false;
	cursor_take(&c, sizeof(struct perf_event_header));
	fprintf(out, "PERF_RECORD_%s", type->name);
	lines[record->type](out, record, &c);
	return !c.failed;
}
