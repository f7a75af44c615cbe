// SPDX-License-Identifier: GPL-2.0
/* Sums the samples per CPU and event, and energy per package. */
#include <stdlib.h>
#include <string.h>

#include "sums.h"
#include "util/array.h"

int sums_find_event(const struct sums *sums, const char *name)
{
	for (size_t i = 0; i < sums->nr_events; i++)
		if (!strcmp(sums->events[i].name, name))
			return i;
	return -1;
}

static int note_event(struct sums *sums, const struct kermon_spy_event *event, size_t *index)
{
	int found = sums_find_event(sums, event->name);

	if (found < 0) {
		if (array_room(sums->events, sums->room_events, sums->nr_events + 1))
			return -ENOMEM;
		found = sums->nr_events++;
		sums->events[found] = (struct sums_event){
			.name = event->name,
			.unit = event->unit,
		};
	}
	*index = found;
	return 0;
}

static int note_set(struct sums *sums, const struct kermon_spy_set *set)
{
	int err = 0;

	if (array_room(sums->sets, sums->room_sets, sums->nr_sets + 1))
		return -ENOMEM;
	for (unsigned int i = 0; i < set->nr && !err; i++)
		err = note_event(sums, &set->events[i], &sums->sets[sums->nr_sets][i]);
	sums->nr_sets++;
	return err;
}

static int note_cpu(struct sums *sums, const struct kermon_spy_cpu *info)
{
	if (array_room(sums->cpus, sums->room_cpus, sums->nr_cpus + 1))
		return -ENOMEM;
	sums->cpus[sums->nr_cpus++] = (struct sums_cpu){
		.cpu = info->cpu,
		.package = info->package,
	};
	return 0;
}

/* All CPUs have room for all events. */
static int make_room(struct sums *sums)
{
	struct sums_cpu *cpu;
	size_t before;

	for (size_t i = 0; i < sums->nr_cpus; i++) {
		cpu = &sums->cpus[i];
		before = cpu->room;
		if (array_room(cpu->counts, cpu->room, sums->nr_events))
			return -ENOMEM;
		memset(cpu->counts + before, 0,
		       (cpu->room - before) * sizeof(*cpu->counts));
	}
	return 0;
}

int sums_prepare(struct sums *sums, const struct kermon_spy *spy)
{
	const struct kermon_spy_set *set;
	struct kermon_spy_cpu info;
	int err = 0;

	while (!err && kermon_spy_cpu(spy, sums->nr_cpus, &info))
		err = note_cpu(sums, &info);
	while (!err && (set = kermon_spy_set(spy, sums->nr_sets)))
		err = note_set(sums, set);
	return err ? err : make_room(sums);
}

struct sums_cpu *sums_find_cpu(const struct sums *sums, unsigned int cpu)
{
	for (size_t i = 0; i < sums->nr_cpus; i++)
		if (sums->cpus[i].cpu == cpu)
			return &sums->cpus[i];
	return NULL;
}

static struct sums_package *find_package(struct sums *sums, unsigned int package)
{
	for (size_t i = 0; i < sums->nr_packages; i++)
		if (sums->packages[i].package == package)
			return &sums->packages[i];
	if (array_room(sums->packages, sums->room_packages, sums->nr_packages + 1))
		return NULL;
	sums->packages[sums->nr_packages] = (struct sums_package){ .package = package };
	return &sums->packages[sums->nr_packages++];
}

/* The energy of a sample is that since the one before that had any. */
static int add_energy(struct sums *sums, const struct kermon_spy_sample *sample,
		      uint64_t begin_ns)
{
	struct sums_package *package = find_package(sums, sample->package);
	double watts;

	if (!package)
		return -ENOMEM;
	if (!package->read_ns) {
		package->begin_ns = begin_ns;
		package->read_ns = begin_ns;
	}
	for (unsigned int i = 0; i < sample->nr_domains; i++) {
		package->joules[i] += sample->joules[i];
		watts = sample->joules[i] * 1e9 / (sample->energy_ns - package->read_ns);
		/* One reading more or less of a register is much in a short interval. */
		if (!(sample->flags & KERMON_SPY_CUT) && watts > package->peak[i])
			package->peak[i] = watts;
	}
	package->read_ns = sample->energy_ns;
	return 0;
}

int sums_add(struct sums *sums, const struct kermon_spy_sample *sample)
{
	struct sums_cpu *cpu = sums_find_cpu(sums, sample->cpu);
	struct sums_count *count;

	if (!cpu->samples++)
		cpu->begin_ns = sample->begin_ns;
	else
		cpu->gap_ns += sample->begin_ns - cpu->end_ns;
	cpu->end_ns = sample->end_ns;
	cpu->tsc += sample->end_tsc - sample->begin_tsc;
	for (unsigned int i = 0; i < sample->nr; i++) {
		count = &cpu->counts[sums->sets[sample->set][i]];
		count->value += sample->counts[i];
		count->time_ns += sample->end_ns - sample->begin_ns;
	}
	return sample->nr_domains ? add_energy(sums, sample, cpu->begin_ns) : 0;
}

void sums_note_cost(struct sums *sums, const struct kermon_spy *spy)
{
	struct kermon_spy_cpu info;

	for (size_t i = 0; i < sums->nr_cpus && kermon_spy_cpu(spy, i, &info); i++)
		sums->cpus[i].cost_ns = info.cost_ns;
}

/* memcpy() does not accept NULL, not even for nothing. */
static void copy_some(void *to, const void *from, size_t size)
{
	if (size)
		memcpy(to, from, size);
}

#define COPY(from, to, what, room)					\
	(array_room((to)->what, (to)->room, (from)->nr_##what) ? -ENOMEM :	\
	 (copy_some((to)->what, (from)->what, (from)->nr_##what * sizeof(*(to)->what)), \
	  (to)->nr_##what = (from)->nr_##what, 0))

static int copy_cpus(const struct sums *from, struct sums *to)
{
	const struct sums_cpu *cpu = from->cpus;
	struct sums_count *counts;
	size_t room;

	if (array_room(to->cpus, to->room_cpus, from->nr_cpus))
		return -ENOMEM;
	for (; to->nr_cpus < from->nr_cpus; to->nr_cpus++)
		to->cpus[to->nr_cpus] = (struct sums_cpu){ 0 };
	for (size_t i = 0; i < from->nr_cpus; i++, cpu++) {
		counts = to->cpus[i].counts;
		room = to->cpus[i].room;
		if (array_room(counts, room, from->nr_events))
			return -ENOMEM;
		copy_some(counts, cpu->counts, from->nr_events * sizeof(*counts));
		to->cpus[i] = *cpu;
		to->cpus[i].counts = counts;
		to->cpus[i].room = room;
	}
	return 0;
}

static int copy(const struct sums *from, struct sums *to)
{
	int err = COPY(from, to, events, room_events);

	if (!err)
		err = COPY(from, to, packages, room_packages);
	return err ? err : copy_cpus(from, to);
}

/* An event or a package that @before does not have yet began at 0. */
static void subtract(struct sums *window, const struct sums *before)
{
	for (size_t i = 0; i < before->nr_cpus; i++) {
		struct sums_cpu *cpu = &window->cpus[i];
		const struct sums_cpu *less = &before->cpus[i];

		cpu->samples -= less->samples;
		cpu->tsc -= less->tsc;
		cpu->cost_ns -= less->cost_ns;
		cpu->gap_ns -= less->gap_ns;
		if (less->end_ns)
			cpu->begin_ns = less->end_ns;
		for (size_t j = 0; j < before->nr_events; j++) {
			cpu->counts[j].value -= less->counts[j].value;
			cpu->counts[j].time_ns -= less->counts[j].time_ns;
		}
	}
	for (size_t i = 0; i < before->nr_packages; i++) {
		window->packages[i].begin_ns = before->packages[i].read_ns;
		for (size_t j = 0; j < KERMON_SPY_DOMAINS; j++)
			window->packages[i].joules[j] -= before->packages[i].joules[j];
	}
}

int sums_since(const struct sums *sums, struct sums *before, struct sums *window)
{
	int err = copy(sums, window);

	if (err)
		return err;
	subtract(window, before);
	return copy(sums, before);
}

void sums_free(struct sums *sums)
{
	for (size_t i = 0; i < sums->nr_cpus; i++)
		free(sums->cpus[i].counts);
	free(sums->events);
	free(sums->sets);
	free(sums->cpus);
	free(sums->packages);
}
