// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics and debug output of the class: wait and sleep times as for other
 * classes (tracepoints sched_stat_*, /proc/PID/sched), and the state of the
 * queues.
 */
#include <linux/seq_file.h>

#include "kermon_queue.h"

/* Only where schedstat_enabled(), like the next one. */
void kermon_stats_enqueue(struct rq *rq, struct task_struct *p, int flags)
{
	if (flags & ENQUEUE_WAKEUP)
		__update_stats_enqueue_sleeper(rq, p, &p->stats);
	/* For a running task this ends immediately, in set_next_task. */
	kermon_stats_wait(rq, p);
}

void kermon_stats_dequeue(struct rq *rq, struct task_struct *p, int flags)
{
	unsigned int state = READ_ONCE(p->__state);

	if (!task_current(rq, p))
		kermon_stats_waited(rq, p);
	if (!(flags & DEQUEUE_SLEEP))
		return;
	if (state & TASK_INTERRUPTIBLE)
		__schedstat_set(p->stats.sleep_start, rq_clock(rq));
	if (state & TASK_UNINTERRUPTIBLE)
		__schedstat_set(p->stats.block_start, rq_clock(rq));
}

#ifdef CONFIG_SCHED_DEBUG
/* If @m is NULL (SysRq-T, panics), print to the kernel log. */
static __printf(2, 3) void kermon_show(struct seq_file *m, const char *format,
				       ...)
{
	va_list args;

	va_start(args, format);
	if (m)
		seq_vprintf(m, format, args);
	else
		pr_info("%pV", &(struct va_format){ format, &args });
	va_end(args);
}

/* In /sys/kernel/debug/sched/debug, for each CPU. */
void print_kermon_stats(struct seq_file *m, int cpu)
{
	struct kermon_rq *kermon = &cpu_rq(cpu)->kermon;

	kermon_show(m, "\nkermon_rq[%d]:\n", cpu);
	kermon_show(m, "  .%-30s: %u\n", "nr_running", kermon->nr_running);
	kermon_show(m, "  .%-30s: %u\n", "nr_movable", kermon->nr_movable);
	kermon_show(m, "  .%-30s: %d\n", "overloaded", kermon->overloaded);
	kermon_show(m, "  .%-30s: %lu\n", "load", kermon->load);
	kermon_show(m, "  .%-30s: %llu\n", "min_vruntime", kermon->min_vruntime);
	kermon_show(m, "  .%-30s: %llu\n", "starved", kermon->starved);
	kermon_show(m, "  .%-30s: %d\n", "yielding", kermon->yielding);
}

/* In /proc/PID/sched. Lockless: the values are approximate. */
void kermon_show_task(struct task_struct *p, struct seq_file *m)
{
	if (!kermon_policy(p->policy))
		return;
	seq_printf(m, "%-45s:%21llu\n", "kermon.slice", kermon_slice(p));
	seq_printf(m, "%-45s:%21llu\n", "kermon.vruntime", p->kermon_se.vruntime);
	seq_printf(m, "%-45s:%21lld\n", "kermon.lag", p->kermon_se.lag);
}
#endif
