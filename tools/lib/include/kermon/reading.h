/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How to read a perf.data file for a report, a profile, or the tables of readperf; and
 * statistics of unwinding.
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

/* The call chains in which inlined functions have frames of their own. */
enum kermon_inlines {
	KERMON_INLINES_UNWOUND,		/* only in unwound stacks, as in perf */
	KERMON_INLINES_ALL,
	KERMON_INLINES_NONE,
};

/**
 * struct kermon_report_options - how to read; all may be 0
 * @size: sizeof(struct kermon_report_options)
 * @symfs: folder below which binaries are looked up; NULL: /
 * @kallsyms: file with the kernel's symbols, which must be readable; NULL: those of the
 *	running kernel, if it is the one that was recorded
 * @vmlinux: file of the kernel, which must be readable, for its symbols and lines. It is
 *	not used if its build id differs from the recorded one; NULL: search for it
 * @progress: called every few megabytes, by the reading thread, with the number of bytes
 *	read out of @total, which is 0 for a pipe; may be NULL
 * @context: passed to @progress
 * @filter: selects samples; NULL: all. Must live as long as the report
 * @keys: keys of all tables that will be requested, as in kermon_report_table(); NULL: all
 *	up to "cgroup". Fewer keys save time and memory, and so do up to four lists with
 *	';' in between, as "comm,tid;sym": the keys of a table are then in one of them
 * @calls: also keep call chains, if the file has any
 * @inlines: the chains that include inlined functions. Samples are never attributed to
 *	these, but to the functions that they were inlined into
 * @max_stack: maximum length of call chains: of the recorded part of a chain, and of
 *	the part unwound from a copy of the stack, the innermost functions are kept;
 *	0: no limit
 * @mangled: reports only: names of functions are mangled, as in their files
 * @time_quantum: ns per slice of the key time; 0: 100 ms
 * @by_weight: sort tables with the key time by weight, too
 * @data: profiles only: kermon_profile_data() will be called. Reports use @keys for that
 * @damages: receives problems of the file; may be NULL
 * @cancel: makes reading and making tables return early; may be NULL
 */
struct kermon_report_options {
	size_t size;
	const char *symfs;
	const char *kallsyms;
	const char *vmlinux;
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
	const struct kermon_filter *filter;
	const char *keys;
	bool calls;
	enum kermon_inlines inlines;
	unsigned int max_stack;
	bool mangled;
	uint64_t time_quantum;
	bool by_weight;
	bool data;
	struct kermon_damages *damages;
	const struct kermon_cancel *cancel;
};

/**
 * enum kermon_unwind_end - why a call chain ends before the outermost function
 * @KERMON_UNWIND_REGISTERS: the next step needs a register that was not recorded
 * @KERMON_UNWIND_STACK: it needs memory that is not in the copy of the stack
 * @KERMON_UNWIND_FILE: the code is not in a readable file: it was generated at run time,
 *	or its file was removed or replaced
 * @KERMON_UNWIND_RULES: the file has no unwind information for the code
 * @KERMON_UNWIND_DEPTH: the limit of 1024 functions was reached
 * @KERMON_UNWIND_FOREIGN: the registers are of a 32-bit program or of another machine
 *	than x86-64: the chain only has the instruction pointer
 */
enum kermon_unwind_end {
	KERMON_UNWIND_REGISTERS,
	KERMON_UNWIND_STACK,
	KERMON_UNWIND_FILE,
	KERMON_UNWIND_RULES,
	KERMON_UNWIND_DEPTH,
	KERMON_UNWIND_FOREIGN,
	KERMON_UNWIND_ENDS	/* as of this header: later versions may have more */
};

#define KERMON_MAX_UNWIND_ENDS	16

/**
 * struct kermon_unwinding - statistics of unwinding copies of stacks (--call-graph dwarf)
 * @stacks: number of copies whose call chains were requested
 * @ended: number of these that are incomplete, by enum kermon_unwind_end; each is counted
 *	once
 */
struct kermon_unwinding {
	uint64_t stacks;
	uint64_t ended[KERMON_MAX_UNWIND_ENDS];
};

KERMON_END_DECLS

#endif /* KERMON_READING_H */
