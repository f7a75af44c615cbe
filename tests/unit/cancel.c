// SPDX-License-Identifier: GPL-2.0
/* Reads that are cancelled: by another thread, a signal handler or a callback. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <kermon/file.h>
#include <kermon/merge.h>
#include <kermon/profile.h>
#include <kermon/readperf.h>
#include <kermon/report.h>

#include "self.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define PROGRAM_BASE	0x400000000000ULL
#define PROGRAM_SIZE	(1ULL << 28)

/* More than a megabyte of samples could be walked without a check. */
#define SAMPLES		18000

static const char *const events[] = { "cycles", NULL };

FIXTURE(cancel)
{
	struct synthetic file;
	struct kermon_cancel *cancel;
	struct kermon_report_options options;
	unsigned int samples;
};

/* Never called: their lines are looked up. */
__attribute__((noinline, used)) static int the_work(int i) { return i * 5 + 2; }
__attribute__((noinline, used)) static int the_leaf(int i) { return i * 7 + 3; }

static uint64_t address_of(int (*function)(int))
{
	return PROGRAM_BASE + self_offset((void *)function);
}

FIXTURE_SETUP(cancel)
{
	synthetic_begin(&self->file, events);
	synthetic_comm(&self->file, 5, 5, "program", 0, false);
	synthetic_mmap(&self->file, 5, PROGRAM_BASE, PROGRAM_SIZE, 0, SELF_PATH,
		       1);
	for (unsigned int i = 0; i < SAMPLES; i++)
		synthetic_sample(&self->file, &(struct synthetic_sample){
			.pid = 5, .tid = 5, .time = 10 + i, .period = 1,
			.ip = address_of(i % 2 ? the_work : the_leaf),
		});
	synthetic_finish(&self->file);
	self->cancel = kermon_cancel_new();
	ASSERT_NE(NULL, self->cancel);
	self->options = (struct kermon_report_options){
		.size = sizeof(self->options), .cancel = self->cancel,
		.kallsyms = "/dev/null",
	};
}

FIXTURE_TEARDOWN(cancel)
{
	kermon_cancel_free(self->cancel);
	synthetic_end(&self->file);
}

TEST_F(cancel, flag)
{
	EXPECT_FALSE(kermon_cancel_is_set(self->cancel));
	errno = 4321;
	for (int i = 0; i < 3; i++)
		kermon_cancel(self->cancel);
	EXPECT_EQ(4321, errno);
	EXPECT_TRUE(kermon_cancel_is_set(self->cancel));
	kermon_cancel_reset(self->cancel);
	EXPECT_FALSE(kermon_cancel_is_set(self->cancel));
	kermon_cancel_reset(self->cancel);
	kermon_cancel_free(NULL);
}

static int ignore_record(void *context,
			 const struct kermon_readperf_record *record)
{
	(void)record;
	++*(unsigned int *)context;
	return 0;
}

static int ignore_file_record(void *context,
			      const struct kermon_file_record *record)
{
	(void)record;
	++*(unsigned int *)context;
	return 0;
}

static int ignore_moment(void *context, const struct kermon_file_moment *moment)
{
	(void)moment;
	++*(unsigned int *)context;
	return 0;
}

static void ignore_count(void *context, const struct kermon_file_count *count)
{
	(void)count;
	++*(unsigned int *)context;
}

static int count_sample(void *context, const struct kermon_profile_sample *sample)
{
	(void)sample;
	++*(unsigned int *)context;
	return 0;
}

static const struct kermon_profile_callbacks counting = {
	.size = sizeof(counting), .sample = count_sample,
};

/* A request that was made before holds for what begins later. */
TEST_F(cancel, before)
{
	const struct kermon_file_options as_it_is = {
		.size = sizeof(as_it_is), .cancel = self->cancel,
	};
	const struct kermon_merge_options merging = {
		.size = sizeof(merging), .cancel = self->cancel,
	};
	struct kermon_report *report = kermon_report_new(&self->options);
	struct kermon_profile *profile =
		kermon_profile_new(&self->options, &counting, &self->samples);
	struct kermon_readperf *readperf =
		kermon_readperf_new(&self->options, ignore_record,
				    &self->samples);
	struct kermon_file *file = kermon_file_new(&as_it_is);
	struct kermon_merge *merge = kermon_merge_new(&merging);

	kermon_cancel(self->cancel);
	EXPECT_EQ(-ECANCELED, kermon_report_read(report, self->file.path));
	EXPECT_EQ(-ECANCELED, kermon_profile_read(profile, self->file.path));
	EXPECT_EQ(-ECANCELED, kermon_readperf_read(readperf, self->file.path));
	EXPECT_EQ(-ECANCELED, kermon_file_open(file, self->file.path));
	EXPECT_EQ(-ECANCELED, kermon_merge_add(merge, self->file.path));
	EXPECT_EQ(0, self->samples);
	kermon_report_free(report);
	kermon_profile_free(profile);
	kermon_readperf_free(readperf);
	kermon_file_free(file);
	kermon_merge_free(merge);
}

struct stopper {
	struct kermon_cancel *cancel;
	unsigned int samples;
	unsigned int stop_at;
};

static int stop_at(void *context, const struct kermon_profile_sample *sample)
{
	struct stopper *stopper = context;

	(void)sample;
	if (++stopper->samples == stopper->stop_at)
		kermon_cancel(stopper->cancel);
	return 0;
}

/* Not one sample more, in whatever order they are read. */
TEST_F(cancel, from_a_callback)
{
	static const struct kermon_profile_callbacks callbacks = {
		.size = sizeof(callbacks), .sample = stop_at,
	};
	struct kermon_profile *profile;

	for (unsigned int i = 1; i < SAMPLES; i += 1999) {
		struct stopper stopper = { self->cancel, 0, i };

		profile = kermon_profile_new(&self->options, &callbacks,
					     &stopper);
		EXPECT_EQ(-ECANCELED,
			  kermon_profile_read(profile, self->file.path));
		EXPECT_EQ(i, stopper.samples);
		kermon_profile_free(profile);
		kermon_cancel_reset(self->cancel);
	}
}

static void stop_progress(void *context, uint64_t done, uint64_t total)
{
	struct stopper *stopper = context;

	(void)done;
	(void)total;
	stopper->samples++;
	kermon_cancel(stopper->cancel);
}

/* The records several times over: some megabytes. */
static void write_large(struct synthetic *file, const char *path)
{
	struct perfdata_header header = *synthetic_header(file);
	size_t begin = header.data.offset, size = header.data.size;
	FILE *out = fopen(path, "we");

	header.data.size *= 16;
	if (!out || fwrite(&header, sizeof(header), 1, out) != 1 ||
	    fwrite(file->bytes + sizeof(header), begin - sizeof(header), 1,
		   out) != 1)
		abort();
	for (int i = 0; i < 16; i++)
		if (fwrite(file->bytes + begin, size, 1, out) != 1)
			abort();
	if (fclose(out))
		abort();
}

TEST_F(cancel, from_progress)
{
	struct stopper stopper = { .cancel = self->cancel };
	struct kermon_report *report;

	write_large(&self->file, self->file.path);
	self->options.progress = stop_progress;
	self->options.context = &stopper;
	report = kermon_report_new(&self->options);
	EXPECT_EQ(-ECANCELED, kermon_report_read(report, self->file.path));
	EXPECT_EQ(1, stopper.samples);
	kermon_report_free(report);
}

static void *cancel_soon(void *cancel)
{
	usleep(50000);
	kermon_cancel(cancel);
	return NULL;
}

/* A pipe through which nothing comes, with a writer or without. */
TEST_F(cancel, while_waiting_for_a_pipe)
{
	char path[] = "/tmp/kermon-cancel-XXXXXX";
	struct kermon_report *report;
	pthread_t thread;
	int writer = -1;

	ASSERT_NE(-1, close(mkstemp(path)));
	unlink(path);
	ASSERT_EQ(0, mkfifo(path, 0600));
	for (int i = 0; i < 2; i++) {
		if (i)
			writer = open(path, O_RDWR | O_CLOEXEC);
		report = kermon_report_new(&self->options);
		ASSERT_EQ(0, pthread_create(&thread, NULL, cancel_soon,
					    self->cancel));
		EXPECT_EQ(-ECANCELED, kermon_report_read(report, path));
		pthread_join(thread, NULL);
		kermon_report_free(report);
		kermon_cancel_reset(self->cancel);
	}
	close(writer);
	unlink(path);
}

/* A child shares the file descriptor, but what it cancels is its own. */
TEST_F(cancel, in_a_child)
{
	struct kermon_report *report = kermon_report_new(&self->options);
	struct timespec begin, end;
	pthread_t thread;
	char path[32];
	int ends[2];
	pid_t child;

	ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	child = fork();
	if (!child) {
		kermon_cancel(self->cancel);
		_exit(0);
	}
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	EXPECT_FALSE(kermon_cancel_is_set(self->cancel));
	ASSERT_EQ(0, pthread_create(&thread, NULL, cancel_soon, self->cancel));
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	EXPECT_EQ(-ECANCELED, kermon_report_read(report, path));
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	/* it has slept, not polled 50 ms long */
	EXPECT_GT(25000000, (end.tv_sec - begin.tv_sec) * 1000000000L +
			    end.tv_nsec - begin.tv_nsec);
	pthread_join(thread, NULL);
	kermon_report_free(report);
	close(ends[0]);
	close(ends[1]);
}

struct writer {
	const char *path;
	const struct synthetic *file;
};

/* In pieces, some of them after a while, as a recorder would. */
static void *write_slowly(void *context)
{
	const struct writer *writer = context;
	int fd = open(writer->path, O_WRONLY | O_CLOEXEC);
	size_t at = 0, size;

	while (at < writer->file->size) {
		size = at < 100 ? 7 : 1 << 16;
		if (size > writer->file->size - at)
			size = writer->file->size - at;
		if (write(fd, writer->file->bytes + at, size) != (ssize_t)size)
			abort();
		at += size;
		if (at < 100)
			usleep(1000);
	}
	close(fd);
	return NULL;
}

/* A pipe that can be cancelled, but is not, is read to its end. */
TEST_F(cancel, pipe_that_is_not)
{
	char path[] = "/tmp/kermon-cancel-XXXXXX";
	struct writer writer = { path, &self->file };
	struct kermon_report *report;
	pthread_t thread;

	ASSERT_NE(-1, close(mkstemp(path)));
	unlink(path);
	ASSERT_EQ(0, mkfifo(path, 0600));
	report = kermon_report_new(&self->options);
	ASSERT_EQ(0, pthread_create(&thread, NULL, write_slowly, &writer));
	EXPECT_EQ(0, kermon_report_read(report, path));
	EXPECT_EQ(SAMPLES, kermon_report_column(report, 0)->records);
	pthread_join(thread, NULL);
	kermon_report_free(report);
	unlink(path);
}

static struct kermon_cancel *of_the_signal;

static void on_alarm(int number)
{
	(void)number;
	kermon_cancel(of_the_signal);
}

TEST_F(cancel, from_a_signal_handler)
{
	const struct sigaction action = { .sa_handler = on_alarm };
	const struct itimerval soon = { .it_value.tv_usec = 50000 };
	struct kermon_report *report = kermon_report_new(&self->options);
	char path[32];
	int ends[2];

	of_the_signal = self->cancel;
	ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &soon, NULL));
	EXPECT_EQ(-ECANCELED, kermon_report_read(report, path));
	kermon_report_free(report);
	close(ends[0]);
	close(ends[1]);
}

TEST_F(cancel, file)
{
	struct kermon_file_options options = {
		.size = sizeof(options), .cancel = self->cancel,
	};
	struct kermon_file *file = kermon_file_new(&options);
	const struct kermon_file_order *order;
	unsigned int seen = 0;
	uint64_t late;

	ASSERT_EQ(0, kermon_file_open(file, self->file.path));
	kermon_cancel(self->cancel);
	EXPECT_EQ(-ECANCELED,
		  kermon_file_records(file, ignore_file_record, &seen));
	EXPECT_EQ(-ECANCELED,
		  kermon_file_check(file, ignore_count, &seen, &late));
	EXPECT_EQ(-ECANCELED,
		  kermon_file_order(file, ignore_moment, &seen, &order));
	EXPECT_EQ(0, seen);
	kermon_cancel_reset(self->cancel);
	EXPECT_EQ(0, kermon_file_records(file, ignore_file_record, &seen));
	EXPECT_EQ(2 + SAMPLES, seen);
	kermon_file_free(file);
}

/* What was not computed is when it is asked for again; lines, too, are complete then. */
TEST_F(cancel, table)
{
	const struct kermon_table *table = NULL;
	struct kermon_report *report;

	self->options.keys = "srcline";
	report = kermon_report_new(&self->options);
	ASSERT_EQ(0, kermon_report_read(report, self->file.path));
	kermon_cancel(self->cancel);
	EXPECT_EQ(-ECANCELED, kermon_report_table(report, "srcline", 0, &table));
	EXPECT_EQ(NULL, table);
	kermon_cancel_reset(self->cancel);
	ASSERT_EQ(0, kermon_report_table(report, "srcline", 0, &table));
	ASSERT_EQ(2, table->nr_rows);
	for (size_t i = 0; i < 2; i++) {
		EXPECT_EQ(SAMPLES / 2, table->rows[i].samples);
		ASSERT_NE(NULL, table->rows[i].srcline);
		EXPECT_EQ(0, strncmp(table->rows[i].srcline, "cancel.c:", 9));
	}
	kermon_report_free(report);
}

struct delayed {
	struct kermon_cancel *cancel;
	long ns;
};

static void *cancel_later(void *context)
{
	const struct delayed *delayed = context;
	const struct timespec time = { .tv_nsec = delayed->ns };

	nanosleep(&time, NULL);
	kermon_cancel(delayed->cancel);
	return NULL;
}

/* Reads and asks for a table; whether all was there before it was cancelled. */
static bool read_lines(FIXTURE_DATA(cancel) *self, struct kermon_report *report)
{
	const struct kermon_table *table;
	int err = kermon_report_read(report, self->file.path);

	if (err == -ECANCELED)
		return false;
	if (err)
		abort();
	for (;;) {
		err = kermon_report_table(report, "sym,srcline", 0, &table);
		if (!err)
			break;
		if (err != -ECANCELED)
			abort();
		kermon_cancel_reset(self->cancel);
	}
	if (table->nr_rows != 2 || !table->rows[0].sym ||
	    !table->rows[0].srcline || table->rows[1].samples != SAMPLES / 2)
		abort();
	return true;
}

/* Whenever it comes: nothing leaks, and a table that is asked for again is whole. */
TEST_F(cancel, at_any_time)
{
	struct delayed delayed = { .cancel = self->cancel };
	struct kermon_report *report;
	pthread_t thread;
	unsigned int whole = 0;

	self->options.keys = "sym,srcline";
	for (unsigned int i = 0; i < 60; i++) {
		delayed.ns = i * 500000L;
		report = kermon_report_new(&self->options);
		ASSERT_EQ(0, pthread_create(&thread, NULL, cancel_later,
					    &delayed));
		whole += read_lines(self, report);
		pthread_join(thread, NULL);
		kermon_report_free(report);
		kermon_cancel_reset(self->cancel);
	}
	TH_LOG("%u of 60 were read before", whole);
}

TEST_HARNESS_MAIN
