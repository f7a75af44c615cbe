// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "tally.h"

#define MAX_CPUS	64

ssize_t records_read(struct records *records, int fd, size_t len,
		     unsigned int flags)
{
	ssize_t n;
	char *data = realloc(records->data, records->len + len);

	if (!data)
		return -1;
	records->data = data;
	n = read_event_log(fd, data + records->len, len, flags);
	if (n > 0)
		records->len += n;
	return n;
}

int records_read_all(struct records *records, int fd)
{
	ssize_t n;

	do
		n = records_read(records, fd, 1 << 16, 0);
	while (n > 0);
	return n;
}

const struct kermon_record *records_next(const struct records *records,
					 const struct kermon_record *record)
{
	const char *next = record ? (const char *)record + record->size :
				    records->data;

	if (next >= records->data + records->len)
		return NULL;
	return (const struct kermon_record *)next;
}

static bool sample_is_whole(const struct kermon_sample *sample)
{
	size_t values = sample->nr_fixed + sample->nr_events +
			__builtin_popcount(sample->domains);

	return sample->record.size == sizeof(*sample) + 8 * values &&
	       sample->oncpu == sample->tsc_end - sample->tsc_begin &&
	       sample->reason && sample->reason <= KERMON_REASON_EXEC;
}

static void add_sample(struct tally *tally, const struct kermon_sample *sample)
{
	const __u64 *value = sample->values;
	unsigned int i;

	tally->samples++;
	tally->by_reason[sample->reason & 7]++;
	tally->cpus |= 1ULL << (sample->record.cpu % MAX_CPUS);
	tally->oncpu += sample->oncpu;
	if (!tally->first_tsc || sample->tsc_begin < tally->first_tsc)
		tally->first_tsc = sample->tsc_begin;
	if (sample->tsc_end >= tally->last_tsc) {
		tally->last_tsc = sample->tsc_end;
		tally->last_reason = sample->reason;
	}
	for (i = 0; i < sample->nr_fixed; i++)
		tally->fixed[i] += *value++;
	for (i = 0; i < sample->nr_events; i++)
		tally->events[i] += *value++;
	for (i = 0; i < KERMON_DOMAIN_COUNT; i++)
		if (sample->domains & (1U << i))
			tally->energy[i] += *value++;
}

void records_tally(const struct records *records, pid_t tid,
		   struct tally *tally)
{
	const struct kermon_record *record = NULL;
	uint64_t expected[MAX_CPUS] = {};

	memset(tally, 0, sizeof(*tally));
	while ((record = records_next(records, record))) {
		const struct kermon_sample *sample = (const void *)record;
		const struct kermon_lost *lost = (const void *)record;
		uint64_t *next = &expected[record->cpu % MAX_CPUS];

		if (record->type == KERMON_RECORD_LOST &&
		    record->size == sizeof(*lost)) {
			tally->broken += lost->sequence != *next || !lost->lost;
			tally->reported_lost += lost->lost;
			*next = lost->sequence + lost->lost;
		} else if (record->type == KERMON_RECORD_SAMPLE &&
			   sample_is_whole(sample)) {
			tally->broken += sample->sequence != *next;
			*next = sample->sequence + 1;
			if (!tid || tid == (pid_t)sample->tid)
				add_sample(tally, sample);
		} else {
			tally->broken++;
			if (!record->size)
				return;
		}
	}
}
