/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write marks of regions: two tracepoints of the file, kermon:region and kermon:region_name,
 * which no kernel has. See perfdata/format/mark.h.
 */
#ifndef KERMON_PERFDATA_MARKED_H
#define KERMON_PERFDATA_MARKED_H

#include <kermon/writer.h>

#include "marks/marks.h"

/*
 * Add the events, after those of kermon_writer_sampled(), and before anything is written.
 * Return: 0; -EINVAL: something has been written; -E2BIG: too many events; -ENOMEM.
 */
int marked_add(struct kermon_writer *writer);

/* As the functions of struct marks_consumer. Return: 0, -ENOMEM, or as writer_put(). */
int marked_name(struct kermon_writer *writer, pid_t pid, uint64_t tsc,
		const struct name_record *name);
int marked_put(struct kermon_writer *writer, struct marks_thread *thread,
	       const struct mark_record *mark);

/* Write the name of a thread that has no side-band. Return: 0, or as writer_put(). */
int marked_thread(struct kermon_writer *writer, const struct marks_thread *thread);

/**
 * struct marked_totals - what became of the marks
 * @marks: number of them in the file
 * @late: number of those that arrived so late that they have a later time than they had
 * @uncounted: number of those whose counts were left out: they are not those of the file
 */
struct marked_totals {
	uint64_t marks;
	uint64_t late;
	uint64_t uncounted;
};

void marked_totals(const struct kermon_writer *writer, struct marked_totals *totals);

#endif /* KERMON_PERFDATA_MARKED_H */
