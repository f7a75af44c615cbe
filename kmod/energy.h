/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Energy counters of a package (RAPL, SDM vol. 3B, 15.10).
 */
#ifndef KERMON_ENERGY_H
#define KERMON_ENERGY_H

#include <linux/kermon.h>
#include <linux/types.h>

/**
 * struct energy_domain - a domain of this machine
 * @id: enum kermon_domain
 * @name: perf's name for it
 * @msr: its counter, 32 bits wide
 * @unit: n: the counter is in units of 2^-n joules
 */
struct energy_domain {
	u8 id;
	const char *name;
	u32 msr;
	u32 unit;
};

/**
 * struct energy_model - the domains, constant once energy_init() has returned
 * @nr_domains: length of @domains; 0 if this machine has no energy counters
 * @mask: one bit per enum kermon_domain
 * @domains: in ascending order of ids
 */
struct energy_model {
	u32 nr_domains;
	u32 mask;
	struct energy_domain domains[KERMON_DOMAIN_COUNT];
};

extern struct energy_model energy_model;

int energy_init(void);
void energy_exit(void);

/*
 * Energy used by the package of this CPU since an arbitrary start, per domain,
 * as of at most two milliseconds before @tsc, the current time. Irqs off. Reads
 * each MSR of a package at most once per millisecond, and waits at most for
 * such a reading by another CPU.
 */
void energy_read(u64 tsc, u64 *totals);

/*
 * Snapshot of which CPUs of the package are busy, for energy_alone(). Irqs off;
 * only between energy_watch() and energy_unwatch().
 */
u64 energy_activity(void);

/* Start and stop keeping energy_activity() up to date. Calls nest. May sleep. */
void energy_watch(void);
void energy_unwatch(void);

/* See cpu_idle of struct kermon_ops. */
void energy_idle(bool idle);

/*
 * Whether all other CPUs of the package were idle throughout the time between
 * two snapshots taken by a busy CPU.
 */
static inline bool energy_alone(u64 begin, u64 end)
{
	return (u32)begin == 1 && begin >> 32 == end >> 32;
}

/*
 * System resume: the registers and the TSC may have been reset, and energy used
 * in between belongs to no interval. On the boot CPU, with irqs off and all
 * others offline.
 */
void energy_resume(void);

#endif /* KERMON_ENERGY_H */
