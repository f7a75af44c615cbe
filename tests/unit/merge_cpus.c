// SPDX-License-Identifier: GPL-2.0
/*
 * Recordings of kermon spy become one file: counts of each CPU in one recording are attributed
 * to where it had executed the same part of its instructions in the other, calculated by hand.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kermon/merge.h>
#include <kermon/report.h>
#include <kermon/roofline.h>
#include <kermon/sampled.h>
#include <kermon/writer.h>

#include "collected.h"
#include "merged.h"
#include "perfdata/format/format.h"
#include "perfdata/read/read.h"

#include "kselftest_harness.h"

#define NR_FILES	4		/* the last one is the merged one */
#define MERGED		3
#define NR_CPUS		3		/* that are watched: 0, 2 and 4 */
#define FIRST_ID	1000
#define INSTRUCTIONS	0
#define EVENT		1		/* the programmed one, whose number is in its name */
#define ENERGY		2
#define NR_EVENTS	3

static char *const spied[] = { "kermon", "spy", "-f", "perf-data", NULL };

struct file {
	char path[64];
	int fd;
	struct kermon_clock clock;
	struct kermon_writer *writer;
};

FIXTURE(merge_cpus)
{
	struct file files[NR_FILES];
	struct kermon_merge *merge;
	struct kermon_report_options options;
	struct kermon_report *report;
};

FIXTURE_SETUP(merge_cpus)
{
	int i;

	for (i = 0; i < NR_FILES; i++) {
		strcpy(self->files[i].path, "/tmp/kermon-merge-XXXXXX");
		self->files[i].fd = mkstemp(self->files[i].path);
		ASSERT_GE(self->files[i].fd, 0);
	}
	self->merge = kermon_merge_new(NULL);
	self->options = collected();
	self->report = kermon_report_new(&self->options);
}

FIXTURE_TEARDOWN(merge_cpus)
{
	int i;

	kermon_merge_free(self->merge);
	kermon_report_free(self->report);
	kermon_damages_free(self->options.damages);
	for (i = 0; i < NR_FILES; i++) {
		kermon_writer_close(self->files[i].writer);
		close(self->files[i].fd);
		unlink(self->files[i].path);
	}
}

static void describe(struct file *file, struct kermon_sampling samplings[NR_EVENTS])
{
	struct kermon_sampled_event events[NR_EVENTS];
	struct kermon_sampled_options options = {
		.size = sizeof(options), .events = events, .nr_events = NR_EVENTS, .alone = true,
	};
	struct perf_event_attr attrs[NR_EVENTS];
	uint64_t ids[NR_EVENTS][NR_CPUS];

	for (size_t i = 0; i < NR_EVENTS; i++) {
		kermon_sampling_attr(&samplings[i], file->clock.kind, &attrs[i]);
		for (size_t j = 0; j < NR_CPUS; j++)
			ids[i][j] = FIRST_ID + i * NR_CPUS + j;
		events[i] = (struct kermon_sampled_event){
			samplings[i].name, &attrs[i], ids[i], NR_CPUS,
		};
	}
	if (kermon_writer_sampled(file->writer, &options))
		abort();
}

/* A recording with instructions, event @event and energy, which @command ran in. */
static void begin_of(struct file *file, unsigned int event, const char *command)
{
	static const struct kermon_selection none;
	static const struct kermon_info info;
	const unsigned int modes = KERMON_COUNT_USER | KERMON_COUNT_KERNEL;
	struct kermon_writer_options options = {
		.size = sizeof(options), .fd = file->fd, .events = &none, .count = modes,
		.info = &info, .clock = &file->clock, .argv = spied,
	};
	struct kermon_sampling samplings[NR_EVENTS] = {
		{ .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS,
		  .modes = modes, .period = 1, .name = "instructions" },
		{ .type = PERF_TYPE_RAW, .config = 0xc0 + event, .modes = modes, .period = 1 },
		{ .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .modes = modes,
		  .period = 1, .name = "power/energy-pkg/" },
	};

	sprintf(samplings[EVENT].name, "event-%u", event);
	kermon_clock_init(&file->clock, 1000000);
	if (kermon_writer_open(&file->writer, &options))
		abort();
	describe(file, samplings);
	kermon_writer_note(file->writer, "source", "spy");
	kermon_writer_note(file->writer, "interval_ns", "100");
	if (command)
		kermon_writer_note(file->writer, "command", "%s", command);
	if (kermon_writer_start(file->writer, 0))
		abort();
}

static void begin(struct file *file, unsigned int event)
{
	begin_of(file, event, NULL);
}

static void put_count(struct file *file, unsigned int event, unsigned int cpu, uint64_t time,
		      uint64_t count)
{
	const struct perfdata_sample record = {
		.header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(record) },
		.id = FIRST_ID + event * NR_CPUS + cpu / 2,
		.time = time,
		.cpu = cpu,
		.period = count,
	};

	if (kermon_writer_sideband(file->writer, &record.header))
		abort();
}

/* An interval of a CPU that ends at @time. */
static void put(struct file *file, unsigned int cpu, uint64_t time, uint64_t instructions,
		uint64_t count)
{
	put_count(file, INSTRUCTIONS, cpu, time, instructions);
	put_count(file, EVENT, cpu, time, count);
}

static void end(struct file *file)
{
	kermon_writer_note(file->writer, "ended", "exit");
	kermon_writer_note(file->writer, "complete", "1");
	if (kermon_writer_round(file->writer) || kermon_writer_finish(file->writer))
		abort();
}

/* A recording of one CPU with one interval. */
static void whole(struct file *file, unsigned int event, unsigned int cpu,
		  uint64_t instructions, uint64_t count)
{
	begin(file, event);
	put(file, cpu, 100, instructions, count);
	end(file);
}

/* The first @nr files become one, which is read. */
static int merge(FIXTURE_DATA(merge_cpus) *self, unsigned int nr)
{
	struct file *merged = &self->files[MERGED];
	unsigned int i;
	int err = 0;

	for (i = 0; i < nr && !err; i++)
		err = kermon_merge_add(self->merge, self->files[i].path);
	if (!err)
		err = kermon_merge_write(self->merge, merged->fd);
	return err ? err : kermon_report_read(self->report, merged->path);
}

static struct counts counts_of(FIXTURE_DATA(merge_cpus) *self, uint32_t cpu, const char *event)
{
	return counts_in(self->files[MERGED].path, true, cpu, event);
}

#define EXPECT_REFUSED(nr, text) do {					\
	ASSERT_EQ(-EINVAL, merge(self, nr));				\
	EXPECT_NE(NULL, strstr(kermon_merge_error(self->merge), text))	\
		TH_LOG("%s", kermon_merge_error(self->merge));		\
} while (0)

/*
 * CPU 0 executes as much in both, in intervals of different lengths; CPU 2 begins later in the
 * second one, and executes twice as much there. Counts of 0 stay.
 */
TEST_F(merge_cpus, by_instructions)
{
	struct file *one = &self->files[0], *other = &self->files[1];
	struct counts counts;

	begin(one, 0);
	put(one, 0, 100, 100, 10);
	put(one, 2, 100, 50, 1);
	put(one, 0, 200, 100, 0);
	put(one, 2, 200, 150, 2);
	put(one, 0, 300, 200, 30);
	end(one);
	begin(other, 1);
	put(other, 2, 50, 0, 0);
	put(other, 2, 100, 40, 4);
	put(other, 0, 150, 400, 80);
	put(other, 2, 150, 360, 36);
	end(other);
	ASSERT_EQ(0, merge(self, 2)) TH_LOG("%s", kermon_merge_error(self->merge));
	EXPECT_TRUE(kermon_merge_is_of_cpus(self->merge));
	EXPECT_COUNTS(0, "instructions", 100, 100, 200);
	EXPECT_COUNTS(0, "event-0", 10, 0, 30);
	EXPECT_COUNTS(0, "event-1", 20, 20, 40);
	EXPECT_COUNTS(2, "event-0", 1, 2);
	/* a quarter of its instructions: 100 of 400 */
	EXPECT_COUNTS(2, "event-1", 10, 30);
	counts = counts_of(self, 2, "event-1");
	EXPECT_EQ(100, counts.times[0]);
	EXPECT_EQ(200, counts.times[1]);
	EXPECT_EQ(0, kermon_damages_count(self->options.damages));
}

/* Energy of the package is that of the first recording, once, where it was. */
TEST_F(merge_cpus, energy)
{
	int i;

	for (i = 0; i < 3; i++) {
		begin(&self->files[i], i);
		put(&self->files[i], 0, 100, 10, 1);
		put_count(&self->files[i], ENERGY, 0, 100, 7 + i);
		put(&self->files[i], 2, 100, 10, 1);
		end(&self->files[i]);
	}
	ASSERT_EQ(0, merge(self, 3));
	EXPECT_COUNTS(0, "power/energy-pkg/", 7);
	EXPECT_EQ(0, counts_of(self, 2, "power/energy-pkg/").nr);
	EXPECT_COUNTS(0, "event-1", 1);
	EXPECT_COUNTS(2, "event-2", 1);
}

/* CPU 0 differs by 10 %, CPU 2 not, and CPU 4, which is idle, by a half: 105 of 2010 in all. */
TEST_F(merge_cpus, differences)
{
	struct kermon_roofline *roofline = kermon_roofline_new(NULL);
	const struct kermon_roofline_sample *sample;
	struct kermon_run run;
	int i;

	for (i = 0; i < 2; i++) {
		begin(&self->files[i], i);
		put(&self->files[i], 0, 100, i ? 900 : 1000, 1);
		put(&self->files[i], 2, 100, 1000, 1);
		put(&self->files[i], 4, 100, i ? 5 : 10, 1);
		put(&self->files[i], 4, 200, 0, 0);
		end(&self->files[i]);
	}
	ASSERT_EQ(0, merge(self, 2));
	ASSERT_TRUE(kermon_report_run(self->report, 1, &run));
	EXPECT_EQ(1, run.events);
	EXPECT_EQ(1905, run.instructions);
	EXPECT_EQ(200, run.oncpu);
	EXPECT_GT(run.apart, 105. / 2010 - 1e-6);
	EXPECT_LT(run.apart, 105. / 2010 + 1e-6);
	ASSERT_EQ(0, kermon_roofline_read(roofline, self->files[MERGED].path));
	for (i = 0; (sample = kermon_roofline_sample(roofline, i)); i++) {
		EXPECT_TRUE(sample->estimated);
		EXPECT_EQ(sample->cpu ? sample->cpu == 4 ? 0.5 : 0 : 0.1, sample->error)
			TH_LOG("CPU %u: %g", sample->cpu, sample->error);
	}
	EXPECT_EQ(4, i);
	kermon_roofline_free(roofline);
}

/* Nothing says where counts of a CPU belong that executed nothing, but none are lost. */
TEST_F(merge_cpus, idle_cpu)
{
	int i;

	for (i = 0; i < 2; i++) {
		begin(&self->files[i], i);
		put(&self->files[i], 0, 100, 10, 1);
		put(&self->files[i], 2, 100, 0, 0);
		put(&self->files[i], 2, 200, 0, 3);
		end(&self->files[i]);
	}
	ASSERT_EQ(0, merge(self, 2));
	EXPECT_COUNTS(2, "event-1", 3, 0);
}

TEST_F(merge_cpus, idle_in_one_only)
{
	int i;

	for (i = 0; i < 2; i++) {
		begin(&self->files[i], i);
		put(&self->files[i], 0, 100, 10, 1);
		put(&self->files[i], 2, 100, i ? 5 : 0, 0);
		end(&self->files[i]);
	}
	EXPECT_REFUSED(2, "CPU 2 executed instructions in");
}

TEST_F(merge_cpus, cpu_of_one_only)
{
	whole(&self->files[0], 0, 0, 10, 1);
	begin(&self->files[1], 1);
	put(&self->files[1], 0, 100, 10, 1);
	put(&self->files[1], 2, 100, 10, 1);
	end(&self->files[1]);
	EXPECT_REFUSED(2, "CPU 2 is in ");
}

TEST_F(merge_cpus, cpu_of_the_other_only)
{
	begin(&self->files[0], 0);
	put(&self->files[0], 0, 100, 10, 1);
	put(&self->files[0], 2, 100, 10, 1);
	end(&self->files[0]);
	whole(&self->files[1], 1, 0, 10, 1);
	EXPECT_REFUSED(2, "record the same CPUs, with -C");
}

/* The event was not counted in the middle. */
TEST_F(merge_cpus, other_set)
{
	whole(&self->files[0], 0, 0, 10, 1);
	begin(&self->files[1], 1);
	put(&self->files[1], 0, 100, 10, 1);
	put_count(&self->files[1], INSTRUCTIONS, 0, 200, 10);
	put(&self->files[1], 0, 300, 10, 1);
	end(&self->files[1]);
	EXPECT_REFUSED(2, "CPU 0 has intervals without event-1");
}

/* The same at its end. */
TEST_F(merge_cpus, other_set_at_the_end)
{
	whole(&self->files[0], 0, 0, 10, 1);
	begin(&self->files[1], 1);
	put(&self->files[1], 0, 100, 10, 1);
	put_count(&self->files[1], INSTRUCTIONS, 0, 200, 10);
	end(&self->files[1]);
	EXPECT_REFUSED(2, "CPU 0 has intervals without event-1");
}

TEST_F(merge_cpus, uncounted)
{
	whole(&self->files[0], 0, 0, 10, 1);
	begin(&self->files[1], 1);
	put(&self->files[1], 0, 100, 10, 1);
	kermon_writer_note(self->files[1].writer, "uncounted", "1");
	end(&self->files[1]);
	EXPECT_REFUSED(2, "the counters were taken away in 1 of the intervals");
}

TEST_F(merge_cpus, unfinished)
{
	whole(&self->files[0], 0, 0, 10, 1);
	begin(&self->files[1], 1);
	put(&self->files[1], 0, 100, 10, 1);
	kermon_writer_note(self->files[1].writer, "ended", "failed: disk full");
	ASSERT_EQ(0, kermon_writer_finish(self->files[1].writer));
	EXPECT_REFUSED(2, "was not recorded to its end");
}

/* The tool was killed after a round. */
TEST_F(merge_cpus, killed)
{
	whole(&self->files[0], 0, 0, 10, 1);
	begin(&self->files[1], 1);
	ASSERT_EQ(0, kermon_writer_save(self->files[1].writer));
	put(&self->files[1], 0, 100, 10, 1);
	ASSERT_EQ(0, kermon_writer_round(self->files[1].writer));
	EXPECT_REFUSED(2, "the recording was not finished");
}

TEST_F(merge_cpus, other_command)
{
	int i;

	for (i = 0; i < 2; i++) {
		begin_of(&self->files[i], i, i ? "app 2" : "app 1");
		put(&self->files[i], 0, 100, 10, 1);
		end(&self->files[i]);
	}
	EXPECT_REFUSED(2, "is of 'app 2', but ");
}

/* The same event again is left out, and a merged file is rejected. */
TEST_F(merge_cpus, same_event)
{
	whole(&self->files[0], 0, 0, 10, 1);
	whole(&self->files[1], 0, 0, 10, 2);
	ASSERT_EQ(0, merge(self, 2));
	EXPECT_EQ(1, kermon_merge_run(self->merge, 1)->dropped);
	EXPECT_COUNTS(0, "event-0", 1);
	kermon_merge_free(self->merge);
	self->merge = kermon_merge_new(NULL);
	EXPECT_EQ(-EINVAL, kermon_merge_add(self->merge, self->files[MERGED].path));
	EXPECT_NE(NULL, strstr(kermon_merge_error(self->merge), "is a merged file"));
}

TEST_HARNESS_MAIN
