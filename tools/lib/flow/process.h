/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes, threads, their names and what they have mapped, as the side-band
 * records of a file tell it.
 *
 * Records have to come in the order of time: what is asked is answered as of
 * the last record.
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
 * struct thread - a thread, or a process of one
 * @comm: name as of now, interned
 * @parent: who created it; NULL: nobody said so
 * @number: of all threads in the order in which they were heard of, from 0 on
 * @born: the how manieth child of @parent, or of those without one, from 1 on
 * @children: that it has created
 * @unheard: nobody said what it is called: @comm is made up
 * @exited: a new thread may get the number from now on
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

/* Of so many threads the newest samples are told without a search. */
#define PROCESSES_RECENT	256

/* Samples that come later than the end of a process do so by far less than this. */
#define PROCESSES_GONE	1024

/**
 * struct processes - all of them
 * @recent: threads by some bits of their tid; as in @threads
 * @kernel: the address space that they share
 * @nr_threads: how many there are in @all_threads, the newest of which is the first
 * @nr_orphans: those without a parent
 * @gone: the last processes that have exited, as a ring; those before them have
 *	nothing mapped any more, so that memory is bounded by what runs at a time
 * @nr_gone: how many there ever were
 * @versions: how many versions of address spaces there were
 * @wants_data: somebody asks what is at addresses of data
 * @sources: where dumps of made code are looked for; NULL: nobody asks for names
 * @jitcode: programs that make code as they run
 * @jitcode_due: when one of them made something new, at the earliest
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
 * processes_record - learn from a record that is not a sample
 *
 * Return: 0; -ENOMEM; -EINVAL if the record is too short for its type.
 */
int processes_record(struct processes *processes, const struct record *record);

/* Before each record: brings what programs told of themselves up to @time. */
int processes_advance(struct processes *processes, uint64_t time);

/* The thread; made up if nothing was heard of it. NULL: no memory. */
struct thread *processes_find_thread(struct processes *processes, uint32_t pid,
				     uint32_t tid);

/* The same, for one whose samples come one after the other. */
static inline struct thread *processes_thread(struct processes *processes,
					      uint32_t pid, uint32_t tid)
{
	struct thread *recent = processes->recent[tid % PROCESSES_RECENT];

	if (recent && recent->tid == tid && recent->pid == pid)
		return recent;
	return processes_find_thread(processes, pid, tid);
}

/* The address space of a thread in a CPU mode; NULL: it is nobody's we know. */
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
