/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The features of perf.data, optional sections on what was recorded and where: the
 * table from which they are written, printed and documented.
 */
#ifndef KERMON_PERFDATA_FEATURES_H
#define KERMON_PERFDATA_FEATURES_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "fields.h"

/*
 * ROW(number, NAME, title, written, shown, fields...)
 *
 * @number: its bit in the header of the file
 * @NAME: perf's name; the constant is PERFDATA_NAME
 * @title: printed before each of its lines by `kermon header`
 * @written: whether KerMon writes it to its files: NO, or a function of write/features.c:
 *	EARLY(name) before the records and again behind them; LATE(name) only behind them
 * @shown: TEXT("...") with the value of each {field}, one line per element; BY(name), a
 *	function of text/feature_text.c; or SIZE, only the number of bytes
 * @fields: its encoding: kinds and names of enum data_kind, see field_list.h. EACH is a
 *	count of elements whose fields follow. OTHER describes what only the function
 *	understands
 *
 * Users define the macros for the columns that they need, including ROW. The matrix in
 * Documentation/perf-data.rst reproduces this table; a test compares them.
 */
#define PERFDATA_FEATURE_TABLE(ROW)									\
ROW(  1, TRACING_DATA,    "tracing data",        EARLY(tracing_data),					\
    SIZE, OTHER("formats of tracepoints, as tracefs has them"))						\
ROW(  2, BUILD_ID,        "build id",            LATE(build_ids),					\
    BY(build_ids), OTHER("each: struct perfdata_build_id, path"))					\
ROW(  3, HOSTNAME,        "host name",           EARLY(hostname), TEXT("{name}"), STRING(name))		\
ROW(  4, OSRELEASE,       "OS release",          EARLY(osrelease), TEXT("{release}"), STRING(release))	\
ROW(  5, VERSION,         "recorded by version", EARLY(version), TEXT("{version}"), STRING(version))	\
ROW(  6, ARCH,            "architecture",        EARLY(arch), TEXT("{machine}"), STRING(machine))	\
ROW(  7, NRCPUS,          "CPUs",                EARLY(nrcpus),						\
    TEXT("{online} online, {available} available"), U32(available), U32(online))			\
ROW(  8, CPUDESC,         "CPU",                 EARLY(cpudesc), TEXT("{model}"), STRING(model))	\
ROW(  9, CPUID,           "CPU id",              EARLY(cpuid), TEXT("{id}"), STRING(id))		\
ROW( 10, TOTAL_MEM,       "memory",              EARLY(total_mem), TEXT("{size} kB"), U64(size))	\
ROW( 11, CMDLINE,         "command line",        EARLY(cmdline), BY(words), EACH, STRING(word))		\
ROW( 12, EVENT_DESC,      "event descriptions",  EARLY(event_desc),					\
    TEXT("{nr} of {size} bytes each"),									\
    U32(nr), U32(size), OTHER("nr times: attr, u32 nr_ids, string name, u64 ids"))			\
ROW( 13, CPU_TOPOLOGY,    "topology",            EARLY(cpu_topology),					\
    BY(topology), OTHER("lists of cores, threads; u32 core, u32 socket of each CPU; dies likewise"))	\
ROW( 14, NUMA_TOPOLOGY,   "NUMA node",           EARLY(numa_topology),					\
    TEXT("{node}: CPUs {cpus}, {total} kB, {free} kB free"),						\
    EACH, U32(node), U64(total), U64(free), STRING(cpus))						\
ROW( 15, BRANCH_STACK,    "branch stacks",       NO, SIZE, NOTHING)					\
ROW( 16, PMU_MAPPINGS,    "PMU",                 EARLY(pmu_mappings),					\
    TEXT("{pmu} = {type}"), EACH, U32(type), STRING(pmu))						\
ROW( 17, GROUP_DESC,      "group",               NO,							\
    TEXT("{name}: {members} events from event {leader} on"),						\
    EACH, STRING(name), U32(leader), U32(members))							\
ROW( 18, AUXTRACE,        "hardware trace",      NO,							\
    TEXT("{size} bytes at offset {offset}"), EACH64, U64(offset), U64(size))				\
ROW( 19, STAT,            "counts of perf stat", NO, SIZE, NOTHING)					\
ROW( 20, CACHE,           "cache",               EARLY(cache),						\
    TEXT("L{level} {type} {size}, {ways} ways, {sets} sets, {line} byte lines, CPUs {cpus}"),		\
    U32(version), EACH, U32(level), U32(line), U32(sets), U32(ways), STRING(type), STRING(size),	\
    STRING(cpus))											\
ROW( 21, SAMPLE_TIME,     "samples from",        LATE(sample_time), BY(span), TIME(first), TIME(last))	\
ROW( 22, MEM_TOPOLOGY,    "memory",              EARLY(mem_topology),					\
    BY(memory_nodes), U64(version), U64(block), EACH64, OTHER("u64 node, u64 bits, bitmap of blocks"))	\
ROW( 23, CLOCKID,         "clock resolution",    EARLY(clockid),					\
    TEXT("{resolution} ns"), U64(resolution))								\
ROW( 24, DIR_FORMAT,      "directory format",    NO, TEXT("version {version}"), U64(version))		\
ROW( 25, BPF_PROG_INFO,   "BPF program",         NO,							\
    BY(bpf_programs),											\
    EACH, U32(info_size), U32(data_size), U64(arrays), OTHER("struct bpf_prog_info, data"))		\
ROW( 26, BPF_BTF,         "BPF types",           NO,							\
    TEXT("id {id}, {size} bytes"), EACH, U32(id), U32(size), SIZED(types))				\
ROW( 27, COMPRESSED,      "compression",         EARLY(compressed),					\
    BY(compression), U32(version), U32(type), U32(level), U32(ratio), U32(mmap_len))			\
ROW( 28, CPU_PMU_CAPS,    "PMU capability",      EARLY(cpu_pmu_caps),					\
    TEXT("{name} = {value}"), EACH, STRING(name), STRING(value))					\
ROW( 29, CLOCK_DATA,      "clock",               EARLY(clock_data),					\
    BY(clock_data), U32(version), U32(clock), U64(wall), U64(reference))				\
ROW( 30, HYBRID_TOPOLOGY, "hybrid topology",     EARLY(hybrid_topology),				\
    TEXT("{pmu} = {cpus}"), EACH, STRING(pmu), STRING(cpus))						\
ROW( 31, PMU_CAPS,        "PMU capability",      EARLY(pmu_caps),					\
    BY(pmu_capabilities), EACH, OTHER("as CPU_PMU_CAPS, string pmu"))					\
ROW(200, KERMON,          "kermon",              EARLY(kermon), TEXT("{note}"), EACH, STRING(note))

/*
 * For each bit set in the header there is a struct perfdata_section in a table directly
 * behind the records, in ascending order.
 */
enum perfdata_feature {
#define ROW(number, name, ...)	PERFDATA_##name = number,
	PERFDATA_FEATURE_TABLE(ROW)
#undef ROW
	PERFDATA_FEATURES = 256,	/* bits in the header */
};

/**
 * struct feature_type - a row of the table
 * @title: NULL: there is no such feature
 * @text: with {field} for values; NULL: printed by a function, or only its size
 * @fields: up to DATA_END
 */
struct feature_type {
	const char *title;
	const char *text;
	const struct data_field *fields;
};

/* @bit: any number below PERFDATA_FEATURES. */
const struct feature_type *feature_type(unsigned int bit);

/*
 * EVENT_DESC is u32 nr, u32 attr_size and nr times { attr, u32 nr_ids, string
 * name, nr_ids u64 }, in the order of header.attrs.
 *
 * A string is u32 len and len bytes: the text, a NUL and padding with NULs to a
 * multiple of PERFDATA_STRING_ALIGN.
 */
#define PERFDATA_STRING_ALIGN	64

/*
 * CLOCK_DATA names a clock as clock_gettime(2) does. perf's default clock has no number
 * there, and perf does not write CLOCK_DATA for it. KerMon does, with this one, which
 * clock_gettime(2) rejects.
 */
#define PERFDATA_CLOCK_PERF	UINT32_MAX

/*
 * An element of BUILD_ID: header.misc states kernel or user space, and whether @size is
 * valid (PERF_RECORD_MISC_BUILD_ID_SIZE). The file name follows, padded with NULs to a
 * multiple of PERFDATA_STRING_ALIGN.
 */
struct perfdata_build_id {
	struct perf_event_header header;
	int32_t pid;		/* -1: the host */
	uint8_t id[20];
	uint8_t size;		/* bytes of @id */
	uint8_t pad[3];
};

#define PERF_RECORD_MISC_BUILD_ID_SIZE	(1 << 15)

#endif /* KERMON_PERFDATA_FEATURES_H */
