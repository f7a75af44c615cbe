// SPDX-License-Identifier: GPL-2.0
/*
 * A made-up log goes through the writer, and stock perf must find in the file exactly
 * what was in the log, without any complaint.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/format/format.h"
#include "perfdata/read/read.h"
#include "perfdata/write/write.h"

#include "written.h"

#include "kselftest_harness.h"

#define NR_THREADS	3
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

FIXTURE(writer)
{
	struct written file;
	struct kermon_writer *writer;
	uint64_t tsc;
	uint64_t sums[NR_THREADS][NR_EVENTS];
};

/* What perf and KerMon read is the same, compressed or not. */
FIXTURE_VARIANT(writer)
{
	int compression;
};

FIXTURE_VARIANT_ADD(writer, plain) { .compression = 0 };
FIXTURE_VARIANT_ADD(writer, compressed) { .compression = 1 };

FIXTURE_SETUP(writer)
{
	self->tsc = 1ULL << 40;
	self->file.compression = variant->compression;
	ASSERT_EQ(0, written_begin(&self->file, KERMON_CLOCK_PERF));
	self->writer = self->file.writer;
}

FIXTURE_TEARDOWN(writer)
{
	written_end(&self->file);
}

/* Values as different as in reality: none, small, and enormous. */
static uint64_t any_value(void)
{
	uint64_t value = (uint64_t)random() << 31 | random();

	return random() % 5 ? value >> (16 + random() % 46) : 0;
}

static struct logged make_record(FIXTURE_DATA(writer) *self, int thread)
{
	struct logged record = logged_sample(thread, self->tsc,
					     1 + random() % 100000000);

	record.sample.record.cpu = random() % 2;
	record.sample.ip = (uintptr_t)make_record;
	for (unsigned int i = 0; i < NR_EVENTS - 1; i++)
		record.values[i] = any_value() >> (i < 7 ? 0 : 24);
	self->tsc = record.sample.tsc_end;
	return record;
}

/* What perf should find: periods in file order, energy in 2^-32 joule. */
static void add_sums(uint64_t *sums, const struct logged *record)
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
	struct logged record;
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

/* Time and energy are known, counts are not. */
static void write_invalid(struct __test_metadata *_metadata,
			  FIXTURE_DATA(writer) *self)
{
	struct logged record = make_record(self, 0);
	unsigned int i;

	record.sample.record.type = KERMON_RECORD_INVALID;
	add_sums(self->sums[0], &record);
	for (i = 0; i < ONCPU; i++)
		self->sums[0][i] -= record.values[i];
	ASSERT_EQ(0, kermon_writer_log(self->writer, &record, sizeof(record)));
}

/* A sample of a later kernel, which says more at its end. */
static void write_longer(struct __test_metadata *_metadata,
			 FIXTURE_DATA(writer) *self)
{
	struct {
		struct logged known;
		uint64_t more;
	} record = { make_record(self, 0), ~0ULL };

	add_sums(self->sums[0], &record.known);
	record.known.sample.record.size = sizeof(record);
	ASSERT_EQ(0, kermon_writer_log(self->writer, &record, sizeof(record)));
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
	write_invalid(_metadata, self);
	write_longer(_metadata, self);
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	script = written_perf(&self->file, "script -F tid,event,period");
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
		out = written_perf(&self->file, how[i]);
		for (lines = 0; fgets(line, sizeof(line), out); lines++)
			EXPECT_FALSE(complains(line))
				TH_LOG("%s: %s", how[i], line);
		EXPECT_EQ(0, pclose(out)) TH_LOG("%s", how[i]);
		EXPECT_GT(lines, 0) TH_LOG("%s", how[i]);
	}
}

/* What readers need to parse the side-band's records. */
TEST_F(writer, attributes)
{
	unsigned int lines = 0;
	const char *name;
	char line[1024];
	FILE *out;

	write_log(_metadata, self);
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	for (out = written_perf(&self->file, "evlist -v"); fgets(line, sizeof(line), out);
	     lines++) {
		EXPECT_TRUE(strstr(line, "sample_id_all: 1")) TH_LOG("%s", line);
		EXPECT_TRUE(strstr(line, "IP|TID|TIME|")) TH_LOG("%s", line);
		EXPECT_TRUE(strstr(line, "CPU|PERIOD")) TH_LOG("%s", line);
		EXPECT_TRUE(strstr(line, "IDENTIFIER")) TH_LOG("%s", line);
		EXPECT_EQ(lines < NR_EVENTS,
			  strstr(line, "|READ|") && strstr(line, "|RAW|") &&
			  strstr(line, "read_format: ID|GROUP"))
			TH_LOG("%s", line);
		EXPECT_EQ(lines == NR_EVENTS, strstr(line, "inherit: 1") != NULL)
			TH_LOG("%s", line);
		name = lines < NR_EVENTS ? names[lines] : "dummy:u";
		EXPECT_EQ(0, strncmp(line, name, strlen(name)))
			TH_LOG("%s", line);
	}
	pclose(out);
	EXPECT_EQ(NR_EVENTS + 1, lines);
}

/* perf knows the test program itself from the records at the start. */
TEST_F(writer, names_of_the_start)
{
	bool named = false, mapped = false;
	char line[1024];
	FILE *out;

	write_log(_metadata, self);
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	out = written_perf(&self->file, "report --stdio --sort comm,dso,sym");
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
	out = written_perf(&self->file, "buildid-list");
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
	out = written_perf(&self->file, "script --show-lost-events");
	while (fgets(line, sizeof(line), out))
		seen |= strstr(line, "PERF_RECORD_LOST lost 4711") != NULL;
	pclose(out);
	EXPECT_TRUE(seen);
}

TEST_F(writer, revocation)
{
	const struct kermon_revoked revoked = {
		.record = { KERMON_RECORD_REVOKED, sizeof(revoked), 1 },
	};
	const struct kermon_record none = { KERMON_RECORD_REVOKED, sizeof(none), 1 };

	write_log(_metadata, self);
	EXPECT_FALSE(kermon_writer_revoked(self->writer));
	EXPECT_EQ(-EBADMSG, kermon_writer_log(self->writer, &none, sizeof(none)));
	EXPECT_FALSE(kermon_writer_revoked(self->writer));
	ASSERT_EQ(0, kermon_writer_log(self->writer, &revoked, sizeof(revoked)));
	EXPECT_TRUE(kermon_writer_revoked(self->writer));
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
}

/**
 * struct samples - what a walk of a file finds
 * @nr: number of samples
 * @last: bytes of the last one, @size of them
 * @nr_damages: number of complaints
 */
struct samples {
	struct reader *reader;
	size_t nr;
	size_t size;
	unsigned char last[512];
	size_t nr_damages;
};

static int take_sample(void *context, const struct record *record)
{
	struct samples *samples = context;

	if (record->type == PERF_RECORD_SAMPLE && record->size <= sizeof(samples->last)) {
		samples->nr++;
		samples->size = record->size;
		memcpy(samples->last, record->data, record->size);
	}
	reader_release(samples->reader, record);
	return 0;
}

static struct samples read_samples(struct __test_metadata *_metadata, const char *path)
{
	struct samples samples = { 0 };
	struct damages damages = { 0 };

	ASSERT_EQ(0, reader_open(path, &samples.reader, &damages));
	ASSERT_EQ(0, reader_walk(samples.reader, take_sample, &samples));
	reader_close(samples.reader);
	samples.nr_damages = damages.nr;
	return samples;
}

/* One record for an interval, with its values and what perf has no field for. */
TEST_F(writer, nothing_is_left_out)
{
	struct logged record = make_record(self, 1);
	struct {
		struct perfdata_interval head;
		struct perfdata_value values[3];
		struct perfdata_rest rest;
	} made;
	struct samples samples;

	record.sample.record.cpu = 1;
	record.sample.intervals = 7;
	record.sample.sequence = (1ULL << 32) + 5;
	memset(record.values, 0, sizeof(record.values));
	record.values[1] = 4711;
	record.values[8] = 3;
	ASSERT_EQ(0, kermon_writer_log(self->writer, &record, sizeof(record)));
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	samples = read_samples(_metadata, self->file.path);
	ASSERT_EQ(1, samples.nr);
	ASSERT_EQ(sizeof(made), samples.size);
	memcpy(&made, samples.last, sizeof(made));
	EXPECT_EQ(sizeof(made), made.head.sample.header.size);
	EXPECT_EQ(record.sample.oncpu / 2, made.head.sample.period);
	ASSERT_EQ(3, made.head.nr);
	EXPECT_EQ(record.sample.oncpu / 2, made.values[0].sum);
	EXPECT_EQ(made.head.sample.id, made.values[0].id);
	EXPECT_EQ(ATTRS_FIRST_ID + ONCPU * NR_CPUS + 1, made.values[0].id);
	EXPECT_EQ(4711, made.values[1].sum);
	EXPECT_EQ(ATTRS_FIRST_ID + 1 * NR_CPUS + 1, made.values[1].id);
	EXPECT_EQ(3 << 18, made.values[2].sum);
	EXPECT_EQ(PERFDATA_REST_SIZE, made.rest.size);
	EXPECT_EQ(KERMON_RECORD_SAMPLE, made.rest.type);
	EXPECT_EQ(KERMON_REASON_TICK, made.rest.reason);
	EXPECT_EQ(KERMON_SAMPLE_ALONE, made.rest.flags);
	EXPECT_EQ(7, made.rest.intervals);
	EXPECT_EQ(5, made.rest.sequence);
	EXPECT_EQ(record.sample.tsc_begin, made.rest.tsc_begin);
}

/*
 * The sums of a CPU go on whatever the others do, and perf subtracts them again: samples
 * of two CPUs, of which the second was read later.
 */
TEST_F(writer, perf_subtracts_sums)
{
	static const char *const wanted[] = {
		"[000] 10 instructions:u:", "[001] 20 instructions:u:",
		"[000] 30 instructions:u:", "[001] 40 instructions:u:",
	};
	static const int order[] = { 0, 2, 1, 3 };
	struct logged record[4];
	char line[512], cpu[16], name[256], found[600];
	unsigned long long period;
	unsigned int n = 0;
	FILE *script;

	for (int i = 0; i < 4; i++) {
		record[i] = make_record(self, 0);
		memset(record[i].values, 0, sizeof(record[i].values));
		record[i].values[0] = 10 * (i + 1);
		record[i].sample.record.cpu = i % 2;
	}
	for (int i = 0; i < 4; i++)
		ASSERT_EQ(0, kermon_writer_log(self->writer, &record[order[i]],
					       sizeof(*record)));
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	script = written_perf(&self->file, "script -F cpu,event,period");
	while (fgets(line, sizeof(line), script)) {
		if (sscanf(line, "%15s %llu %255s", cpu, &period, name) != 3 ||
		    !strstr(name, "instructions"))
			continue;
		snprintf(found, sizeof(found), "%s %llu %s", cpu, period, name);
		ASSERT_LT(n, 4);
		EXPECT_STREQ(wanted[n++], found);
	}
	pclose(script);
	EXPECT_EQ(4, n);
}

/* If the tool is killed, the file is valid up to the last round. */
TEST_F(writer, file_of_a_killed_writer)
{
	struct perfdata_header header;
	struct samples samples;
	struct stat status;

	write_log(_metadata, self);
	samples = read_samples(_metadata, self->file.path);
	EXPECT_EQ(ROUNDS * PER_ROUND, samples.nr);
	ASSERT_EQ(sizeof(header), pread(self->file.fd, &header, sizeof(header), 0));
	ASSERT_EQ(0, fstat(self->file.fd, &status));
	EXPECT_EQ(PERFDATA_MAGIC, header.magic);
	EXPECT_EQ(status.st_size, header.data.offset + header.data.size);
}

/* Wherever it ends: each round that is there as a whole is read, and the end is reported. */
TEST_F(writer, cut_off_in_the_samples)
{
	struct perfdata_header header;
	struct samples samples;
	size_t least;

	write_log(_metadata, self);
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	samples = read_samples(_metadata, self->file.path);
	EXPECT_EQ(0, samples.nr_damages);
	ASSERT_EQ(sizeof(header), pread(self->file.fd, &header, sizeof(header), 0));
	for (int percent = 97; percent > 10; percent -= 11) {
		least = ROUNDS * percent / 100;
		ASSERT_EQ(0, ftruncate(self->file.fd, header.data.offset +
				       header.data.size * percent / 100));
		samples = read_samples(_metadata, self->file.path);
		EXPECT_LE((least - 1) * PER_ROUND, samples.nr);
		EXPECT_GE((least + 2) * PER_ROUND, samples.nr);
		if (variant->compression)
			EXPECT_EQ(0, samples.nr % PER_ROUND);
		EXPECT_NE(0, samples.nr_damages);
	}
}

/* With the names of its events, for perf, and with its notes, for KerMon. */
TEST_F(writer, names_of_a_killed_writer)
{
	const struct written *file = &self->file;
	struct damages damages = { .nr = 0 };
	unsigned int named = 0;
	struct reader *reader;
	char line[512];
	size_t size;
	FILE *out;

	ASSERT_EQ(0, kermon_writer_note(self->writer, "sets", "%d", 4));
	write_log(_metadata, self);
	out = written_perf(file, "script -F event");
	while (fgets(line, sizeof(line), out)) {
		line[strcspn(line, ":\n")] = '\0';
		named += !strcmp(line + strspn(line, " "), "MEM_UOPS_RETIRED");
	}
	pclose(out);
	EXPECT_LT(ROUNDS * PER_ROUND, named);
	ASSERT_EQ(0, reader_open(file->path, &reader, &damages));
	EXPECT_EQ(1, damages.nr);
	EXPECT_NE(NULL, reader_feature(reader, PERFDATA_EVENT_DESC, &size));
	EXPECT_NE(NULL, reader_feature(reader, PERFDATA_CMDLINE, &size));
	EXPECT_NE(NULL, reader_feature(reader, PERFDATA_KERMON, &size));
	reader_close(reader);
}

static void expect_note(struct __test_metadata *_metadata,
			struct reader *reader, const char *note)
{
	const void *notes;
	size_t size;

	notes = reader_feature(reader, PERFDATA_KERMON, &size);
	ASSERT_NE(NULL, notes);
	EXPECT_NE(NULL, memmem(notes, size, note, strlen(note)));
}

/* Of a complete file that is truncated in the data, and in the features at its end. */
TEST_F(writer, names_of_a_file_cut_off)
{
	struct perfdata_header header;
	struct damages damages = { .nr = 0 };
	uint64_t cut[3], end;
	struct reader *reader;
	struct stat status;
	size_t size;

	ASSERT_EQ(0, kermon_writer_note(self->writer, "sets", "%d", 4));
	write_log(_metadata, self);
	ASSERT_EQ(0, kermon_writer_note(self->writer, "complete", "%d", 1));
	ASSERT_EQ(0, kermon_writer_finish(self->writer));
	ASSERT_EQ(sizeof(header), pread(self->file.fd, &header, sizeof(header), 0));
	ASSERT_EQ(0, fstat(self->file.fd, &status));
	ASSERT_EQ(0, reader_open(self->file.path, &reader, &damages));
	expect_note(_metadata, reader, "complete=1");
	EXPECT_EQ(0, damages.nr);
	reader_close(reader);
	end = header.data.offset + header.data.size;
	cut[0] = end + 40;		/* in the table */
	cut[1] = end;
	cut[2] = status.st_size / 2;
	for (int i = 0; i < 3; i++) {
		damages.nr = 0;
		ASSERT_EQ(0, ftruncate(self->file.fd, cut[i]));
		ASSERT_EQ(0, reader_open(self->file.path, &reader, &damages));
		EXPECT_LT(0, damages.nr);
		expect_note(_metadata, reader, "sets=4");
		EXPECT_NE(NULL, reader_feature(reader, PERFDATA_EVENT_DESC,
					       &size));
		reader_close(reader);
	}
}

/* A file that is truncated in its header is not searched any further. */
TEST_F(writer, cut_off_in_the_head)
{
	struct perfdata_header header;
	struct reader *reader;
	off_t at;

	write_log(_metadata, self);
	ASSERT_EQ(sizeof(header), pread(self->file.fd, &header, sizeof(header), 0));
	for (at = header.data.offset; at >= 0; at -= 7) {
		struct damages damages = { .nr = 0 };

		ASSERT_EQ(0, ftruncate(self->file.fd, at));
		if (!reader_open(self->file.path, &reader, &damages))
			reader_close(reader);
		EXPECT_LT(0, damages.nr);
	}
}

/* Invalid records are rejected before anything beyond them is read. */
TEST_F(writer, bad_records)
{
	struct logged good = make_record(self, 0), bad;
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
	EXPECT_BAD(bad.sample.record.cpu = NR_CPUS);
	/* The same, but without anything after it. */
	bad = good;
	bad.sample.record.size = sizeof(bad) - 8;
	EXPECT_EQ(-EBADMSG,
		  kermon_writer_log(writer, &bad, bad.sample.record.size));
	EXPECT_EQ(0, kermon_writer_log(writer, &good, sizeof(good)));
}

/* A full disk is reported immediately, and again at the end. */
TEST(full_disk)
{
	struct kermon_info info = { .fixed = 3, .tsc_khz = GHZ2 };
	struct kermon_selection selection = { 0 };
	struct kermon_writer *writer;
	struct kermon_clock clock;
	struct kermon_writer_options options = {
		.size = sizeof(options),
		.events = &selection,
		.count = KERMON_COUNT_USER,
		.info = &info,
		.clock = &clock,
	};

	kermon_clock_init(&clock, GHZ2);
	kermon_clock_set(&clock, 0, 1, 1);
	options.fd = open("/dev/full", O_WRONLY);
	ASSERT_GE(options.fd, 0);
	ASSERT_EQ(0, kermon_writer_open(&writer, &options));
	EXPECT_EQ(-ENOSPC, kermon_writer_save(writer));
	EXPECT_EQ(-ENOSPC, kermon_writer_finish(writer));
	kermon_writer_close(writer);
	close(options.fd);
}

TEST_HARNESS_MAIN
