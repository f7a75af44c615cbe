/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family of KerMon: the hardware, monitored applications, and
 * notices. See <linux/kermon.h> for the messages.
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
 * @unit: energy is in units of 2^-@unit joule
 * @name: "energy-pkg"
 */
struct kermon_domain_info {
	uint32_t id;
	uint32_t unit;
	char name[KERMON_NAME_SIZE];
};

#define KERMON_MAX_DOMAINS	16

/**
 * struct kermon_info - properties of this machine
 * @pmu_name: backend of the module
 * @counters: programmable counters per CPU
 * @counter_width: their width in bits
 * @fixed: fixed counters per CPU
 * @fixed_width: their width in bits
 * @owner: enum kermon_pmu_owner
 * @tsc_khz: TSC cycles per millisecond
 * @rdpmc_for_all: every process may execute RDPMC (perf's policy 2), and thus read counts
 *	of other tasks
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
 * struct kermon_app_info - a monitored application
 * @id: id of the application
 * @pid: the pid passed to set_events()
 * @tasks: number of tasks that are alive
 * @emitted: samples taken, including lost ones
 * @read: samples read from the log
 * @lost: samples lost
 * @cost: TSC cycles spent on taking its samples
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
 * struct kermon_holder - who holds log descriptors of an application, and what that takes
 * @id: id of the application
 * @pid: the pid passed to set_events()
 * @tasks: number of tasks that are alive
 * @uid: effective user of who called set_events()
 * @opener: process that did, 0 if not visible here; it may have passed the descriptor on
 * @comm: its name at that time
 * @descriptors: number of log descriptors, without copies by fork(2) or dup(2)
 * @sets: number of sets; more than 1 are rotated
 * @events: programmed events of the largest of these
 * @counts: it occupies counters
 * @revoked: it does not any more, and nothing is monitored
 * @log_bytes: memory pinned for its log
 */
struct kermon_holder {
	uint32_t id;
	uint32_t pid;
	uint32_t tasks;
	uint32_t uid;
	uint32_t opener;
	char comm[KERMON_NAME_SIZE];
	uint32_t descriptors;
	uint32_t sets;
	uint32_t events;
	bool counts;
	bool revoked;
	uint64_t log_bytes;
};

/**
 * struct kermon_access_cost - the cost of an access to a register, in TSC cycles
 * @minimum: of the timed runs
 * @median: of the timed runs
 * @most: 90th percentile; slower runs were disturbed
 */
struct kermon_access_cost {
	double minimum;
	double median;
	double most;
};

#define KERMON_MAX_ACCESSES	32	/* number of bits in @known */

/**
 * struct kermon_access_costs - the costs of a CPU
 * @cpu: its number
 * @known: bit per enum kermon_access that is supported on this machine
 * @of: per enum kermon_access, excluding the loop in which they were timed;
 *	KERMON_ACCESS_NONE is one iteration of this loop
 */
struct kermon_access_costs {
	uint32_t cpu;
	uint32_t known;
	struct kermon_access_cost of[KERMON_MAX_ACCESSES];
};

/* A connection to the module. */
struct kermon_control;

/* Connect to the module. Return: 0; -ENODEV: the module is not loaded; other -errno. */
int kermon_control_open(struct kermon_control **control);
void kermon_control_close(struct kermon_control *control);

/* Get the properties of the machine. Return: 0; -EBADMSG: the reply is invalid. */
int kermon_control_info(struct kermon_control *control,
			struct kermon_info *info);

/*
 * Call @fn for each monitored application until it returns non-zero, which is returned.
 * Otherwise return 0; -EACCES or -EPERM: other users' applications require CAP_PERFMON.
 */
int kermon_control_apps(struct kermon_control *control,
			int (*fn)(const struct kermon_app_info *app,
				  void *data), void *data);

/*
 * Call @fn for the holders of the log of each application until it returns non-zero. Return:
 * as kermon_control_apps(); -EOPNOTSUPP: the module is too old.
 */
int kermon_control_holders(struct kermon_control *control,
			   int (*fn)(const struct kermon_holder *holder,
				     void *data), void *data);

/*
 * End the monitoring of application @id; its log can still be read, and ends with a
 * KERMON_RECORD_REVOKED. Return: 0; -EPERM: requires CAP_SYS_ADMIN; -ENOENT: there is no
 * such application; -EALREADY: it was revoked before; -EAGAIN: it is just starting;
 * -EOPNOTSUPP: the module is too old.
 */
int kermon_control_revoke(struct kermon_control *control, uint32_t id);

/*
 * Measure the cost of register accesses on the caller's CPU, in the module. Return: 0;
 * -EPERM: requires CAP_PERFMON; -EBUSY: the counters are in use; -ENODEV: no usable
 * PMU; -EOPNOTSUPP: the module is too old.
 */
int kermon_control_measure(struct kermon_control *control,
			   struct kermon_access_costs *costs);

/*
 * Subscribe the connection to notices. kermon_control_notice() then waits for the next
 * one; @notice is enum kermon_notice. A subscribed connection cannot be used for
 * anything else. Both return 0 or -errno.
 */
int kermon_control_subscribe(struct kermon_control *control);
int kermon_control_notice(struct kermon_control *control, uint32_t *notice,
			  struct kermon_app_info *app);

KERMON_END_DECLS
#endif /* KERMON_CONTROL_H */
