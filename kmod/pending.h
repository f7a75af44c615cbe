/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples that are not in their ring yet: a log that coalesces sums the intervals of a
 * task on a CPU until together they are as long as the interval of the set.
 *
 * The hooks of the CPU add to them. Readers and the pulse, on any CPU, write out samples
 * that have been pending long enough. They share a lock, which is the producer side of
 * the ring: nothing else writes to a ring that has pending samples. The hooks of a CPU
 * may wait for it while a reader writes at most 16 samples.
 */
#ifndef KERMON_PENDING_H
#define KERMON_PENDING_H

#include <linux/kermon.h>
#include <linux/types.h>

struct log;
struct log_ring;
struct pending;
struct session_set;
struct task_struct;

/* Allocate for the ring of @cpu; NULL without memory. May sleep. */
struct pending *pending_alloc(int cpu);
void pending_free(struct pending *pending);

/*
 * Where to write a sample for pending_add(). Context as for log_reserve(),
 * never NULL.
 */
struct kermon_sample *pending_fresh(struct pending *pending);

/*
 * Add the fresh sample of @ring, which counts @set, to the sample pending for
 * @task and @set, and write that if it is due. Irqs off, on the CPU of @ring,
 * where @task runs.
 */
void pending_add(struct log *log, struct log_ring *ring,
		 const struct task_struct *task,
		 const struct session_set *set);

/*
 * Write the samples pending in @ring for @task, which is current and about to
 * exit or execute another program. Irqs off.
 */
void pending_end(struct log *log, struct log_ring *ring,
		 const struct task_struct *task);

/*
 * As pending_end(), on all other CPUs. @task is current and must not migrate,
 * so that none becomes pending for it there meanwhile. Irqs on.
 */
void pending_settle(struct log *log, const struct task_struct *task);

/*
 * Write samples that began at TSC @before or earlier, on all CPUs; return
 * whether any remain. Irqs on.
 */
bool pending_flush(struct log *log, u64 before);

#endif /* KERMON_PENDING_H */
