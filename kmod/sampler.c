// SPDX-License-Identifier: GPL-2.0
/*
 * An interval begins with a reading of the CPU's counters when a task is
 * switched in and ends with another one when it is switched out; their
 * difference is the sample. At a switch between two monitored tasks, one
 * reading serves both.
 *
 * All functions here run with irqs off, so a CPU uses only its own data and a
 * sample never mixes two CPUs.
 */
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/msr.h>
#include <asm/ptrace.h>

#include "energy.h"
#include "log.h"
#include "pending.h"
#include "pmu.h"
#include "pmu_read.h"
#include "sampler.h"
#include "session.h"

/**
 * struct reading - the counters of a CPU at one point in time
 * @tsc: the time
 * @counters: free-running, in the order of the set
 * @energy: of the package, free-running
 * @activity: of energy_activity(); both only if energy is requested
 */
struct reading {
	u64 tsc;
	u64 counters[PMU_MAX_VALUES];
	u64 energy[KERMON_DOMAIN_COUNT];
	u64 activity;
};

/**
 * struct sampler_cpu - the interval that is open on a CPU, if any
 * @readings: its begin, and room for its end, alternating
 * @begin: index of the begin
 * @plan: plan under which it was opened; valid until the interval is closed, or its
 *	task has left the application
 * @group: group of @plan that is counted
 */
struct sampler_cpu {
	struct reading readings[2];
	const struct session_plan *plan;
	const struct session_group *group;
	u32 begin;
};

static DEFINE_PER_CPU(struct sampler_cpu, sampler_cpu);

static struct reading *sampler_begin(struct sampler_cpu *cpu)
{
	return &cpu->readings[cpu->begin];
}

static struct reading *sampler_end(struct sampler_cpu *cpu)
{
	return &cpu->readings[!cpu->begin];
}

/* The end of one interval is the begin of the next. */
static void sampler_swap(struct sampler_cpu *cpu)
{
	cpu->begin = !cpu->begin;
}

static struct session *sampler_session(const struct task_struct *task)
{
	const struct kermon_app *app;

	lockdep_assert_irqs_disabled();
	app = rcu_dereference_sched(task->kermon.app);
	return app ? session_of(app) : NULL;
}

/*
 * The group to count for @task. It follows from the CPU time of the task, so
 * rotation needs no state. Threads start with different groups, otherwise
 * threads that live shorter than a turn would all be counted by the first
 * group.
 */
static const struct session_group *sampler_group(const struct session_plan *plan,
						 const struct task_struct *task)
{
	u32 turn;

	if (likely(plan->nr_groups == 1))
		return plan->groups;
	turn = div64_u64(task->se.sum_exec_runtime, plan->rotate_ns) +
	       task->kermon.tid;
	return &plan->groups[turn % plan->nr_groups];
}

static __always_inline void sampler_read(const struct session *session,
					 const struct session_group *group,
					 u64 *begin, struct reading *reading)
{
	reading->tsc = rdtsc();
	pmu_read(&group->set->image, begin, reading->counters);
	if (session->nr_domains) {
		energy_read(reading->tsc, reading->energy);
		reading->activity = energy_activity();
	}
}

static void sampler_subtract_energy(const struct session *session,
				    const struct reading *begin,
				    const struct reading *end,
				    struct kermon_sample *sample, u64 *values)
{
	const u32 nr_domains = session->nr_domains;
	u32 i;

	for (i = 0; i < nr_domains; i++)
		*values++ = end->energy[i] - begin->energy[i];
	if (energy_alone(begin->activity, end->activity))
		sample->flags |= KERMON_SAMPLE_ALONE;
}

/*
 * Whether a count is implausibly high. True only if one of the counts in @all,
 * which are ORed together and so less than twice the largest, is more than 2^8
 * per TSC cycle of @oncpu; always if one is 2^10 or more. The fastest events
 * are AMD's floating-point operations, up to 64 per core cycle, so this leaves
 * room for cores that run at four times the TSC frequency. Intervals below 2^16
 * cycles are taken for that long: the TSC is not read at exactly the same time
 * as the counters, and an SMI may come in between.
 */
static __always_inline bool sampler_exceeds(u64 all, u64 oncpu)
{
	return unlikely(all >> 9 > (oncpu | (BIT(16) - 1)));
}

static __always_inline void
sampler_subtract(const struct session *session,
		 const struct session_group *group, const struct reading *begin,
		 const struct reading *end, struct kermon_sample *sample)
{
	const struct pmu_image *image = &group->set->image;
	const u32 nr_values = image->nr_values;
	u64 *values = sample->values;
	u64 delta, all = 0;
	u32 i;

	for (i = 0; i < nr_values; i++) {
		delta = (end->counters[i] - begin->counters[i]) &
			image->mask[i];
		all |= delta;
		*values++ = delta;
	}
	if (sampler_exceeds(all, sample->oncpu))
		sample->record.type = KERMON_RECORD_INVALID;
	if (session->nr_domains)
		sampler_subtract_energy(session, begin, end, sample, values);
}

/*
 * Fill in the sample of @task for the interval between the two readings. Write
 * every byte except the sequence: the destination is not cleared.
 */
static __always_inline void
sampler_fill(struct sampler_cpu *cpu, const struct session *session,
	     const struct task_struct *task, enum kermon_reason reason,
	     struct kermon_sample *sample)
{
	const struct session_group *group = cpu->group;
	const struct reading *begin = sampler_begin(cpu);
	const struct reading *end = sampler_end(cpu);

	sample->record.type = KERMON_RECORD_SAMPLE;
	sample->record.size = group->sample_size;
	sample->record.cpu = smp_processor_id();
	sample->pid = task->kermon.pid;
	sample->tid = task->kermon.tid;
	sample->set_id = group->set_id;
	sample->reason = reason;
	sample->flags = 0;
	sample->nr_fixed = group->nr_fixed;
	sample->nr_events = group->nr_events;
	sample->domains = session->domains;
	memset(sample->pad, 0, sizeof(sample->pad));
	sample->intervals = 1;
	sample->tsc_begin = begin->tsc;
	sample->tsc_end = end->tsc;
	sample->oncpu = end->tsc - begin->tsc;
	sample->ip = task_pt_regs(task)->ip;
	sampler_subtract(session, group, begin, end, sample);
}

static void sampler_emit(struct sampler_cpu *cpu, struct session *session,
			 struct task_struct *task, enum kermon_reason reason)
{
	struct log_ring *ring = this_cpu_ptr(session->log.rings);
	const struct session_group *group = cpu->group;
	struct kermon_sample *sample;

	if (ring->pending) {
		sampler_fill(cpu, session, task, reason,
			     pending_fresh(ring->pending));
		pending_add(&session->log, ring, task, group);
		return;
	}
	sample = log_reserve(&session->log, ring, group->sample_size);
	if (!sample)
		return;
	sampler_fill(cpu, session, task, reason, sample);
	sample->sequence = ring->sequence;
	log_commit(&session->log, ring, group->sample_size);
}

/* Charge the application for the cycles since @begin, the TSC in a hook. */
static void sampler_charge(struct session *session, u64 begin)
{
	struct log_ring *ring = this_cpu_ptr(session->log.rings);

	WRITE_ONCE(ring->cost, ring->cost + rdtsc() - begin);
}

static void sampler_end_interval(struct sampler_cpu *cpu,
				 struct session *session,
				 struct task_struct *task,
				 enum kermon_reason reason)
{
	sampler_read(session, cpu->group, sampler_begin(cpu)->counters,
		     sampler_end(cpu));
	sampler_emit(cpu, session, task, reason);
	sampler_swap(cpu);
	sampler_charge(session, sampler_begin(cpu)->tsc);
}

static void sampler_set_open(const struct session *session,
			     struct task_struct *task)
{
	task->kermon.open = true;
	task->kermon.opened = session->id;
}

/*
 * Whether the open interval of @task, if any, belongs to @session. A running
 * task may have left its application, and even joined another, with an interval
 * open; that one is discarded.
 */
static bool sampler_is_open(const struct session *session,
			    const struct task_struct *task)
{
	return task->kermon.open && session &&
	       task->kermon.opened == session->id;
}

/*
 * Program this CPU with @set; false if it is not ours. Charged separately:
 * writing registers takes longest.
 */
static bool sampler_load(struct session *session, const struct pmu_set *set)
{
	u64 tsc = rdtsc();

	if (!pmu_program(set))
		return false;
	sampler_charge(session, tsc);
	return true;
}

static void sampler_begin_interval(struct sampler_cpu *cpu,
				   struct session *session,
				   struct task_struct *task)
{
	const struct session_plan *plan = rcu_dereference_sched(session->plan);
	const struct session_group *group = sampler_group(plan, task);

	if (!pmu_holds(group->set) && !sampler_load(session, group->set))
		return;
	sampler_read(session, group, NULL, sampler_begin(cpu));
	cpu->plan = plan;
	cpu->group = group;
	sampler_set_open(session, task);
	sampler_charge(session, sampler_begin(cpu)->tsc);
}

/*
 * If both count the same, use the reading that ended the interval of @out as
 * the begin of that of @next.
 */
static bool sampler_hand_over(struct sampler_cpu *cpu,
			      const struct session *out,
			      const struct session *in,
			      struct task_struct *next)
{
	const struct session_plan *plan = rcu_dereference_sched(in->plan);
	const struct session_group *group = sampler_group(plan, next);

	if (group->set != cpu->group->set || in->nr_domains != out->nr_domains)
		return false;
	cpu->plan = plan;
	cpu->group = group;
	sampler_set_open(in, next);
	return true;
}

void sampler_switch(struct task_struct *prev, struct task_struct *next,
		    enum kermon_reason reason)
{
	struct sampler_cpu *cpu = this_cpu_ptr(&sampler_cpu);
	struct session *out = sampler_session(prev);
	struct session *in = sampler_session(next);
	bool closes = sampler_is_open(out, prev);

	if (closes)
		sampler_end_interval(cpu, out, prev, reason);
	prev->kermon.open = false;
	if (!in)
		return;
	if (!closes || !sampler_hand_over(cpu, out, in, next))
		sampler_begin_interval(cpu, in, next);
}

/*
 * Continue without a gap for what all groups count: time, energy and fixed
 * counters have just been read; only the events differ.
 */
static void sampler_begin_turn(struct sampler_cpu *cpu,
			       struct session *session,
			       const struct task_struct *task)
{
	const struct session_group *group = sampler_group(cpu->plan, task);
	u64 tsc = rdtsc();

	/*
	 * This CPU has just counted another set. Should it have lost counters since,
	 * reading notes that.
	 */
	pmu_program(group->set);
	pmu_read_programmed(&group->set->image, sampler_begin(cpu)->counters);
	cpu->group = group;
	sampler_charge(session, tsc);
}

void sampler_tick(struct task_struct *curr)
{
	struct sampler_cpu *cpu = this_cpu_ptr(&sampler_cpu);
	struct session *session = sampler_session(curr);

	if (!session)
		return;
	if (!sampler_is_open(session, curr)) {
		sampler_begin_interval(cpu, session, curr);
	} else if (sampler_group(cpu->plan, curr) != cpu->group) {
		sampler_end_interval(cpu, session, curr, KERMON_REASON_ROTATE);
		sampler_begin_turn(cpu, session, curr);
	} else if (rdtsc() - sampler_begin(cpu)->tsc >= cpu->plan->interval) {
		sampler_end_interval(cpu, session, curr, KERMON_REASON_TICK);
	}
}

void sampler_close(struct task_struct *curr, enum kermon_reason reason)
{
	struct sampler_cpu *cpu = this_cpu_ptr(&sampler_cpu);
	struct session *session = sampler_session(curr);

	if (sampler_is_open(session, curr))
		sampler_end_interval(cpu, session, curr, reason);
	curr->kermon.open = false;
	if (session && READ_ONCE(session->log.coalesce))
		pending_end(&session->log, this_cpu_ptr(session->log.rings),
			    curr);
}

void sampler_open(struct task_struct *curr)
{
	struct session *session = sampler_session(curr);

	if (session && !sampler_is_open(session, curr))
		sampler_begin_interval(this_cpu_ptr(&sampler_cpu), session,
				       curr);
}

void sampler_renew(void *app)
{
	struct sampler_cpu *cpu = this_cpu_ptr(&sampler_cpu);
	struct session *session = session_of(app);

	if (sampler_session(current) != session ||
	    !sampler_is_open(session, current))
		return;
	sampler_end_interval(cpu, session, current, KERMON_REASON_SET);
	sampler_begin_interval(cpu, session, current);
}

/*
 * The other CPUs were offline; this one lost its registers and counters while
 * running the task that suspended the system. Its interval has lost its begin;
 * the next tick opens another.
 */
void sampler_resume(void)
{
	pmu_resume();
	energy_resume();
	current->kermon.open = false;
}
