/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The problems of a file and their offsets: collected while reading, reported by the
 * caller.
 */
#ifndef KERMON_PERFDATA_DAMAGE_H
#define KERMON_PERFDATA_DAMAGE_H

#include <kermon/damage.h>
#include <stddef.h>
#include <stdint.h>

#define DAMAGE_KEPT	8

/* One of several files: @base is the offset assigned to its first byte. */
struct damage_file {
	const char *name;
	uint64_t base;
};

/**
 * struct damages - the problems of a file
 * @tell: called for each when it is found; may be NULL
 * @context: passed to @tell
 * @kept: the first ones
 * @nr: number of all problems, may exceed DAMAGE_KEPT
 * @files: @nr_files of them in ascending order, if there are several
 */
struct damages {
	void (*tell)(void *context, const struct kermon_damage *damage);
	void *context;
	struct kermon_damage kept[DAMAGE_KEPT];
	uint64_t nr;
	const struct damage_file *files;
	size_t nr_files;
};

void damage_add(struct damages *damages, uint64_t offset,
		const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* One of the problems that were kept; NULL beyond the last one. */
static inline const struct kermon_damage *
damage_at(const struct damages *damages, size_t index)
{
	if (index >= damages->nr || index >= DAMAGE_KEPT)
		return NULL;
	return &damages->kept[index];
}

/* Also pass each problem to the caller's collection; @to may be NULL. */
void damages_collect(struct damages *damages, struct kermon_damages *to);

#endif /* KERMON_PERFDATA_DAMAGE_H */
