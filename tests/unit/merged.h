/* SPDX-License-Identifier: GPL-2.0 */
/* The counts in a merged file, of a thread or a CPU, interval by interval. */
#ifndef KERMON_TEST_MERGED_H
#define KERMON_TEST_MERGED_H

#include <stdlib.h>
#include <string.h>

#include "flow/pipeline.h"

#define MAX_COUNTS	32

/**
 * struct counts - the count of an event in each interval that has any
 * @event: its name
 * @of_cpu: @owner is a CPU, not a thread
 */
struct counts {
	const char *event;
	bool of_cpu;
	uint32_t owner;
	size_t nr;
	uint64_t times[MAX_COUNTS];
	uint64_t values[MAX_COUNTS];
};

static inline int counts_collect(void *context, const struct pipeline_sample *sample)
{
	const struct sample *fields = sample->fields;
	struct counts *counts = context;

	if ((counts->of_cpu ? fields->cpu : fields->tid) != counts->owner ||
	    strcmp(sample->event->name, counts->event))
		return 0;
	counts->times[counts->nr] = fields->time;
	counts->values[counts->nr++] = fields->period;
	return 0;
}

static inline struct counts counts_in(const char *path, bool of_cpu, uint32_t owner,
				      const char *event)
{
	static const struct pipeline_consumer collector = { .sample = counts_collect };
	struct counts counts = { .event = event, .of_cpu = of_cpu, .owner = owner };
	struct pipeline pipeline;

	if (pipeline_init(&pipeline, &collector, &counts, NULL) ||
	    pipeline_read(&pipeline, path) || pipeline.damages.nr)
		abort();
	pipeline_end(&pipeline);
	return counts;
}

/* counts_of() is the test's: counts_in() of its file. */
#define EXPECT_COUNTS(owner, event, ...) do {				\
	const uint64_t expected[] = { __VA_ARGS__ };			\
	const size_t nr = sizeof(expected) / sizeof(expected[0]);	\
	struct counts found = counts_of(self, owner, event);		\
									\
	EXPECT_EQ(nr, found.nr);					\
	for (size_t at = 0; at < nr && at < found.nr; at++) {		\
		EXPECT_EQ(expected[at], found.values[at])		\
			TH_LOG("%s of %u, count %zu", event, owner, at);	\
	}								\
} while (0)

#endif /* KERMON_TEST_MERGED_H */
