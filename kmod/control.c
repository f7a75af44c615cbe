// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink control plane. It reads state, and revokes applications.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/minmax.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <asm/kermon.h>
#include <asm/tsc.h>
#include <net/genetlink.h>
#include <net/netlink.h>
#include <net/sock.h>

#include "control.h"
#include "cost.h"
#include "energy.h"
#include "log.h"
#include "pmu.h"
#include "session.h"

static struct genl_family control_family;

static int control_put_domain(struct sk_buff *msg,
			      const struct energy_domain *domain)
{
	struct nlattr *nest = nla_nest_start(msg, KERMON_A_DOMAIN);

	if (!nest ||
	    nla_put_u32(msg, KERMON_A_DOMAIN_ID, domain->id) ||
	    nla_put_string(msg, KERMON_A_DOMAIN_NAME, domain->name) ||
	    nla_put_u32(msg, KERMON_A_DOMAIN_UNIT, domain->unit))
		return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

static bool control_is_privileged(const struct sk_buff *request)
{
	return netlink_capable(request, CAP_PERFMON) ||
	       netlink_capable(request, CAP_SYS_ADMIN);
}

static int control_put_info(struct sk_buff *msg, bool privileged)
{
	u32 i;

	if (nla_put_string(msg, KERMON_A_PMU_NAME, pmu_model.name) ||
	    nla_put_u32(msg, KERMON_A_COUNTERS, pmu_model.nr_general) ||
	    nla_put_u32(msg, KERMON_A_COUNTER_WIDTH, pmu_model.general_width) ||
	    nla_put_u32(msg, KERMON_A_FIXED, pmu_model.nr_fixed) ||
	    nla_put_u32(msg, KERMON_A_FIXED_WIDTH, pmu_model.fixed_width) ||
	    nla_put_u32(msg, KERMON_A_PMU_OWNER, pmu_owner(privileged)) ||
	    nla_put_u32(msg, KERMON_A_TSC_KHZ, tsc_khz))
		return -EMSGSIZE;
	if (kermon_counters_public() &&
	    nla_put_flag(msg, KERMON_A_PMU_PUBLIC))
		return -EMSGSIZE;
	for (i = 0; i < energy_model.nr_domains; i++)
		if (control_put_domain(msg, &energy_model.domains[i]))
			return -EMSGSIZE;
	return 0;
}

/* Reply with the message that @put fills in, or return its error. */
static int control_answer(struct sk_buff *skb, struct genl_info *info,
			  int (*put)(struct sk_buff *msg, bool privileged))
{
	struct sk_buff *msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *head;
	int ret;

	if (!msg)
		return -ENOMEM;
	head = genlmsg_put_reply(msg, info, &control_family, 0,
				 info->genlhdr->cmd);
	ret = head ? put(msg, control_is_privileged(skb)) : -EMSGSIZE;
	if (ret) {
		nlmsg_free(msg);
		return ret;
	}
	genlmsg_end(msg, head);
	return genlmsg_reply(msg, info);
}

static int control_get_info(struct sk_buff *skb, struct genl_info *info)
{
	return control_answer(skb, info, control_put_info);
}

/**
 * struct control_viewer - the namespaces of who gets a message
 * @pids: pids are those of this one
 * @users: users, likewise
 */
struct control_viewer {
	struct pid_namespace *pids;
	struct user_namespace *users;
};

static unsigned int control_count_tasks(struct kermon_app *app)
{
	unsigned long flags;
	unsigned int tasks;

	raw_spin_lock_irqsave(&app->lock, flags);
	tasks = app->nr_tasks;
	raw_spin_unlock_irqrestore(&app->lock, flags);
	return tasks;
}

static unsigned int control_most_events(const struct kermon_app *app)
{
	unsigned int i, most = 0;

	for (i = 0; i < kermon_nr_sets(app); i++)
		most = max(most, app->sets[i].nr_events);
	return most;
}

/*
 * Who holds it, and what that takes. A concurrent change of the set may show something
 * of both sets.
 */
static int control_put_holder(struct sk_buff *msg, const struct kermon_app *app,
			      const struct control_viewer *viewer)
{
	const u64 bytes = (u64)app->locked << PAGE_SHIFT;

	if (nla_put_u32(msg, KERMON_A_APP_UID,
			from_kuid_munged(viewer->users, app->euid)) ||
	    nla_put_u32(msg, KERMON_A_APP_OPENER,
			pid_nr_ns(app->opener, viewer->pids)) ||
	    nla_put_string(msg, KERMON_A_APP_COMM, app->comm) ||
	    nla_put_u32(msg, KERMON_A_APP_FDS,
			READ_ONCE(app->nr_files)) ||
	    nla_put_u32(msg, KERMON_A_APP_SETS, kermon_nr_sets(app)) ||
	    nla_put_u32(msg, KERMON_A_APP_EVENTS, control_most_events(app)) ||
	    nla_put_u64_64bit(msg, KERMON_A_APP_LOG_BYTES, bytes,
			      KERMON_A_APP_PAD))
		return -EMSGSIZE;
	if (READ_ONCE(app->revoked))
		return nla_put_flag(msg, KERMON_A_APP_REVOKED);
	/* Events require modes of the fixed counters. */
	return app->request.count ? nla_put_flag(msg, KERMON_A_APP_COUNTS) : 0;
}

static int control_put_app(struct sk_buff *msg, struct kermon_app *app,
			   const struct control_viewer *viewer)
{
	struct nlattr *nest = nla_nest_start(msg, KERMON_A_APP);
	struct log_stats stats;

	log_stats(&session_of(app)->log, &stats);
	if (!nest ||
	    nla_put_u32(msg, KERMON_A_APP_ID, app->id) ||
	    nla_put_u32(msg, KERMON_A_APP_PID,
			pid_nr_ns(app->pid, viewer->pids)) ||
	    nla_put_u32(msg, KERMON_A_APP_TASKS, control_count_tasks(app)) ||
	    nla_put_u64_64bit(msg, KERMON_A_APP_EMITTED, stats.emitted,
			      KERMON_A_APP_PAD) ||
	    nla_put_u64_64bit(msg, KERMON_A_APP_READ, stats.read,
			      KERMON_A_APP_PAD) ||
	    nla_put_u64_64bit(msg, KERMON_A_APP_LOST, stats.lost,
			      KERMON_A_APP_PAD) ||
	    nla_put_u64_64bit(msg, KERMON_A_APP_COST, stats.cost,
			      KERMON_A_APP_PAD) ||
	    control_put_holder(msg, app, viewer))
		return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

/**
 * struct control_dump - a dump of applications in progress
 * @skb: the message being filled
 * @cb: the request; args[0] is the id of the last application already dumped
 */
struct control_dump {
	struct sk_buff *skb;
	struct netlink_callback *cb;
};

static bool control_may_see(struct sk_buff *request, struct kermon_app *app)
{
	/* The requester's socket; request->sk is the kernel's. */
	kuid_t requester = NETLINK_CB(request).sk->sk_uid;

	return uid_eq(requester, session_of(app)->uid) ||
	       control_is_privileged(request);
}

/*
 * Called in ascending order of ids. -EMSGSIZE: continue from here in the next
 * message.
 */
static int control_dump_app(struct kermon_app *app, void *data)
{
	struct control_dump *dump = data;
	struct netlink_callback *cb = dump->cb;
	const struct control_viewer viewer = {
		task_active_pid_ns(current), current_user_ns()
	};
	void *head;

	if (app->id <= cb->args[0] || !control_may_see(cb->skb, app))
		return 0;
	head = genlmsg_put(dump->skb, NETLINK_CB(cb->skb).portid,
			   cb->nlh->nlmsg_seq, &control_family, NLM_F_MULTI,
			   KERMON_CMD_GET_APPS);
	if (!head)
		return -EMSGSIZE;
	if (control_put_app(dump->skb, app, &viewer)) {
		genlmsg_cancel(dump->skb, head);
		return -EMSGSIZE;
	}
	genlmsg_end(dump->skb, head);
	cb->args[0] = app->id;
	return 0;
}

static int control_get_apps(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct control_dump dump = { .skb = skb, .cb = cb };
	int ret = kermon_visit_apps(control_dump_app, &dump);

	return ret && !skb->len ? ret : skb->len;
}

static int control_put_access(struct sk_buff *msg, enum kermon_access kind)
{
	u32 cycles[COST_RUNS];
	struct nlattr *nest;
	int ret = cost_measure(kind, cycles);

	if (ret)
		return ret == -EOPNOTSUPP ? 0 : ret;
	nest = nla_nest_start(msg, KERMON_A_ACCESS);
	if (!nest ||
	    nla_put_u32(msg, KERMON_A_ACCESS_KIND, kind) ||
	    nla_put_u32(msg, KERMON_A_ACCESS_TIMES, COST_ACCESSES) ||
	    nla_put(msg, KERMON_A_ACCESS_CYCLES, sizeof(cycles), cycles))
		return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

static int control_put_accesses(struct sk_buff *msg)
{
	u32 kind;
	int ret;

	migrate_disable();
	ret = nla_put_u32(msg, KERMON_A_CPU, smp_processor_id());
	for (kind = 0; kind < KERMON_ACCESS_COUNT && !ret; kind++)
		ret = control_put_access(msg, kind);
	migrate_enable();
	return ret;
}

static int control_put_costs(struct sk_buff *msg, bool privileged)
{
	int ret = privileged ? pmu_borrow() : -EPERM;

	if (ret)
		return ret;
	ret = control_put_accesses(msg);
	pmu_return();
	return ret;
}

static int control_measure(struct sk_buff *skb, struct genl_info *info)
{
	return control_answer(skb, info, control_put_costs);
}

/*
 * For root alone: CAP_PERFMON permits to observe, not to end what others observe. The
 * process that opened the socket is asked as well.
 */
static int control_revoke(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *id = info->attrs[KERMON_A_ID];

	if (!netlink_capable(skb, CAP_SYS_ADMIN))
		return -EPERM;
	return id ? kermon_revoke(nla_get_u32(id)) : -EINVAL;
}

/* What requests may have. */
static const struct nla_policy control_policy[KERMON_A_ID + 1] = {
	[KERMON_A_ID] = { .type = NLA_U32 },
};

static const struct genl_small_ops control_ops[] = {
	{
		.cmd = KERMON_CMD_GET_INFO,
		.doit = control_get_info,
	},
	{
		.cmd = KERMON_CMD_GET_APPS,
		.dumpit = control_get_apps,
	},
	{
		.cmd = KERMON_CMD_MEASURE,
		.doit = control_measure,
	},
	{
		.cmd = KERMON_CMD_REVOKE,
		.doit = control_revoke,
	},
};

static const struct genl_multicast_group control_groups[] = {
	/* Notices cover the applications of all users. */
	{ .name = KERMON_GENL_NOTICES, .flags = GENL_MCAST_CAP_SYS_ADMIN },
};

static struct genl_family control_family __ro_after_init = {
	.name = KERMON_GENL_NAME,
	.version = KERMON_GENL_VERSION,
	.maxattr = KERMON_A_ID,
	.policy = control_policy,
	/*
	 * Capabilities are checked in the initial user namespace; notices are
	 * sent in the initial network namespace only.
	 */
	.netnsok = true,
	/* What takes long here must not keep requests to other families waiting. */
	.parallel_ops = true,
	.module = THIS_MODULE,
	.small_ops = control_ops,
	.n_small_ops = ARRAY_SIZE(control_ops),
	.mcgrps = control_groups,
	.n_mcgrps = ARRAY_SIZE(control_groups),
};

void control_notice(struct kermon_app *app, enum kermon_notice notice)
{
	const struct control_viewer viewer = { &init_pid_ns, &init_user_ns };
	struct sk_buff *msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *head;

	if (!msg)
		return;
	head = genlmsg_put(msg, 0, 0, &control_family, 0, KERMON_CMD_NOTICE);
	if (!head || nla_put_u32(msg, KERMON_A_NOTICE, notice) ||
	    control_put_app(msg, app, &viewer)) {
		nlmsg_free(msg);
		return;
	}
	genlmsg_end(msg, head);
	genlmsg_multicast(&control_family, msg, 0, 0, GFP_KERNEL);
}

int __init control_init(void)
{
	return genl_register_family(&control_family);
}

void control_exit(void)
{
	genl_unregister_family(&control_family);
}
