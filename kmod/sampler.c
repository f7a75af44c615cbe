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
#include "page.h"
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
 * @begin: its begin
 * @plan: plan under which it was opened; valid until the interval is closed, or its
 *	task has left the application
 * @set: set of @plan that is counted
 */
struct sampler_cpu {
	struct reading begin;
	const struct session_plan *plan;
	const struct session_set *set;
};

static DEFINE_PER_CPU(struct sampler_cpu, sampler_cpu);

static struct session *sampler_session(const struct task_struct *task)
{
	const struct kermon_app *app;

	lockdep_assert_irqs_disabled();
	app = rcu_dereference_sched(task->kermon.app);
	return app ? session_of(app) : NULL;
}

/*
 * The set to count for @task. It follows from the CPU time of the task, so
 * rotation needs no state. Threads start with different sets, otherwise
 * threads that live shorter than a turn would all be counted by the first
 * set.
 */
static const struct session_set *sampler_set(const struct session_plan *plan,
					     const struct task_struct *task)
{
	u32 turn;

	if (likely(plan->nr_sets == 1))
		return plan->sets;
	turn = div64_u64(task->se.sum_exec_runtime, plan->rotate_ns) +
	       task->kermon.tid;
	return &plan->sets[turn % plan->nr_sets];
}

/* An interval of @task has begun, or goes on after a sample: let it read its counts. */
static void sampler_show_page(const struct sampler_cpu *cpu,
			      const struct session *session,
			      struct task_struct *task)
{
	if (session_extras(session) & SESSION_PAGES)
		page_begin(session, task, cpu->plan, cpu->set, cpu->begin.tsc,
			   cpu->begin.counters);
}

/* None could begin: some of what @task executes is not counted. */
static noinline void sampler_lose(const struct session *session,
				  struct task_struct *task)
{
	if (session_extras(session) & SESSION_PAGES)
		page_lose(session, task);
}

static noinline void sampler_begin_energy(struct reading *begin)
{
	energy_read(begin->tsc, begin->energy);
	begin->activity = energy_activity();
}

/* Where pages have to be updated, too. */
static noinline void sampler_begin_pages(struct sampler_cpu *cpu,
					 const struct session *session,
					 struct task_struct *task)
{
	if (session_extras(session) & SESSION_ENERGY)
		sampler_begin_energy(&cpu->begin);
	sampler_show_page(cpu, session, task);
}

static __always_inline void sampler_begin_extras(struct sampler_cpu *cpu,
						 const struct session *session,
						 struct task_struct *task)
{
	/* Load again here, rather than keep for here, what has been tested. */
	OPTIMIZER_HIDE_VAR(session);
	if (session_extras(session) == SESSION_ENERGY)
		sampler_begin_energy(&cpu->begin);
	else
		sampler_begin_pages(cpu, session, task);
}

/* End an interval, as pmu_advance() does. */
static noinline void sampler_advance_energy(struct reading *begin,
					    struct kermon_sample *sample,
					    u64 *deltas)
{
	const u32 nr_domains = energy_model.nr_domains;
	u64 energy[KERMON_DOMAIN_COUNT];
	u64 activity;
	u32 i = 0;

	energy_read(begin->tsc, energy);
	activity = energy_activity();
	/* There is one at least. */
	do {
		deltas[i] = energy[i] - begin->energy[i];
		begin->energy[i] = energy[i];
	} while (++i < nr_domains);
	if (energy_alone(begin->activity, activity))
		sample->flags |= KERMON_SAMPLE_ALONE;
	begin->activity = activity;
}

/* Where pages have to be updated, too. */
static noinline void sampler_advance_pages(const struct session *session,
					   struct task_struct *task,
					   struct reading *begin,
					   struct kermon_sample *sample,
					   u64 *deltas)
{
	if (session_extras(session) & SESSION_ENERGY)
		sampler_advance_energy(begin, sample, deltas);
	page_end(session, task, sample);
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

static __always_inline void sampler_advance_extras(const struct session *session,
						   struct task_struct *task,
						   struct reading *begin,
						   struct kermon_sample *sample,
						   u64 *deltas)
{
	/* As in sampler_begin_extras(). */
	OPTIMIZER_HIDE_VAR(session);
	if (session_extras(session) == SESSION_ENERGY)
		sampler_advance_energy(begin, sample, deltas);
	else
		sampler_advance_pages(session, task, begin, sample, deltas);
}

#define SAMPLE_WORD(field) (offsetof(struct kermon_sample, field) / sizeof(u64))

/*
 * What a sample says besides counts. Write every byte except the sequence: the
 * destination is not cleared. Words are copied as a whole: by fields it would take
 * twice the instructions.
 */
static __always_inline void
sampler_fill_header(const struct session_set *set,
		    const struct task_struct *task, enum kermon_reason reason,
		    struct kermon_sample *sample)
{
	const u64 *header = set->header.words;
	u64 *words = (u64 *)sample;

	static_assert(offsetof(struct kermon_sample, tid) -
		      offsetof(struct kermon_sample, pid) ==
		      offsetof(struct kermon_task, tid) -
		      offsetof(struct kermon_task, pid));
	static_assert(IS_ALIGNED(offsetof(struct kermon_sample, pid), sizeof(u64)));
	static_assert(SAMPLE_WORD(set_id) == SAMPLE_WORD(nr_events));
	static_assert(SAMPLE_WORD(domains) == SAMPLE_WORD(intervals));
	words[SAMPLE_WORD(record)] = header[SAMPLE_WORD(record)];
	sample->record.cpu = smp_processor_id();
	words[SAMPLE_WORD(pid)] = *(const u64 *)&task->kermon.pid;
	words[SAMPLE_WORD(set_id)] = header[SAMPLE_WORD(set_id)];
	sample->reason = reason;
	words[SAMPLE_WORD(domains)] = header[SAMPLE_WORD(domains)];
	sample->ip = task_pt_regs(task)->ip;
}

/* Fill in the sample of @task up to @tsc, where the next interval begins. */
static __always_inline void
sampler_fill(struct sampler_cpu *cpu, const struct session *session,
	     struct task_struct *task, enum kermon_reason reason, u64 tsc,
	     struct kermon_sample *sample)
{
	const struct session_set *set = cpu->set;
	const struct pmu_image *image = &set->pmu->image;
	struct reading *begin = &cpu->begin;
	u64 oncpu = tsc - begin->tsc;
	u64 all;

	all = pmu_advance(image, begin->counters, sample->values);
	sampler_fill_header(set, task, reason, sample);
	sample->tsc_begin = begin->tsc;
	sample->tsc_end = tsc;
	sample->oncpu = oncpu;
	begin->tsc = tsc;
	if (sampler_exceeds(all, oncpu))
		sample->record.type = KERMON_RECORD_INVALID;
	if (unlikely(session_extras(session)))
		sampler_advance_extras(session, task, begin, sample,
				       sample->values + image->nr_values);
}

/* Charge the application for the cycles since @begin, the TSC in a hook. */
static __always_inline void sampler_charge(struct session *session, u64 begin)
{
	this_cpu_add(session->log.rings->cost, rdtsc() - begin);
}

static __always_inline void sampler_read(const struct session *session,
					 const struct session_set *set,
					 struct reading *begin)
{
	begin->tsc = rdtsc();
	pmu_begin(&set->pmu->image, begin->counters);
	if (unlikely(session_extras(session) & SESSION_ENERGY))
		sampler_begin_energy(begin);
}

/* Where a sample goes that is lost, but counts for the page of the task nevertheless. */
static DEFINE_PER_CPU(u64[KERMON_RECORD_MAX / sizeof(u64)], sampler_scratch);

/* Where the sample does not simply go to the end of the ring. */
static noinline void sampler_emit_slowly(struct sampler_cpu *cpu,
					 struct session *session,
					 struct task_struct *task,
					 enum kermon_reason reason, u64 tsc)
{
	struct log_ring *ring = this_cpu_ptr(session->log.rings);
	const struct session_set *set = cpu->set;
	const size_t size = set->header.sample.record.size;
	struct kermon_sample *sample;

	if (ring->pending) {
		sampler_fill(cpu, session, task, reason, tsc,
			     pending_fresh(ring->pending));
		pending_add(&session->log, ring, task, set);
		return;
	}
	sample = log_reserve(&session->log, ring, size);
	if (!sample && session_extras(session) & SESSION_PAGES) {
		sampler_fill(cpu, session, task, reason, tsc,
			     (void *)this_cpu_ptr(sampler_scratch));
		return;
	}
	if (!sample) {
		sampler_read(session, set, &cpu->begin);
		return;
	}
	sampler_fill(cpu, session, task, reason, tsc, sample);
	sample->sequence = ring->sequence;
	log_commit(&session->log, ring, size);
}

static __always_inline void sampler_end_interval(struct sampler_cpu *cpu,
						 struct session *session,
						 struct task_struct *task,
						 enum kermon_reason reason)
{
	struct log_ring *ring = this_cpu_ptr(session->log.rings);
	const size_t size = cpu->set->header.sample.record.size;
	u64 tsc = rdtsc();
	struct kermon_sample *sample = log_reserve_fast(ring, size);

	if (likely(sample)) {
		sampler_fill(cpu, session, task, reason, tsc, sample);
		sample->sequence = ring->sequence;
		log_commit(&session->log, ring, size);
	} else {
		sampler_emit_slowly(cpu, session, task, reason, tsc);
	}
	sampler_charge(session, tsc);
}

/* The same for all but switches, of which there are more. */
static noinline void sampler_cut(struct sampler_cpu *cpu, struct session *session,
				 struct task_struct *task,
				 enum kermon_reason reason)
{
	sampler_end_interval(cpu, session, task, reason);
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
 * Program this CPU with @pmu; false if it is not ours. Charged separately:
 * writing registers takes longest.
 */
static bool sampler_load(struct session *session, const struct pmu_set *pmu)
{
	u64 tsc = rdtsc();

	if (!pmu_program(pmu))
		return false;
	sampler_charge(session, tsc);
	return true;
}

static __always_inline void sampler_begin_interval(struct sampler_cpu *cpu,
						   struct session *session,
						   struct task_struct *task)
{
	const struct session_plan *plan = rcu_dereference_sched(session->plan);
	const struct session_set *set = sampler_set(plan, task);

	if (!pmu_holds(set->pmu) && !sampler_load(session, set->pmu)) {
		sampler_lose(session, task);
		return;
	}
	cpu->begin.tsc = rdtsc();
	pmu_begin(&set->pmu->image, cpu->begin.counters);
	cpu->plan = plan;
	cpu->set = set;
	sampler_set_open(session, task);
	if (unlikely(session_extras(session)))
		sampler_begin_extras(cpu, session, task);
	sampler_charge(session, cpu->begin.tsc);
}

/* Where one samples energy and the other does not, or @next may read its own counts. */
static noinline bool sampler_hand_over_more(struct sampler_cpu *cpu,
					    const struct session *out,
					    const struct session *in,
					    struct task_struct *next)
{
	const struct session_plan *plan = rcu_dereference_sched(in->plan);

	if (in->nr_domains != out->nr_domains)
		return false;
	cpu->plan = plan;
	cpu->set = sampler_set(plan, next);
	sampler_set_open(in, next);
	sampler_show_page(cpu, in, next);
	return true;
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
	const struct session_set *set = sampler_set(plan, next);

	if (set->pmu != cpu->set->pmu)
		return false;
	if (unlikely(session_hands_over_more(out, in)))
		return sampler_hand_over_more(cpu, out, in, next);
	cpu->plan = plan;
	cpu->set = set;
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
 * Continue without a gap for what all sets count: time, energy and fixed
 * counters have just been read; only the events differ. If this CPU has lost its
 * counters since it counted the other set, a later tick opens an interval.
 */
static void sampler_begin_turn(struct sampler_cpu *cpu,
			       struct session *session,
			       struct task_struct *task)
{
	const struct session_set *set = sampler_set(cpu->plan, task);
	u64 tsc = rdtsc();

	if (!pmu_program(set->pmu)) {
		task->kermon.open = false;
		sampler_lose(session, task);
		return;
	}
	pmu_begin_programmed(&set->pmu->image, cpu->begin.counters);
	cpu->set = set;
	sampler_show_page(cpu, session, task);
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
	} else if (sampler_set(cpu->plan, curr) != cpu->set) {
		sampler_cut(cpu, session, curr, KERMON_REASON_ROTATE);
		sampler_begin_turn(cpu, session, curr);
	} else if (rdtsc() - cpu->begin.tsc >= cpu->plan->interval) {
		sampler_cut(cpu, session, curr, KERMON_REASON_TICK);
		sampler_show_page(cpu, session, curr);
	}
}

void sampler_close(struct task_struct *curr, enum kermon_reason reason)
{
	struct sampler_cpu *cpu = this_cpu_ptr(&sampler_cpu);
	struct session *session = sampler_session(curr);

	if (sampler_is_open(session, curr))
		sampler_cut(cpu, session, curr, reason);
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

bool sampler_peek(const struct session *session, struct sampler_view *view)
{
	struct sampler_cpu *cpu = this_cpu_ptr(&sampler_cpu);
	const struct pmu_image *image;
	bool counted;
	u64 all = 0;
	u32 i;

	/* One that it has left may still be marked as open. */
	if (sampler_session(current) != session || !sampler_is_open(session, current))
		return false;
	image = &cpu->set->pmu->image;
	view->plan = cpu->plan;
	view->set = cpu->set;
	view->tsc = rdtsc();
	counted = pmu_peek(image, cpu->begin.counters, view->now);
	view->tsc_begin = cpu->begin.tsc;
	view->begin = cpu->begin.counters;
	for (i = 0; i < image->nr_values; i++)
		all |= (view->now[i] - view->begin[i]) & image->mask;
	view->invalid = !counted || sampler_exceeds(all, view->tsc - view->tsc_begin);
	return true;
}

void sampler_renew(void *app)
{
	struct sampler_cpu *cpu = this_cpu_ptr(&sampler_cpu);
	struct session *session = session_of(app);

	if (sampler_session(current) != session ||
	    !sampler_is_open(session, current))
		return;
	sampler_cut(cpu, session, current, KERMON_REASON_SET);
	/* The old plan is about to be freed, even if no interval of the new one begins. */
	current->kermon.open = false;
	sampler_begin_interval(cpu, session, current);
}

/*
 * The other CPUs were offline; this one lost its registers and counters while
 * running the task that suspended the system. Its interval has lost its begin;
 * the next tick opens another.
 */
void sampler_resume(void)
{
	const struct session *session = sampler_session(current);

	pmu_resume();
	energy_resume();
	current->kermon.open = false;
	if (session)
		sampler_lose(session, current);
}
