// SPDX-License-Identifier: GPL-2.0
/*
 * Energy of kermon spy. Its registers are read less often than counters: a sample has the
 * energy since the sample before that had any, or it has none. It is spread evenly over the
 * time of the samples in between; after the last reading, it is unknown.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "roofline_private.h"

/* The time of a sample or a stay of a CPU, and its energy, which is to be changed. */
struct share {
	uint32_t owner;
	double ns;
	double *joules;
};

/* One instant, if the file has it so, is not nothing. */
static double length_of(uint64_t begin, uint64_t end)
{
	return end > begin ? (double)(end - begin) : 1;
}

/* Of each energy that was read, make joules per nanosecond; @waiting: by owner, zeroed. */
static void find_power(const struct share *shares, size_t nr, double *waiting)
{
	for (size_t i = 0; i < nr; i++) {
		double *since = &waiting[shares[i].owner];

		*since += shares[i].ns;
		if (isnan(*shares[i].joules))
			continue;
		*shares[i].joules /= *since;
		*since = 0;
	}
}

/* Backwards, as a reading is about the time before; @power: by owner. */
static void apply_power(const struct share *shares, size_t nr, double *power)
{
	for (size_t i = nr; i-- > 0;) {
		if (!isnan(*shares[i].joules))
			power[shares[i].owner] = *shares[i].joules;
		*shares[i].joules = power[shares[i].owner] * shares[i].ns;
	}
}

static void spread(const struct share *shares, size_t nr, double *by_owner, size_t nr_owners)
{
	for (size_t i = 0; i < nr_owners; i++)
		by_owner[i] = 0;
	find_power(shares, nr, by_owner);
	for (size_t i = 0; i < nr_owners; i++)
		by_owner[i] = NAN;
	apply_power(shares, nr, by_owner);
}

static void take_samples(struct kermon_roofline *roofline, size_t domain, struct share *shares)
{
	struct kermon_roofline_sample *one = roofline->samples;

	for (size_t i = 0; i < roofline->nr_samples; i++, one++)
		shares[i] = (struct share){
			one->thread, length_of(one->begin, one->end), &one->joules[domain] };
}

static void take_stays(struct kermon_roofline *roofline, size_t domain, struct share *shares)
{
	struct stay *one = roofline->stays;

	for (size_t i = 0; i < roofline->nr_stays; i++, one++)
		shares[i] = (struct share){
			one->shown.thread, length_of(one->shown.begin, one->shown.end),
			&one->joules[domain] };
}

int roofline_spread_energy(struct kermon_roofline *roofline)
{
	const size_t nr = roofline->nr_samples > roofline->nr_stays ? roofline->nr_samples :
								      roofline->nr_stays;
	struct share *shares = calloc(nr + 1, sizeof(*shares));
	double *by_owner = calloc(roofline->nr_owners + 1, sizeof(*by_owner));
	const int err = shares && by_owner ? 0 : -ENOMEM;

	for (size_t i = 0; i < roofline->nr_domains && !err; i++) {
		take_samples(roofline, i, shares);
		spread(shares, roofline->nr_samples, by_owner, roofline->nr_owners);
		take_stays(roofline, i, shares);
		spread(shares, roofline->nr_stays, by_owner, roofline->nr_owners);
	}
	free(shares);
	free(by_owner);
	return err;
}
