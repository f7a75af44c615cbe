/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a pair costs: a switch-out of a monitored task and the switch-in before
 * it. By a model,
 *
 *	cycles = instructions * cycles of one + sum of accesses * cycles of each
 *
 * with numbers that KerMon promises not to exceed and with cycles that are
 * measured here; and as it is when two tasks wake each other in turn. Cycles are
 * those of the TSC.
 */
#ifndef KERMON_COSTMODEL_H
#define KERMON_COSTMODEL_H

#include <kermon/control.h>

#define COSTMODEL_PAIRS	3

/**
 * struct pair - a way to monitor, and what it costs
 * @name: of the way
 * @instructions: at most, as all these numbers
 * @wrmsr: of event selectors
 * @rdmsr: of energy counters, as often as the two tasks switch
 * @rdpmc: one for each counter, twice
 * @rdtsc: of the samples and of their cost
 * @model: cycles by the model
 * @kernel: cycles by what the kernel says that its samples take, which leaves out
 *	the call of the hook and WRMSR
 * @whole: cycles that it takes longer there and back than unmonitored, per pair
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
 * struct costmodel - all of it
 * @info: what the module says of the machine
 * @costs: of accesses
 * @instruction: cycles of an instruction, in the mean of a switch
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

/* What failed, if one of the functions did. */
enum costmodel_step {
	COSTMODEL_OPEN,		/* as kermon_control_open() */
	COSTMODEL_MEASURE,	/* as kermon_control_measure() */
	COSTMODEL_PLAY,		/* as kermon_session_open() */
};

/*
 * Measures on the CPU of the caller, who stays on it. 0 or -errno, and @step says of
 * what.
 */
int costmodel_measure(struct costmodel *model, enum costmodel_step *step);

#endif /* KERMON_COSTMODEL_H */
