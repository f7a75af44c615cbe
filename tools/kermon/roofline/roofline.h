/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface between kermon roofline and its output formats.
 *
 *	runs.c		reads the recordings
 *	machines.c	the ceilings of the machine of each
 *	roofs.c		which of them apply
 *	labels.c	how the numbers are to be understood
 *	verdict.c	what they say, in words
 */
#ifndef KERMON_ROOFLINE_VIEW_H
#define KERMON_ROOFLINE_VIEW_H

#include <kermon/ceilings.h>
#include <kermon/roofline.h>
#include <stdbool.h>
#include <stdio.h>

#include "input/input_options.h"
#include "ui/notes.h"

/**
 * struct roofline_run - a recording
 * @path: of its file
 * @label: what it is called: --label, or the name of the file
 * @table: its samples
 * @damages: what is wrong with the file
 * @model: its CPU was simulated
 * @roofs: the ceilings that it is compared with; there may be none
 * @match: enum kermon_ceilings_match: whether the ceilings are of its machine
 */
struct roofline_run {
	const char *path;
	char *label;
	struct kermon_roofline *table;
	struct kermon_damages *damages;
	bool model;
	const struct roofs *roofs;
	uint8_t match;
};

/**
 * struct roof - a ceiling
 * @from: as in the file of ceilings
 * @highest: of all that limit the same with as many threads, and of the precision of most
 *	operations
 * @shown: it is that, and any recording had as many threads at the same time: it is drawn
 */
struct roof {
	const struct kermon_ceiling *from;
	bool highest;
	bool shown;
};

#define ROOFS_NAME	160
#define ROOF_NAME	256

/**
 * struct roofs - the ceilings of a machine
 * @path: file that they are from; "": there are none
 * @given: it was named by --ceilings
 * @name: of the machine
 * @ceilings: as read; NULL: there are none
 * @all: each of them, @nr of them
 */
struct roofs {
	char path[KERMON_CEILINGS_PATH];
	bool given;
	char name[ROOFS_NAME];
	struct kermon_ceilings *ceilings;
	struct roof *all;
	size_t nr;
};

/* Files of ceilings, @nr of them. */
struct ceiling_files {
	const char **all;
	size_t nr;
	size_t room;
};

/* What the colour of a dot says. */
enum roofline_dots {
	DOTS_TIME,
	DOTS_SIMD,
	DOTS_THREAD,
	DOTS_FUNCTION,
};

/* What has sums of its own in tables; regions will be, once files have them. */
enum roofline_by {
	BY_THREAD,
	BY_FUNCTION,
};

/* What the terminal shows as a plot. */
enum roofline_plot {
	PLOT_SAMPLES,
	PLOT_AVERAGE,
	PLOT_TIME,
	PLOT_POWER,
	PLOT_LANES,
	PLOT_NONE,
};

/**
 * struct roofline_view - recordings and ceilings, and how to show them
 * @runs: @nr_runs of them, with room for @room
 * @given: --ceilings; none: those of the machine of each recording
 * @machines: the ceilings of @nr_machines, with room for as many as recordings
 * @dots: enum roofline_dots
 * @by: enum roofline_by
 * @plot: enum roofline_plot
 * @labels: how the numbers are to be understood
 * @width: columns of the terminal; 0: no limit
 * @colour: the terminal has colours
 */
struct roofline_view {
	struct roofline_run *runs;
	size_t nr_runs;
	size_t room;
	struct ceiling_files given;
	struct roofs *machines;
	size_t nr_machines;
	unsigned int dots;
	unsigned int by;
	unsigned int plot;
	struct notes labels;
	size_t width;
	bool colour;
};

/* runs.c: make room for @nr recordings. Return: 0 or -ENOMEM. */
int runs_begin(struct roofline_view *view, size_t nr);
/* Read one more recording. Returns the exit status; @damaged: it is not intact. */
int runs_read(struct roofline_view *view, struct input *input, const char *path,
	      bool *damaged);
void runs_free(struct roofline_view *view);
/* Whether any recording has floating-point operations. */
bool runs_have_flop(const struct roofline_view *view);
/* Say that a recording has none, and how to record them. */
void runs_tell_without(const struct roofline_view *view);
/* Whether functions are needed. */
bool view_has_functions(const struct roofline_view *view);
#define THREAD_NAME	128

/* "app (4711)", or "CPU 3" of kermon spy: the name of thread @index in all outputs. */
void thread_name(const struct roofline_run *run, size_t index, char text[THREAD_NAME]);
/* "one", "[libc.so.6]" of code without a symbol, or "[unknown]". The text is overwritten. */
const char *function_name(const struct kermon_roofline_function *function);
/* Sums of thread or function @index of a recording, by enum roofline_by; NULL: no more. */
const struct kermon_roofline_sums *run_sums(const struct roofline_run *run, unsigned int by,
					    size_t index);
/* Whether it is of CPUs, not of threads: kermon spy. */
bool run_is_of_cpus(const struct roofline_run *run);
/* Whether it is not known when a thread was on the CPU in an interval: its time is spread. */
bool stay_is_spread(const struct kermon_roofline_interval *stay);
/* Index of an energy domain, by its name, in a recording; -1: it has none of it. */
int run_domain(const struct roofline_run *run, const char *name);
/* One more than the highest CPU that anything ran on, of those that a kernel can have. */
size_t run_cpus(const struct roofline_run *run);
/* Names of the domains that any recording has, in the order of their first one. */
size_t runs_domains(const struct roofline_view *view,
		    const char *names[KERMON_ROOFLINE_DOMAINS]);

/*
 * machines.c: find and read the ceilings of each recording, and choose those that apply.
 * Returns the exit status, after a message if that is not STATUS_OK; without ceilings, there
 * is a label.
 */
int machines_find(struct roofline_view *view);
void machines_free(struct roofline_view *view);
/* Whether both were recorded on the same machine. */
bool machines_are_same(const struct roofline_run *one, const struct roofline_run *other);
/* Whether there are any ceilings; and whether those of several machines, which are named. */
bool view_has_roofs(const struct roofline_view *view);
bool view_has_machines(const struct roofline_view *view);
/* What is written beside a ceiling: of several machines, with the number of its machine. */
void machine_roof_name(const struct roofline_view *view, size_t machine,
		       const struct roof *roof, char name[ROOF_NAME]);
/* "2: ceilings of host": which number is which machine. */
void machine_key(const struct roofline_view *view, size_t machine, char name[ROOF_NAME]);

/* roofs.c: choose those that apply to any recording. Return: 0 or -ENOMEM. */
int roofs_choose(const struct roofline_view *view, struct roofs *roofs);
/* FLOP/s that a ceiling allows at @intensity. */
double roof_at(const struct roof *roof, double intensity);
/* How many threads ran at the same time on average, or CPUs executed operations. */
double run_parallel(const struct roofline_run *run);
/* The same as a whole number: ceilings should be of as many threads. */
unsigned int roofs_wanted(const struct roofline_run *run);
/*
 * The number of threads of the ceilings that apply to an application, or to one thread: the
 * next higher one that was measured, or else the highest.
 */
unsigned int roofs_threads(const struct roofline_run *run);
unsigned int roofs_one_thread(const struct roofs *roofs);
/* Whether the verdict on a recording may use the ceilings. */
bool roofs_apply(const struct roofline_run *run);

/* labels.c: add one, and all that follow from the recordings and ceilings. */
void labels_add(struct roofline_view *view, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void labels_make(struct roofline_view *view);

#define VERDICT_SIZE	1024

/* verdict.c: on the application as a whole; "": nothing can be said. */
void verdict_write(const struct roofline_run *run, char text[VERDICT_SIZE]);
/**
 * struct place - a point under the ceilings
 * @roofs: the ceilings
 * @threads: those of them that apply are of as many threads
 * @simd: enum kermon_simd of most operations: peaks of narrower ones do not apply
 * @intensity: FLOP per byte
 * @flops: FLOP per second
 */
struct place {
	const struct roofs *roofs;
	unsigned int threads;
	unsigned int simd;
	double intensity;
	double flops;
};

/*
 * The ceiling that binds there: the lowest that is not below it, or else the highest; NULL:
 * none applies. @next: set to the next one above that can be reached, or NULL.
 */
const struct roof *verdict_binding(const struct place *place, const struct roof **next);

/* The name of an enum kermon_simd; NULL: unknown. */
const char *simd_name(unsigned int simd);

/* Joules of the package per operation; NaN: unknown. */
double sums_joules_per_flop(const struct roofline_run *run,
			    const struct kermon_roofline_sums *sums);

/* Print to standard output. Return: 0 or -errno. */
int roofline_print_text(const struct roofline_view *view);
int roofline_print_csv(const struct roofline_view *view);
int roofline_print_json(const struct roofline_view *view);
/* The same to any stream, as of output_write(); @context: the view. */
int roofline_write_json(const void *context, FILE *out);
int roofline_picture(const void *context, FILE *out);

#endif /* KERMON_ROOFLINE_VIEW_H */
