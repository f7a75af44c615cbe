// SPDX-License-Identifier: GPL-2.0
/* Code that is in no file: made at run time by programs. */
#include <stdio.h>

#include "pipeline.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define SAMPLES_MAX	8
#define PID		2000000000	/* that no process has */
#define CODE		0x7f0000001000ULL

struct seen {
	const char *dso;
	const char *symbol;
	uint64_t inside;	/* bytes from its start */
};

FIXTURE(made)
{
	struct synthetic file;
	struct pipeline pipeline;
	struct seen seen[SAMPLES_MAX];
	size_t nr;
	char path[64];
};

static int see(void *context, const struct pipeline_sample *sample)
{
	FIXTURE_DATA(made) *self = context;
	struct place place = pipeline_place(&self->pipeline, sample->thread,
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
	return 0;
}

static const struct pipeline_consumer eye = { .sample = see };
static const char *const events[] = { "cycles", NULL };

FIXTURE_SETUP(made)
{
	ASSERT_EQ(0, pipeline_init(&self->pipeline, &eye, self));
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

/* The names of a process that told them in a file; the last word counts. */
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

/* A link may lead to what is nobody's business. */
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

TEST_HARNESS_MAIN
