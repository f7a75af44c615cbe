// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "ledger.h"

static int by_thread_and_time(const void *a, const void *b)
{
	const struct kermon_sample *one = *(const struct kermon_sample **)a;
	const struct kermon_sample *other = *(const struct kermon_sample **)b;

	if (one->tid != other->tid)
		return one->tid < other->tid ? -1 : 1;
	if (one->tsc_begin != other->tsc_begin)
		return one->tsc_begin < other->tsc_begin ? -1 : 1;
	return 0;
}

static int by_cpu_and_time(const void *a, const void *b)
{
	const struct kermon_sample *one = *(const struct kermon_sample **)a;
	const struct kermon_sample *other = *(const struct kermon_sample **)b;

	if (one->record.cpu != other->record.cpu)
		return one->record.cpu < other->record.cpu ? -1 : 1;
	if (one->tsc_begin != other->tsc_begin)
		return one->tsc_begin < other->tsc_begin ? -1 : 1;
	return 0;
}

static int collect(struct ledger *ledger, const struct records *records)
{
	const struct kermon_record *record = NULL;
	size_t most = records->len / sizeof(struct kermon_sample);

	ledger->samples = calloc(most, sizeof(*ledger->samples));
	if (!ledger->samples)
		return -1;
	while ((record = records_next(records, record))) {
		const struct kermon_sample *sample = (const void *)record;

		if (record->type == KERMON_RECORD_INVALID)
			return -1;
		if (record->type != KERMON_RECORD_SAMPLE)
			continue;
		ledger->samples[ledger->nr++] = sample;
		ledger->instructions[record->cpu % LEDGER_CPUS] +=
			sample->values[KERMON_FIXED_INSTRUCTIONS];
	}
	return 0;
}

void ledger_sort_by_cpu(struct ledger *ledger)
{
	qsort(ledger->samples, ledger->nr, sizeof(*ledger->samples),
	      by_cpu_and_time);
}

static void check_cpus(struct ledger *ledger)
{
	size_t i;

	ledger_sort_by_cpu(ledger);
	for (i = 1; i < ledger->nr; i++) {
		const struct kermon_sample *last = ledger->samples[i - 1];
		const struct kermon_sample *next = ledger->samples[i];

		if (next->record.cpu == last->record.cpu)
			ledger->overlaps += next->tsc_begin < last->tsc_end;
	}
}

/* A tick ends an interval, and begins the next with the same reading. */
static bool has_gap(const struct kermon_sample *last,
		    const struct kermon_sample *next)
{
	return last->reason == KERMON_REASON_TICK &&
	       (next->record.cpu != last->record.cpu ||
		next->tsc_begin != last->tsc_end);
}

static void check_tasks(struct ledger *ledger)
{
	size_t i;

	qsort(ledger->samples, ledger->nr, sizeof(*ledger->samples),
	      by_thread_and_time);
	for (i = 1; i < ledger->nr; i++) {
		const struct kermon_sample *last = ledger->samples[i - 1];
		const struct kermon_sample *next = ledger->samples[i];

		if (next->tid != last->tid)
			continue;
		ledger->overlaps += next->tsc_begin < last->tsc_end;
		ledger->gaps += has_gap(last, next);
	}
}

int ledger_make(struct ledger *ledger, const struct records *records)
{
	memset(ledger, 0, sizeof(*ledger));
	if (collect(ledger, records))
		return -1;
	check_cpus(ledger);
	check_tasks(ledger);
	return 0;
}

void ledger_free(struct ledger *ledger)
{
	free(ledger->samples);
}

/* Index of the first sample of @tid, or of a later thread. */
static size_t find(const struct ledger *ledger, pid_t tid)
{
	size_t from = 0, to = ledger->nr;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if ((pid_t)ledger->samples[middle]->tid < tid)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

struct account ledger_account(const struct ledger *ledger, pid_t tid)
{
	struct account account = {};
	uint64_t end = 0;
	size_t i;

	for (i = find(ledger, tid); i < ledger->nr; i++) {
		const struct kermon_sample *sample = ledger->samples[i];

		if ((pid_t)sample->tid != tid)
			break;
		account.moves += account.intervals &&
				 sample->record.cpu !=
				 ledger->samples[i - 1]->record.cpu;
		account.intervals += sample->intervals;
		account.instructions +=
			sample->values[KERMON_FIXED_INSTRUCTIONS];
		account.exits += sample->reason == KERMON_REASON_EXIT;
		if (sample->tsc_end < end)
			continue;
		account.exited = sample->reason == KERMON_REASON_EXIT;
		end = sample->tsc_end;
	}
	return account;
}
