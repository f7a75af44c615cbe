/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of the roofline and no others. A sample of the file
 * takes this way:
 *
 *	take.c		its values, collected to a part: an interval or a slice of time
 *	moments.c	when coalesced intervals began
 *	join.c		parts of rotated sets, joined to rows
 *	sort.c		rows, in the order of their ends
 *	sums.c		rows, summed up
 *	functions.c	where intervals ended
 *	energy.c	their energy over time
 */
#ifndef KERMON_ROOFLINE_PRIVATE_H
#define KERMON_ROOFLINE_PRIVATE_H

#include <kermon/report.h>
#include <kermon/roofline.h>
#include <linux/kermon.h>

#include "flow/pipeline.h"
#include "util/numbering.h"

/* More packages than any machine that KerMon has seen; others are not told apart. */
#define PACKAGES	64

/**
 * struct roofline_event - an event of the file
 * @kind: enum kermon_metric_kind
 * @set: in which it is rotated; -1: it is counted all the time
 * @operation: index of its meaning; -1: it has none
 * @domain: index of its energy domain; -1: none
 */
struct roofline_event {
	uint8_t kind;
	int set;
	int operation;
	int domain;
};

/**
 * struct part - an interval of a thread or CPU, or a slice of time, while it is collected
 * @open: it has values
 * @owner: index of the thread or CPU
 * @set: that was counted
 * @valid: its counts are
 * @function: index of the function in which it ended; NUMBERING_FULL: not looked up
 * @tsc: when it began, as long as no relation of the TSC to other times is known; 0: known
 * @counts: by operation; the others as in struct kermon_roofline_sample
 */
struct part {
	bool open;
	uint32_t owner;
	uint32_t cpu;
	uint8_t why;
	uint8_t set;
	bool alone;
	bool valid;
	uint32_t function;
	uint64_t begin;
	uint64_t end;
	uint64_t oncpu;
	uint64_t tsc;
	double instructions;
	double cycles;
	double joules[KERMON_ROOFLINE_DOMAINS];
	double *counts;
};

/**
 * struct owner - a thread, or a CPU of kermon spy
 * @shown: what others see of it
 * @sums: over its samples
 * @from: its state in the pipeline; NULL: a CPU
 * @part: of kermon spy and slices: the one that is being collected
 * @row: parts that are being joined
 * @end: of the last part
 * @measures: bit mask of the domains that it has ever had energy of
 * @of_set: ns on the CPU by set, of @row
 * @set_instructions: instructions by set, of @row
 * @last_set: set of the last part of @row
 * @last_stay: the last stay of @row
 * @known_flop: operations of the rows whose error is known
 */
struct owner {
	struct kermon_roofline_thread shown;
	struct kermon_roofline_sums sums;
	const struct thread *from;
	struct part part;
	struct part row;
	uint64_t end;
	uint32_t measures;
	uint64_t of_set[KERMON_MAX_SETS];
	double set_instructions[KERMON_MAX_SETS];
	uint8_t last_set;
	size_t last_stay;
	double known_flop;
};

/**
 * struct function - a function in which intervals ended
 * @shown: what others see of it
 * @sums: over these samples
 * @part: of slices of time: what was counted in it, by @samples of the file
 * @known_flop: as in struct owner
 */
struct function {
	struct kermon_roofline_function shown;
	struct kermon_roofline_sums sums;
	struct part part;
	uint64_t samples;
	double known_flop;
};

/**
 * struct stay - a stay on a CPU
 * @shown: what others see of it
 * @cpu_number: of its CPU, among those that any stay is on
 * @counted: the operations of its row are known
 * @before: index of the one before in the same row; NO_STAY: it is the first
 * @joules: as in struct kermon_roofline_sample
 */
struct stay {
	struct kermon_roofline_interval shown;
	uint32_t cpu_number;
	bool counted;
	size_t before;
	double joules[KERMON_ROOFLINE_DOMAINS];
};

#define NO_STAY		SIZE_MAX

/* A moment that is known by the TSC and by the clock of the recording. */
struct moment {
	bool known;
	uint64_t tsc;
	uint64_t time;
};

/* A stay whose begin is only known by the TSC, and its sample, if that is of no other stay. */
struct unknown {
	uint64_t tsc;
	size_t stay;
	size_t sample;
};

/**
 * struct kermon_roofline - a recording on its way to a table
 * @quantum: ns per slice, of files whose samples are no intervals
 * @events: by index in the file
 * @operations: meanings of the events that have one, @nr_operations of them
 * @set_of: set of each of these, or -1
 * @first_of: the first of each of these that is the same event, of this or another set
 * @needed: bit mask of the sets that have any of them
 * @nr_sets: number of rotated sets; 0: none
 * @domains: names of the energy domains
 * @apart: of merged runs of kermon spy, by CPU: the largest difference in instructions, as a
 *	fraction; @nr_apart of them
 * @sockets: package of each CPU, @nr_sockets of them; NULL: unknown
 * @has: bit mask by enum kermon_metric_kind: events that are counted all the time
 * @clock: index of the event whose counts are ns on the CPU, of slices; -1: none
 * @first: time of the first sample
 * @interval: the one of KerMon's that is being collected
 * @reference: for the begin of coalesced intervals
 * @known_flop: as in struct owner, of all rows
 * @wants_functions: functions are looked up
 * @function_numbers: numbers of functions by symbol, or by file where there is none
 * @functions: by number, @nr_functions of them
 * @function_of: by sample
 * @tsc_khz: of the TSC; 0: unknown
 * @unknown: begins that are only known by the TSC so far, @nr_unknown of them
 * @interval_ns: of kermon spy
 * @owners: numbers of threads by that of struct thread, or of CPUs
 * @all: by number
 * @cpus: numbers of CPUs
 */
struct kermon_roofline {
	struct pipeline pipeline;
	uint64_t quantum;
	struct roofline_event *events;
	struct kermon_operation *operations;
	int *set_of;
	size_t *first_of;
	size_t nr_operations;
	uint32_t needed;
	size_t nr_sets;
	const char *domains[KERMON_ROOFLINE_DOMAINS];
	size_t nr_domains;
	double *apart;
	size_t nr_apart;
	size_t room_apart;
	int32_t *sockets;
	size_t nr_sockets;
	uint32_t has;
	int clock;
	uint64_t first;
	struct part interval;
	struct moment reference;
	uint64_t tsc_khz;
	struct unknown *unknown;
	size_t nr_unknown;
	size_t room_unknown;
	uint64_t interval_ns;
	struct numbering owners;
	struct owner *all;
	size_t nr_owners;
	size_t room_owners;
	bool wants_functions;
	struct numbering function_numbers;
	struct function *functions;
	size_t nr_functions;
	size_t room_functions;
	uint32_t *function_of;
	size_t room_function_of;
	struct kermon_roofline_sample *samples;
	size_t nr_samples;
	size_t room_samples;
	struct numbering cpus;
	struct stay *stays;
	size_t nr_stays;
	size_t room_stays;
	struct kermon_roofline_origin origin;
	struct kermon_roofline_basis basis;
	struct kermon_roofline_sums total;
	double known_flop;
	char *command;
	struct kermon_roofline_power *power[KERMON_ROOFLINE_DOMAINS];
	size_t nr_power[KERMON_ROOFLINE_DOMAINS];
};

/* functions.c: where an interval ended; NUMBERING_FULL: out of memory. */
uint32_t function_of(struct kermon_roofline *roofline, const struct pipeline_sample *sample);
/* Add a sample of a slice of time to its function. Return: 0 or -ENOMEM. */
int function_tally(struct kermon_roofline *roofline, const struct pipeline_sample *sample);
/* All of these as one row. */
void function_row(struct kermon_roofline *roofline, struct function *function,
		  struct kermon_roofline_sample *row);
void functions_free(struct kermon_roofline *roofline);

/* describe.c: what the header says. Return: 0 or -ENOMEM. */
int roofline_describe(struct kermon_roofline *roofline);

/* take.c: the consumer of the pipeline. */
extern const struct pipeline_consumer roofline_consumer;
/* Add the count of an event to @part. */
void part_add(const struct kermon_roofline *roofline, struct part *part,
	      const struct pipeline_sample *sample);

/*
 * moments.c: find when an interval of the log began; note that of the last stay, if that is not
 * known yet; find these when all have been read. Return: 0 or -ENOMEM.
 */
void moments_begin(struct kermon_roofline *roofline, struct part *part,
		   const struct perfdata_rest *rest);
int moments_note(struct kermon_roofline *roofline, const struct part *part);
void moments_settle(struct kermon_roofline *roofline);

/* join.c: @part is complete, and is not open any more. Return: 0 or -ENOMEM. */
int roofline_join(struct kermon_roofline *roofline, struct part *part);
/* There are no more parts. */
int roofline_join_rest(struct kermon_roofline *roofline);
/*
 * Open @part: without counts, and with room for them. What is not counted in the file is NaN,
 * and joules are NaN except those of @measures. Return: 0 or -ENOMEM.
 */
int part_open(const struct kermon_roofline *roofline, struct part *part, uint32_t measures);

/* sort.c: samples and stays. Return: 0 or -ENOMEM. */
int roofline_sort(struct kermon_roofline *roofline);

/* spread.c: energy of kermon spy, once samples and stays are in order. Likewise. */
int roofline_spread_energy(struct kermon_roofline *roofline);

/* sums.c: of all samples. */
void roofline_sum(struct kermon_roofline *roofline);

/* energy.c: time and energy of the application, and power over time. Return: 0 or -ENOMEM. */
int roofline_sum_over_time(struct kermon_roofline *roofline);

#endif /* KERMON_ROOFLINE_PRIVATE_H */
