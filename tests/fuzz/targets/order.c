// SPDX-License-Identifier: GPL-2.0
/*
 * The order of records: every two bytes are a record with a time, the end of a round, or
 * a record without a time. No record may be lost or delivered twice, and the output must
 * equal that of a plain sort of all records that may wait.
 */
#include "../input.h"
#include "flow/order.h"
#include "perfdata/format/format.h"

#define ROUND_END	0xffff

/**
 * struct seen - what came out
 * @nr: of records with a time
 * @timeless: without one
 * @rounds: ends of rounds
 * @offsets: sum of what tells records apart
 * @late: something was older than what had come before it
 */
struct seen {
	uint64_t nr;
	uint64_t timeless;
	uint64_t rounds;
	uint64_t offsets;
	struct record last;
	bool late;
};

static int see(void *context, const struct record *record)
{
	struct seen *seen = context;

	if (record->type == PERFDATA_RECORD_FINISHED_ROUND) {
		seen->rounds++;
		return 0;
	}
	seen->offsets += record->offset;
	if (!record->time) {
		seen->timeless++;
		return 0;
	}
	if (seen->nr && record->time < seen->last.time)
		seen->late = true;
	else if (seen->nr && record->time == seen->last.time)
		promise(record->offset > seen->last.offset);
	seen->last = *record;
	seen->nr++;
	return 0;
}

/**
 * struct sent - what went in
 * @newest: time so far, @before when the round began, @limit when that before did:
 *	nothing of a file in good order is older
 */
struct sent {
	struct seen counts;
	uint64_t newest;
	uint64_t before;
	uint64_t limit;
};

static void send_one(struct order *order, struct sent *sent, uint16_t word,
		     uint64_t offset)
{
	struct record record = {
		.type = PERF_RECORD_SAMPLE, .time = word, .offset = offset,
	};

	if (word == ROUND_END) {
		record = (struct record){ .type = PERFDATA_RECORD_FINISHED_ROUND };
		sent->counts.rounds++;
		sent->limit = sent->before;
		sent->before = sent->newest;
	} else if (!word) {
		sent->counts.timeless++;
		sent->counts.offsets += offset;
	} else {
		sent->counts.nr++;
		sent->counts.offsets += offset;
		if (word < sent->limit)
			sent->counts.late = true;
		if (word > sent->newest)
			sent->newest = word;
	}
	promise(!order_record(order, &record));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen seen = { .nr = 0 };
	struct sent sent = { .newest = 0 };
	struct order *order = order_new(see, &seen);
	uint16_t word;

	promise(order);
	for (size_t at = 0; at + sizeof(word) <= size; at += sizeof(word)) {
		memcpy(&word, data + at, sizeof(word));
		send_one(order, &sent, word, at + 1);
	}
	promise(!order_flush(order));
	promise(seen.nr == sent.counts.nr);
	promise(seen.timeless == sent.counts.timeless);
	promise(seen.rounds == sent.counts.rounds);
	promise(seen.offsets == sent.counts.offsets);
	promise(sent.counts.late || !seen.late);
	order_free(order);
	return 0;
}
