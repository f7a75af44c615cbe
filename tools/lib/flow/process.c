// SPDX-License-Identifier: GPL-2.0
/* Track processes, threads and their names; mappings are in process_map.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "util/cursor.h"

void processes_init(struct processes *processes, struct dsos *dsos,
		    const struct symbol_sources *sources)
{
	*processes = (struct processes){ .dsos = dsos, .sources = sources };
}

void processes_free(struct processes *processes)
{
	struct thread *thread, *next_thread;
	struct process *process, *next_process;

	for (thread = processes->all_threads; thread; thread = next_thread) {
		next_thread = thread->next;
		free(thread);
	}
	for (process = processes->all_processes; process;
	     process = next_process) {
		next_process = process->next;
		process_unmap(process);
		free(process);
	}
	process_unmap(&processes->kernel);
	jitcode_free(processes->jitcode);
	hash_free(&processes->threads);
	hash_free(&processes->by_pid);
	intern_free(&processes->comms);
}

static bool has_tid(const void *item, const void *key)
{
	return ((const struct thread *)item)->tid == *(const uint32_t *)key;
}

static bool has_pid(const void *item, const void *key)
{
	return ((const struct process *)item)->pid == *(const uint32_t *)key;
}

/* Insert the newest item with a number, replacing the previous one. */
static int put(struct hash *table, hash_same same, uint32_t number, void *item)
{
	uint64_t hash = hash_mix(number);
	void **place = hash_find(table, hash, same, &number);

	if (!place)
		return hash_add(table, hash, item);
	*place = item;
	return 0;
}

static struct process *find_process(struct processes *processes, uint32_t pid)
{
	void **place = hash_find(&processes->by_pid, hash_mix(pid), has_pid,
				 &pid);

	return place ? *place : NULL;
}

static struct process *new_process(struct processes *processes, uint32_t pid)
{
	struct process *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	process->pid = pid;
	if (put(&processes->by_pid, has_pid, pid, process)) {
		free(process);
		return NULL;
	}
	process->next = processes->all_processes;
	processes->all_processes = process;
	return process;
}

static struct process *get_process(struct processes *processes, uint32_t pid)
{
	struct process *process = find_process(processes, pid);

	return process ? process : new_process(processes, pid);
}

static struct thread *new_thread(struct processes *processes,
				 struct process *process, uint32_t tid,
				 const char *comm, struct thread *parent)
{
	struct thread *thread = calloc(1, sizeof(*thread));

	if (!thread)
		return NULL;
	*thread = (struct thread){
		.pid = process->pid,
		.tid = tid,
		.comm = comm,
		.process = process,
		.parent = parent,
		.number = processes->nr_threads,
		.next = processes->all_threads,
	};
	if (put(&processes->threads, has_tid, tid, thread)) {
		free(thread);
		return NULL;
	}
	processes->recent[tid % PROCESSES_RECENT] = thread;
	process->alive++;
	thread->born = parent ? ++parent->children : ++processes->nr_orphans;
	processes->all_threads = thread;
	processes->nr_threads++;
	return thread;
}

/* Name of a task that no record has named: ":tid" as in perf, or ":-1". */
static const char *unheard_name(struct processes *processes, uint32_t tid)
{
	char name[16];

	snprintf(name, sizeof(name), ":%d", (int32_t)tid);
	return intern(&processes->comms, name);
}

static struct thread *unheard_thread(struct processes *processes, uint32_t pid,
				     uint32_t tid)
{
	struct process *process = get_process(processes, pid);
	const char *comm = tid ? unheard_name(processes, tid) :
				 intern(&processes->comms, "swapper");
	struct thread *thread;

	if (!process || !comm)
		return NULL;
	thread = new_thread(processes, process, tid, comm, NULL);
	if (thread)
		thread->unheard = tid;
	return thread;
}

struct thread *processes_find_thread(struct processes *processes, uint32_t pid,
				     uint32_t tid)
{
	void **place = hash_find(&processes->threads, hash_mix(tid), has_tid,
				 &tid);
	struct thread *thread = place ? *place : NULL;

	if (!thread || thread->pid != pid)
		return unheard_thread(processes, pid, tid);
	processes->recent[tid % PROCESSES_RECENT] = thread;
	return thread;
}

static int handle_comm(struct processes *processes, const struct record *record)
{
	struct cursor c = cursor_of(record->data, record->size);
	uint32_t pid, tid;
	const char *comm;
	struct thread *thread;

	cursor_take(&c, sizeof(struct perf_event_header));
	pid = cursor_u32(&c);
	tid = cursor_u32(&c);
	comm = cursor_chars(&c, cursor_left(&c));
	if (c.failed)
		return -EINVAL;
	thread = processes_thread(processes, pid, tid);
	comm = intern(&processes->comms, comm);
	if (!thread || !comm)
		return -ENOMEM;
	thread->comm = comm;
	thread->unheard = false;
	return 0;
}

/*
 * The tasks in FORK and EXIT. @announced: the child was running before perf, which
 * reports it together with all of its mappings.
 */
struct relation {
	bool announced;
	uint32_t pid;
	uint32_t parent_pid;
	uint32_t tid;
	uint32_t parent_tid;
};

static bool take_relation(const struct record *record, struct relation *task)
{
	struct cursor c = cursor_of(record->data, record->size);

	task->announced = record->misc & PERF_RECORD_MISC_FORK_EXEC;
	cursor_take(&c, sizeof(struct perf_event_header));
	task->pid = cursor_u32(&c);
	task->parent_pid = cursor_u32(&c);
	task->tid = cursor_u32(&c);
	task->parent_tid = cursor_u32(&c);
	return !c.failed;
}

/* A child process starts with the mappings of its parent. */
static struct process *forked_process(struct processes *processes,
				      const struct relation *task,
				      const struct thread *parent)
{
	struct process *child;

	if (task->pid == task->parent_pid)
		return parent->process;
	if (task->pid != task->tid)
		return get_process(processes, task->pid);
	child = new_process(processes, task->pid);
	if (child && !task->announced && process_map_as(child, parent->process))
		return NULL;
	return child;
}

/*
 * A thread inherits the name of its parent, if that has one. Return: NULL if out of
 * memory.
 */
static struct thread *forked_thread(struct processes *processes,
				    struct process *process, uint32_t tid,
				    struct thread *parent)
{
	const char *comm = parent->unheard ? unheard_name(processes, tid) :
					     parent->comm;
	struct thread *thread;

	if (!comm)
		return NULL;
	thread = new_thread(processes, process, tid, comm, parent);
	if (thread)
		thread->unheard = parent->unheard;
	return thread;
}

static int handle_fork(struct processes *processes, const struct record *record)
{
	struct relation task;
	struct thread *parent;
	struct process *process;

	if (!take_relation(record, &task))
		return -EINVAL;
	parent = processes_thread(processes, task.parent_pid, task.parent_tid);
	if (!parent)
		return -ENOMEM;
	process = forked_process(processes, &task, parent);
	if (!process || !forked_thread(processes, process, task.tid, parent))
		return -ENOMEM;
	return 0;
}

/*
 * Samples may arrive slightly after the end of their process: keep its mappings for a
 * while.
 */
static void bury(struct processes *processes, struct process *process)
{
	struct process **place =
		&processes->gone[processes->nr_gone++ % PROCESSES_GONE];
	struct process *old = *place;

	*place = process;
	if (!old || old->alive || old == process)
		return;
	process_unmap(old);
}

static int handle_exit(struct processes *processes, const struct record *record)
{
	struct relation task;
	struct thread *thread;
	void **place;

	if (!take_relation(record, &task))
		return -EINVAL;
	place = hash_find(&processes->threads, hash_mix(task.tid), has_tid,
			  &task.tid);
	thread = place ? *place : NULL;
	if (!thread || thread->pid != task.pid || thread->exited)
		return 0;
	thread->exited = true;
	if (!--thread->process->alive)
		bury(processes, thread->process);
	return 0;
}

/* The mappings of guests are in address spaces of their own. */
static bool is_of_guest(const struct record *record)
{
	return record_mode(record) == PERF_RECORD_MISC_GUEST_KERNEL ||
	       record_mode(record) == PERF_RECORD_MISC_GUEST_USER;
}

/* Programs map their jitdump file only to make perf record its path. */
static int follow(struct processes *processes, struct process *process,
		  const char *path)
{
	struct dso *dso = dsos_get_as(processes->dsos, path, DSO_JITDUMP);

	if (!dso)
		return -ENOMEM;
	if (!processes->sources)
		return 0;
	processes->jitcode_due = 0;
	return jitcode_follow(&processes->jitcode, process, dso,
			      processes->sources, processes->monotonic);
}

static int handle_mmap(struct processes *processes, const struct record *record)
{
	struct process *space = &processes->kernel;
	struct mmap_record mmap;
	struct thread *thread;

	if (!mmap_parse(record, &mmap))
		return -EINVAL;
	if (is_of_guest(record) || (mmap.is_data && !processes->wants_data))
		return 0;
	if (!mmap.is_kernel) {
		thread = processes_thread(processes, mmap.pid, mmap.tid);
		if (!thread)
			return -ENOMEM;
		space = thread->process;
	}
	/* a data mapping is one for reading or writing, not a marker of generated code */
	if (jitdump_is(mmap.path))
		return mmap.is_data ? 0 : follow(processes, space, mmap.path);
	if (!mmap.is_data)
		space->version = ++processes->versions;
	return process_map(space, &mmap, processes->dsos);
}

/* Add or remove a function generated by the kernel, for BPF for example. */
static int handle_ksymbol(struct processes *processes,
			  const struct record *record)
{
	struct cursor c = cursor_of(record->data, record->size);
	struct process *kernel = &processes->kernel;
	const struct mapping *old;
	struct mapping new = {};
	const char *name;
	uint32_t kind;

	cursor_take(&c, sizeof(struct perf_event_header));
	new.start = cursor_u64(&c);
	new.end = new.start + cursor_u32(&c);
	kind = cursor_u32(&c);	/* 16 bits of type, 16 of flags */
	name = cursor_text(&c);
	if (c.failed)
		return -EINVAL;
	kernel->version = ++processes->versions;
	if (kind >> 16 & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER) {
		old = mappings_find(&kernel->code, new.start);
		return old && old->dso->kind == DSO_KSYMBOL ?
		       mappings_remove(&kernel->code, new.start) : 0;
	}
	new.dso = dsos_get_as(processes->dsos, name, DSO_KSYMBOL);
	if (!new.dso)
		return -ENOMEM;
	return new.end > new.start ? process_map_code(kernel, &new) : 0;
}

int processes_record(struct processes *processes, const struct record *record)
{
	switch (record->type) {
	case PERF_RECORD_COMM:
		return handle_comm(processes, record);
	case PERF_RECORD_FORK:
		return handle_fork(processes, record);
	case PERF_RECORD_EXIT:
		return handle_exit(processes, record);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return handle_mmap(processes, record);
	case PERF_RECORD_KSYMBOL:
		return handle_ksymbol(processes, record);
	default:
		return 0;
	}
}

int processes_advance(struct processes *processes, uint64_t time)
{
	if (time < processes->jitcode_due)
		return 0;
	return jitcode_advance(processes->jitcode, time, &processes->versions,
			       &processes->jitcode_due);
}
