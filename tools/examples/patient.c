// SPDX-License-Identifier: GPL-2.0
/*
 * Read a file in a thread of its own, as a program with a window would, with progress and
 * a way to cancel: an example for <kermon/report.h> and <kermon/cancel.h>.
 *
 *	cc -pthread -o patient patient.c -lkermon
 *	patient perf.data [SECONDS]
 *
 * Prints how far it has come, then the threads of the program and their share of the
 * first event. Ctrl-C cancels, and so does the main thread after SECONDS. The status is 2
 * then, and 1 if the file cannot be read or is damaged.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <kermon/report.h>

/**
 * struct job - what both threads share
 * @path: of the file
 * @report: used by the thread that reads, and by the other one once that has ended
 * @percent: how much has been read; -1: unknown
 * @is_over: @err is set
 * @err: of the read
 */
struct job {
	const char *path;
	struct kermon_report *report;
	atomic_int percent;
	atomic_bool is_over;
	int err;
};

static struct kermon_cancel *cancel;

/* kermon_cancel() may be called in a signal handler. */
static void on_interrupt(int number)
{
	(void)number;
	kermon_cancel(cancel);
}

/* Called in the thread that reads: a window is to be updated by its own thread. */
static void on_progress(void *context, uint64_t done, uint64_t total)
{
	struct job *job = context;

	atomic_store(&job->percent, total ? (int)(100 * done / total) : -1);
}

static void *read_file(void *context)
{
	struct job *job = context;

	job->err = kermon_report_read(job->report, job->path);
	atomic_store(&job->is_over, true);
	return NULL;
}

/* The loop of events of a program with a window, at ten turns a second. */
static void wait_for(struct job *job, double seconds)
{
	const struct timespec tenth = { .tv_nsec = 100000000 };
	int shown = -1, percent;

	while (!atomic_load(&job->is_over)) {
		nanosleep(&tenth, NULL);
		percent = atomic_load(&job->percent);
		if (percent != shown)
			fprintf(stderr, "reading: %d %%\n", percent);
		shown = percent;
		seconds -= 0.1;
		if (seconds < 0)
			kermon_cancel(cancel);
	}
}

static int print_threads(struct kermon_report *report)
{
	size_t weight = kermon_report_weight(report);
	const struct kermon_column *column = kermon_report_column(report, weight);
	const struct kermon_table *table;
	int err = kermon_report_table(report, "comm,tid", weight, &table);

	for (size_t i = 0; !err && i < table->nr_rows; i++)
		printf("%5.1f%% %s %u\n", column->total ?
		       100.0 * (double)table->rows[i].values[weight] /
		       (double)column->total : 0.0,
		       table->rows[i].comm, table->rows[i].tid);
	return err;
}

static int run(struct job *job, double seconds)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, read_file, job))
		return -EAGAIN;
	wait_for(job, seconds);
	pthread_join(thread, NULL);
	return job->err ? job->err : print_threads(job->report);
}

int main(int argc, char **argv)
{
	const struct sigaction interrupt = { .sa_handler = on_interrupt };
	struct job job = { .path = argc > 1 ? argv[1] : "perf.data" };
	struct kermon_report_options options = {
		.size = sizeof(options),
		.keys = "comm,tid",
		.progress = on_progress,
		.context = &job,
	};
	int err = -ENOMEM;
	uint64_t damages;

	cancel = kermon_cancel_new();
	options.cancel = cancel;
	options.damages = kermon_damages_new(NULL, NULL);
	if (!cancel || !options.damages)
		return 1;
	sigaction(SIGINT, &interrupt, NULL);
	job.report = kermon_report_new(&options);
	if (job.report)
		err = run(&job, argc > 2 ? atof(argv[2]) : 1e9);
	if (err)
		fprintf(stderr, "%s: %s\n", job.path, strerror(-err));
	damages = kermon_damages_count(options.damages);
	kermon_report_free(job.report);
	kermon_damages_free(options.damages);
	signal(SIGINT, SIG_IGN);
	kermon_cancel_free(cancel);
	return err == -ECANCELED ? 2 : err || damages;
}
