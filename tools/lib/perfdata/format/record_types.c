// SPDX-License-Identifier: GPL-2.0
/*
 * The table of record types: name and fields of each, those of the kernel after
 * linux/perf_event.h, those of perf after its tools.
 */
#include "layout.h"
#include "record_types.h"

/* Of Linux 6.18: a call chain that a sample before it has left out. */
#define RECORD_CALLCHAIN_DEFERRED	22

static const struct record_field mmap_fields[] = {
	{ "pid", RECORD_U32 }, { "tid", RECORD_U32 },
	{ "addr", RECORD_HEX }, { "len", RECORD_HEX }, { "pgoff", RECORD_HEX },
	{ "filename", RECORD_TEXT }, {}
};

static const struct record_field mmap2_fields[] = {
	{ "pid", RECORD_U32 }, { "tid", RECORD_U32 },
	{ "addr", RECORD_HEX }, { "len", RECORD_HEX }, { "pgoff", RECORD_HEX },
	{ "maj", RECORD_U32 }, { "min", RECORD_U32 },
	{ "ino", RECORD_U64 }, { "ino_generation", RECORD_U64 },
	{ "prot", RECORD_U32 }, { "flags", RECORD_U32 },
	{ "filename", RECORD_TEXT }, {}
};

/* Until Linux 3.16. */
static const struct record_field first_mmap2_fields[] = {
	{ "pid", RECORD_U32 }, { "tid", RECORD_U32 },
	{ "addr", RECORD_HEX }, { "len", RECORD_HEX }, { "pgoff", RECORD_HEX },
	{ "maj", RECORD_U32 }, { "min", RECORD_U32 },
	{ "ino", RECORD_U64 }, { "ino_generation", RECORD_U64 },
	{ "filename", RECORD_TEXT }, {}
};

static const struct record_field mmap2_build_id_fields[] = {
	{ "pid", RECORD_U32 }, { "tid", RECORD_U32 },
	{ "addr", RECORD_HEX }, { "len", RECORD_HEX }, { "pgoff", RECORD_HEX },
	{ "build_id_size", RECORD_U8 }, { NULL, RECORD_BYTES, 3 },
	{ "build_id", RECORD_BYTES, 20 },
	{ "prot", RECORD_U32 }, { "flags", RECORD_U32 },
	{ "filename", RECORD_TEXT }, {}
};

static const struct record_field lost_fields[] = {
	{ "id", RECORD_U64 }, { "lost", RECORD_U64 }, {}
};

static const struct record_field comm_fields[] = {
	{ "pid", RECORD_U32 }, { "tid", RECORD_U32 }, { "comm", RECORD_TEXT }, {}
};

static const struct record_field task_fields[] = {
	{ "pid", RECORD_U32 }, { "ppid", RECORD_U32 },
	{ "tid", RECORD_U32 }, { "ptid", RECORD_U32 },
	{ "time", RECORD_TIME }, {}
};

static const struct record_field throttle_fields[] = {
	{ "time", RECORD_TIME }, { "id", RECORD_U64 },
	{ "stream_id", RECORD_U64 }, {}
};

/* The reading depends on read_format, but is all words. */
static const struct record_field read_fields[] = {
	{ "pid", RECORD_U32 }, { "tid", RECORD_U32 },
	{ "reading", RECORD_WORDS }, {}
};

static const struct record_field aux_fields[] = {
	{ "aux_offset", RECORD_HEX }, { "aux_size", RECORD_HEX },
	{ "flags", RECORD_HEX }, {}
};

static const struct record_field thread_fields[] = {
	{ "pid", RECORD_U32 }, { "tid", RECORD_U32 }, {}
};

static const struct record_field lost_samples_fields[] = {
	{ "lost", RECORD_U64 }, {}
};

static const struct record_field switch_fields[] = {
	{ "next_prev_pid", RECORD_U32 }, { "next_prev_tid", RECORD_U32 }, {}
};

static const struct record_field namespaces_fields[] = {
	{ "pid", RECORD_U32 }, { "tid", RECORD_U32 },
	{ "nr_namespaces", RECORD_U64 }, { NULL, RECORD_REPEAT },
	{ "dev", RECORD_HEX }, { "inode", RECORD_U64 }, {}
};

static const struct record_field ksymbol_fields[] = {
	{ "addr", RECORD_HEX }, { "len", RECORD_U32 },
	{ "ksym_type", RECORD_U16 }, { "flags", RECORD_U16 },
	{ "name", RECORD_TEXT }, {}
};

static const struct record_field bpf_fields[] = {
	{ "type", RECORD_U16 }, { "flags", RECORD_U16 },
	{ "id", RECORD_U32 }, { "tag", RECORD_BYTES, 8 }, {}
};

static const struct record_field cgroup_fields[] = {
	{ "id", RECORD_U64 }, { "path", RECORD_TEXT }, {}
};

static const struct record_field text_poke_fields[] = {
	{ "addr", RECORD_HEX }, { "old_len", RECORD_U16 },
	{ "new_len", RECORD_U16 }, { "bytes", RECORD_BYTES }, {}
};

static const struct record_field hw_id_fields[] = {
	{ "hw_id", RECORD_HEX }, {}
};

static const struct record_field deferred_fields[] = {
	{ "cookie", RECORD_HEX }, { "nr", RECORD_U64 },
	{ "ips", RECORD_WORDS }, {}
};

static const struct record_field attr_fields[] = {
	{ "attr", RECORD_ATTR }, { "ids", RECORD_WORDS }, {}
};

static const struct record_field event_type_fields[] = {
	{ "event_id", RECORD_U64 }, { "name", RECORD_NAME }, {}
};

static const struct record_field tracing_data_fields[] = {
	{ "size", RECORD_U32 }, {}
};

static const struct record_field build_id_fields[] = {
	{ "pid", RECORD_U32 }, { "build_id", RECORD_BYTES, 20 },
	{ "build_id_size", RECORD_U8 }, { NULL, RECORD_BYTES, 3 },
	{ "filename", RECORD_TEXT }, {}
};

/* Perf 6.0 and newer tell at the end which virtual machine an id is of. */
static const struct record_field id_index_fields[] = {
	{ "nr", RECORD_U64 }, { NULL, RECORD_COUNTED, 4 },
	{ "id", RECORD_U64 }, { "idx", RECORD_U64 },
	{ "cpu", RECORD_U64 }, { "tid", RECORD_U64 },
	{ NULL, RECORD_NEWER }, { NULL, RECORD_REPEAT },
	{ "machine_pid", RECORD_U64 }, { "vcpu", RECORD_U64 }, {}
};

static const struct record_field auxtrace_info_fields[] = {
	{ "type", RECORD_U32 }, { NULL, RECORD_U32 },
	{ "priv", RECORD_WORDS }, {}
};

static const struct record_field auxtrace_fields[] = {
	{ "size", RECORD_HEX }, { "offset", RECORD_HEX },
	{ "reference", RECORD_HEX }, { "idx", RECORD_U32 },
	{ "tid", RECORD_U32 }, { "cpu", RECORD_U32 }, { NULL, RECORD_U32 }, {}
};

static const struct record_field auxtrace_error_fields[] = {
	{ "type", RECORD_U32 }, { "code", RECORD_U32 }, { "cpu", RECORD_U32 },
	{ "pid", RECORD_U32 }, { "tid", RECORD_U32 }, { "fmt", RECORD_U32 },
	{ "ip", RECORD_HEX }, { "time", RECORD_TIME },
	{ "msg", RECORD_TEXT }, {}
};

/* Perf before 5.1. */
static const struct record_field timeless_error_fields[] = {
	{ "type", RECORD_U32 }, { "code", RECORD_U32 }, { "cpu", RECORD_U32 },
	{ "pid", RECORD_U32 }, { "tid", RECORD_U32 }, { "fmt", RECORD_U32 },
	{ "ip", RECORD_HEX }, { "msg", RECORD_TEXT }, {}
};

/* Perf 6.0 and newer, of virtual machines. */
static const struct record_field guest_error_fields[] = {
	{ "type", RECORD_U32 }, { "code", RECORD_U32 }, { "cpu", RECORD_U32 },
	{ "pid", RECORD_U32 }, { "tid", RECORD_U32 }, { "fmt", RECORD_U32 },
	{ "ip", RECORD_HEX }, { "time", RECORD_TIME },
	{ "msg", RECORD_TEXT, 64 },
	{ "machine_pid", RECORD_U32 }, { "vcpu", RECORD_U32 }, {}
};

static const struct record_field thread_map_fields[] = {
	{ "nr", RECORD_U64 }, { NULL, RECORD_REPEAT },
	{ "pid", RECORD_S64 }, { "comm", RECORD_TEXT, 16 }, {}
};

static const struct record_field cpu_map_fields[] = {
	{ "cpus", RECORD_CPUS }, {}
};

static const struct record_field stat_config_fields[] = {
	{ "nr", RECORD_U64 }, { NULL, RECORD_REPEAT },
	{ "tag", RECORD_U64 }, { "value", RECORD_U64 }, {}
};

static const struct record_field stat_fields[] = {
	{ "id", RECORD_U64 }, { "cpu", RECORD_S32 }, { "thread", RECORD_U32 },
	{ "value", RECORD_U64 }, { "enabled", RECORD_TIME },
	{ "running", RECORD_TIME }, {}
};

static const struct record_field stat_round_fields[] = {
	{ "type", RECORD_U64 }, { "time", RECORD_TIME }, {}
};

static const struct record_field event_update_fields[] = {
	{ "what", RECORD_U64 }, { "id", RECORD_U64 },
	{ "data", RECORD_UPDATE }, {}
};

static const struct record_field time_conv_fields[] = {
	{ "time_shift", RECORD_U64 }, { "time_mult", RECORD_U64 },
	{ "time_zero", RECORD_U64 },
	{ NULL, RECORD_NEWER },		/* 5.10 */
	{ "time_cycles", RECORD_U64 },
	{ "time_mask", RECORD_HEX }, { "cap_user_time_zero", RECORD_U8 },
	{ "cap_user_time_short", RECORD_U8 }, { NULL, RECORD_BYTES }, {}
};

/* The bytes of the feature keep their order: they are read like a file's. */
static const struct record_field feature_fields[] = {
	{ "feature", RECORD_U64 }, { "bytes", RECORD_BYTES }, {}
};

static const struct record_field compressed_fields[] = {
	{ "compressed", RECORD_BYTES }, {}
};

static const struct record_field compressed2_fields[] = {
	{ "size", RECORD_U64 }, { "compressed", RECORD_BYTES }, {}
};

bool record_is_first_mmap2(const unsigned char *record, size_t size)
{
	const size_t prot_at = 64;

	/* A name has characters where a protection, which is below 256, has zeros. */
	return size >= prot_at + 2 && record[prot_at] && record[prot_at + 1];
}

/* Reads the format of an AUXTRACE_ERROR, which is below 256 in any byte order. */
static unsigned int error_format(const unsigned char *record, size_t size)
{
	const size_t format_at = 28;

	if (size < format_at + sizeof(uint32_t))
		return 0;
	return record[format_at] | record[format_at + 3];
}

static bool is_timeless_error(const unsigned char *record, size_t size)
{
	return error_format(record, size) == 0;
}

static bool is_guest_error(const unsigned char *record, size_t size)
{
	return error_format(record, size) >= 2;
}

/* What has a condition stands before what has none. */
static const struct record_type types[] = {
	{ PERF_RECORD_MMAP, 0, "MMAP", mmap_fields },
	{ PERF_RECORD_LOST, 0, "LOST", lost_fields },
	{ PERF_RECORD_COMM, 0, "COMM", comm_fields },
	{ PERF_RECORD_EXIT, 0, "EXIT", task_fields },
	{ PERF_RECORD_THROTTLE, 0, "THROTTLE", throttle_fields },
	{ PERF_RECORD_UNTHROTTLE, 0, "UNTHROTTLE", throttle_fields },
	{ PERF_RECORD_FORK, 0, "FORK", task_fields },
	{ PERF_RECORD_READ, 0, "READ", read_fields },
	{ PERF_RECORD_SAMPLE, 0, "SAMPLE", NULL },
	{ PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID, "MMAP2",
	  mmap2_build_id_fields },
	{ PERF_RECORD_MMAP2, 0, "MMAP2", first_mmap2_fields,
	  record_is_first_mmap2 },
	{ PERF_RECORD_MMAP2, 0, "MMAP2", mmap2_fields },
	{ PERF_RECORD_AUX, 0, "AUX", aux_fields },
	{ PERF_RECORD_ITRACE_START, 0, "ITRACE_START", thread_fields },
	{ PERF_RECORD_LOST_SAMPLES, 0, "LOST_SAMPLES", lost_samples_fields },
	{ PERF_RECORD_SWITCH, 0, "SWITCH", NULL },
	{ PERF_RECORD_SWITCH_CPU_WIDE, 0, "SWITCH_CPU_WIDE", switch_fields },
	{ PERF_RECORD_NAMESPACES, 0, "NAMESPACES", namespaces_fields },
	{ PERF_RECORD_KSYMBOL, 0, "KSYMBOL", ksymbol_fields },
	{ PERF_RECORD_BPF_EVENT, 0, "BPF_EVENT", bpf_fields },
	{ PERF_RECORD_CGROUP, 0, "CGROUP", cgroup_fields },
	{ PERF_RECORD_TEXT_POKE, 0, "TEXT_POKE", text_poke_fields },
	{ PERF_RECORD_AUX_OUTPUT_HW_ID, 0, "AUX_OUTPUT_HW_ID", hw_id_fields },
	{ RECORD_CALLCHAIN_DEFERRED, 0, "CALLCHAIN_DEFERRED", deferred_fields },
	{ PERFDATA_RECORD_HEADER_ATTR, 0, "HEADER_ATTR", attr_fields },
	{ PERFDATA_RECORD_HEADER_EVENT_TYPE, 0, "HEADER_EVENT_TYPE",
	  event_type_fields },
	{ PERFDATA_RECORD_HEADER_TRACING_DATA, 0, "HEADER_TRACING_DATA",
	  tracing_data_fields },
	{ PERFDATA_RECORD_HEADER_BUILD_ID, 0, "HEADER_BUILD_ID",
	  build_id_fields },
	{ PERFDATA_RECORD_FINISHED_ROUND, 0, "FINISHED_ROUND", NULL },
	{ PERFDATA_RECORD_ID_INDEX, 0, "ID_INDEX", id_index_fields },
	{ PERFDATA_RECORD_AUXTRACE_INFO, 0, "AUXTRACE_INFO",
	  auxtrace_info_fields },
	{ PERFDATA_RECORD_AUXTRACE, 0, "AUXTRACE", auxtrace_fields },
	{ PERFDATA_RECORD_AUXTRACE_ERROR, 0, "AUXTRACE_ERROR",
	  timeless_error_fields, is_timeless_error },
	{ PERFDATA_RECORD_AUXTRACE_ERROR, 0, "AUXTRACE_ERROR",
	  guest_error_fields, is_guest_error },
	{ PERFDATA_RECORD_AUXTRACE_ERROR, 0, "AUXTRACE_ERROR",
	  auxtrace_error_fields },
	{ PERFDATA_RECORD_THREAD_MAP, 0, "THREAD_MAP", thread_map_fields },
	{ PERFDATA_RECORD_CPU_MAP, 0, "CPU_MAP", cpu_map_fields },
	{ PERFDATA_RECORD_STAT_CONFIG, 0, "STAT_CONFIG", stat_config_fields },
	{ PERFDATA_RECORD_STAT, 0, "STAT", stat_fields },
	{ PERFDATA_RECORD_STAT_ROUND, 0, "STAT_ROUND", stat_round_fields },
	{ PERFDATA_RECORD_EVENT_UPDATE, 0, "EVENT_UPDATE",
	  event_update_fields },
	{ PERFDATA_RECORD_TIME_CONV, 0, "TIME_CONV", time_conv_fields },
	{ PERFDATA_RECORD_HEADER_FEATURE, 0, "HEADER_FEATURE",
	  feature_fields },
	{ PERFDATA_RECORD_COMPRESSED, 0, "COMPRESSED", compressed_fields },
	{ PERFDATA_RECORD_FINISHED_INIT, 0, "FINISHED_INIT", NULL },
	{ PERFDATA_RECORD_COMPRESSED2, 0, "COMPRESSED2", compressed2_fields },
};

#define NR_TYPES	(sizeof(types) / sizeof(types[0]))

bool record_type_exists(uint32_t type)
{
	for (size_t i = 0; i < NR_TYPES; i++)
		if (types[i].type == type)
			return true;
	return false;
}

const struct record_type *record_type(uint32_t type, uint16_t misc,
				      const unsigned char *record, size_t size)
{
	for (size_t i = 0; i < NR_TYPES; i++)
		if (types[i].type == type &&
		    (misc & types[i].misc) == types[i].misc &&
		    (!types[i].is_layout || types[i].is_layout(record, size)))
			return &types[i];
	return NULL;
}
