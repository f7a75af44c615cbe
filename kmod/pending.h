/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples that are not in their ring yet: a log that coalesces adds the intervals
 * of a task on a CPU up, until together they are as long as the interval of the
 * set.
 *
 * The hooks of the CPU add. Readers and the pulse, on any CPU, write what has been
 * pending long enough. They share a lock, which is the producer's side of the ring:
 * nobody else writes to a ring that has pending samples. The hooks of a CPU wait
 * for it while a reader writes 16 samples at most.
 */
#ifndef KERMON_PENDING_H
#define KERMON_PENDING_H

#include <linux/kermon.h>
#include <linux/types.h>

struct log;
struct log_ring;
struct pending;
struct session_group;
struct task_struct;

/* For the ring of @cpu, empty; NULL: no memory. May sleep. */
struct pending *pending_alloc(int cpu);
void pending_free(struct pending *pending);

/* Where to write a sample for pending_add(). As log_reserve(), never NULL. */
struct kermon_sample *pending_fresh(struct pending *pending);

/*
 * Add the fresh sample of @ring, which counts @group, to what is pending for @task
 * and counts the same, and write that if it is due. Irqs off, on the CPU of @ring,
 * where @task runs.
 */
void pending_add(struct log *log, struct log_ring *ring,
		 const struct task_struct *task,
		 const struct session_group *group);

/*
 * Write what is pending in @ring for @task, which is current: it exits or executes
 * another program. Irqs off.
 */
void pending_end(struct log *log, struct log_ring *ring,
		 const struct task_struct *task);

/*
 * The same on all other CPUs. @task is current and stays where it is: until it goes
 * on, nothing becomes pending for it there. Irqs on.
 */
void pending_settle(struct log *log, const struct task_struct *task);

/*
 * Write what began at TSC @before or earlier, on all CPUs. Returns whether anything
 * is left. Irqs on.
 */
bool pending_flush(struct log *log, u64 before);

#endif /* KERMON_PENDING_H */
