/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a perf.data file is read, for a report, a profile, or the tables of readperf; and
 * what became of the copies of stacks in it.
 */
#ifndef KERMON_READING_H
#define KERMON_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>
#include <kermon/cancel.h>
#include <kermon/damage.h>
#include <kermon/filter.h>
#include <kermon/statements.h>

KERMON_BEGIN_DECLS

/* In which call chains functions that were inlined have frames of their own. */
enum kermon_inlines {
	KERMON_INLINES_UNWOUND,		/* where a copy of the stack is unwound, as perf's */
	KERMON_INLINES_ALL,
	KERMON_INLINES_NONE,
};

/**
 * struct kermon_report_options - how to read; all may be 0
 * @size: sizeof(struct kermon_report_options)
 * @symfs: folder below which binaries are looked up; NULL: /
 * @kallsyms: file with the kernel's symbols, which has to be readable; NULL: the running
 *	kernel's, if it is the one that was recorded
 * @progress: told every few megabytes how many of @total bytes have been read, by the
 *	thread that reads; of a pipe @total is 0. NULL: nobody
 * @context: handed to @progress
 * @filter: which samples are summed up; NULL: all. Has to live as long as the report
 * @keys: what tables will be asked for, as in kermon_report_table(); NULL: all up to
 *	"cgroup". The fewer, the less time and memory
 * @calls: also keep who called whom, if the file has call chains
 * @inlines: in which chains are functions that were inlined. Nothing was taken in
 *	them: that is in the functions that they were inlined into
 * @time_quantum: ns of a slice of the key time; 0: 100 ms
 * @by_weight: tables with the key time have the largest row first, too
 * @data: of a profile: kermon_profile_data() will be called. A report sees that by @keys
 * @damages: gets what is wrong with the file; NULL: nobody wants to know
 * @cancel: ends reading and making tables early; NULL: nothing does
 */
struct kermon_report_options {
	size_t size;
	const char *symfs;
	const char *kallsyms;
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
	const struct kermon_filter *filter;
	const char *keys;
	bool calls;
	enum kermon_inlines inlines;
	uint64_t time_quantum;
	bool by_weight;
	bool data;
	struct kermon_damages *damages;
	const struct kermon_cancel *cancel;
};

/**
 * enum kermon_unwind_end - why a call chain ends before the outermost function
 * @KERMON_UNWIND_REGISTERS: the next step takes a register that was not recorded
 * @KERMON_UNWIND_STACK: it takes what is not in the copy of the stack
 * @KERMON_UNWIND_FILE: the code is of no file that can be read: it was made while the
 *	program ran, or its file is gone, or another one is in its place
 * @KERMON_UNWIND_RULES: the file does not tell how to find the caller of the code
 * @KERMON_UNWIND_DEPTH: 1024 functions were found
 * @KERMON_UNWIND_FOREIGN: the registers are of a 32-bit program or another machine than
 *	x86-64: the chain has the instruction pointer only
 */
enum kermon_unwind_end {
	KERMON_UNWIND_REGISTERS,
	KERMON_UNWIND_STACK,
	KERMON_UNWIND_FILE,
	KERMON_UNWIND_RULES,
	KERMON_UNWIND_DEPTH,
	KERMON_UNWIND_FOREIGN,
	KERMON_UNWIND_ENDS	/* as of this header: later libraries may have more */
};

#define KERMON_MAX_UNWIND_ENDS	16

/**
 * struct kermon_unwinding - what became of copies of stacks (--call-graph dwarf)
 * @stacks: copies whose call chains were asked for
 * @ended: how many of these are not whole, by enum kermon_unwind_end; each is counted
 *	once
 */
struct kermon_unwinding {
	uint64_t stacks;
	uint64_t ended[KERMON_MAX_UNWIND_ENDS];
};

KERMON_END_DECLS

#endif /* KERMON_READING_H */
