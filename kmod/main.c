// SPDX-License-Identifier: GPL-2.0
/* kermon.ko: counting and logging for the built-in part of KerMon. */
#include <linux/kermon.h>
#include <linux/module.h>
#include <net/genetlink.h>

#include "compat.h"
#include "control.h"
#include "energy.h"
#include "log.h"
#include "pending.h"
#include "pmu.h"
#include "sampler.h"
#include "self.h"
#include "session.h"

static ssize_t kermon_log_read(struct kermon_app *app, char __user *buf,
			       size_t len)
{
	return log_read(&session_of(app)->log, buf, len);
}

static bool kermon_log_ready(struct kermon_app *app)
{
	return log_ready(&session_of(app)->log);
}

static void kermon_task_settle(struct kermon_app *app,
			       const struct task_struct *curr)
{
	struct log *log = &session_of(app)->log;

	if (READ_ONCE(log->coalesce))
		pending_settle(log, curr);
}

static const struct kermon_ops kermon_ops = {
	.owner = THIS_MODULE,
	.app_open = session_open,
	.app_close = session_close,
	.app_change = session_change,
	.app_cover = session_cover,
	.app_revoke = session_revoke,
	.app_notice = control_notice,
	.log_read = kermon_log_read,
	.log_ready = kermon_log_ready,
	.self_open = self_open,
	.self_read = self_read,
	.self_close = self_close,
	.task_settle = kermon_task_settle,
	.cpu_idle = energy_idle,
	.task_switch = sampler_switch,
	.task_tick = sampler_tick,
	.task_close = sampler_close,
	.task_open = sampler_open,
};

COMPAT_DEFINE_RESUME(sampler_resume);

static int __init kermon_init(void)
{
	int ret;

	ret = pmu_init();
	if (ret)
		return ret;
	ret = energy_init();
	if (ret)
		goto pmu;
	ret = control_init();
	if (ret)
		goto energy;
	ret = kermon_register(&kermon_ops);
	if (ret)
		goto control;
	compat_register_resume();
	return 0;
control:
	control_exit();
energy:
	energy_exit();
pmu:
	pmu_exit();
	return ret;
}

static void __exit kermon_exit_module(void)
{
	compat_unregister_resume();
	kermon_unregister(&kermon_ops);
	control_exit();
	energy_exit();
	pmu_exit();
}

module_init(kermon_init);
module_exit(kermon_exit_module);

MODULE_DESCRIPTION("KerMon: counters and energy of threads");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");	/* keep in sync with VERSION in tools/Makefile */
MODULE_ALIAS_GENL_FAMILY(KERMON_GENL_NAME);
