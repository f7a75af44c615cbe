// SPDX-License-Identifier: GPL-2.0
/* Who may count what: as for perf, and a policy for counters beside perf. */
#include <linux/cred.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/sysctl.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <asm/kermon.h>

#include "kermon_app.h"
#include "kermon_compat.h"

#define EVENT_OS	0x00020000ULL

/* First and last group whose members may occupy counters; nobody by default. */
static unsigned long kermon_counters_group[2] = { 1, 0 };
static DEFINE_MUTEX(group_mutex);

/* Which threads that read their own counts may do so with RDPMC, from now on. */
enum {
	KERMON_RDPMC_NEVER = 0,
	KERMON_RDPMC_PERMITTED = 1,	/* those that may count for whole CPUs */
	KERMON_RDPMC_ALWAYS = 2,
};

static int kermon_rdpmc = KERMON_RDPMC_PERMITTED;

static bool kermon_counts_kernel(const struct kermon_event_set *request,
				 const struct kermon_set *sets)
{
	unsigned int i, j;

	for (i = 0; i <= request->nr_more; i++) {
		for (j = 0; j < sets[i].nr_events; j++) {
			if (sets[i].events[j].config & EVENT_OS)
				return true;
		}
	}
	return request->count & KERMON_COUNT_KERNEL;
}

/* What the security module says, in the order in which perf asks. */
static int kermon_check_security(const struct kermon_event_set *request,
				 const struct kermon_set *sets)
{
	int ret = kermon_security_open(PERF_SECURITY_OPEN);

	if (!ret && kermon_counts_kernel(request, sets))
		ret = kermon_security_open(PERF_SECURITY_KERNEL);
	if (!ret && request->flags & KERMON_SET_ENERGY)
		ret = kermon_security_open(PERF_SECURITY_CPU);
	return ret;
}

/*
 * As for perf: kernel activity and package energy reveal more than the caller's
 * own tasks. Above 2, kernels of some distributions restrict performance
 * counters to privileged users.
 */
int kermon_check_request(const struct kermon_event_set *request,
			 const struct kermon_set *sets)
{
	int ret = kermon_check_security(request, sets);

	if (ret || perfmon_capable())
		return ret;
	if (sysctl_perf_event_paranoid > 2 || request->flags & KERMON_SET_ENERGY)
		return -EACCES;
	if (sysctl_perf_event_paranoid > 1 && kermon_counts_kernel(request, sets))
		return -EACCES;
	return 0;
}

/*
 * Whether current may read its own counts at all. Who monitors it may see more: what
 * of kernel mode, kermon_may_count_kernel() tells.
 */
int kermon_check_self(void)
{
	if (sysctl_perf_event_paranoid > 2 && !perfmon_capable())
		return -EACCES;
	return kermon_security_open(PERF_SECURITY_OPEN);
}

bool kermon_may_count_kernel(void)
{
	if (sysctl_perf_event_paranoid > 1 && !perfmon_capable())
		return false;
	return !kermon_security_open(PERF_SECURITY_KERNEL);
}

/*
 * RDPMC in user mode shows what other tasks do on the CPU. By default, those may execute
 * it who may count that by perf, too.
 */
bool kermon_may_read_counters(void)
{
	if (kermon_counters_denied())
		return false;
	switch (READ_ONCE(kermon_rdpmc)) {
	case KERMON_RDPMC_NEVER:
		return false;
	case KERMON_RDPMC_ALWAYS:
		return true;
	default:
		if (sysctl_perf_event_paranoid > 0 && !perfmon_capable())
			return false;
		return !kermon_security_open(PERF_SECURITY_CPU);
	}
}

static void kermon_get_group(unsigned long *group)
{
	mutex_lock(&group_mutex);
	memcpy(group, kermon_counters_group, sizeof(kermon_counters_group));
	mutex_unlock(&group_mutex);
}

static bool kermon_is_in(const unsigned long *group, kgid_t kgid)
{
	unsigned long gid = from_kgid(&init_user_ns, kgid);

	return gid >= group[0] && gid <= group[1];
}

static bool kermon_in_counters_group(void)
{
	const struct cred *cred = current_cred();
	unsigned long group[2];
	int i;

	kermon_get_group(group);
	if (kermon_is_in(group, cred->egid))
		return true;
	for (i = 0; i < cred->group_info->ngroups; i++) {
		if (kermon_is_in(group, cred->group_info->gid[i]))
			return true;
	}
	return false;
}

int kermon_allow_counters(void)
{
	if (sysctl_perf_event_paranoid > 0 && !kermon_in_counters_group() &&
	    !perfmon_capable())
		return -EACCES;
	return kermon_security_open(PERF_SECURITY_CPU);
}
EXPORT_SYMBOL_GPL(kermon_allow_counters);

#ifdef CONFIG_SYSCTL
static unsigned long gid_min;
static unsigned long gid_max = (gid_t)-2;

/* Readers see both or none: half of a range may be one of others. */
static int kermon_handle_group(KERMON_SYSCTL_CONST struct ctl_table *table, int write,
			       void *buffer, size_t *lenp, loff_t *ppos)
{
	struct ctl_table copy = *table;
	unsigned long group[2];
	int ret;

	kermon_get_group(group);
	copy.data = group;
	copy.maxlen = sizeof(group);
	ret = proc_doulongvec_minmax(&copy, write, buffer, lenp, ppos);
	if (ret || !write)
		return ret;
	if (group[0] > group[1] && (group[0] != 1 || group[1]))
		return -EINVAL;
	mutex_lock(&group_mutex);
	memcpy(kermon_counters_group, group, sizeof(group));
	mutex_unlock(&group_mutex);
	return 0;
}

static struct ctl_table permission_sysctls[] = {
	{
		.procname	= "kermon_counters_group",
		.data		= &kermon_counters_group,
		.maxlen		= sizeof(kermon_counters_group),
		.mode		= 0644,
		.proc_handler	= kermon_handle_group,
		.extra1		= &gid_min,
		.extra2		= &gid_max,
	},
	{
		.procname	= "kermon_rdpmc",
		.data		= &kermon_rdpmc,
		.maxlen		= sizeof(kermon_rdpmc),
		.mode		= 0644,
		.proc_handler	= proc_dointvec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_TWO,
	},
	KERMON_SYSCTL_END
};

static int __init kermon_permission_sysctl_init(void)
{
	register_sysctl_init("kernel", permission_sysctls);
	return 0;
}
late_initcall(kermon_permission_sysctl_init);
#endif
