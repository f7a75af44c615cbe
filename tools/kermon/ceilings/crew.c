// SPDX-License-Identifier: GPL-2.0
/* Threads that execute kernels at the same time. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "crew.h"
#include "memory.h"
#include "steal.h"
#include "util/cpulist.h"
#include "util/monotonic.h"

/* Spins of a thread that waits for the others, until it lets other programs run. */
#define SPINS	20000

struct worker;

typedef void job_fn(struct worker *worker);

struct measured {
	uint64_t begin;
	uint64_t end;
	double hertz;
	bool preempted;
};

/**
 * struct worker - a thread
 * @crew: the crew that it is of
 * @thread: it
 * @cpu: its CPU
 * @cycles: descriptor of an event; -1: cycles are not counted
 * @memory: its memory, of regular and of huge pages
 * @at: where the next window begins in it: where the former one has ended, in whichever
 *	measurement, so that a large cache does not have it
 * @measured: its windows
 */
struct worker {
	struct crew *crew;
	pthread_t thread;
	unsigned int cpu;
	int cycles;
	struct memory memory[2];
	uint64_t at;
	struct measured measured[CREW_WINDOWS];
};

/**
 * struct crew - all threads
 * @nr: number of threads
 * @lock: of the following members, up to @done
 * @begin: threads wait for a job
 * @end: the main thread waits until all have done it
 * @job: what to do; NULL: end
 * @number: of the job
 * @done: number of threads that have done it
 * @arrived: threads that wait for the others before a window
 * @phase: number of windows so far
 * @error: -errno of a job
 * @bytes: to map
 * @huge: in huge pages
 * @work: to measure
 * @nr_windows: number of measurements
 * @workers: the threads
 */
struct crew {
	unsigned int nr;
	pthread_mutex_t lock;
	pthread_cond_t begin;
	pthread_cond_t end;
	job_fn *job;
	unsigned int number;
	unsigned int done;
	atomic_uint arrived;
	atomic_uint phase;
	atomic_int error;
	uint64_t bytes;
	bool huge;
	const struct work *work;
	unsigned int nr_windows;
	struct worker workers[];
};

/* All threads begin within a fraction of a microsecond, unless they are preempted. */
static void meet(struct crew *crew)
{
	const unsigned int phase = atomic_load(&crew->phase);
	unsigned int spins = 0;

	if (atomic_fetch_add(&crew->arrived, 1) + 1 == crew->nr) {
		atomic_store(&crew->arrived, 0);
		atomic_fetch_add(&crew->phase, 1);
		return;
	}
	while (atomic_load(&crew->phase) == phase) {
		if (++spins > SPINS)
			sched_yield();
		else
			__builtin_ia32_pause();
	}
}

static void execute(struct worker *worker, const struct work *work)
{
	struct memory *memory = &worker->memory[work->huge];
	struct results results;

	if (work->peak) {
		work->peak->run(work->count, &work->operands, &results);
		return;
	}
	if (worker->at + work->chunk > work->bytes)
		worker->at = 0;
	work->access->run(work->count, memory->data + worker->at, work->chunk,
			  work->operands.start);
	worker->at += work->chunk;
}

static long preemptions(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nivcsw;
}

/* The clock by additions: cycles per ns that follow the window, in the same state. */
static double clock_by_additions(const struct work *work)
{
	const uint64_t begin = monotonic_ns();

	kernel_clock(work->clock_rounds);
	return work->clock_rounds * CLOCK_ADDS * 1e9 / (monotonic_ns() - begin + 1);
}

static void measure_window(struct worker *worker, const struct work *work,
			   struct measured *measured)
{
	uint64_t cycles;
	long before;

	meet(worker->crew);
	before = preemptions();
	cycles = clock_cycles(worker->cycles);
	measured->begin = monotonic_ns();
	execute(worker, work);
	measured->end = monotonic_ns();
	cycles = clock_since(worker->cycles, cycles);
	if (worker->cycles < 0)
		measured->hertz = clock_by_additions(work);
	else
		measured->hertz = cycles * 1e9 / (measured->end - measured->begin + 1);
	measured->preempted = preemptions() != before;
}

static void job_measure(struct worker *worker)
{
	const struct work *work = worker->crew->work;
	struct measured warm_up;

	measure_window(worker, work, &warm_up);
	for (unsigned int i = 0; i < worker->crew->nr_windows; i++)
		measure_window(worker, work, &worker->measured[i]);
}

static void job_map(struct worker *worker)
{
	struct crew *crew = worker->crew;
	struct memory *memory = &worker->memory[crew->huge];
	int err;

	memory_unmap(memory);
	err = memory_map(memory, crew->bytes, crew->huge);
	if (err)
		atomic_store(&crew->error, err);
}

static int pin(unsigned int cpu)
{
	const size_t size = CPU_ALLOC_SIZE(CPULIST_MOST);
	cpu_set_t *set = CPU_ALLOC(CPULIST_MOST);
	int err = 0;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	if (sched_setaffinity(0, size, set))
		err = -errno;
	CPU_FREE(set);
	return err;
}

static void job_prepare(struct worker *worker)
{
	const int err = pin(worker->cpu);

	if (err)
		atomic_store(&worker->crew->error, err);
	worker->cycles = clock_open();
}

/* Wait for job @number. */
static job_fn *wait_for_job(struct crew *crew, unsigned int number)
{
	job_fn *job;

	pthread_mutex_lock(&crew->lock);
	while (crew->number != number)
		pthread_cond_wait(&crew->begin, &crew->lock);
	job = crew->job;
	pthread_mutex_unlock(&crew->lock);
	return job;
}

static void report_done(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	if (++crew->done == crew->nr)
		pthread_cond_signal(&crew->end);
	pthread_mutex_unlock(&crew->lock);
}

static void *run_worker(void *context)
{
	struct worker *worker = context;
	job_fn *job;

	for (unsigned int number = 1;; number++) {
		job = wait_for_job(worker->crew, number);
		if (!job)
			break;
		job(worker);
		report_done(worker->crew);
	}
	if (worker->cycles >= 0)
		close(worker->cycles);
	memory_unmap(&worker->memory[false]);
	memory_unmap(&worker->memory[true]);
	return NULL;
}

/* Let all threads do @job, or end if it is NULL. Return: 0 or the -errno of one of them. */
static int run_job(struct crew *crew, job_fn *job)
{
	atomic_store(&crew->error, 0);
	pthread_mutex_lock(&crew->lock);
	crew->job = job;
	crew->done = 0;
	crew->number++;
	pthread_cond_broadcast(&crew->begin);
	while (job && crew->done < crew->nr)
		pthread_cond_wait(&crew->end, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
	return atomic_load(&crew->error);
}

void crew_stop(struct crew *crew)
{
	if (!crew)
		return;
	run_job(crew, NULL);
	for (unsigned int i = 0; i < crew->nr; i++)
		pthread_join(crew->workers[i].thread, NULL);
	pthread_cond_destroy(&crew->begin);
	pthread_cond_destroy(&crew->end);
	pthread_mutex_destroy(&crew->lock);
	free(crew);
}

/* Start the threads, which take no signals: these are for the main thread. */
static int start_threads(struct crew *crew, const struct placement *placement,
			 unsigned int threads)
{
	struct worker *worker = crew->workers;
	sigset_t all, before;
	int err = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (unsigned int i = 0; !err && i < threads; i++, worker++) {
		worker->crew = crew;
		worker->cpu = placement->places[i].cpu;
		worker->cycles = -1;
		err = -pthread_create(&worker->thread, NULL, run_worker, worker);
		crew->nr += !err;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

int crew_start(struct crew **crew, const struct placement *placement,
	       unsigned int threads)
{
	struct crew *made = calloc(1, sizeof(*made) + threads * sizeof(made->workers[0]));
	int err;

	*crew = NULL;
	if (!made)
		return -ENOMEM;
	pthread_mutex_init(&made->lock, NULL);
	pthread_cond_init(&made->begin, NULL);
	pthread_cond_init(&made->end, NULL);
	err = start_threads(made, placement, threads);
	if (!err)
		err = run_job(made, job_prepare);
	if (err)
		crew_stop(made);
	else
		*crew = made;
	return err;
}

int crew_map(struct crew *crew, uint64_t bytes, bool huge)
{
	crew->bytes = bytes;
	crew->huge = huge;
	return run_job(crew, job_map);
}

bool crew_has_huge(const struct crew *crew)
{
	for (unsigned int i = 0; i < crew->nr; i++)
		if (!memory_is_huge(&crew->workers[i].memory[true]))
			return false;
	return true;
}

bool crew_counts_cycles(const struct crew *crew)
{
	return crew->workers[0].cycles >= 0;
}

static void join_windows(const struct crew *crew, unsigned int index,
			 struct window *window)
{
	const struct measured *measured = &crew->workers[0].measured[index];
	uint64_t begin = measured->begin, end = measured->end;

	*window = (struct window){ 0 };
	for (unsigned int i = 0; i < crew->nr; i++) {
		measured = &crew->workers[i].measured[index];
		begin = measured->begin < begin ? measured->begin : begin;
		end = measured->end > end ? measured->end : end;
		window->hertz += measured->hertz / crew->nr;
		window->disturbed |= measured->preempted;
	}
	window->ns = end - begin;
	window->disturbed |= end == begin;
}

static uint64_t stolen(const struct crew *crew)
{
	uint64_t ticks = 0;

	for (unsigned int i = 0; i < crew->nr; i++)
		ticks += steal_of_cpu(crew->workers[i].cpu);
	return ticks;
}

void crew_measure(struct crew *crew, const struct work *work, uint64_t rest_ns,
		  unsigned int nr, struct window *windows)
{
	const struct timespec rest = { .tv_nsec = rest_ns };
	uint64_t before;
	bool was_stolen;

	if (rest_ns)
		nanosleep(&rest, NULL);
	before = stolen(crew);
	crew->work = work;
	crew->nr_windows = nr;
	run_job(crew, job_measure);
	was_stolen = stolen(crew) != before;
	for (unsigned int i = 0; i < nr; i++) {
		join_windows(crew, i, &windows[i]);
		windows[i].disturbed |= was_stolen;
	}
}
