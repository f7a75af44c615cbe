/* SPDX-License-Identifier: GPL-2.0 */
/* The events of KerMon's files: their attrs, names and ids, in the order of the file. */
#ifndef KERMON_PERFDATA_ATTRS_H
#define KERMON_PERFDATA_ATTRS_H

#include <kermon/sampled.h>
#include <kermon/writer.h>

#include "blob.h"
#include "perfdata/format/format.h"

#define ATTRS_MAX_FIXED	4
#define ATTRS_MAX	(ATTRS_MAX_FIXED + KERMON_MAX_SELECTED + \
			 KERMON_DOMAIN_COUNT + KERMON_MAX_SAMPLED + 4)

/* Ids assigned by the kernel are small numbers; those of KerMon's events start here. */
#define ATTRS_FIRST_ID	(1ULL << 48)

/**
 * struct described_event - an event of the file
 * @attr: of the event
 * @first_id: its first id among those of all events
 * @nr_ids: number of its ids
 * @name: of the event
 */
struct described_event {
	struct perf_event_attr attr;
	size_t first_id;
	size_t nr_ids;
	char name[KERMON_EVENT_NAME];
};

/**
 * struct attrs - events in the order of the file
 * @nr_cpus: the highest number of a CPU plus one
 * @nr: length of @events
 * @nr_fixed: number of fixed counters, which start at @events[0]
 * @nr_sets: number of rotated sets, or 1
 * @sets: the first event of each set and its number of events; the sets follow the
 *	fixed counters
 * @oncpu: index of the on-CPU time
 * @energy: index for each domain, 0 if there is none
 * @logged: number of events of KerMon's log; those that perf_event samples follow
 * @sideband: index of the side-band, which only @regions follow
 * @regions: index of the marks of regions, which their names follow; 0: there are none
 * @events: all events
 */
struct attrs {
	unsigned int nr_cpus;
	unsigned int nr;
	unsigned int nr_fixed;
	unsigned int nr_sets;
	struct {
		unsigned int first;
		unsigned int nr;
	} sets[KERMON_MAX_SETS];
	unsigned int oncpu;
	unsigned int energy[KERMON_DOMAIN_COUNT];
	unsigned int logged;
	unsigned int sideband;
	unsigned int regions;
	struct described_event events[ATTRS_MAX];
};

/* Return: 0; -E2BIG: the machine has more counters than the format supports. */
int attrs_build(struct attrs *attrs,
		const struct kermon_writer_options *options);

/*
 * The id of an event on a CPU: the values of each are summed up on their own. The
 * side-band has ids that the kernel assigned.
 */
static inline uint64_t attrs_id(const struct attrs *attrs, unsigned int index,
				unsigned int cpu)
{
	return ATTRS_FIRST_ID + (uint64_t)index * attrs->nr_cpus + cpu;
}

/* Append the element of EVENT_DESC for an event. */
void attrs_describe(struct blob *blob, const struct perf_event_attr *attr,
		    const char *name, const uint64_t *ids, size_t nr_ids);

/* The attr with which the side-band is opened, and which represents it in the file. */
void attrs_sideband(struct perf_event_attr *attr, enum kermon_clock_kind kind);

/*
 * Call @fn for all PMUs, by ascending type, until it returns non-zero. If the machine
 * has no PMU for energy, one is made up: what matters are the names in the file.
 */
int attrs_each_pmu(int (*fn)(const char *name, uint32_t type, void *data),
		   void *data);

#endif /* KERMON_PERFDATA_ATTRS_H */
