/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What events mean: floating-point operations by precision and SIMD class, loads and
 * stores, and how many bytes these move.
 *
 *	for (i = 0; i < nr; i++)
 *		kermon_operation_of(names[i], &meanings[i]);
 *	kermon_operations_sum(meanings, counts, nr, &sum);
 *
 * Meanings are read from the event files, see kermon-events(5), and do not depend on the
 * CPU: those of a recording of another machine are known as well. All functions may be
 * called by several threads.
 */
#ifndef KERMON_OPERATIONS_H
#define KERMON_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

struct perf_event_attr;

enum kermon_metric_kind {
	KERMON_METRIC_COUNT,		/* anything that can be counted */
	KERMON_METRIC_TIME,		/* in ns */
	KERMON_METRIC_INSTRUCTIONS,
	KERMON_METRIC_CYCLES,
	KERMON_METRIC_FLOP,		/* floating-point instructions */
	KERMON_METRIC_ENERGY,		/* in 2^-32 joule, of a whole domain */
	KERMON_METRIC_SIDEBAND,		/* present for its records, counts nothing */
};

enum kermon_precision {
	KERMON_SINGLE = 1,
	KERMON_DOUBLE = 2,
	KERMON_MIXED = 3,	/* either one, which the event does not distinguish */
};

/**
 * struct kermon_metric - meaning of an event's counts
 * @kind: enum kermon_metric_kind
 * @precision: enum kermon_precision, of KERMON_METRIC_FLOP
 * @lanes: operations per count, for KERMON_METRIC_FLOP
 * @whole: it counts all operations of its precision; others only some of them
 * @executed: counts when executed, not when retired: overcounts on hardware
 * @heading: short heading of a column; NULL: use the name
 */
struct kermon_metric {
	uint8_t kind;
	uint8_t precision;
	uint8_t lanes;
	bool whole;
	bool executed;
	const char *heading;
};

/*
 * The meaning of any event, according to its @name, with or without PMU and modes.
 * However, the clocks of the kernel count time whatever their name:
 * "cpu-clock/name=load/".
 */
void kermon_metric_of(const char *name, const struct perf_event_attr *attr,
		      struct kermon_metric *metric);

/* Width of the registers of an instruction. */
enum kermon_simd {
	KERMON_SIMD_UNKNOWN,	/* the event does not distinguish */
	KERMON_SIMD_SCALAR,
	KERMON_SIMD_128,
	KERMON_SIMD_256,
	KERMON_SIMD_512,
};

#define KERMON_PRECISIONS	4	/* by enum kermon_precision; 0: none */
#define KERMON_SIMDS		5	/* by enum kermon_simd */

/* What a core does to memory. */
enum kermon_memory_access {
	KERMON_NO_ACCESS,
	KERMON_LOAD,
	KERMON_STORE,
};

/**
 * struct kermon_operation - what a count of an event means
 * @flop: floating-point operations
 * @bytes: bytes that it moves; 0: none, or it does not distinguish widths
 * @precision: enum kermon_precision of the operations; 0: there are none
 * @simd: enum kermon_simd of the instruction
 * @access: enum kermon_memory_access: it is a load or a store by the core
 * @memory: @bytes are moved between memory and caches, in lines; otherwise by the core
 * @whole: it counts all operations of its precision; others only some of them
 * @executed: counts when executed, not when retired: overcounts on hardware
 * @rank: of @memory: such events include one another, so that only those of the lowest rank
 *	that were counted are summed up
 * @reserved: 0
 */
struct kermon_operation {
	double flop;
	double bytes;
	uint8_t precision;
	uint8_t simd;
	uint8_t access;
	bool memory;
	bool whole;
	bool executed;
	uint8_t rank;
	uint8_t reserved[9];
};

/*
 * The meaning of an event by its name, with or without PMU and modes. Return: false if it
 * is neither of operations nor of accesses, with all members 0.
 */
bool kermon_operation_of(const char *name, struct kermon_operation *operation);

/* The description of an event in words, if an event file has one; NULL: none. */
const char *kermon_event_about(const char *name);

/* How well the width of loads and stores is known. */
enum kermon_bytes_basis {
	KERMON_BYTES_UNKNOWN,	/* loads or stores were not counted: there are no bytes */
	KERMON_BYTES_EXACT,	/* the events of the accesses tell their widths */
	KERMON_BYTES_BY_MIX,	/* estimate: as wide as the floating-point instructions */
	KERMON_BYTES_ASSUMED,	/* estimate without such instructions: 8 bytes each */
};

/**
 * struct kermon_operations - sums of several events
 * @flop: operations, by precision and SIMD class
 * @all_flop: all of them; NaN: no event of operations was counted
 * @loads, @stores: accesses by the core; NaN: not counted
 * @bytes: moved by them; NaN if @basis is KERMON_BYTES_UNKNOWN
 * @bytes_low: the same if each access had the narrowest element that was computed with
 * @bytes_high: the same if each had the widest register that was computed with
 * @memory_bytes: moved between memory and caches, by the event that counts most of them; NaN:
 *	not counted
 * @basis: enum kermon_bytes_basis: @bytes is an estimate from KERMON_BYTES_BY_MIX on
 * @simd: enum kermon_simd with most operations; KERMON_SIMD_UNKNOWN: none, or not known
 * @executed: operations were counted when executed, not when retired
 * @reserved: 0
 */
struct kermon_operations {
	double flop[KERMON_PRECISIONS][KERMON_SIMDS];
	double all_flop;
	double loads;
	double stores;
	double bytes;
	double bytes_low;
	double bytes_high;
	double memory_bytes;
	uint8_t basis;
	uint8_t simd;
	bool executed;
	uint8_t reserved[5];
};

/*
 * Sum up @nr events, with the meaning and the count of each; a count of NaN: this event
 * was not counted, and the sums are those of the others. Events of the same thing in other
 * modes or by other names each add to the sums. If an event counts all operations of a
 * precision, those that count kinds of them are not added; likewise events of memory.
 *
 * Bytes are loads and stores times their width. Where events do not distinguish widths,
 * the mean width is that of the floating-point instructions that were counted: 4 or 8
 * bytes of scalar ones, and 16, 32, 64 of the others. Without such instructions it is 8
 * bytes, with bounds of 1 and 64, or, where operations are counted but not their SIMD
 * class, of 4 and 64. The bounds hold if code moves no narrower and no wider data than it
 * computes with.
 */
void kermon_operations_sum(const struct kermon_operation *operations,
			   const double *counts, size_t nr,
			   struct kermon_operations *sum);

/*
 * FLOP per byte by @bytes, @bytes_low or @bytes_high of @sum: less bytes, more intensity.
 * NaN: one of them was not counted, or there were no bytes.
 */
double kermon_intensity(const struct kermon_operations *sum, double bytes);

KERMON_END_DECLS
#endif /* KERMON_OPERATIONS_H */
