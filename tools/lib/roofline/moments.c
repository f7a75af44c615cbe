// SPDX-License-Identifier: GPL-2.0
/*
 * When coalesced intervals began: known by the TSC, which another interval, that was not
 * coalesced, relates to the clock of the recording.
 */
#include <errno.h>

#include "roofline_private.h"
#include "util/array.h"

/* The moment of a value of the TSC, but not after @latest. */
static uint64_t moment_of(const struct kermon_roofline *roofline, uint64_t tsc, uint64_t latest)
{
	const struct moment *known = &roofline->reference;
	const double moment = (double)known->time + (double)(int64_t)(tsc - known->tsc) * 1e6 /
						    (double)roofline->tsc_khz;

	return moment > 0 && moment < (double)latest ? (uint64_t)moment : latest;
}

/* A thread is on the CPU from begin to end, except between coalesced intervals. */
void moments_begin(struct kermon_roofline *roofline, struct part *part,
		   const struct perfdata_rest *rest)
{
	part->begin = part->oncpu < part->end ? part->end - part->oncpu : 0;
	if (rest->intervals <= 1)
		roofline->reference = (struct moment){ true, rest->tsc_begin, part->begin };
	else if (roofline->reference.known && roofline->tsc_khz)
		part->begin = moment_of(roofline, rest->tsc_begin, part->begin);
	else
		part->tsc = rest->tsc_begin;
}

int moments_note(struct kermon_roofline *roofline, const struct part *part)
{
	if (array_room(roofline->unknown, roofline->room_unknown, roofline->nr_unknown + 1))
		return -ENOMEM;
	roofline->unknown[roofline->nr_unknown++] = (struct unknown){
		part->tsc, roofline->nr_stays - 1,
		roofline->nr_sets ? SIZE_MAX : roofline->nr_samples - 1,
	};
	return 0;
}

void moments_settle(struct kermon_roofline *roofline)
{
	const struct unknown *each;
	uint64_t *begin;

	for (size_t i = 0; i < roofline->nr_unknown && roofline->reference.known &&
			   roofline->tsc_khz; i++) {
		each = &roofline->unknown[i];
		begin = &roofline->stays[each->stay].shown.begin;
		*begin = moment_of(roofline, each->tsc, *begin);
		if (each->sample < roofline->nr_samples)
			roofline->samples[each->sample].begin = *begin;
		if (*begin < roofline->origin.begin)
			roofline->origin.begin = *begin;
	}
}
