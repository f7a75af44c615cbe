/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KerMon: access to the performance counters by perf, user mode and kermon.ko.
 */
#ifndef _ASM_X86_KERMON_H
#define _ASM_X86_KERMON_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct event_constraint;
struct perf_event;

/* Bits of an event selector. */
#define KERMON_EVENT_MODES	(ARCH_PERFMON_EVENTSEL_USR | ARCH_PERFMON_EVENTSEL_OS)

#ifdef CONFIG_SCHED_KERMON

extern bool kermon_counters_taken;
void kermon_note_denial(void);

/*
 * Whether RDPMC is denied even to processes to which perf grants it. Checked
 * where switch_mm() decides on CR4.PCE, and only for such processes. Irqs off.
 */
static inline bool kermon_denies_rdpmc(void)
{
	if (likely(!READ_ONCE(kermon_counters_taken)))
		return false;
	kermon_note_denial();
	return true;
}

/*
 * What tells the running thread that it may read its counts with RDPMC:
 * kermon_page.sequence, or NULL. Whoever moves a counter sets it to 0. Written by the CPU
 * itself with irqs off, except by kermon_forget_page().
 */
DECLARE_PER_CPU(u64 *, kermon_page_here);

/**
 * kermon_forget_page() - let no CPU write to a page any more
 * @sequence: of the page, to which no hook will come again
 *
 * Those that are doing so just now are inside of an RCU read-side critical section.
 *
 * Context: Any.
 */
void kermon_forget_page(u64 *sequence);

/**
 * kermon_take_counters() - deny RDPMC in user mode from the next switch_mm() on
 *
 * The caller has reserved the counters, so no perf event is counting and no process has
 * one mapped. Follow up with kermon_take_cpu() on each CPU.
 */
void kermon_take_counters(void);

/**
 * kermon_take_cpu() - give KerMon exclusive use of the counters of this CPU
 *
 * Call on each CPU before KerMon uses its counters; others need not be disturbed.
 * Afterwards the process running here cannot execute RDPMC, unless root allows that to
 * all processes (kermon_counters_public()), and the counters that perf has left dirty
 * are zero. Otherwise perf would zero them in switch_mm() to a process that may execute
 * RDPMC, after the hook in prepare_task_switch() has read them. While the counters are
 * reserved, perf marks no more of them dirty.
 *
 * Context: Between kermon_take_counters() and kermon_give_counters(). Irqs off.
 */
void kermon_take_cpu(void);

/**
 * kermon_give_counters() - undo kermon_take_counters() on all CPUs
 *
 * The caller has cleared the counters but not yet released them. Interrupts only CPUs that
 * have denied RDPMC to a process to which perf grants it.
 *
 * Context: Process context, may sleep.
 */
void kermon_give_counters(void);

/**
 * kermon_counters_public() - whether every process may execute RDPMC
 *
 * Return: true if root has written 2 to /sys/bus/event_source/devices/cpu/rdpmc.
 */
bool kermon_counters_public(void);

/**
 * kermon_counters_denied() - whether no process may execute RDPMC
 *
 * Return: true if root has written 0 to that file.
 */
bool kermon_counters_denied(void);

/*
 * How often perf has moved a tracked event of this CPU: stopped it, written its counter,
 * or given it another one. Changes with irqs off or in an NMI.
 */
DECLARE_PER_CPU(u32, kermon_event_moves);

static inline void kermon_event_moved(void)
{
	u64 *sequence;

	this_cpu_inc(kermon_event_moves);
	sequence = this_cpu_read(kermon_page_here);
	if (sequence)
		WRITE_ONCE(*sequence, 0);
}

/* Events of a CPU that can be tracked. */
#define KERMON_MAX_PLACES	32

/**
 * struct kermon_place - which counters a tracked event may have
 * @index: differs from that of the other tracked events of the CPU
 * @counters: general counters, one bit for each; 0: those that perf chooses by the
 *	configuration of the event, as for one on a fixed counter
 * @pair: the event takes the next counter, too, to merge the two (AMD); whatever it
 *	counts meanwhile
 */
struct kermon_place {
	u32 index;
	u32 counters;
	bool pair;
};

/**
 * kermon_place_events() - let events of this CPU count only on the counters of their places
 * @events: of the core PMU, pinned to this CPU; tracked from now on; NULL: none there
 * @places: their places; constant until the next call and as long as the events exist
 * @nr: length of @events and @places
 *
 * Takes all events of the CPU out and in again, so that perf finds counters for all
 * of them. Readers see that as a move: no count is lost.
 *
 * Context: Irqs off.
 * Return: a bit for each of them that counts. Others have taken the counters of those that
 * do not, which are in error until perf_event_enable(); or perf does not merge counters of
 * this CPU.
 */
u32 kermon_place_events(struct perf_event *const *events,
			const struct kermon_place *places, u32 nr);

/* Called by perf, which has just taken @event into account, or not yet. Irqs off. */
struct event_constraint *kermon_constrain_event(struct perf_event *event,
						struct event_constraint *constraint);
void kermon_collect_event(struct perf_event *event);

/**
 * kermon_restore_events() - write the counters of this CPU anew
 * @event: tracked
 *
 * After a sleep in which they lost their values.
 *
 * Context: Irqs off.
 */
void kermon_restore_events(struct perf_event *event);

/**
 * kermon_needs_register() - whether what an event counts depends on another register
 * @config: its selector
 *
 * Offcore responses, load latency, frontend: what perf knows of this CPU.
 *
 * Context: Any.
 */
bool kermon_needs_register(u64 config);

/**
 * kermon_find_event() - where an event of this CPU counts
 * @event: tracked
 * @rdpmc: operand of RDPMC that reads its counter
 * @offset: the count of the event less the value of the counter
 *
 * Valid until kermon_event_moves changes, which the caller must check afterwards.
 *
 * Context: Irqs off.
 * Return: false if it does not count.
 */
bool kermon_find_event(const struct perf_event *event, u32 *rdpmc, u64 *offset);

/**
 * kermon_change_events() - let events of this CPU count something else
 * @events: tracked, and on general counters
 * @selectors: for each of them the value of the event selector without EN, but with INT
 * @nr: length of @events and @selectors
 *
 * The caller sees to it that the counters of their places can count it. Writes only
 * registers that differ.
 *
 * Context: Irqs off.
 */
void kermon_change_events(struct perf_event *const *events, const u64 *selectors,
			  u32 nr);

/**
 * kermon_reset_events() - let events of this CPU that have no counter ask for another event
 * @events: tracked, and for general counters; NULL: none there
 * @selectors: for each of them the value of the event selector without EN, but with INT
 * @nr: length of @events and @selectors
 *
 * What such an event last counted may be what keeps perf from finding a counter for it.
 *
 * Context: Irqs off.
 */
void kermon_reset_events(struct perf_event *const *events, const u64 *selectors,
			 u32 nr);

/**
 * kermon_pause_perf() - stop all counters of perf on this CPU
 *
 * And let perf write none of its registers, not in an NMI either. For events of perf, not
 * while the PMU is reserved.
 *
 * Context: Irqs off until kermon_resume_perf().
 */
void kermon_pause_perf(void);
void kermon_resume_perf(void);

/**
 * kermon_keeps_selector() - whether the PMU of this CPU has an event
 * @event: tracked, and on a general counter
 * @selector: value of the event selector without EN
 *
 * An emulated PMU may not support every event, and reports that only by not keeping
 * the value of the selector. Nothing counts meanwhile on this CPU.
 *
 * Context: Irqs off.
 * Return: false if it does not keep it; true also if @event does not count just now.
 */
bool kermon_keeps_selector(const struct perf_event *event, u64 selector);

/**
 * kermon_change_modes() - let events of this CPU count in other modes
 * @events: tracked, on counters of any kind
 * @nr: length of @events
 * @modes: KERMON_EVENT_MODES or part of them
 *
 * Context: Irqs off.
 */
void kermon_change_modes(struct perf_event *const *events, u32 nr, u64 modes);

#else

static inline bool kermon_denies_rdpmc(void)
{
	return false;
}

static inline void kermon_event_moved(void) { }

static inline struct event_constraint *
kermon_constrain_event(struct perf_event *event, struct event_constraint *constraint)
{
	return constraint;
}

static inline void kermon_collect_event(struct perf_event *event) { }

#endif /* CONFIG_SCHED_KERMON */

#endif /* _ASM_X86_KERMON_H */
