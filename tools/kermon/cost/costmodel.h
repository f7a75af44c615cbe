/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to costmodel.c: cost of a pair, which is a switch-out of a monitored task and
 * the switch-in before it. It is computed by a model,
 *
 *	cycles = instructions * cycles of one + sum of accesses * cycles of each
 *
 * with the upper bounds of bounds.h and with cycles that are measured here; and it is
 * measured on two tasks that wake each other in turn. Cycles are those of the TSC.
 */
#ifndef KERMON_COSTMODEL_H
#define KERMON_COSTMODEL_H

#include <kermon/control.h>

#define COSTMODEL_PAIRS	3

/**
 * struct pair - a way to monitor, and its cost per pair
 * @name: name of the way
 * @instructions: number of instructions; this and the next four are upper bounds
 * @wrmsr: number of WRMSR of event selectors
 * @rdmsr: number of RDMSR of energy counters, for the frequency of these switches
 * @rdpmc: number of RDPMC, two per counter
 * @rdtsc: number of RDTSC, for the samples and for the overhead
 * @model: cycles computed by the model
 * @kernel: cycles accounted by the kernel, which exclude the call of the hook and WRMSR
 * @whole: measured cycles in addition to those of unmonitored switches
 */
struct pair {
	const char *name;
	double instructions;
	double wrmsr;
	double rdmsr;
	double rdpmc;
	double rdtsc;
	double model;
	double kernel;
	double whole;
};

/**
 * struct costmodel - results of all measurements
 * @info: what the module offers on this machine
 * @costs: cycles of register accesses
 * @instruction: mean cycles per instruction of a switch
 * @nr_pairs: length of @pairs
 * @pairs: ways to monitor
 */
struct costmodel {
	struct kermon_info info;
	struct kermon_access_costs costs;
	double instruction;
	unsigned int nr_pairs;
	struct pair pairs[COSTMODEL_PAIRS];
};

/* The step of costmodel_measure() that failed. */
enum costmodel_step {
	COSTMODEL_OPEN,		/* as kermon_control_open() */
	COSTMODEL_MEASURE,	/* as kermon_control_measure() */
	COSTMODEL_PLAY,		/* as kermon_session_open() */
};

/*
 * Measure on the current CPU, and bind the caller to it. Returns 0, or -errno of the step
 * in *@step.
 */
int costmodel_measure(struct costmodel *model, enum costmodel_step *step);

#endif /* KERMON_COSTMODEL_H */
