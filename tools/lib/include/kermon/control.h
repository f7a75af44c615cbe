/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family of KerMon: what the machine offers, who is
 * monitored, and notices. See <linux/kermon.h> for the messages.
 */
#ifndef KERMON_CONTROL_H
#define KERMON_CONTROL_H

#include <linux/kermon.h>
#include <stdbool.h>
#include <stdint.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

#define KERMON_NAME_SIZE	32

/**
 * struct kermon_domain_info - an energy domain
 * @id: enum kermon_domain
 * @unit: a unit is 2^-@unit joule
 * @name: "energy-pkg"
 */
struct kermon_domain_info {
	uint32_t id;
	uint32_t unit;
	char name[KERMON_NAME_SIZE];
};

#define KERMON_MAX_DOMAINS	16

/**
 * struct kermon_info - what this machine offers
 * @pmu_name: backend of the module
 * @counters: programmable counters of a CPU
 * @counter_width: their bits
 * @fixed: fixed counters of a CPU
 * @fixed_width: their bits
 * @owner: enum kermon_pmu_owner
 * @tsc_khz: TSC cycles in a millisecond
 * @rdpmc_for_all: every process may execute RDPMC (perf's policy 2), and so read what
 *	other tasks did
 * @nr_domains: length of @domains
 * @domains: energy domains, by ascending id
 */
struct kermon_info {
	char pmu_name[KERMON_NAME_SIZE];
	uint32_t counters;
	uint32_t counter_width;
	uint32_t fixed;
	uint32_t fixed_width;
	uint32_t owner;
	uint32_t tsc_khz;
	bool rdpmc_for_all;
	uint32_t nr_domains;
	struct kermon_domain_info domains[KERMON_MAX_DOMAINS];
};

/**
 * struct kermon_app_info - an application that is monitored
 * @id: number of the application
 * @pid: that set_events() named
 * @tasks: alive
 * @emitted: samples taken, lost ones included
 * @read: samples handed out
 * @lost: samples lost
 * @cost: TSC cycles that taking its samples took
 */
struct kermon_app_info {
	uint32_t id;
	uint32_t pid;
	uint32_t tasks;
	uint64_t emitted;
	uint64_t read;
	uint64_t lost;
	uint64_t cost;
};

/**
 * struct kermon_access_cost - what an access to a register takes, in TSC cycles
 * @minimum: in the fastest of the runs that were timed
 * @median: in half of them less
 * @most: in 90 of 100 of them less, the others were disturbed
 */
struct kermon_access_cost {
	double minimum;
	double median;
	double most;
};

#define KERMON_MAX_ACCESSES	32	/* as many as there are bits */

/**
 * struct kermon_access_costs - the costs of a CPU
 * @cpu: its number
 * @known: bit per enum kermon_access that this machine has
 * @of: per enum kermon_access, without the loop that they were timed in;
 *	KERMON_ACCESS_NONE is this loop, once round
 */
struct kermon_access_costs {
	uint32_t cpu;
	uint32_t known;
	struct kermon_access_cost of[KERMON_MAX_ACCESSES];
};

/* A connection to the module. */
struct kermon_control;

/* -ENODEV: the module is not loaded. */
int kermon_control_open(struct kermon_control **control);
void kermon_control_close(struct kermon_control *control);

/* What the machine offers. -EBADMSG: the answer makes no sense. */
int kermon_control_info(struct kermon_control *control,
			struct kermon_info *info);

/*
 * Calls @fn with each application that is monitored until it returns non-zero,
 * which is returned. -EACCES or -EPERM: those of others need CAP_PERFMON.
 */
int kermon_control_apps(struct kermon_control *control,
			int (*fn)(const struct kermon_app_info *app,
				  void *data), void *data);

/*
 * Has the module time accesses to registers on the CPU of the caller. -EPERM: needs
 * CAP_PERFMON; -EBUSY: another user has the counters; -ENODEV: no usable PMU;
 * -EOPNOTSUPP: the module is an older one.
 */
int kermon_control_measure(struct kermon_control *control,
			   struct kermon_access_costs *costs);

/*
 * Subscribes the connection to notices, which kermon_control_notice() then
 * waits for, one after the other: @notice is enum kermon_notice. A connection
 * that has subscribed is for nothing else.
 */
int kermon_control_subscribe(struct kermon_control *control);
int kermon_control_notice(struct kermon_control *control, uint32_t *notice,
			  struct kermon_app_info *app);

KERMON_END_DECLS
#endif /* KERMON_CONTROL_H */
