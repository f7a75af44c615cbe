/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Energy counters of a package (RAPL, SDM vol. 3B, 15.10).
 */
#ifndef KERMON_ENERGY_H
#define KERMON_ENERGY_H

#include <linux/kermon.h>
#include <linux/types.h>

/**
 * struct energy_domain - a domain that this machine has
 * @id: enum kermon_domain
 * @name: perf's name for it
 * @msr: its counter, 32 bits wide
 * @unit: it counts in 2^-unit joule
 */
struct energy_domain {
	u8 id;
	const char *name;
	u32 msr;
	u32 unit;
};

/**
 * struct energy_model - the domains, constant once energy_init() has returned
 * @nr_domains: length of @domains; 0: this machine tells nothing
 * @mask: bit per enum kermon_domain
 * @domains: by ascending id
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
 * What the package of this CPU has used since an arbitrary start, per domain,
 * at most two milliseconds before @tsc, which is now. Irqs off. Reads each MSR
 * of a package once in a millisecond at most, and waits for no more than such a
 * reading by another CPU.
 */
void energy_read(u64 tsc, u64 *totals);

/*
 * Which CPUs of the package are at work, for energy_alone(), at the moment. Irqs off;
 * between energy_watch() and energy_unwatch() only.
 */
u64 energy_company(void);

/* Begin and end to keep energy_company() up to date. They nest, and sleep. */
void energy_watch(void);
void energy_unwatch(void);

/* See cpu_idle of struct kermon_ops. */
void energy_idle(bool idle);

/*
 * Whether all other CPUs of the package were idle all the time between two looks by
 * a CPU that was not.
 */
static inline bool energy_alone(u64 begin, u64 end)
{
	return (u32)begin == 1 && begin >> 32 == end >> 32;
}

/*
 * The machine wakes up: the registers and the TSC may have started anew, and
 * what was used in between belongs to no interval. On the boot CPU, with irqs
 * off and all others offline.
 */
void energy_resume(void);

#endif /* KERMON_ENERGY_H */
