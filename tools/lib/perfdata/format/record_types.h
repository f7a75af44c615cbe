/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contents of each type of record: the table by which records are printed,
 * converted from the other byte order, and documented.
 */
#ifndef KERMON_PERFDATA_RECORD_TYPES_H
#define KERMON_PERFDATA_RECORD_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fields.h"
#include "record.h"

/*
 * KERNEL(number, NAME, use, fields...)		PERF_RECORD_NAME of linux/perf_event.h
 * PERF(number, NAME, use, fields...)		PERFDATA_RECORD_NAME, added by perf
 * FORM(number, NAME, condition, fields...)	another layout of the next such row
 *
 * @use: LINE(name), a function of text/record_line.c that prints it like perf script;
 *	TAKE(name), one of read/pipe.c that extracts what files have in their header;
 *	or NO
 * @condition: of this layout: MISC(bits that are set), or IF(function)
 * @fields: behind the header: kinds and names of enum data_kind, see field_list.h, by
 *	which it is printed and converted from the other byte order. Those of a sample
 *	depend on its event
 *
 * Users define the macros for the columns that they need. perf rejects types from 85 on.
 * The list in Documentation/perf-data.rst reproduces this table; a test
 * compares them.
 */
#define PERFDATA_RECORD_TABLE(KERNEL, PERF, FORM)							\
KERNEL( 1, MMAP,                LINE(mmap), PERFDATA_MMAP, CHARS(filename))				\
KERNEL( 2, LOST,                LINE(lost), U64(id), U64(lost))						\
KERNEL( 3, COMM,                LINE(comm), U32(pid), U32(tid), CHARS(comm))				\
KERNEL( 4, EXIT,                LINE(task), PERFDATA_TASK)						\
KERNEL( 5, THROTTLE,            NO, PERFDATA_THROTTLE)							\
KERNEL( 6, UNTHROTTLE,          NO, PERFDATA_THROTTLE)							\
KERNEL( 7, FORK,                LINE(task), PERFDATA_TASK)						\
KERNEL( 8, READ,                NO, U32(pid), U32(tid), WORDS(reading))					\
KERNEL( 9, SAMPLE,              NO, NOTHING)								\
FORM(10, MMAP2, MISC(PERF_RECORD_MISC_MMAP_BUILD_ID),							\
    PERFDATA_MMAP, U8(build_id_size), PAD(3), BYTES(build_id, 20), U32(prot), U32(flags),		\
    CHARS(filename))											\
FORM(10, MMAP2, IF(record_is_first_mmap2), PERFDATA_MMAP, PERFDATA_INODE, CHARS(filename))		\
KERNEL(10, MMAP2,               LINE(mmap2),								\
    PERFDATA_MMAP, PERFDATA_INODE, U32(prot), U32(flags), CHARS(filename))				\
KERNEL(11, AUX,                 NO, HEX(aux_offset), HEX(aux_size), HEX(flags))				\
KERNEL(12, ITRACE_START,        NO, U32(pid), U32(tid))							\
KERNEL(13, LOST_SAMPLES,        NO, U64(lost))								\
KERNEL(14, SWITCH,              LINE(switch), NOTHING)							\
KERNEL(15, SWITCH_CPU_WIDE,     LINE(switch), U32(next_prev_pid), U32(next_prev_tid))			\
KERNEL(16, NAMESPACES,          LINE(namespaces),							\
    U32(pid), U32(tid), U64(nr_namespaces), REPEAT, HEX(dev), U64(inode))				\
KERNEL(17, KSYMBOL,             LINE(ksymbol),								\
    HEX(addr), U32(len), U16(ksym_type), U16(flags), CHARS(name))					\
KERNEL(18, BPF_EVENT,           LINE(bpf), U16(type), U16(flags), U32(id), BYTES(tag, 8))		\
KERNEL(19, CGROUP,              LINE(cgroup), U64(id), CHARS(path))					\
KERNEL(20, TEXT_POKE,           NO, HEX(addr), U16(old_len), U16(new_len), BYTES(bytes))		\
KERNEL(21, AUX_OUTPUT_HW_ID,    NO, HEX(hw_id))								\
KERNEL(22, CALLCHAIN_DEFERRED,  NO, HEX(cookie), U64(nr), WORDS(ips))					\
PERF(64, HEADER_ATTR,           TAKE(attr), ATTR(attr), WORDS(ids))					\
PERF(65, HEADER_EVENT_TYPE,     TAKE(event_type), U64(event_id), NAME(name))				\
PERF(66, HEADER_TRACING_DATA,   TAKE(tracing_data), U32(size))						\
PERF(67, HEADER_BUILD_ID,       NO,									\
    U32(pid), BYTES(build_id, 20), U8(build_id_size), PAD(3), CHARS(filename))				\
PERF(68, FINISHED_ROUND,        NO, NOTHING)								\
PERF(69, ID_INDEX,              NO,									\
    U64(nr), COUNTED(4), U64(id), U64(idx), U64(cpu), U64(tid), NEWER, REPEAT, U64(machine_pid),	\
    U64(vcpu))												\
PERF(70, AUXTRACE_INFO,         NO, U32(type), PAD(4), WORDS(priv))					\
PERF(71, AUXTRACE,              NO,									\
    HEX(size), HEX(offset), HEX(reference), U32(idx), U32(tid), U32(cpu), PAD(4))			\
FORM(72, AUXTRACE_ERROR, IF(record_is_timeless_error), PERFDATA_ERROR, CHARS(msg))			\
FORM(72, AUXTRACE_ERROR, IF(record_is_guest_error),							\
    PERFDATA_ERROR, TIME(time), CHARS(msg, 64), U32(machine_pid), U32(vcpu))				\
PERF(72, AUXTRACE_ERROR,        NO, PERFDATA_ERROR, TIME(time), CHARS(msg))				\
PERF(73, THREAD_MAP,            NO, U64(nr), REPEAT, S64(pid), CHARS(comm, 16))				\
PERF(74, CPU_MAP,               NO, CPUS(cpus))								\
PERF(75, STAT_CONFIG,           NO, U64(nr), REPEAT, U64(tag), U64(value))				\
PERF(76, STAT,                  NO,									\
    U64(id), S32(cpu), U32(thread), U64(value), TIME(enabled), TIME(running))				\
PERF(77, STAT_ROUND,            NO, U64(type), TIME(time))						\
PERF(78, EVENT_UPDATE,          TAKE(update), U64(what), U64(id), UPDATE(data))				\
PERF(79, TIME_CONV,             NO,									\
    U64(time_shift), U64(time_mult), U64(time_zero), NEWER, U64(time_cycles), HEX(time_mask),		\
    U8(cap_user_time_zero), U8(cap_user_time_short), PAD(0))						\
PERF(80, HEADER_FEATURE,        TAKE(feature), U64(feature), BYTES(bytes))				\
PERF(81, COMPRESSED,            NO, BYTES(compressed))							\
PERF(82, FINISHED_INIT,         NO, NOTHING)								\
PERF(83, COMPRESSED2,           NO, U64(size), BYTES(compressed))

/* Common parts of several rows. */
#define PERFDATA_MMAP		U32(pid), U32(tid), HEX(addr), HEX(len), HEX(pgoff)
#define PERFDATA_INODE		U32(maj), U32(min), U64(ino), U64(ino_generation)
#define PERFDATA_TASK		U32(pid), U32(ppid), U32(tid), U32(ptid), TIME(time)
#define PERFDATA_THROTTLE	TIME(time), U64(id), U64(stream_id)
#define PERFDATA_ERROR		U32(type), U32(code), U32(cpu), U32(pid), U32(tid), U32(fmt), HEX(ip)

/* Records that perf record adds to the kernel's. */
enum perfdata_record {
	PERFDATA_RECORD_FIRST = 64,
#define KERNEL(...)
#define PERF(number, name, ...)	PERFDATA_RECORD_##name = number,
#define FORM(...)
	PERFDATA_RECORD_TABLE(KERNEL, PERF, FORM)
#undef KERNEL
#undef PERF
#undef FORM
};

/**
 * struct record_type - a type of record, in one of its layouts
 * @type: PERF_RECORD_* or PERFDATA_RECORD_*
 * @misc: bits that have to be set; 0: any
 * @name: without PERF_RECORD_
 * @fields: up to DATA_END
 * @is_layout: for obsolete layouts: whether a record has this one; works in either byte
 *	order. NULL: always
 */
struct record_type {
	uint32_t type;
	uint16_t misc;
	const char *name;
	const struct data_field *fields;
	bool (*is_layout)(const unsigned char *record, size_t size);
};

/* Whether the type is known. */
bool record_type_exists(uint32_t type);

/* The layout of a record of @size bytes; NULL: its type is unknown. */
const struct record_type *record_type(uint32_t type, uint16_t misc,
				      const unsigned char *record, size_t size);

static inline const struct record_type *
record_type_of(const struct record *record)
{
	return record_type(record->type, record->misc, record->data,
			   record->size);
}

/* An MMAP2 as introduced in Linux 3.12, without protection and flags. */
bool record_is_first_mmap2(const unsigned char *record, size_t size);

/* An EVENT_UPDATE with KerMon's notes, in this machine's byte order. */
bool record_has_notes(const struct record *record);

#endif /* KERMON_PERFDATA_RECORD_TYPES_H */
