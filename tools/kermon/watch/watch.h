/* SPDX-License-Identifier: GPL-2.0 */
/* kermon spy: what was asked for, what runs, and what is written. */
#ifndef KERMON_WATCH_H
#define KERMON_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <kermon/spy.h>

#include "sums.h"
#include "ui/command.h"
#include "ui/options.h"
#include "ui/output.h"

struct live;
struct watch_file;
struct watch_format;

/**
 * struct watch - the command line, and the run
 * @command: for messages
 * @sets: the sets of -e, @nr_sets of them, with room for @room
 * @interval_ns: time between samples
 * @duration_ns: end after that; 0: no limit
 * @samples: end after that many samples of each CPU; 0: no limit
 * @cpus: list of CPUs; NULL: all
 * @monitor_cpu: where the tool itself runs; -1: the last CPU
 * @backend: name; NULL: the best one
 * @path: output file; NULL: standard output, or standard error with a command
 * @format: index of the output format
 * @folder: folder with a file per CPU; NULL: none
 * @request: [PID:]CPUS=SET for a running spy; NULL: none
 * @quiet: print only errors
 * @argv: command to run, ends with NULL; empty: none
 * @line: the whole command line
 * @spy: the monitor
 * @sums: of the samples so far
 * @output: the file
 * @out: stream to it, or a standard stream
 * @file: for perf.data: what writes it
 * @live: the live table, or NULL
 * @described: for the format: number of events or sets that it has named so far
 * @error: first -errno of writing
 */
struct watch {
	const struct command *command;
	const char **sets;
	size_t nr_sets;
	size_t room;
	uint64_t interval_ns;
	uint64_t duration_ns;
	unsigned int samples;
	const char *cpus;
	int monitor_cpu;
	unsigned int backend;
	const char *path;
	unsigned int format;
	const char *folder;
	const char *request;
	bool quiet;
	char **argv;
	char **line;

	struct kermon_spy *spy;
	struct sums sums;
	struct output output;
	FILE *out;
	struct watch_file *file;
	struct live *live;
	size_t described;
	int error;
};

/**
 * struct watch_format - an output format
 * @name: of --format
 * @help: what it is
 * @is_recording: it writes to the file itself, which is not text, and cannot have events that
 *	were not known at the beginning
 * @begin: before the first sample
 * @batch: before the samples of a batch
 * @sample: for each sample, in the order of time per batch
 * @move: a CPU has gone offline, or is watched again
 * @tick: from time to time
 * @end: after the last one, when the spies have stopped
 * @close: frees what @begin has allocated
 *
 * Each may be NULL. Errors of @out are checked by the caller after each batch.
 */
struct watch_format {
	const char *name;
	const char *help;
	bool is_recording;
	void (*begin)(struct watch *watch);
	void (*batch)(struct watch *watch);
	void (*sample)(struct watch *watch, const struct kermon_spy_sample *sample);
	void (*move)(struct watch *watch, unsigned int cpu, bool online);
	void (*tick)(struct watch *watch);
	void (*end)(struct watch *watch);
	void (*close)(struct watch *watch);
};

/* The format that --format has chosen. */
const struct watch_format *watch_format(const struct watch *watch);

extern const struct watch_format watch_format_table, watch_format_csv, watch_format_json,
	watch_format_perfdata;

/* course.c: write all samples so far; errors are in @watch->error. */
void watch_drain(struct watch *watch);

/* course.c: watch, and run the command if there is one. Returns the exit status. */
int watch_run(struct watch *watch);

/* table.c: the totals of all CPUs. Returns 0 or -errno. */
int watch_print_totals(const struct watch *watch, FILE *out);

/*
 * changes.c: let the CPUs of a list count the set @text; what is wrong is put into @reason
 * with hints on further lines. Returns 0 or -errno.
 */
#define WATCH_REASON	1024
int watch_change(struct watch *watch, const char *cpus, const char *text,
		 char reason[WATCH_REASON]);

/* SIGUSR1: the next set of those named by -e, on all CPUs. */
void watch_next_sets(struct watch *watch);

/* trouble.c: report trouble of the monitor. Returns the exit status. */
int trouble_say(const struct watch *watch, const struct kermon_spy_trouble *trouble);

/* Report which backend is in use, if that is not the best one. */
void trouble_say_backend(const struct watch *watch);

/* Report that a CPU has gone offline or come online; @trouble: it cannot be watched. */
void trouble_say_move(const struct watch *watch, unsigned int cpu, bool online,
		      const struct kermon_spy_trouble *trouble);

/* Report what was lost, missed or not counted. */
void trouble_say_losses(const struct watch *watch);

#endif /* KERMON_WATCH_H */
