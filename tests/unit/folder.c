// SPDX-License-Identifier: GPL-2.0
/* The files of a directory are read side by side, and records are delivered in order. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "flow/order.h"
#include "perfdata/read/read.h"

#include "synthetic.h"

#include "kselftest_harness.h"

#define FILES	3
#define SAMPLES	6000		/* of each file */
#define SIZE	sizeof(struct perfdata_sample)

static const char *const events[] = { "one", NULL };

FIXTURE(folder)
{
	struct synthetic file;
	char path[32];
};

static void save(const char *folder, const char *name, const void *data,
		 size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "we");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		abort();
}

/* The first file has one sample for a hundred of the others. */
static uint64_t step(unsigned int lane)
{
	return lane ? 10 : 1000;
}

static void save_lane(FIXTURE_DATA(folder) *self, unsigned int lane)
{
	struct synthetic *file = &self->file;
	char name[16];

	file->size = 0;
	for (uint64_t i = 1; i <= SAMPLES; i++)
		synthetic_sample(file, &(struct synthetic_sample){
			.pid = 1, .tid = 1, .cpu = lane, .period = 1,
			.time = i * step(lane) + lane,
		});
	snprintf(name, sizeof(name), "data.%u", lane);
	save(self->path, name, file->bytes, file->size);
}

FIXTURE_SETUP(folder)
{
	strcpy(self->path, "/tmp/kermon-folder-XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->path));
	synthetic_begin(&self->file, events);
	synthetic_comm(&self->file, 1, 1, "task", 1, false);
	synthetic_finish(&self->file);
	save(self->path, "data", self->file.bytes, self->file.size);
	save(self->path, "data.txt", "not one of them", 15);
	for (unsigned int lane = 0; lane < FILES; lane++)
		save_lane(self, lane);
}

static void drop(const char *folder, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	unlink(path);
}

FIXTURE_TEARDOWN(folder)
{
	static const char *const names[] = {
		"data", "data.txt", "data.0", "data.1", "data.2",
	};

	for (size_t i = 0; i < 5; i++)
		drop(self->path, names[i]);
	rmdir(self->path);
	synthetic_end(&self->file);
}

struct seen {
	struct reader *reader;
	struct order *order;
	struct damages damages;
	uint64_t samples;
	uint64_t time;
	uint64_t late;
	uint64_t waiting;
	uint64_t most;
};

static int see_ordered(void *context, const struct record *record)
{
	struct seen *seen = context;

	if (record->type == PERF_RECORD_SAMPLE) {
		seen->samples++;
		seen->waiting--;
		seen->late += record->time < seen->time;
		seen->time = record->time;
	}
	reader_release(seen->reader, record);
	return 0;
}

static int see(void *context, const struct record *record)
{
	struct seen *seen = context;

	seen->waiting += record->type == PERF_RECORD_SAMPLE;
	if (seen->waiting > seen->most)
		seen->most = seen->waiting;
	return order_record(seen->order, record);
}

static int walk(const char *path, struct seen *seen)
{
	int err = reader_open(path, &seen->reader, &seen->damages);

	if (err)
		return err;
	seen->order = order_new(see_ordered, seen);
	err = reader_walk(seen->reader, see, seen);
	if (!err)
		err = order_flush(seen->order);
	order_free(seen->order);
	return err;
}

TEST_F(folder, all_in_order)
{
	struct seen seen = { 0 };

	ASSERT_EQ(0, walk(self->path, &seen));
	EXPECT_EQ(0, seen.damages.nr);
	EXPECT_EQ(FILES * SAMPLES, seen.samples);
	EXPECT_EQ(0, seen.late);
	/* no more than a few rounds of what is read at a time wait */
	EXPECT_LT(seen.most, 2 * SAMPLES + 4 * (256 << 10) / SIZE);
	reader_close(seen.reader);
}

/* The offset of damage is given per file. */
TEST_F(folder, damaged_file)
{
	struct seen seen = { 0 };

	save(self->path, "data.1", "no record that is", 17);
	ASSERT_EQ(0, walk(self->path, &seen));
	EXPECT_EQ((FILES - 1) * SAMPLES, seen.samples);
	ASSERT_EQ(1, seen.damages.nr);
	EXPECT_EQ(0, seen.damages.kept[0].offset);
	EXPECT_EQ(0, strncmp(seen.damages.kept[0].text, "data.1: ", 8));
	reader_close(seen.reader);
}

TEST_F(folder, empty_file)
{
	struct seen seen = { 0 };

	save(self->path, "data.2", "", 0);
	ASSERT_EQ(0, walk(self->path, &seen));
	EXPECT_EQ((FILES - 1) * SAMPLES, seen.samples);
	EXPECT_EQ(0, seen.damages.nr);
	reader_close(seen.reader);
}

TEST_F(folder, no_header)
{
	struct seen seen = { 0 };

	drop(self->path, "data");
	EXPECT_EQ(-EINVAL, walk(self->path, &seen));
	EXPECT_EQ(1, seen.damages.nr);
}

TEST_HARNESS_MAIN
