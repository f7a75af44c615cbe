/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes and threads with their names and mappings, according to the side-band
 * records of a file.
 *
 * Records must be passed in the order of time: queries are answered as of the last
 * record.
 */
#ifndef KERMON_PROCESS_H
#define KERMON_PROCESS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jitcode.h"
#include "perfdata/format/format.h"
#include "process_map.h"
#include "symbols/symbols.h"
#include "util/hash.h"
#include "util/intern.h"

/**
 * struct thread - a thread, or a single-threaded process
 * @comm: current name, interned
 * @parent: thread that created it; NULL: unknown
 * @number: of all threads in the order of their first occurrence, from 0 on
 * @born: number among the children of @parent, or among those without one, from 1 on
 * @children: number of threads that it has created
 * @unheard: no record states its name: @comm is made up
 * @exited: its number may be reused from now on
 */
struct thread {
	uint32_t pid;
	uint32_t tid;
	const char *comm;
	struct process *process;
	struct thread *parent;
	size_t number;
	size_t born;
	size_t children;
	bool unheard;
	bool exited;
	struct thread *next;	/* of all */
};

/* Size of the cache of recently used threads. */
#define PROCESSES_RECENT	256

/* Number of exited processes that are kept for late samples; generous. */
#define PROCESSES_GONE	1024

/**
 * struct processes - all processes of a file
 * @recent: cache of @threads by the low bits of their tid
 * @kernel: the address space that they share
 * @nr_threads: length of @all_threads, which begins with the newest
 * @nr_orphans: number of threads without a parent
 * @gone: ring of the processes that exited last; the mappings of earlier ones are freed,
 *	so that memory is bounded by the number of running processes
 * @nr_gone: number of all processes that have exited
 * @versions: number of versions of address spaces so far
 * @wants_data: data addresses will be looked up
 * @sources: where to look for jitdump files; NULL: names are not needed
 * @jitcode: programs that generate code at run time
 * @jitcode_due: time of the next function in their dumps
 * @monotonic: records have times of CLOCK_MONOTONIC
 */
struct processes {
	struct hash threads;		/* by tid: the newest */
	struct thread *recent[PROCESSES_RECENT];
	struct hash by_pid;		/* by pid: the newest */
	struct process kernel;
	struct thread *all_threads;
	size_t nr_threads;
	size_t nr_orphans;
	uint64_t versions;
	struct process *all_processes;
	struct process *gone[PROCESSES_GONE];
	size_t nr_gone;
	struct interned comms;
	struct dsos *dsos;
	const struct symbol_sources *sources;
	struct jitcode *jitcode;
	uint64_t jitcode_due;
	bool monotonic;
	bool wants_data;
};

void processes_init(struct processes *processes, struct dsos *dsos,
		    const struct symbol_sources *sources);
void processes_free(struct processes *processes);

/**
 * processes_record - update the state by a record that is not a sample
 *
 * Return: 0; -ENOMEM; -EINVAL if the record is too short for its type.
 */
int processes_record(struct processes *processes, const struct record *record);

/* Call before each record: apply the contents of jitdump files up to @time. */
int processes_advance(struct processes *processes, uint64_t time);

/* Find a thread; created if it is not known. Return: NULL if out of memory. */
struct thread *processes_find_thread(struct processes *processes, uint32_t pid,
				     uint32_t tid);

/* The same, but fast for threads that were used recently. */
static inline struct thread *processes_thread(struct processes *processes,
					      uint32_t pid, uint32_t tid)
{
	struct thread *recent = processes->recent[tid % PROCESSES_RECENT];

	if (recent && recent->tid == tid && recent->pid == pid)
		return recent;
	return processes_find_thread(processes, pid, tid);
}

/* The address space of a thread in a CPU mode; NULL: unknown, such as a guest's. */
static inline struct process *processes_space(struct processes *processes,
					      struct thread *thread,
					      unsigned int mode)
{
	switch (mode) {
	case PERF_RECORD_MISC_KERNEL:
		return &processes->kernel;
	case PERF_RECORD_MISC_USER:
		return thread->process;
	default:
		return NULL;
	}
}

#endif /* KERMON_PROCESS_H */
