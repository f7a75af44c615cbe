// SPDX-License-Identifier: GPL-2.0
/*
 * Everything that is written is read again, by the reader and by stock perf, with the
 * same meaning: a table of the features and one of the records. What is written and has
 * no line here fails the test.
 */
#include <cpuid.h>
#include <stdarg.h>
#include <sys/utsname.h>
#include <time.h>

#include <kermon/version.h>

#include "perfdata/format/format.h"
#include "perfdata/text/text.h"
#include "perfdata/write/writer_private.h"

#include "made_machine.h"
#include "self.h"
#include "written.h"

#include "kselftest_harness.h"

#define TEXT_SIZE	(1 << 16)
#define TYPES		128

FIXTURE(roundtrip)
{
	struct written file;
	char root[32];
	struct damages damages;
	struct reader *reader;
	uint64_t first_time;
	char perf[TEXT_SIZE];
};

FIXTURE_VARIANT(roundtrip)
{
	enum kermon_clock_kind clock;
	int compression;
};

FIXTURE_VARIANT_ADD(roundtrip, perf_clock)
{
	.clock = KERMON_CLOCK_PERF,
};

FIXTURE_VARIANT_ADD(roundtrip, pairs_of_clocks)
{
	.clock = KERMON_CLOCK_PAIRS,
};

FIXTURE_VARIANT_ADD(roundtrip, compressed)
{
	.clock = KERMON_CLOCK_PERF,
	.compression = 3,
};

/* What the kernel would write to the side-band, in that order. */
static struct sideband_record {
	struct perf_event_header header;
	uint64_t body[12];
	struct perfdata_sample_id id;
} sideband[] = {
	{ .header = { PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 0 } },
	{ .header = { PERF_RECORD_FORK, 0, 0 } },
	{ .header = { PERF_RECORD_EXIT, 0, 0 } },
	{ .header = { PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 0 } },
	{ .header = { PERF_RECORD_LOST, 0, 0 } },
	{ .header = { PERF_RECORD_THROTTLE, 0, 0 } },
	{ .header = { PERF_RECORD_UNTHROTTLE, 0, 0 } },
};

#define NR_SIDEBAND	(sizeof(sideband) / sizeof(sideband[0]))

static uint64_t two(uint32_t first, uint32_t second)
{
	return first | (uint64_t)second << 32;
}

/* Bodies have one length, longer than necessary: text ends where it ends. */
static void fill_sideband(uint64_t time)
{
	const uint64_t self = two(getpid(), getpid());
	const uint64_t parent = two(getppid(), getppid());

	for (size_t i = 0; i < NR_SIDEBAND; i++) {
		sideband[i].header.size = sizeof(sideband[i]);
		sideband[i].id = (struct perfdata_sample_id){
			.pid = getpid(), .tid = getpid(), .time = time,
			.id = ATTRS_FIRST_ID + NR_EVENTS * NR_CPUS,
		};
		sideband[i].body[0] = self;
	}
	memcpy(&sideband[0].body[1], "renamed", 8);
	for (size_t i = 1; i < 3; i++)
		memcpy(sideband[i].body, (uint64_t[]){ parent, parent, time },
		       3 * sizeof(uint64_t));
	memcpy(&sideband[3].body[1], (uint64_t[]){ 1 << 20, 1 << 12, 0 },
	       3 * sizeof(uint64_t));
	memcpy(&sideband[3].body[8], "/no/where", 10);
	sideband[4].body[0] = ATTRS_FIRST_ID + NR_EVENTS * NR_CPUS;
	sideband[4].body[1] = 3;
	for (size_t i = 5; i < NR_SIDEBAND; i++)
		memcpy(sideband[i].body, (uint64_t[]){
			time, ATTRS_FIRST_ID, ATTRS_FIRST_ID },
		       3 * sizeof(uint64_t));
}

static int write_all_kinds(struct written *file)
{
	struct kermon_writer *writer = file->writer;
	struct logged sample = logged_sample(0, 1ULL << 40, 2000000);
	const struct kermon_lost lost = {
		.record = { KERMON_RECORD_LOST, sizeof(lost), 1 }, .lost = 5,
	};
	int err = kermon_writer_start(writer, getpid());

	sample.values[0] = 4711;
	fill_sideband(kermon_clock_time(&file->clock, 1ULL << 40));
	for (size_t i = 0; i < NR_SIDEBAND && !err; i++)
		err = kermon_writer_sideband(writer, &sideband[i].header);
	if (!err)
		err = kermon_writer_log(writer, &sample, sizeof(sample));
	if (!err)
		err = kermon_writer_log(writer, &lost, sizeof(lost));
	if (!err)
		err = kermon_writer_round(writer);
	if (!err)
		err = kermon_writer_note(writer, "version", "%d", 1);
	return err ? err : kermon_writer_finish(writer);
}

/* All messages of perf; returns its status. */
static int ask_perf(FIXTURE_DATA(roundtrip) *self, const char *how)
{
	FILE *out = written_perf(&self->file, how);
	size_t size = fread(self->perf, 1, sizeof(self->perf) - 1, out);

	self->perf[size] = '\0';
	while (fgetc(out) != EOF)
		;
	return pclose(out);
}

FIXTURE_SETUP(roundtrip)
{
	self->damages = (struct damages){ .nr = 0 };
	strcpy(self->root, "/tmp/kermon-machine-XXXXXX");
	ASSERT_EQ(0, made_machine(self->root));
	self->file.compression = variant->compression;
	ASSERT_EQ(0, written_begin(&self->file, variant->clock));
	self->file.writer->root = self->root;
	ASSERT_EQ(0, write_all_kinds(&self->file));
	ASSERT_EQ(0, reader_open(self->file.path, &self->reader,
				 &self->damages));
	self->first_time = kermon_clock_time(&self->file.clock,
					     (1ULL << 40) + 2000000);
}

FIXTURE_TEARDOWN(roundtrip)
{
	EXPECT_EQ(0, self->damages.nr);
	reader_close(self->reader);
	written_end(&self->file);
	made_machine_end(self->root);
}

static char value[512];

static const char *put(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

static const char *put(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	return value;
}

static const struct utsname *system_name(void)
{
	static struct utsname name;

	uname(&name);
	return &name;
}

static const char *host_name(const FIXTURE_DATA(roundtrip) *self)
{
	(void)self;
	return system_name()->nodename;
}

static const char *release(const FIXTURE_DATA(roundtrip) *self)
{
	(void)self;
	return system_name()->release;
}

static const char *version(const FIXTURE_DATA(roundtrip) *self)
{
	(void)self;
	return put("kermon %s", kermon_version());
}

static const char *cpus(const FIXTURE_DATA(roundtrip) *self)
{
	(void)self;
	return put("%ld", sysconf(_SC_NPROCESSORS_ONLN));
}

/* As the kernel names it: on a virtual machine, CPUID may answer programs otherwise. */
static const char *cpu(const FIXTURE_DATA(roundtrip) *self)
{
	FILE *info = fopen("/proc/cpuinfo", "r");
	char line[256], name[256] = "no name in /proc/cpuinfo";

	(void)self;
	while (info && fgets(line, sizeof(line), info) &&
	       sscanf(line, "model name : %255[^\n]", name) != 1)
		;
	if (info)
		fclose(info);
	return put("%s", name);
}

static const char *vendor(const FIXTURE_DATA(roundtrip) *self)
{
	unsigned int words[4] = { 0 }, most;

	(void)self;
	__get_cpuid(0, &most, &words[0], &words[2], &words[1]);
	return put("%s,", (char *)words);
}

static const char *memory(const FIXTURE_DATA(roundtrip) *self)
{
	(void)self;
	return put("%ld kB", sysconf(_SC_PHYS_PAGES) *
			     (sysconf(_SC_PAGESIZE) / 1024));
}

static const char *own_build_id(const FIXTURE_DATA(roundtrip) *self)
{
	struct build_id id = self_build_id();

	(void)self;
	*value = '\0';
	for (size_t i = 0; i < id.size; i++)
		sprintf(value + 2 * i, "%02x", id.bytes[i]);
	return value;
}

static const char *first_sample(const FIXTURE_DATA(roundtrip) *self)
{
	return put("%llu.%06llu",
		   (unsigned long long)self->first_time / 1000000000,
		   (unsigned long long)self->first_time / 1000 % 1000000);
}

/*
 * @value: what has to be in the line of "kermon header", and in what perf says: NULL
 *	if that is a constant, @ours and @theirs
 * @theirs: NULL: the feature is ours, and perf has no idea of it
 */
static const struct {
	enum perfdata_feature bit;
	const char *(*value)(const FIXTURE_DATA(roundtrip) *self);
	const char *ours, *theirs;
} features[] = {
	{ PERFDATA_BUILD_ID, own_build_id, "", "" },
	{ PERFDATA_HOSTNAME, host_name, "", "# hostname : " },
	{ PERFDATA_OSRELEASE, release, "", "# os release : " },
	{ PERFDATA_VERSION, version, "", "# perf version : " },
	{ PERFDATA_ARCH, NULL, "x86_64", "# arch : x86_64\n" },
	{ PERFDATA_NRCPUS, cpus, "", "# nrcpus online : " },
	{ PERFDATA_CPUDESC, cpu, "", "# cpudesc : " },
	{ PERFDATA_CPUID, vendor, "", "# cpuid : " },
	{ PERFDATA_TOTAL_MEM, memory, "", "# total memory : " },
	{ PERFDATA_CMDLINE, NULL, "kermon run 'a command'",
	  "# cmdline : kermon run a command \n" },
	{ PERFDATA_EVENT_DESC, NULL, "11 of 128 bytes each",
	  "# event : name = MEM_UOPS_RETIRED:ALL_LOADS:u, " },
	{ PERFDATA_CPU_TOPOLOGY, NULL,
	  "sibling cores 0-4\nsibling threads 0-1\nsibling threads 2-3\n"
	  "sibling threads 4\ntopology CPU 0: core 0, socket 0\n"
	  "topology CPU 1: core 0, socket 0\ntopology CPU 2: core 8, socket 0\n"
	  "topology CPU 3: core 8, socket 0\ntopology CPU 4: core 9, socket 0\n"
	  "topology CPU 5: core -1, socket -1\nsibling dies 0-3\nsibling dies 4\n"
	  "topology CPU 0: die 0\ntopology CPU 1: die 0\ntopology CPU 2: die 0\n"
	  "topology CPU 3: die 0\ntopology CPU 4: die 1\ntopology CPU 5: die -1\n",
	  "# sibling sockets : 0-4\n# sibling dies    : 0-3\n"
	  "# sibling dies    : 4\n# sibling threads : 0-1\n"
	  "# sibling threads : 2-3\n# sibling threads : 4\n"
	  "# CPU 0: Core ID 0, Die ID 0, Socket ID 0\n"
	  "# CPU 1: Core ID 0, Die ID 0, Socket ID 0\n"
	  "# CPU 2: Core ID 8, Die ID 0, Socket ID 0\n"
	  "# CPU 3: Core ID 8, Die ID 0, Socket ID 0\n"
	  "# CPU 4: Core ID 9, Die ID 1, Socket ID 0\n"
	  "# CPU 5: Core ID -1, Die ID -1, Socket ID -1\n" },
	{ PERFDATA_NUMA_TOPOLOGY, NULL,
	  "NUMA node 0: CPUs 0-4, 2048 kB, 1000 kB free\n"
	  "NUMA node 2: CPUs , 0 kB, 0 kB free\n"
	  "NUMA node 10: CPUs , 4096 kB, 3000 kB free\n",
	  "# node0 meminfo  : total = 2048 kB, free = 1000 kB\n"
	  "# node0 cpu list : 0-4\n"
	  "# node2 meminfo  : total = 0 kB, free = 0 kB\n"
	  "# node2 cpu list : -1\n"
	  "# node10 meminfo  : total = 4096 kB, free = 3000 kB\n"
	  "# node10 cpu list : -1\n" },
	{ PERFDATA_PMU_MAPPINGS, NULL, "software = 1", "software = 1" },
	{ PERFDATA_CACHE, NULL,
	  "cache L1 Data 48K, 12 ways, 128 sets, 64 byte lines, CPUs 0-1\n"
	  "cache L1 Data 48K, 12 ways, 128 sets, 64 byte lines, CPUs 2-3\n"
	  "cache L1 Data 32K, 8 ways, 128 sets, 64 byte lines, CPUs 4\n"
	  "cache L2 Unified 2M, 16 ways, 128 sets, 64 byte lines, CPUs 0-4\n",
	  "# CPU cache info:\n#  L1 Data                 48K [0-1]\n"
	  "#  L1 Data                 48K [2-3]\n"
	  "#  L1 Data                 32K [4]\n"
	  "#  L2 Unified               2M [0-4]\n#" },
	{ PERFDATA_SAMPLE_TIME, first_sample, "", "# time of first sample : " },
	{ PERFDATA_MEM_TOPOLOGY, NULL,
	  "memory node 0: 2 blocks of 134217728 bytes\n"
	  "memory node 2: 0 blocks of 134217728 bytes\n"
	  "memory node 10: 2 blocks of 134217728 bytes\n",
	  "# memory nodes (nr 3, block size 0x8000000):\n"
	  /* perf prints the blocks of the node before if there are none */
	  "#    0 [256M]: 0,63\n#    2 [0B]: 0,63\n#   10 [256M]: 64,127\n" },
	{ PERFDATA_CLOCKID, NULL, "1 ns", "# clockid frequency: 1000 MHz" },
	{ PERFDATA_COMPRESSED, NULL, "zstd, level 3, ratio ",
	  "# compressed : Zstd, level = 3, ratio = " },
	{ PERFDATA_CPU_PMU_CAPS, NULL,
	  "PMU capability branches = 32\nPMU capability max_precise = 3\n",
	  "# cpu pmu capabilities: branches=32, max_precise=3\n" },
	{ PERFDATA_CLOCK_DATA, NULL, " ns since 1970\n", "# reference time: " },
	{ PERFDATA_HYBRID_TOPOLOGY, NULL,
	  "hybrid topology cpu_atom = 4\nhybrid topology cpu_core = 0-3\n",
	  "# hybrid cpu system:\n# cpu_atom cpu list : 4\n"
	  "# cpu_core cpu list : 0-3\n" },
	{ PERFDATA_PMU_CAPS, NULL,
	  "PMU capability these are of cpu_core\n"
	  "PMU capability zen4_ibs_extensions = 1\n"
	  "PMU capability these are of arch_ibs\n",
	  "# cpu_atom pmu capabilities: pmu_name=alderlake_hybrid\n"
	  "# cpu_core pmu capabilities: pmu_name=alderlake_hybrid\n"
	  "# arch_ibs pmu capabilities: zen4_ibs_extensions=1\n" },
	{ PERFDATA_KERMON, NULL, "version=1", NULL },
};

#define NR_FEATURES	(sizeof(features) / sizeof(features[0]))

/* All lines of a feature; "" if it is not there. */
static void take_line(void *context, const char *name, const char *line)
{
	char *text = context;
	size_t used = strlen(text);

	snprintf(text + used, TEXT_SIZE - used, "%s %s\n", name, line);
}

static bool is_there(const FIXTURE_DATA(roundtrip) *self, unsigned int bit)
{
	size_t size;

	return reader_feature(self->reader, bit, &size);
}

/* The index in the list of the test, or -1. */
static int index_of(int bit)
{
	for (size_t i = 0; i < NR_FEATURES; i++)
		if ((int)features[i].bit == bit)
			return i;
	return -1;
}

/* But the data of tracepoints: this file has none. */
TEST_F(roundtrip, every_feature_has_a_line_here)
{
	int bit, before = -1;
	size_t nr = 0;

	for (; (bit = features_bit(nr)) >= 0; nr++) {
		EXPECT_EQ(bit != PERFDATA_TRACING_DATA, index_of(bit) >= 0) TH_LOG("feature %d", bit);
		EXPECT_LT(before, bit);
		before = bit;
	}
	EXPECT_EQ(NR_FEATURES + 1, nr);
	EXPECT_FALSE(is_there(self, PERFDATA_TRACING_DATA));
}

TEST_F(roundtrip, features)
{
	static char text[TEXT_SIZE];
	const char *expected;
	char theirs[1024];

	for (size_t i = 0; i < NR_FEATURES; i++) {
		*text = '\0';
		EXPECT_TRUE(feature_text(self->reader, features[i].bit,
					 take_line, text));
		EXPECT_EQ((features[i].bit != PERFDATA_CLOCKID ||
			   variant->clock == KERMON_CLOCK_PAIRS) &&
			  (features[i].bit != PERFDATA_COMPRESSED ||
			   variant->compression),
			  is_there(self, features[i].bit));
		if (!is_there(self, features[i].bit))
			continue;
		expected = features[i].value ? features[i].value(self) : "";
		EXPECT_NE(NULL, strstr(text, expected)) TH_LOG("%s", text);
		EXPECT_NE(NULL, strstr(text, features[i].ours));
		if (!features[i].theirs)
			continue;
		EXPECT_EQ(0, ask_perf(self,
				      features[i].bit == PERFDATA_BUILD_ID ?
				      "buildid-list" :
				      "report --header-only -I"));
		snprintf(theirs, sizeof(theirs), "%s%s", features[i].theirs,
			 expected);
		EXPECT_NE(NULL, strstr(self->perf, theirs))
			TH_LOG("no '%s' in\n%s", theirs, self->perf);
	}
}

/* Both clocks at the same instant, and the wall clock as it is now. */
TEST_F(roundtrip, clock_data)
{
	const struct reference *written = &self->file.writer->reference;
	struct cursor c = reader_feature_cursor(self->reader,
						PERFDATA_CLOCK_DATA);
	struct timespec now;
	char theirs[256];

	clock_gettime(CLOCK_REALTIME, &now);
	EXPECT_EQ(1, cursor_u32(&c));
	EXPECT_EQ(variant->clock == KERMON_CLOCK_PAIRS ?
		  (uint32_t)CLOCK_MONOTONIC_RAW : PERFDATA_CLOCK_PERF,
		  cursor_u32(&c));
	EXPECT_EQ(written->wall, cursor_u64(&c));
	EXPECT_EQ(written->time, cursor_u64(&c));
	EXPECT_EQ(0, cursor_left(&c));
	EXPECT_GE(60, now.tv_sec - (time_t)(written->wall / 1000000000));
	EXPECT_LE(0, now.tv_sec - (time_t)(written->wall / 1000000000));
	snprintf(theirs, sizeof(theirs), "%llu.%06llu (TOD) = %llu.%09llu",
		 (unsigned long long)written->wall / 1000000000,
		 (unsigned long long)written->wall / 1000 % 1000000,
		 (unsigned long long)written->time / 1000000000,
		 (unsigned long long)written->time % 1000000000);
	ASSERT_EQ(0, ask_perf(self, "report --header-only"));
	EXPECT_NE(NULL, strstr(self->perf, theirs)) TH_LOG("%s", self->perf);
}

enum presence {
	ALWAYS,
	MAYBE,			/* the kernel's addresses may be hidden */
	IF_COMPRESSED,
};

/* What is written to a file, and by what; the side-band is the kernel's. */
static const struct {
	uint32_t type;
	enum presence presence;
	const char *theirs;	/* perf's name if it prints another one; "": it prints none */
} records[] = {
	{ PERF_RECORD_MMAP, MAYBE, NULL },
	{ PERF_RECORD_LOST, ALWAYS, NULL },
	{ PERF_RECORD_COMM, ALWAYS, NULL },
	{ PERF_RECORD_EXIT, ALWAYS, NULL },
	{ PERF_RECORD_THROTTLE, ALWAYS, NULL },
	{ PERF_RECORD_UNTHROTTLE, ALWAYS, NULL },
	{ PERF_RECORD_FORK, ALWAYS, NULL },
	{ PERF_RECORD_SAMPLE, ALWAYS, NULL },
	{ PERF_RECORD_MMAP2, ALWAYS, NULL },
	{ PERFDATA_RECORD_FINISHED_ROUND, ALWAYS, NULL },
	{ PERFDATA_RECORD_EVENT_UPDATE, ALWAYS, NULL },
	{ PERFDATA_RECORD_HEADER_FEATURE, IF_COMPRESSED, "FEATURE" },
	{ PERFDATA_RECORD_COMPRESSED, IF_COMPRESSED, "" },
};

struct seen {
	struct reader *reader;
	size_t passed_on;	/* records of the side-band */
	uint64_t nr[TYPES];
};

static int see(void *context, const struct record *record)
{
	struct seen *seen = context;
	const struct sideband_record *next = &sideband[seen->passed_on];

	if (record->type < TYPES)
		seen->nr[record->type]++;
	if (seen->passed_on < NR_SIDEBAND &&
	    record->size == sizeof(*next) &&
	    !memcmp(record->data, next, sizeof(*next)))
		seen->passed_on++;
	reader_release(seen->reader, record);
	return 0;
}

TEST_F(roundtrip, records)
{
	struct seen seen = { .reader = self->reader };
	char name[64];
	size_t nr = 0;

	ASSERT_EQ(0, reader_walk(self->reader, see, &seen));
	EXPECT_EQ(NR_SIDEBAND, seen.passed_on);
	ASSERT_EQ(0, ask_perf(self, "report -D"));
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		nr += !!seen.nr[records[i].type];
		if (!seen.nr[records[i].type] &&
		    (records[i].presence == MAYBE ||
		     (records[i].presence == IF_COMPRESSED && !variant->compression)))
			continue;
		EXPECT_LT(0, seen.nr[records[i].type])
			TH_LOG("type %u", records[i].type);
		snprintf(name, sizeof(name), "PERF_RECORD_%s", records[i].theirs ?
			 records[i].theirs : record_type(records[i].type, 0, NULL, 0)->name);
		EXPECT_NE(NULL, strstr(self->perf, name)) TH_LOG("%s", name);
	}
	for (size_t type = 0; type < TYPES; type++)
		nr -= !!seen.nr[type];
	EXPECT_EQ(0, nr) TH_LOG("%zd: a type of record has no line here", nr);
}

TEST_HARNESS_MAIN
