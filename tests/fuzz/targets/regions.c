// SPDX-License-Identifier: GPL-2.0
/*
 * Marks of regions: every 16 bytes are a mark, a name, or the end of a task. Whatever they
 * are, self times add up to the time of all threads, and nothing takes more memory than there
 * are marks.
 */
#include <string.h>

#include "../input.h"
#include "marks/ring.h"
#include "regions/regions.h"

#define STEP	16

/* What a step says. */
struct step {
	uint8_t what;
	uint8_t pid;
	uint8_t tid;
	uint8_t id;
	uint32_t delay;
	uint64_t value;
};

static const struct perf_event_attr mark_attr = {
	.type = PERF_TYPE_TRACEPOINT, .config = PERFDATA_REGION_ID,
};
static const struct perf_event_attr name_attr = {
	.type = PERF_TYPE_TRACEPOINT, .config = PERFDATA_REGION_NAME_ID,
};

static void give(struct regions *regions, const struct perf_event_attr *attr,
		 const struct step *step, uint64_t time, const void *data, size_t size)
{
	const struct regions_sample sample = {
		.attr = attr, .raw = data, .raw_size = size, .pid = step->pid % 3,
		.tid = step->tid % 5, .time = time, .comm = "",
	};
	char text[512];

	promise(regions_text(regions, &sample, text, sizeof(text)) >= 0);
	promise(!regions_mark(regions, &sample));
}

static void give_mark(struct regions *regions, const struct step *step, uint64_t time)
{
	const struct perfdata_mark mark = {
		.common.type = PERFDATA_REGION_ID,
		.kind = step->what % (MARK_MAX + 1), .id = step->id % 8,
		.values = { step->value, step->value >> 32 },
	};

	give(regions, &mark_attr, step, time, &mark, sizeof(mark));
}

/* Of the eight bytes of the value, which have many blanks and few letters. */
static void give_name(struct regions *regions, const struct step *step, uint64_t time)
{
	const struct perfdata_name name = {
		.common.type = PERFDATA_REGION_NAME_ID, .id = step->id % 8,
		.kind = step->what % 8, .thread = step->tid % 5,
		.name = sizeof(name) | 8U << 16,
	};
	char data[sizeof(name) + 8];

	memcpy(data, &name, sizeof(name));
	for (int i = 0; i < 8; i++)
		data[sizeof(name) + i] = " ab\0"[step->value >> 8 * i & 3];
	give(regions, &name_attr, step, time, data, sizeof(data));
}

static void give_task(struct regions *regions, const struct step *step, uint64_t time)
{
	static const uint32_t types[] = {
		PERF_RECORD_EXIT, PERF_RECORD_FORK, PERF_RECORD_COMM, PERF_RECORD_LOST,
	};
	struct {
		struct perf_event_header header;
		uint32_t pid, ppid, tid, ptid;
	} body = {
		.pid = step->pid % 3, .ppid = step->value % 3, .tid = step->tid % 5,
	};
	const struct record record = {
		.data = (const void *)&body, .size = sizeof(body), .type = types[step->id % 4],
		.misc = PERF_RECORD_MISC_COMM_EXEC, .time = time,
	};

	promise(!regions_record(regions, &record));
}

static uint64_t self_of_all(const struct regions *regions, const struct region_sum *sums)
{
	uint64_t self = 0;

	for (uint32_t i = 0; regions_node(regions, i); i++)
		self += sums[i].self;
	return self;
}

static void check(struct regions *regions)
{
	const struct region_thread *thread;
	struct region_sum *sums;
	uint64_t whole = 0;

	promise(!regions_end(regions));
	for (size_t i = 0; (thread = regions_thread(regions, i)); i++)
		whole += thread->last - thread->first;
	promise(!regions_sum(regions, NULL, &sums));
	promise(self_of_all(regions, sums) == whole);
	promise(sums[REGIONS_OUTSIDE].total == whole);
	regions_free_sums(regions, sums);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct regions_options options = { .iterations = "a*" };
	struct regions *regions = regions_new(&options);
	uint64_t time = 1;
	struct step step;

	promise(regions);
	for (; size >= STEP; data += STEP, size -= STEP) {
		memcpy(&step, data, sizeof(step));
		time += step.delay % 1000 - (step.delay >> 31);
		if (step.what < 160)
			give_mark(regions, &step, time);
		else if (step.what < 224)
			give_name(regions, &step, time);
		else
			give_task(regions, &step, time);
	}
	check(regions);
	regions_free(regions);
	return 0;
}
