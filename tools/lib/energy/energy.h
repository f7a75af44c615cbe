/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Energy of the packages of this machine, for kernels without KerMon. It is that of all that
 * ran or slept there.
 */
#ifndef KERMON_ENERGY_H
#define KERMON_ENERGY_H

#include <stdbool.h>
#include <stdint.h>

/* Perf knows five domains, of each of 16 packages. */
#define ENERGY_DOMAINS		8
#define ENERGY_COUNTERS		80
#define ENERGY_NAME		48

/**
 * struct energy_domain - an energy domain of the whole machine
 * @name: as in recordings, "power/energy-pkg/"
 * @packages: number of packages that have it
 * @joules: sum over these by energy_read()
 * @peak: highest power in watts, by energy_watch(); 0: not known
 */
struct energy_domain {
	char name[ENERGY_NAME];
	unsigned int packages;
	double joules;
	double peak;
};

/**
 * struct energy_total - the energy of the whole machine
 * @error: why no energy was counted: -ENODEV: the machine or its kernel offers none;
 *	-EACCES: this user may not count it; -EPERM: nor read powercap, which is all there
 *	is; or 0
 * @nr: number of @domains
 * @domains: what was counted
 */
struct energy_total {
	int error;
	unsigned int nr;
	struct energy_domain domains[ENERGY_DOMAINS];
};

/**
 * struct energy_counter - a domain of a package
 * @fd: event of perf, or file of powercap
 * @domain: index in the domains of the total
 * @package: number of the package, as in sysfs; that of powercap's name
 * @unit: joules per unit
 * @range: the value at which a counter of powercap restarts from 0; 0: never
 * @last: its last value
 */
struct energy_counter {
	int fd;
	unsigned int domain;
	unsigned int package;
	double unit;
	uint64_t range;
	uint64_t last;
};

/**
 * struct energy - open counters; zero it before use
 * @total: domains and their joules, or why there are none
 * @nr: length of @counters
 * @wraps: they restart from 0, so that they have to be read once a minute
 * @window_ns: begin of the current window of energy_watch(); 0: there is none
 * @window_joules: sums of the domains at that time
 */
struct energy {
	struct energy_total total;
	unsigned int nr;
	bool wraps;
	uint64_t window_ns;
	double window_joules[ENERGY_DOMAINS];
	struct energy_counter counters[ENERGY_COUNTERS];
};

/*
 * Shortest time over which energy_watch() determines the power: the registers are updated once
 * per millisecond.
 */
#define ENERGY_WINDOW_MS	100

/*
 * Start to count: by perf's PMU "power", or else by powercap, which only root can read.
 * Without either, @total has the error. Close them in any case.
 */
void energy_open(struct energy *energy);

/* Add what was used since the last call, or since energy_open(). */
void energy_read(struct energy *energy);

/*
 * The same at @now_ns, CLOCK_MONOTONIC. The first call begins a window, each one that is at
 * least ENERGY_WINDOW_MS later ends it and begins the next: the highest power of all is that
 * of the domains.
 */
void energy_watch(struct energy *energy, uint64_t now_ns);

/*
 * Add what @package used since its last reading to @joules, by domain. Different packages
 * may be read by different threads. Returns 0, or -EIO if a counter cannot be read.
 */
int energy_read_package(struct energy *energy, unsigned int package,
			double joules[ENERGY_DOMAINS]);

void energy_close(struct energy *energy);

#endif /* KERMON_ENERGY_H */
