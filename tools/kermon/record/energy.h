/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to energy.c: the energy of the whole machine while a command runs, for kernels
 * without KerMon.
 */
#ifndef KERMON_ENERGY_H
#define KERMON_ENERGY_H

#include "request.h"

/* Five domains of each of 16 packages. */
#define ENERGY_COUNTERS	80

/**
 * struct energy_counter - a domain of a package
 * @fd: event of perf, or file of powercap
 * @domain: index in the domains of the outcome
 * @unit: joules per unit
 * @range: the value at which a counter of powercap restarts from 0; 0: never
 * @last: its last value
 */
struct energy_counter {
	int fd;
	unsigned int domain;
	double unit;
	uint64_t range;
	uint64_t last;
};

/**
 * struct energy - open counters; zero it before use
 * @outcome: domains and their joules, or why there are none
 * @nr: length of @counters
 * @wraps: they restart from 0, so that energy_read() has to be called once a minute
 */
struct energy {
	struct outcome_energy outcome;
	unsigned int nr;
	bool wraps;
	struct energy_counter counters[ENERGY_COUNTERS];
};

/*
 * Start to count: by perf's PMU "power", or else by powercap, which only root can read.
 * Without either, @outcome has the error. Close them in any case.
 */
void energy_open(struct energy *energy);

/* Add what was used since the last call, or since energy_open(). */
void energy_read(struct energy *energy);

void energy_close(struct energy *energy);

#endif /* KERMON_ENERGY_H */
