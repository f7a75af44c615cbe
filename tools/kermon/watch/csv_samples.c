// SPDX-License-Identifier: GPL-2.0
/* The samples as CSV: a line per CPU and sample. */
#include <stdio.h>

#include "sample_text.h"
#include "ui/csv.h"
#include "watch.h"

static void put_header(struct watch *watch)
{
	static const char *const before[] = {
		"cpu", "set", "begin_ns", "end_ns", "flags", "missed", "merged",
		"enabled_ns", "running_ns",
	};
	struct csv csv = { .out = watch->out };
	char name[FIELD_NAME];
	const char *domain;

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		csv_text(&csv, before[i]);
	for (size_t i = 0; i < watch->sums.nr_events; i++)
		csv_text(&csv, sample_event_field(&watch->sums.events[i], name));
	csv_text(&csv, "package");
	csv_text(&csv, "energy_time_ns");
	for (unsigned int i = 0; (domain = kermon_spy_domain(watch->spy, i)); i++)
		csv_text(&csv, sample_domain_field(domain, name));
	csv_end(&csv);
	watch->described = watch->sums.nr_events;
}

/* The position of event @event of all sets in the set of the sample; -1: it has none. */
static int find_count(const struct watch *watch, const struct kermon_spy_sample *sample,
		      size_t event)
{
	for (unsigned int i = 0; i < sample->nr; i++)
		if (watch->sums.sets[sample->set][i] == event)
			return i;
	return -1;
}

static void put_counts(const struct watch *watch, const struct kermon_spy_sample *sample,
		       struct csv *csv)
{
	int index;

	for (size_t i = 0; i < watch->sums.nr_events; i++) {
		index = find_count(watch, sample, i);
		if (index < 0)
			csv_text(csv, NULL);
		else
			csv_number(csv, sample->counts[index]);
	}
}

static void put_energy(const struct watch *watch, const struct kermon_spy_sample *sample,
		       struct csv *csv)
{
	if (sample->nr_domains)
		csv_number(csv, sample->energy_ns);
	else
		csv_text(csv, NULL);
	for (unsigned int i = 0; kermon_spy_domain(watch->spy, i); i++) {
		if (i < sample->nr_domains)
			csv_real(csv, sample->joules[i]);
		else
			csv_text(csv, NULL);
	}
}

/* A set that was added while the spy ran may have events without a column. */
static void put_sample(struct watch *watch, const struct kermon_spy_sample *sample)
{
	struct csv csv = { .out = watch->out };
	char flags[SAMPLE_FLAGS];

	if (watch->described != watch->sums.nr_events)
		put_header(watch);
	csv_number(&csv, sample->cpu);
	csv_text(&csv, kermon_spy_set(watch->spy, sample->set)->text);
	csv_number(&csv, sample->begin_ns);
	csv_number(&csv, sample->end_ns);
	csv_text(&csv, sample_flags(sample->flags, flags));
	csv_number(&csv, sample->missed);
	csv_number(&csv, sample->merged);
	csv_number(&csv, sample->enabled_ns);
	csv_number(&csv, sample->running_ns);
	put_counts(watch, sample, &csv);
	csv_number(&csv, sample->package);
	put_energy(watch, sample, &csv);
	csv_end(&csv);
}

const struct watch_format watch_format_csv = {
	.name = "csv",
	.help = "a line per CPU and sample, with a header line",
	.begin = put_header,
	.sample = put_sample,
};
