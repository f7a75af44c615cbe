// SPDX-License-Identifier: GPL-2.0
/* What the header of a recording says: its machine, its events, its sets, its runs. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/format/format.h"
#include "roofline_private.h"
#include "util/array.h"
#include "util/cpulist.h"

static const char *text_of(const struct reader *reader, unsigned int feature)
{
	struct cursor c = reader_feature_cursor(reader, feature);
	const char *text = cursor_left(&c) ? cursor_string(&c) : "";

	return !c.failed && text && *text ? text : NULL;
}

/* All words of the command line, with spaces in between. */
static char *command_of(const struct reader *reader)
{
	struct cursor c = reader_feature_cursor(reader, PERFDATA_CMDLINE);
	uint32_t nr = cursor_u32(&c);
	size_t room = cursor_left(&c) + 1, size = 0;
	char *text = malloc(room);
	const char *word;

	for (uint32_t i = 0; text && i < nr; i++) {
		word = cursor_string(&c);
		if (c.failed || !word || size + strlen(word) + 2 > room)
			break;
		size += sprintf(text + size, "%s%s", i ? " " : "", word);
	}
	if (text)
		text[size] = '\0';
	return text;
}

static uint8_t monitor_of(const struct kermon_roofline *roofline)
{
	const char *source = reader_note(roofline->pipeline.reader, "source");

	if (source && !strcmp(source, "spy"))
		return KERMON_MONITOR_SPY;
	return roofline->pipeline.of_intervals ? KERMON_MONITOR_KERMON :
						 KERMON_MONITOR_PERF;
}

static uint64_t number_of(const struct reader *reader, const char *key)
{
	const char *text = reader_note(reader, key);

	return text ? strtoull(text, NULL, 10) : 0;
}

static int describe_origin(struct kermon_roofline *roofline)
{
	const struct reader *reader = roofline->pipeline.reader;
	struct kermon_roofline_origin *origin = &roofline->origin;
	struct cursor cpus = reader_feature_cursor(reader, PERFDATA_NRCPUS);

	roofline->command = command_of(reader);
	if (!roofline->command)
		return -ENOMEM;
	cursor_u32(&cpus);		/* available */
	*origin = (struct kermon_roofline_origin){
		.size = sizeof(*origin),
		.monitor = monitor_of(roofline),
		.cpus = cursor_u32(&cpus),
		.command = *roofline->command ? roofline->command : NULL,
		.hostname = text_of(reader, PERFDATA_HOSTNAME),
		.cpuid = text_of(reader, PERFDATA_CPUID),
		.cpudesc = text_of(reader, PERFDATA_CPUDESC),
		.hypervisor = reader_note(reader, "hypervisor"),
	};
	roofline->tsc_khz = number_of(reader, "tsc_khz");
	roofline->interval_ns = number_of(reader, "interval_ns");
	return 0;
}

/* Lists of cores and threads, and then core and socket of each CPU, be it online or not. */
static int describe_sockets(struct kermon_roofline *roofline)
{
	const struct reader *reader = roofline->pipeline.reader;
	struct cursor cpus = reader_feature_cursor(reader, PERFDATA_NRCPUS);
	struct cursor c = reader_feature_cursor(reader, PERFDATA_CPU_TOPOLOGY);
	const uint32_t available = cursor_u32(&cpus);
	uint32_t nr;

	for (int list = 0; list < 2; list++) {
		nr = cursor_u32(&c);
		for (uint32_t i = 0; i < nr && cursor_left(&c); i++)
			cursor_string(&c);
	}
	roofline->sockets = calloc(cursor_left(&c) / 8 + 1, sizeof(*roofline->sockets));
	if (!roofline->sockets)
		return -ENOMEM;
	for (nr = 0; nr < available && cursor_left(&c) >= 8; nr++) {
		cursor_u32(&c);		/* core */
		roofline->sockets[nr] = cursor_u32(&c);
	}
	roofline->nr_sockets = nr;
	return 0;
}

/* The domain of an event of energy, which may be in the file in several modes. */
static int domain_of(struct kermon_roofline *roofline, const char *heading)
{
	const char **names = roofline->domains;
	size_t nr = roofline->nr_domains;

	for (size_t i = 0; i < nr; i++)
		if (!strcmp(names[i], heading))
			return i;
	if (nr == KERMON_ROOFLINE_DOMAINS)
		return -1;
	names[nr] = heading;
	return roofline->nr_domains++;
}

/* An event that several sets have was measured while any of them was active. */
static size_t first_of(const struct kermon_roofline *roofline, size_t index, int set)
{
	const struct reader *reader = roofline->pipeline.reader;
	const char *name = reader_event(reader, index)->name;

	for (size_t i = 0; i < index && set >= 0; i++)
		if (roofline->events[i].operation >= 0 && roofline->events[i].set >= 0 &&
		    !strcmp(reader_event(reader, i)->name, name))
			return roofline->events[i].operation;
	return roofline->nr_operations;
}

static void describe_event(struct kermon_roofline *roofline, size_t index, int set)
{
	const struct reader_event *from = reader_event(roofline->pipeline.reader, index);
	struct roofline_event *event = &roofline->events[index];
	struct kermon_operation *operation =
		&roofline->operations[roofline->nr_operations];
	struct kermon_roofline_basis *basis = &roofline->basis;
	struct kermon_metric metric;

	kermon_metric_of(from->name, &from->attr, &metric);
	*event = (struct roofline_event){
		.kind = metric.kind, .set = set, .operation = -1, .domain = -1,
	};
	if (metric.kind == KERMON_METRIC_ENERGY)
		event->domain = domain_of(roofline, metric.heading ? metric.heading :
								     from->name);
	if (metric.kind == KERMON_METRIC_TIME && roofline->clock < 0)
		roofline->clock = index;
	if (set < 0)
		roofline->has |= 1U << metric.kind;
	if (!kermon_operation_of(from->name, operation))
		return;
	roofline->set_of[roofline->nr_operations] = set;
	roofline->first_of[roofline->nr_operations] = first_of(roofline, index, set);
	event->operation = roofline->nr_operations++;
	basis->flop |= operation->flop > 0;
	if (operation->flop > 0 && operation->precision < KERMON_PRECISIONS &&
	    operation->simd < KERMON_SIMDS)
		basis->counted[operation->precision][operation->simd] = true;
	basis->executed |= operation->executed;
	if (set >= 0)
		roofline->needed |= 1U << set;
}

static bool has_access(const struct kermon_roofline *roofline, unsigned int access)
{
	for (size_t i = 0; i < roofline->nr_operations; i++)
		if (roofline->operations[i].access == access)
			return true;
	return false;
}

static int describe_events(struct kermon_roofline *roofline)
{
	const struct reader *reader = roofline->pipeline.reader;
	size_t nr = reader_nr_events(reader);
	int *sets = calloc(nr + 1, sizeof(*sets));

	roofline->events = calloc(nr + 1, sizeof(*roofline->events));
	roofline->operations = calloc(nr + 1, sizeof(*roofline->operations));
	roofline->set_of = calloc(nr + 1, sizeof(*roofline->set_of));
	roofline->first_of = calloc(nr + 1, sizeof(*roofline->first_of));
	if (!sets || !roofline->events || !roofline->operations || !roofline->set_of ||
	    !roofline->first_of) {
		free(sets);
		return -ENOMEM;
	}
	roofline->clock = -1;
	roofline->nr_sets = sets_assign(reader, sets);
	for (size_t i = 0; i < nr; i++)
		describe_event(roofline, i, sets[i]);
	free(sets);
	roofline->basis.size = sizeof(roofline->basis);
	roofline->basis.accesses = has_access(roofline, KERMON_LOAD) &&
				   has_access(roofline, KERMON_STORE);
	roofline->basis.energy = roofline->nr_domains;
	roofline->basis.sets = roofline->nr_sets;
	return 0;
}

static const char *note_of_run(const struct kermon_roofline *roofline, const char *key,
			       unsigned int run)
{
	char text[32];

	snprintf(text, sizeof(text), "%s%u", key, run);
	return reader_note(roofline->pipeline.reader, text);
}

/* Of a run of kermon spy: "0:0.0012 3:0.1", by CPU. */
static int describe_cpus(struct kermon_roofline *roofline, const char *note)
{
	unsigned int cpu;
	double apart;
	int at;

	for (; note && sscanf(note, "%u:%lf%n", &cpu, &apart, &at) == 2; note += at) {
		if (cpu >= CPULIST_MOST)
			continue;
		if (array_room(roofline->apart, roofline->room_apart, (size_t)cpu + 1))
			return -ENOMEM;
		while (roofline->nr_apart <= cpu)
			roofline->apart[roofline->nr_apart++] = 0;
		roofline->apart[cpu] = fmax(roofline->apart[cpu], apart);
	}
	return 0;
}

/* The notes that kermon_merge_write() left: how far the runs are apart. */
static int describe_runs(struct kermon_roofline *roofline)
{
	struct kermon_roofline_basis *basis = &roofline->basis;
	const char *note;
	double apart;
	int err = 0;

	for (; !err; basis->runs++) {
		note = note_of_run(roofline, "run", basis->runs + 1);
		if (!note || sscanf(note, "%*u %*u %*u %*u %lf", &apart) != 1)
			return 0;
		basis->apart = fmax(basis->apart, apart);
		err = describe_cpus(roofline, note_of_run(roofline, "apart", basis->runs + 1));
	}
	return err;
}

int roofline_describe(struct kermon_roofline *roofline)
{
	int err = describe_origin(roofline);

	if (!err)
		err = describe_sockets(roofline);
	if (!err)
		err = describe_events(roofline);
	if (!err)
		err = describe_runs(roofline);
	return err;
}
