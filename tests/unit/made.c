// SPDX-License-Identifier: GPL-2.0
/* JIT code, which is in no file. */
#include <stdio.h>
#include <time.h>

#include "flow/pipeline.h"
#include "lines/lines.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define SAMPLES_MAX	8
#define PID		2000000000	/* that no process has */
#define CODE		0x7f0000001000ULL

struct seen {
	const char *dso;
	const char *symbol;
	uint64_t inside;	/* bytes from its start */
	const char *file;	/* of the source */
	unsigned int line;
};

FIXTURE(made)
{
	struct synthetic file;
	struct pipeline pipeline;
	struct seen seen[SAMPLES_MAX];
	size_t nr;
	char path[64];
};

/* As used by a script and by a table. */
static void see_line(FIXTURE_DATA(made) *self, const struct place *place,
		     struct seen *seen)
{
	const struct symbol_sources *sources = &self->pipeline.sources;
	const struct source *source = dso_source(place->dso, sources,
						 place->offset);
	const struct source_line *line = dso_line(place->dso, sources,
						  place->offset);

	if (!source != !line)
		abort();
	if (!line)
		return;
	if (source->nr != 1 || source->lines[0].file != line->file ||
	    source->lines[0].line != line->line || line->function)
		abort();
	seen->file = line->file;
	seen->line = line->line;
}

static int see(void *context, const struct pipeline_sample *sample)
{
	FIXTURE_DATA(made) *self = context;
	struct place place = places_find(self->pipeline.places, sample->thread,
					    record_mode(sample->record),
					    sample->fields->ip, 0);
	struct seen *seen = &self->seen[self->nr++];

	if (self->nr > SAMPLES_MAX)
		return -E2BIG;
	seen->dso = place.dso ? place.dso->name : "";
	seen->symbol = "";
	if (!place.symbol)
		return 0;
	seen->symbol = symbol_name(place.dso, place.symbol);
	seen->inside = place.offset - place.symbol->start;
	see_line(self, &place, seen);
	return 0;
}

static const struct pipeline_consumer eye = { .sample = see };
static const char *const events[] = { "cycles", NULL };

FIXTURE_SETUP(made)
{
	ASSERT_EQ(0, pipeline_init(&self->pipeline, &eye, self, NULL));
	synthetic_begin(&self->file, events);
	*self->path = '\0';
}

FIXTURE_TEARDOWN(made)
{
	pipeline_end(&self->pipeline);
	synthetic_end(&self->file);
	unlink(self->path);
}

static void write_file(const char *path, const void *data, size_t size)
{
	FILE *file = fopen(path, "wx");

	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		abort();
}

static void put_sample(struct synthetic *file, uint64_t ip, uint64_t time)
{
	synthetic_sample(file, &(struct synthetic_sample){
		.pid = PID, .tid = PID, .time = time, .ip = ip, .period = 1,
	});
}

static int read_file(FIXTURE_DATA(made) *self)
{
	synthetic_finish(&self->file);
	return pipeline_read(&self->pipeline, self->file.path);
}

/* The names of a process in its perf-PID.map; the last one counts. */
TEST_F(made, perf_map)
{
	static const char text[] =
		"7f0000001000 20 LazyCompile:~first a b.js:1\n"
		"not a line\n"
		"7f0000001020 0 empty\n"
		"7f0000001040 10 replaced\n"
		"7f0000001040 10 second\n";
	static const char *const names[] = {
		"LazyCompile:~first a b.js:1", "", "second", "",
	};
	static const uint64_t places[] = { CODE + 8, CODE + 0x20, CODE + 0x40,
					   CODE + 0x50 };

	snprintf(self->path, sizeof(self->path), "/tmp/perf-%d.map", PID);
	write_file(self->path, text, strlen(text));
	synthetic_mmap(&self->file, PID, CODE, 0x1000, 0, "//anon", 1);
	for (size_t i = 0; i < 4; i++)
		put_sample(&self->file, places[i], 2);
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(4, self->nr);
	for (size_t i = 0; i < 4; i++) {
		EXPECT_STREQ("[JIT] tid 2000000000", self->seen[i].dso);
		EXPECT_STREQ(names[i], self->seen[i].symbol);
	}
	EXPECT_EQ(8, self->seen[0].inside);
}

/* A link may lead to a file that must not be read. */
TEST_F(made, perf_map_that_is_a_link)
{
	static const char text[] = "7f0000001000 20 name\n";
	char target[] = "/tmp/kermon-unit-target-XXXXXX";
	int fd = mkstemp(target);

	ASSERT_LE(0, fd);
	ASSERT_EQ(strlen(text), write(fd, text, strlen(text)));
	close(fd);
	snprintf(self->path, sizeof(self->path), "/tmp/perf-%d.map", PID);
	ASSERT_EQ(0, symlink(target, self->path));
	synthetic_mmap(&self->file, PID, CODE, 0x1000, 0, "//anon", 1);
	put_sample(&self->file, CODE, 2);
	EXPECT_EQ(0, read_file(self));
	unlink(target);
	ASSERT_EQ(1, self->nr);
	EXPECT_STREQ("", self->seen[0].symbol);
}

/* A dump of functions, as long as it is so far. */
struct dump {
	unsigned char bytes[1024];
	size_t size;
};

struct line {
	uint64_t at;
	uint32_t line;
	const char *file;
};

static void dump_put(struct dump *dump, const void *data, size_t size)
{
	if (size > sizeof(dump->bytes) - dump->size)
		abort();
	memcpy(dump->bytes + dump->size, data, size);
	dump->size += size;
}

static void dump_begin(struct dump *dump)
{
	const struct {
		uint32_t magic, version, size, machine, pad, pid;
		uint64_t time, flags;
	} header = { .magic = 0x4a695444, .version = 1, .size = 40,
		     .pid = PID };

	*dump = (struct dump){};
	dump_put(dump, &header, sizeof(header));
}

static void dump_load(struct dump *dump, uint64_t time, uint64_t address,
		      uint64_t index, const char *name)
{
	static const unsigned char code[16];
	const struct {
		uint32_t type, size;
		uint64_t time;
		uint32_t pid, tid;
		uint64_t vma, address, size_of_code, index;
	} load = { .size = sizeof(load) + strlen(name) + 1 + sizeof(code),
		   .time = time, .pid = PID, .tid = PID, .vma = address,
		   .address = address, .size_of_code = sizeof(code),
		   .index = index };

	dump_put(dump, &load, sizeof(load));
	dump_put(dump, name, strlen(name) + 1);
	dump_put(dump, code, sizeof(code));
}

static void dump_move(struct dump *dump, uint64_t time, uint64_t to,
		      uint64_t index)
{
	const struct {
		uint32_t type, size;
		uint64_t time;
		uint32_t pid, tid;
		uint64_t vma, from, to, size_of_code, index;
	} move = { .type = 1, .size = sizeof(move), .time = time, .pid = PID,
		   .tid = PID, .to = to, .size_of_code = 16, .index = index };

	dump_put(dump, &move, sizeof(move));
}

/* The lines of the function that is put at @address next: offset and line. */
static void dump_lines(struct dump *dump, uint64_t address, uint64_t nr,
		       const struct line *lines)
{
	struct {
		uint32_t type, size;
		uint64_t time, address, nr;
	} head = { .type = 2, .size = sizeof(head), .address = address,
		   .nr = nr };
	struct {
		uint64_t address;
		uint32_t line, discriminator;
	} entry = { .discriminator = 1 };

	for (uint64_t i = 0; i < nr; i++)
		head.size += sizeof(entry) + strlen(lines[i].file) + 1;
	dump_put(dump, &head, sizeof(head));
	for (uint64_t i = 0; i < nr; i++) {
		entry.address = address + lines[i].at;
		entry.line = lines[i].line;
		dump_put(dump, &entry, sizeof(entry));
		dump_put(dump, lines[i].file, strlen(lines[i].file) + 1);
	}
}

static void begin_dump(FIXTURE_DATA(made) *self, struct dump *dump,
		       bool monotonic)
{
	synthetic_start_with(&self->file, events, ~0U,
			     &(struct perf_event_attr){
		.use_clockid = monotonic, .clockid = CLOCK_MONOTONIC,
	});
	snprintf(self->path, sizeof(self->path), "/tmp/jit-%d.dump", PID);
	dump_begin(dump);
}

/* The function at an address depends on the time of the sample. */
TEST_F(made, jitdump)
{
	static const char *const names[] = {
		"", "first", "second", "first", "first", ""
	};
	struct dump dump;

	begin_dump(self, &dump, true);
	dump_load(&dump, 20, CODE, 0, "first");
	dump_move(&dump, 30, CODE + 0x100, 0);
	dump_load(&dump, 30, CODE, 1, "second");
	dump_load(&dump, 90, CODE, 2, "cut off");
	write_file(self->path, dump.bytes, dump.size - 1);
	synthetic_mmap(&self->file, PID, CODE, 0x1000, 0, "//anon", 5);
	synthetic_mmap(&self->file, PID, 0x10000, 0x1000, 0, self->path, 6);
	put_sample(&self->file, CODE + 4, 10);
	put_sample(&self->file, CODE + 4, 20);
	put_sample(&self->file, CODE + 4, 30);
	put_sample(&self->file, CODE + 0x104, 31);
	put_sample(&self->file, CODE + 0x10f, 32);
	put_sample(&self->file, CODE + 0x110, 100);
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(6, self->nr);
	for (size_t i = 0; i < 6; i++)
		EXPECT_STREQ(names[i], self->seen[i].symbol);
	EXPECT_STREQ("[JIT] tid 2000000000", self->seen[0].dso);
	EXPECT_STREQ("jit-2000000000.dump", self->seen[1].dso);
	EXPECT_EQ(4, self->seen[3].inside);
}

/* "\xff" is the file of the preceding line; bytes before the first line have none. */
static const struct line first_lines[] = {
	{ 4, 10, "a.js" }, { 8, 12, "\xff" }, { 8, 13, "b.js" },
	{ 12, 0, "b.js" }, { 100, 14, "outside.js" },
};

/* They belong to the code, wherever it is moved to. */
TEST_F(made, jitdump_with_lines)
{
	static const struct line last[] = { { 0, 7, "\xff" }, { 1, 8, "c.js" } };
	static const struct {
		uint64_t address;
		uint64_t time;
		const char *file;
		unsigned int line;
	} places[] = {
		{ CODE + 3, 20, NULL, 0 }, { CODE + 4, 20, "a.js", 10 },
		{ CODE + 0x108, 31, "b.js", 13 }, { CODE + 0x10c, 31, NULL, 0 },
		{ CODE, 31, NULL, 0 }, { CODE + 0x200, 50, NULL, 0 },
		{ CODE + 0x20f, 50, "c.js", 8 },
	};
	struct dump dump;

	begin_dump(self, &dump, true);
	dump_lines(&dump, CODE, 5, first_lines);
	dump_load(&dump, 20, CODE, 0, "first");
	dump_move(&dump, 30, CODE + 0x100, 0);
	dump_load(&dump, 30, CODE, 1, "no lines");
	dump_lines(&dump, CODE + 0x200, 2, last);
	dump_load(&dump, 40, CODE + 0x200, 2, "last");
	write_file(self->path, dump.bytes, dump.size);
	synthetic_mmap(&self->file, PID, 0x10000, 0x1000, 0, self->path, 6);
	for (size_t i = 0; i < 7; i++)
		put_sample(&self->file, places[i].address, places[i].time);
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(7, self->nr);
	for (size_t i = 0; i < 7; i++) {
		EXPECT_STRNE("", self->seen[i].symbol);
		EXPECT_EQ(places[i].line, self->seen[i].line);
		EXPECT_STREQ(places[i].file ? places[i].file : "",
			     self->seen[i].file ? self->seen[i].file : "");
	}
}

/* Without the clock it is unknown which code was there: no guess is made. */
TEST_F(made, jitdump_with_another_clock)
{
	struct dump dump;

	begin_dump(self, &dump, false);
	dump_load(&dump, 1, CODE, 0, "first");
	write_file(self->path, dump.bytes, dump.size);
	synthetic_mmap(&self->file, PID, CODE, 0x1000, 0, "//anon", 5);
	synthetic_mmap(&self->file, PID, 0x10000, 0x1000, 0, self->path, 6);
	put_sample(&self->file, CODE, 10);
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(1, self->nr);
	EXPECT_STREQ("", self->seen[0].symbol);
	EXPECT_EQ(SYMBOLS_OTHER_CLOCK,
		  dsos_get_as(&self->pipeline.dsos, self->path,
			      DSO_JITDUMP)->symbols->state);
}

static void put_ksymbol(struct synthetic *file, uint64_t address,
			const char *name, uint16_t flags, uint64_t time)
{
	struct {
		uint64_t address;
		uint32_t length;
		uint16_t type, flags;
		char name[32];
	} body = { .address = address, .length = 64,
		   .type = PERF_RECORD_KSYMBOL_TYPE_BPF, .flags = flags };

	strncpy(body.name, name, sizeof(body.name) - 1);
	synthetic_record(file, PERF_RECORD_KSYMBOL, 0, &body, sizeof(body), 0,
			 0, time);
}

TEST_F(made, functions_of_the_kernel)
{
	const uint64_t address = 0xffffffffc0001000ULL;
	const uint64_t places[] = { address + 32, address + 64, address + 32 };
	const uint64_t times[] = { 10, 11, 30 };
	struct perf_event_header *header;

	put_ksymbol(&self->file, address, "bpf_prog_1234_name", 0, 1);
	put_ksymbol(&self->file, address, "bpf_prog_1234_name",
		    PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER, 20);
	for (size_t i = 0; i < 3; i++) {
		header = (void *)(self->file.bytes + self->file.size);
		put_sample(&self->file, places[i], times[i]);
		header->misc = PERF_RECORD_MISC_KERNEL;
	}
	ASSERT_EQ(0, read_file(self));
	ASSERT_EQ(3, self->nr);
	EXPECT_STREQ("bpf_prog_1234_name", self->seen[0].dso);
	EXPECT_STREQ("bpf_prog_1234_name", self->seen[0].symbol);
	EXPECT_EQ(32, self->seen[0].inside);
	EXPECT_STREQ("", self->seen[1].dso);
	EXPECT_STREQ("", self->seen[2].dso);
}

TEST_HARNESS_MAIN
