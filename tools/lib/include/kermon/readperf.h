/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A perf.data file as CERN's readperf shows it: every record, every process, every
 * function.
 *
 *	readperf = kermon_readperf_new(&options, print_record, context);
 *	err = kermon_readperf_read(readperf, "perf.data");
 *	for (i = 0; (process = kermon_readperf_process(readperf, i)); i++)
 *		...
 *
 * Everything that is handed out is owned by it and lives as long as it.
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
 * @type: "MMAP2", "SAMPLE"...; NULL: one that nobody knows
 * @info: what is known besides
 * @pid: process, and @tid, thread: ~0 if the record does not say
 * @time: ns of the recording's clock; 0: none
 * @text: name of a file or of a thread
 * @address: of a mapping, or of a sample's instruction
 * @length: of a mapping, in bytes
 * @offset: of a mapping, in its file
 * @parent: pid of the parent
 * @event: name of the sample's
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

/* How many records of samples of an event there are, and the sum of their periods. */
struct kermon_readperf_sum {
	uint64_t records;
	uint64_t period;
};

/**
 * struct kermon_readperf_process - a process, in the order they were heard of
 * @pid: which another one may have had before
 * @comm: its newest name; NULL: not known
 * @mmaps: MMAP and MMAP2 records
 * @forked: when it began, in ns; 0: before the recording
 * @exited: when it ended; 0: not before the end of the recording
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
 * struct kermon_readperf_function - a function, that with the most periods first
 * @symbol: demangled; NULL: not known, one for each @binary
 * @binary: path of the file that it is in; NULL: not known
 * @source: file that it was compiled from; NULL: not known
 * @sums: by event
 */
struct kermon_readperf_function {
	const char *symbol;
	const char *binary;
	const char *source;
	const struct kermon_readperf_sum *sums;
};

/*
 * @options may be NULL, and are copied; of them @symfs, @kallsyms,
 * @progress, @damages and @cancel count. @record is called for each record in the order of time, with
 * @context; what it returns that is not 0 ends the reading. Return: NULL, and errno, as
 * kermon_profile_new().
 */
struct kermon_readperf *
kermon_readperf_new(const struct kermon_report_options *options,
		    int (*record)(void *context,
				  const struct kermon_readperf_record *record),
		    void *context);
void kermon_readperf_free(struct kermon_readperf *readperf);

/* Once. Return: as kermon_report_read(), or what @record returned. */
int kermon_readperf_read(struct kermon_readperf *readperf, const char *path);

/* As kermon_report_statements(). */
const struct kermon_statements *
kermon_readperf_statements(const struct kermon_readperf *readperf);

/*
 * Whether sums by function are estimates: the file is KerMon's, see struct kermon_table of
 * <kermon/report.h>.
 */
bool kermon_readperf_is_estimate(const struct kermon_readperf *readperf);

/* Name of an event, and what it counts; NULL after the last one. */
const char *kermon_readperf_event(const struct kermon_readperf *readperf,
				  size_t index, struct kermon_metric *metric);

/*
 * How many records there are of a type, from index 0 on in the order they were met;
 * @type is set to its name, or to its number. 0 after the last one.
 */
uint64_t kermon_readperf_count(const struct kermon_readperf *readperf,
			       size_t index, const char **type);

/* NULL after the last one. */
const struct kermon_readperf_process *
kermon_readperf_process(const struct kermon_readperf *readperf, size_t index);
const struct kermon_readperf_function *
kermon_readperf_function(const struct kermon_readperf *readperf, size_t index);

KERMON_END_DECLS
#endif /* KERMON_READPERF_H */
