/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contents of a perf.data file as shown by CERN's readperf: all records, processes and
 * functions.
 *
 *	readperf = kermon_readperf_new(&options, print_record, context);
 *	err = kermon_readperf_read(readperf, "perf.data");
 *	for (i = 0; (process = kermon_readperf_process(readperf, i)); i++)
 *		...
 *
 * All results are owned by the object and valid as long as it.
 */
#ifndef KERMON_READPERF_H
#define KERMON_READPERF_H

#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>
#include <kermon/report.h>

KERMON_BEGIN_DECLS

struct kermon_readperf;

enum kermon_readperf_info {
	KERMON_INFO_NONE,
	KERMON_INFO_MMAP,	/* @text, @address, @length, @offset */
	KERMON_INFO_COMM,	/* @text */
	KERMON_INFO_FORK,	/* @parent */
	KERMON_INFO_SAMPLE,	/* @event, @address, @period */
};

/**
 * struct kermon_readperf_record - a record; valid during the call only
 * @number: index in the file, from 0 on
 * @type: "MMAP2", "SAMPLE"...; NULL: unknown
 * @info: which of the further members are set
 * @pid: process, and @tid, thread: ~0 if not recorded
 * @time: ns of the recording's clock; 0: none
 * @text: name of a file or of a thread
 * @address: of a mapping, or of a sample's instruction
 * @length: of a mapping, in bytes
 * @offset: of a mapping, in its file
 * @parent: pid of the parent
 * @event: name of the sample's event
 * @period: of the sample
 */
struct kermon_readperf_record {
	uint32_t number;
	const char *type;
	enum kermon_readperf_info info;
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	const char *text;
	uint64_t address;
	uint64_t length;
	uint64_t offset;
	uint32_t parent;
	const char *event;
	uint64_t period;
};

/* Number of samples of an event, and the sum of their periods. */
struct kermon_readperf_sum {
	uint64_t records;
	uint64_t period;
};

/**
 * struct kermon_readperf_process - a process, in order of first occurrence
 * @pid: an earlier process may have had the same one
 * @comm: its last name; NULL: unknown
 * @mmaps: number of MMAP and MMAP2 records
 * @forked: time of its start in ns; 0: before the recording
 * @exited: time of its end in ns; 0: after the end of the recording
 * @sums: by event
 */
struct kermon_readperf_process {
	uint32_t pid;
	const char *comm;
	uint64_t mmaps;
	uint64_t forked;
	uint64_t exited;
	const struct kermon_readperf_sum *sums;
};

/**
 * struct kermon_readperf_function - a function; the largest sum of periods comes first
 * @symbol: demangled; NULL: unknown, one entry for each @binary
 * @binary: path of the file that contains it; NULL: unknown
 * @source: source file; NULL: unknown
 * @sums: by event
 */
struct kermon_readperf_function {
	const char *symbol;
	const char *binary;
	const char *source;
	const struct kermon_readperf_sum *sums;
};

/*
 * @options may be NULL, and is copied; only its members @symfs, @kallsyms, @vmlinux,
 * @progress, @damages and @cancel are used. @record is called with @context for each
 * record, in order of time; a non-zero result ends the read. Return: NULL, and errno, as
 * kermon_profile_new().
 */
struct kermon_readperf *
kermon_readperf_new(const struct kermon_report_options *options,
		    int (*record)(void *context,
				  const struct kermon_readperf_record *record),
		    void *context);
void kermon_readperf_free(struct kermon_readperf *readperf);

/*
 * Call once; -EALREADY after that. Return: as kermon_report_read(), or what @record
 * returned.
 */
int kermon_readperf_read(struct kermon_readperf *readperf, const char *path);

/* As kermon_report_statements(). */
const struct kermon_statements *
kermon_readperf_statements(const struct kermon_readperf *readperf);

/*
 * Whether sums by function are estimates because the file was recorded by KerMon: see
 * struct kermon_table of <kermon/report.h>.
 */
bool kermon_readperf_is_estimate(const struct kermon_readperf *readperf);

/* Name of an event, and its meaning; NULL beyond the last one. */
const char *kermon_readperf_event(const struct kermon_readperf *readperf,
				  size_t index, struct kermon_metric *metric);

/*
 * Number of records of a type, from index 0 on in order of first occurrence; @type is
 * set to its name or number. 0 beyond the last one.
 */
uint64_t kermon_readperf_count(const struct kermon_readperf *readperf,
			       size_t index, const char **type);

/* NULL beyond the last one. */
const struct kermon_readperf_process *
kermon_readperf_process(const struct kermon_readperf *readperf, size_t index);
const struct kermon_readperf_function *
kermon_readperf_function(const struct kermon_readperf *readperf, size_t index);

KERMON_END_DECLS
#endif /* KERMON_READPERF_H */
