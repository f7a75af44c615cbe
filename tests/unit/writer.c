// SPDX-License-Identifier: GPL-2.0
/*
 * A log that is made up goes through the writer, and stock perf has to find in
 * the file what was in the log: to the last count, without a word of complaint.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kermon/writer.h>

#include "perfdata/format.h"

#include "kselftest_harness.h"

#define GHZ2		2000000		/* kHz */
#define NR_THREADS	3
#define NR_EVENTS	10		/* 3 fixed, 4 programmed, oncpu, 2 energy */
#define ONCPU		7
#define ROUNDS		20
#define PER_ROUND	100

/* In the order of the file. */
static const char *const names[NR_EVENTS] = {
	"instructions:u", "cycles:u", "ref-cycles:u",
	"FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE:u",
	"FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE:u",
	"MEM_UOPS_RETIRED:ALL_LOADS:u", "MEM_UOPS_RETIRED:ALL_STORES:u",
	"oncpu", "power/energy-pkg/", "power/energy-ram/",
};

struct record {
	struct kermon_sample sample;
	uint64_t values[NR_EVENTS - 1];
};

FIXTURE(writer)
{
	char path[64];
	int fd;
	struct kermon_info info;
	struct kermon_selection selection;
	struct kermon_clock clock;
	struct kermon_writer *writer;
	uint64_t tsc;
	uint64_t sums[NR_THREADS][NR_EVENTS];
};

FIXTURE_SETUP(writer)
{
	static char *argv[] = { "kermon", "run", "a command", NULL };
	struct kermon_event_error error;
	const struct kermon_writer_options options = {
		.fd = (strcpy(self->path, "/tmp/kermon-writer-XXXXXX"),
		       mkstemp(self->path)),
		.events = &self->selection,
		.count = KERMON_COUNT_USER,
		.energy = true,
		.info = &self->info,
		.clock = &self->clock,
		.argv = argv,
	};

	self->fd = options.fd;
	ASSERT_GE(self->fd, 0);
	setenv("LIBPFM_FORCE_PMU", "ivb", 1);
	ASSERT_EQ(0, kermon_events_select("set1", KERMON_COUNT_USER,
					  &self->selection, &error));
	self->info = (struct kermon_info){
		.counters = 4, .fixed = 3, .tsc_khz = GHZ2, .nr_domains = 2,
		.domains = {
			{ KERMON_DOMAIN_PACKAGE, 16, "energy-pkg" },
			{ KERMON_DOMAIN_DRAM, 14, "energy-ram" },
		},
	};
	kermon_clock_init(&self->clock, GHZ2);
	kermon_clock_set(&self->clock, 1000000000, 1 << 30, 31);
	self->tsc = 1ULL << 40;
	ASSERT_EQ(0, kermon_writer_open(&self->writer, &options));
}

FIXTURE_TEARDOWN(writer)
{
	kermon_writer_close(self->writer);
	close(self->fd);
	unlink(self->path);
}

/* Values as different as those of real life: none, small, and enormous. */
static uint64_t any_value(void)
{
	uint64_t value = (uint64_t)random() << 31 | random();

	return random() % 5 ? value >> (16 + random() % 46) : 0;
}

static struct record make_record(FIXTURE_DATA(writer) *self, int thread)
{
	struct record record = {
		.sample = {
			.record = {
				.type = KERMON_RECORD_SAMPLE,
				.size = sizeof(record),
				.cpu = random() % 2,
			},
			.pid = getpid(),
			.tid = getpid() + thread,
			.reason = KERMON_REASON_TICK,
			.flags = KERMON_SAMPLE_ALONE,
			.nr_fixed = 3,
			.nr_events = 4,
			.domains = 1 << KERMON_DOMAIN_PACKAGE |
				   1 << KERMON_DOMAIN_DRAM,
			.tsc_begin = self->tsc,
			.oncpu = 1 + random() % 100000000,
			.ip = (uintptr_t)make_record,
		},
	};
	unsigned int i;

	for (i = 0; i < NR_EVENTS - 1; i++)
		record.values[i] = any_value() >> (i < 7 ? 0 : 24);
	self->tsc += record.sample.oncpu;
	record.sample.tsc_end = self->tsc;
	return record;
}

/* What perf should find: periods in file order, energy in 2^-32 joule. */
static void add_sums(uint64_t *sums, const struct record *record)
{
	unsigned int i;

	for (i = 0; i < 7; i++)
		sums[i] += record->values[i];
	sums[ONCPU] += record->sample.oncpu / 2;
	sums[8] += record->values[7] << 16;
	sums[9] += record->values[8] << 18;
}

static void write_log(struct __test_metadata *_metadata,
		      FIXTURE_DATA(writer) *self)
{
	struct record record;
	int i, j, thread;

	ASSERT_EQ(0, kermon_writer_start(self->writer, getpid()));
	for (i = 0; i < ROUNDS; i++) {
		for (j = 0; j < PER_ROUND; j++) {
			thread = random() % NR_THREADS;
			record = make_record(self, thread);
			add_sums(self->sums[thread], &record);
			ASSERT_EQ(0, kermon_writer_log(self->writer, &record,
						       sizeof(record)));
		}
		ASSERT_EQ(0, kermon_writer_round(self->writer));
	}
}

/* Runs perf on the file; its complaints are part of what comes back. */
static FILE *perf(FIXTURE_DATA(writer) *self, const char *how)
{
	char line[512];

	snprintf(line, sizeof(line),
		 "HOME=/nonexistent perf %s -i %s 2>&1 </dev/null", how,
		 self->path);
	return popen(line, "r");
}

static int event_index(const char *name)
{
	int i;

	for (i = 0; i < NR_EVENTS; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

TEST_F(writer, perf_finds_every_count)
{
	uint64_t found[NR_THREADS][NR_EVENTS] = { 0 };
	unsigned long long period;
	char line[512], name[256];
	int tid, i, j;
	FILE *script;

	write_log(_metadata, self);
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	script = perf(self, "script -F tid,event,period");
	while (fgets(line, sizeof(line), script)) {
		ASSERT_EQ(3, sscanf(line, "%d %llu %255[^ \n]", &tid, &period,
				    name)) TH_LOG("%s", line);
		name[strlen(name) - 1] = '\0';		/* a colon */
		i = event_index(name);
		ASSERT_GE(i, 0) TH_LOG("%s", name);
		ASSERT_LT((unsigned int)(tid - getpid()), NR_THREADS);
		found[tid - getpid()][i] += period;
	}
	EXPECT_EQ(0, pclose(script));
	for (i = 0; i < NR_THREADS; i++)
		for (j = 0; j < NR_EVENTS; j++)
			EXPECT_EQ(self->sums[i][j], found[i][j])
				TH_LOG("%s of thread %d", names[j], i);
}

static bool complains(const char *line)
{
	return strcasestr(line, "warn") || strcasestr(line, "error") ||
	       strcasestr(line, "fail") || strcasestr(line, "invalid") ||
	       strcasestr(line, "out of order") || strcasestr(line, "lost %");
}

TEST_F(writer, perf_does_not_complain)
{
	static const char *const how[] = {
		"report --stdio", "report --stdio --header", "script",
		"script --show-mmap-events --show-task-events",
		"evlist -v", "report --header-only", "buildid-list",
		"report --stdio --sort comm,dso,sym --tasks",
		"report --stdio -C 0 --time 10%-90%",
		"annotate --stdio", "report --stdio --stats",
	};
	char line[1024];
	unsigned int i, lines;
	FILE *out;

	write_log(_metadata, self);
	ASSERT_EQ(0, kermon_writer_note(self->writer, "version", "%d", 1));
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	for (i = 0; i < sizeof(how) / sizeof(how[0]); i++) {
		out = perf(self, how[i]);
		for (lines = 0; fgets(line, sizeof(line), out); lines++)
			EXPECT_FALSE(complains(line))
				TH_LOG("%s: %s", how[i], line);
		EXPECT_EQ(0, pclose(out)) TH_LOG("%s", how[i]);
		EXPECT_GT(lines, 0) TH_LOG("%s", how[i]);
	}
}

/* What readers need to take the side-band's records apart. */
TEST_F(writer, attributes)
{
	unsigned int lines = 0;
	const char *name;
	char line[1024];
	FILE *out;

	write_log(_metadata, self);
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	for (out = perf(self, "evlist -v"); fgets(line, sizeof(line), out);
	     lines++) {
		EXPECT_TRUE(strstr(line, "sample_id_all: 1")) TH_LOG("%s", line);
		EXPECT_TRUE(strstr(line, "IP|TID|TIME|CPU|PERIOD"))
			TH_LOG("%s", line);
		EXPECT_TRUE(strstr(line, "IDENTIFIER")) TH_LOG("%s", line);
		EXPECT_EQ(lines == ONCPU, strstr(line, "|RAW|") != NULL)
			TH_LOG("%s", line);
		name = lines < NR_EVENTS ? names[lines] : "dummy:u";
		EXPECT_EQ(0, strncmp(line, name, strlen(name)))
			TH_LOG("%s", line);
	}
	pclose(out);
	EXPECT_EQ(NR_EVENTS + 1, lines);
}

/* perf knows the test program itself from the records of the start. */
TEST_F(writer, names_of_the_start)
{
	bool named = false, mapped = false;
	char line[1024];
	FILE *out;

	write_log(_metadata, self);
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	out = perf(self, "report --stdio --sort comm,dso,sym");
	while (fgets(line, sizeof(line), out)) {
		named |= strstr(line, program_invocation_short_name) != NULL;
		mapped |= strstr(line, "make_record") != NULL;
	}
	pclose(out);
	EXPECT_TRUE(named);
	EXPECT_TRUE(mapped);
}

TEST_F(writer, build_id_of_this_program)
{
	char line[1024], path[512] = "";
	bool found = false;
	FILE *out;

	write_log(_metadata, self);
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	ASSERT_GT(readlink("/proc/self/exe", path, sizeof(path) - 1), 0);
	out = perf(self, "buildid-list");
	while (fgets(line, sizeof(line), out))
		found |= strstr(line, path) != NULL;
	pclose(out);
	EXPECT_TRUE(found);
}

TEST_F(writer, losses)
{
	const struct kermon_lost lost = {
		.record = { KERMON_RECORD_LOST, sizeof(lost), 1 },
		.sequence = 7,
		.lost = 4711,
	};
	struct kermon_writer_totals totals;
	bool seen = false;
	char line[512];
	FILE *out;

	write_log(_metadata, self);
	ASSERT_EQ(0, kermon_writer_log(self->writer, &lost, sizeof(lost)));
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	kermon_writer_totals(self->writer, &totals);
	EXPECT_EQ(4711, totals.lost);
	EXPECT_EQ(ROUNDS * PER_ROUND, totals.samples);
	out = perf(self, "script --show-lost-events");
	while (fgets(line, sizeof(line), out))
		seen |= strstr(line, "PERF_RECORD_LOST lost 4711") != NULL;
	pclose(out);
	EXPECT_TRUE(seen);
}

/* The head of a sample is in the raw data of "oncpu", byte by byte. */
TEST_F(writer, nothing_is_left_out)
{
	struct perfdata_interval interval;
	struct perfdata_header header;
	struct record record = make_record(self, 1);

	ASSERT_EQ(0, kermon_writer_log(self->writer, &record, sizeof(record)));
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	ASSERT_EQ(sizeof(header), pread(self->fd, &header, sizeof(header), 0));
	ASSERT_EQ(sizeof(interval), pread(self->fd, &interval,
					  sizeof(interval),
					  header.data.offset));
	EXPECT_EQ(sizeof(interval), interval.sample.header.size);
	EXPECT_EQ(PERFDATA_RAW_SIZE, interval.raw_size);
	EXPECT_EQ(0, memcmp(interval.raw, &record, sizeof(record.sample)));
}

/* What a killed tool leaves behind is the file up to the last round. */
TEST_F(writer, file_of_a_killed_writer)
{
	struct perfdata_header header;
	struct stat status;

	write_log(_metadata, self);
	ASSERT_EQ(sizeof(header), pread(self->fd, &header, sizeof(header), 0));
	ASSERT_EQ(0, fstat(self->fd, &status));
	EXPECT_EQ(PERFDATA_MAGIC, header.magic);
	EXPECT_EQ(status.st_size, header.data.offset + header.data.size);
	EXPECT_GT(header.data.size, ROUNDS * PER_ROUND *
		  sizeof(struct perfdata_interval));
}

/* Records that make no sense are refused before anything is read past them. */
TEST_F(writer, bad_records)
{
	struct record good = make_record(self, 0), bad;
	struct kermon_record future = { .type = 77, .size = sizeof(future) };
	struct kermon_writer *writer = self->writer;

	EXPECT_EQ(0, kermon_writer_log(writer, &future, sizeof(future)));
	EXPECT_EQ(0, kermon_writer_log(writer, &good, 0));
	EXPECT_EQ(-EBADMSG, kermon_writer_log(writer, &good, 4));
	EXPECT_EQ(-EBADMSG, kermon_writer_log(writer, &good, sizeof(good) - 8));

#define EXPECT_BAD(change) do {						\
		bad = good;						\
		change;							\
		EXPECT_EQ(-EBADMSG,					\
			  kermon_writer_log(writer, &bad, sizeof(bad)))	\
			TH_LOG("%s", #change);				\
	} while (0)
	EXPECT_BAD(bad.sample.record.size = 0);
	EXPECT_BAD(bad.sample.record.size = 8);
	EXPECT_BAD(bad.sample.record.size = sizeof(bad) + 8);
	EXPECT_BAD(bad.sample.record.size = sizeof(bad) - 4);
	EXPECT_BAD(bad.sample.nr_fixed = 4);
	EXPECT_BAD(bad.sample.nr_events = 255);
	EXPECT_BAD(bad.sample.set_id = 1);
	EXPECT_BAD(bad.sample.domains = 0xff);
	EXPECT_BAD(bad.sample.domains = 1 << KERMON_DOMAIN_GPU);
	/* The same, but there is nothing behind it. */
	bad = good;
	bad.sample.record.size = sizeof(bad) - 8;
	EXPECT_EQ(-EBADMSG,
		  kermon_writer_log(writer, &bad, bad.sample.record.size));
	EXPECT_EQ(0, kermon_writer_log(writer, &good, sizeof(good)));
}

/* A full disk is told at once, and again at the end. */
TEST(full_disk)
{
	struct kermon_info info = { .fixed = 3, .tsc_khz = GHZ2 };
	struct kermon_selection selection = { 0 };
	struct kermon_writer *writer;
	struct kermon_clock clock;
	struct kermon_writer_options options = {
		.events = &selection,
		.count = KERMON_COUNT_USER,
		.info = &info,
		.clock = &clock,
	};

	kermon_clock_init(&clock, GHZ2);
	kermon_clock_set(&clock, 0, 1, 1);
	options.fd = open("/dev/full", O_WRONLY);
	ASSERT_GE(options.fd, 0);
	EXPECT_EQ(-ENOSPC, kermon_writer_open(&writer, &options));
	EXPECT_EQ(NULL, writer);
	close(options.fd);
}

TEST_HARNESS_MAIN
