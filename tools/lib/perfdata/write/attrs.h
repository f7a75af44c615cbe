/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events that a file of KerMon's describes: their attrs, names and ids, in the
 * order of the file.
 */
#ifndef KERMON_PERFDATA_ATTRS_H
#define KERMON_PERFDATA_ATTRS_H

#include <kermon/writer.h>

#include "blob.h"
#include "perfdata/format/format.h"

#define ATTRS_MAX_FIXED	4
#define ATTRS_MAX	(ATTRS_MAX_FIXED + KERMON_MAX_SELECTED + \
			 KERMON_DOMAIN_COUNT + 2)

/*
 * Ids of the kernel's events are small numbers; those of KerMon's own start
 * here.
 */
#define ATTRS_FIRST_ID	(1ULL << 48)

struct described_event {
	struct perf_event_attr attr;
	char name[KERMON_EVENT_NAME];
};

/**
 * struct attrs - in the order of the file; the id of event n is
 * ATTRS_FIRST_ID + n but for the side-band's, which are the kernel's
 * @nr: length of @events
 * @nr_fixed: fixed counters, from @events[0] on
 * @nr_sets: sets that take turns, or 1
 * @sets: programmed events of each, by index: the first one and how many, one set
 *	after the other behind the fixed counters
 * @oncpu: index of the on-CPU time
 * @energy: index for each domain, 0 if there is none
 * @sideband: index of the side-band, the last one
 * @events: all of them
 */
struct attrs {
	unsigned int nr;
	unsigned int nr_fixed;
	unsigned int nr_sets;
	struct {
		unsigned int first;
		unsigned int nr;
	} sets[KERMON_MAX_SETS];
	unsigned int oncpu;
	unsigned int energy[KERMON_DOMAIN_COUNT];
	unsigned int sideband;
	struct described_event events[ATTRS_MAX];
};

/* -E2BIG: the machine offers more than the format is made for. */
int attrs_build(struct attrs *attrs,
		const struct kermon_writer_options *options);

/* The element of EVENT_DESC for an event. */
void attrs_describe(struct blob *blob, const struct perf_event_attr *attr,
		    const char *name, const uint64_t *ids, size_t nr_ids);

/* What the side-band is opened with, and what stands for it in the file. */
void attrs_sideband(struct perf_event_attr *attr, enum kermon_clock_kind kind);

/*
 * PMUs by name and type, ascending by type, until @fn returns non-zero. If the
 * machine has none for energy, one is made up: the names in the file are what
 * counts.
 */
int attrs_each_pmu(int (*fn)(const char *name, uint32_t type, void *data),
		   void *data);

#endif /* KERMON_PERFDATA_ATTRS_H */
