/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Marks of regions, from a thread of the application to the tool that records it: the ring,
 * and how the tool gets it. The collector (tools/preload) produces, the tool consumes.
 *
 * The tool listens on an abstract socket of type SOCK_SEQPACKET, whose name is in the
 * environment of the application. The collector connects once for each ring: it sends a
 * struct ring_hello with the ring's memory, waits for a struct ring_config, and closes the
 * connection, so that no descriptor stays in the application. The memory is a memfd, sealed
 * so that it cannot shrink: the tool reads it after the thread, the process or both were
 * killed, whatever they have done to it. All that is in it is written by the application, so
 * the tool checks it like input.
 *
 * Each thread has a ring of marks. A process has another one for names, which it shares: a
 * name is in there before a mark can refer to it. The ring of names comes first. If there is
 * another one from the same process, it has executed another program, and the rings of marks
 * that come later are of that.
 *
 * A thread that waits for room looks now and then whether the tool is still there: then it
 * connects, and sends nothing.
 */
#ifndef KERMON_MARKS_RING_H
#define KERMON_MARKS_RING_H

#include <stdint.h>

/* The environment of the application: the name of the socket, without the NUL before it. */
#define RING_ENVIRONMENT	"KERMON_MARKS"

#define RING_MAGIC		0x534b52414d4b00ULL	/* "\0KMARKS" */
#define RING_VERSION		1

/* The head of a ring; the records follow it. */
#define RING_HEAD_SIZE		4096

/* Bytes of records in a ring of names, which is rarely used. */
#define RING_NAMES_BYTES	(1U << 20)

/* Longest name, without a NUL; longer ones are cut. */
#define RING_NAME_MAX		1000

enum ring_kind {
	RING_MARKS,
	RING_NAMES,
};

/**
 * struct ring_hello - what the collector sends, with the memory as SCM_RIGHTS
 * @magic: RING_MAGIC
 * @version: RING_VERSION
 * @kind: enum ring_kind
 * @pid: process in its own namespace
 * @tid: thread likewise
 */
struct ring_hello {
	uint64_t magic;
	uint32_t version;
	uint32_t kind;
	int32_t pid;
	int32_t tid;
};

/* Flags of struct ring_config. */
#define RING_COUNTS	(1U << 0)	/* marks carry counts where the thread can read its own */
#define RING_WAIT	(1U << 1)	/* a thread waits for room in its ring, and loses nothing */
#define RING_PAUSED	(1U << 2)	/* nothing is collected before kermon_resume() */

/**
 * struct ring_config - what the tool answers; strings follow
 * @magic: RING_MAGIC
 * @version: RING_VERSION
 * @flags: RING_*
 * @ring_bytes: bytes of records in a ring of marks, a power of two
 * @first: number of the first iteration that is collected, from 1; 0: all
 * @last: number of the last one; 0: no end
 * @strings: three strings with a NUL behind each: the pattern of regions that are iterations,
 *	those that are collected with all in them, and those that are not, both separated by
 *	commas; see fnmatch(3). An empty one means none, or for those collected all.
 */
struct ring_config {
	uint64_t magic;
	uint32_t version;
	uint32_t flags;
	uint64_t ring_bytes;
	uint64_t first;
	uint64_t last;
	char strings[];
};

/* Longest answer. */
#define RING_CONFIG_MAX		16384

/**
 * struct ring_head - the beginning of a ring
 * @head: bytes of records written so far; by the producer
 * @closed: the producer has ended, and will not write any more
 * @lost: marks that found no room, so far; in a ring of names: threads that could not open a
 *	ring, and are not collected; by the producer
 * @tail: bytes of records that have been read; by the consumer
 *
 * The record at position p is at RING_HEAD_SIZE + p % bytes, and may continue at the begin.
 * Producer and consumer write different cache lines.
 */
struct ring_head {
	_Alignas(64) uint64_t head;
	uint64_t lost;
	uint32_t closed;
	_Alignas(64) uint64_t tail;
};

/**
 * enum mark - kinds of records in a ring of marks
 * @MARK_BEGIN: the thread enters region @id; with counts
 * @MARK_END: it leaves region @id, or the innermost one if @id is 0; with counts
 * @MARK_EVENT: something that has no duration; with counts
 * @MARK_VALUE: values[0] is attached to the innermost region, under the name @id
 * @MARK_VALUE_DOUBLE: likewise, a double
 * @MARK_OPEN: a task or region that may overlap others and end in another thread begins.
 *	values[0]: its identity, values[1]: that of what it is in, or 0
 * @MARK_CLOSE: the task with the identity values[0] ends
 * @MARK_FRAME: a frame @id that ended at @tsc and began at the TSC values[0]
 * @MARK_COUNTER: the counter @id has the value values[0], a double
 * @MARK_PAUSE: nothing is collected in this process from here on
 * @MARK_RESUME: until here
 * @MARK_SKIP: what was begun inside, up to the next END, was not collected: @id is the region
 *	that was excluded; with counts
 * @MARK_COUNTED: what the counts of the following marks are: see struct mark_counted. The
 *	first record with counts of a thread has one before it.
 * @MARK_LOST: values[0] marks were lost here
 * @MARK_CLOSED: the thread ends; with counts
 */
enum mark {
	MARK_NONE,
	MARK_BEGIN,
	MARK_END,
	MARK_EVENT,
	MARK_VALUE,
	MARK_VALUE_DOUBLE,
	MARK_OPEN,
	MARK_CLOSE,
	MARK_FRAME,
	MARK_COUNTER,
	MARK_PAUSE,
	MARK_RESUME,
	MARK_SKIP,
	MARK_COUNTED,
	MARK_LOST,
	MARK_CLOSED,
	MARK_MAX,
};

/* The CPU is not known. */
#define MARK_NO_CPU	UINT16_MAX

/**
 * struct mark_record - a record of a ring of marks
 * @kind: enum mark
 * @words: size of the record in units of 8 bytes
 * @cpu: number of the CPU, or MARK_NO_CPU
 * @id: number of a name, from 1; 0: none
 * @tsc: when
 * @values: see enum mark. Counts: TSC cycles that the thread has been on a CPU, then what
 *	struct kermon_counts has in values[], in its order. A mark without counts has none.
 */
struct mark_record {
	uint8_t kind;
	uint8_t words;
	uint16_t cpu;
	uint32_t id;
	uint64_t tsc;
	uint64_t values[];
};

#define MARK_WORDS	2

/**
 * struct mark_counted - values of MARK_COUNTED
 * @plan: as in struct kermon_page
 * @set: likewise
 * @nr_fixed: number of fixed counters
 * @nr_values: number of all counts
 */
struct mark_counted {
	uint32_t plan;
	uint16_t set;
	uint8_t nr_fixed;
	uint8_t nr_values;
};

/* What a name is of. */
enum mark_name {
	MARK_NAME_REGION,	/* of <kermon/region.h>, and ITT's regions */
	MARK_NAME_TASK,
	MARK_NAME_EVENT,
	MARK_NAME_FRAME,	/* a frame's domain, or its name */
	MARK_NAME_COUNTER,
	MARK_NAME_VALUE,	/* of metadata */
	MARK_NAME_DOMAIN,
	MARK_NAME_THREAD,	/* of the thread @thread */
	MARK_NAME_MAX,
};

/**
 * struct name_record - a record of a ring of names
 * @size: of the record, with @name, its NUL and padding to a multiple of 8
 * @kind: enum mark_name
 * @id: number of the name, from 1, in this process
 * @domain: number of the name of its domain, or 0
 * @thread: of MARK_NAME_THREAD: its tid as in struct ring_hello
 * @name: with a NUL
 */
struct name_record {
	uint16_t size;
	uint16_t kind;
	uint32_t id;
	uint32_t domain;
	int32_t thread;
	char name[];
};

#endif /* KERMON_MARKS_RING_H */
