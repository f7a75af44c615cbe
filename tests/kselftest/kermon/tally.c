// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "tally.h"
#include "worker.h"

/* Tolerance in instructions where an interval was cut. */
#define EDGE	40

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

/* A single interval has no gap; there are gaps between coalesced ones. */
static bool spans(const struct kermon_sample *sample)
{
	uint64_t span = sample->tsc_end - sample->tsc_begin;

	return sample->intervals == 1 ? sample->oncpu == span :
	       sample->intervals && sample->oncpu <= span;
}

static bool sample_is_whole(const struct kermon_sample *sample)
{
	size_t values = sample->nr_fixed + sample->nr_events +
			__builtin_popcount(sample->domains);

	return sample->record.size == sizeof(*sample) + 8 * values &&
	       spans(sample) &&
	       sample->reason && sample->reason <= KERMON_REASON_SET;
}

static bool is_sample(const struct kermon_record *record)
{
	return record->type == KERMON_RECORD_SAMPLE ||
	       record->type == KERMON_RECORD_INVALID;
}

static void add_sample(struct tally *tally, const struct kermon_sample *sample)
{
	const __u64 *value = sample->values;
	unsigned int i;

	if (sample->record.type == KERMON_RECORD_INVALID) {
		tally->invalid++;
		tally->broken++;
		return;
	}
	tally->samples++;
	tally->intervals += sample->intervals;
	tally->by_reason[sample->reason & 7]++;
	tally->cpus |= 1ULL << (sample->record.cpu % TALLY_CPUS);
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

static void add_lost(struct tally *tally, const struct kermon_lost *lost)
{
	uint64_t *next = &tally->next[lost->record.cpu % TALLY_CPUS];

	tally->broken += lost->sequence != *next || !lost->lost;
	tally->reported_lost += lost->lost;
	*next = lost->sequence + lost->lost;
}

#define ANY_SET	-1

static void tally_some(struct tally *tally, const struct records *records,
		       pid_t tid, int64_t set)
{
	const struct kermon_record *record = NULL;

	while ((record = records_next(records, record))) {
		const struct kermon_sample *sample = (const void *)record;
		uint64_t *next = &tally->next[record->cpu % TALLY_CPUS];

		if (record->type == KERMON_RECORD_LOST &&
		    record->size == sizeof(struct kermon_lost)) {
			add_lost(tally, (const void *)record);
		} else if (is_sample(record) && sample_is_whole(sample)) {
			tally->broken += sample->sequence != *next;
			*next = sample->sequence + 1;
			if ((!tid || tid == (pid_t)sample->tid) &&
			    (set == ANY_SET || set == sample->set_id))
				add_sample(tally, sample);
		} else {
			tally->broken++;
			if (!record->size)
				return;
		}
	}
}

void records_tally(const struct records *records, pid_t tid,
		   struct tally *tally)
{
	memset(tally, 0, sizeof(*tally));
	tally_add(tally, records, tid);
}

void records_tally_set(const struct records *records, pid_t tid, uint32_t set,
		       struct tally *tally)
{
	memset(tally, 0, sizeof(*tally));
	tally_some(tally, records, tid, set);
}

int records_of_one_event(const struct records *records)
{
	const struct kermon_record *record = NULL;
	int nr = 0;

	while ((record = records_next(records, record))) {
		const struct kermon_sample *sample = (const void *)record;
		const uint64_t *values = (const uint64_t *)sample->values;
		uint64_t event = values[sample->nr_fixed];

		if (record->type != KERMON_RECORD_SAMPLE)
			continue;
		if (sample->nr_events == 1 ? event != values[0] :
					     2 * event > values[0] + EDGE)
			return -1;
		nr += sample->nr_events == 1;
	}
	return nr;
}

void tally_add(struct tally *tally, const struct records *records, pid_t tid)
{
	tally_some(tally, records, tid, ANY_SET);
}

int tally_worker(void (*work)(void *data), void *data,
		 const struct kermon_event_set *set, struct tally *tally)
{
	pid_t pid = worker_start(work, data);
	int fd = set_events(pid, set, sizeof(*set), 0);
	struct records records = {};
	int error = errno;

	worker_go(pid);
	if (worker_wait(pid) && fd >= 0)
		error = ECHILD;
	else if (fd >= 0)
		error = records_read_all(&records, fd) ? errno : 0;
	if (fd >= 0)
		close(fd);
	records_tally(&records, 0, tally);
	free(records.data);
	errno = error;
	return error ? -1 : 0;
}
