/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is wrong with a file, and where: collected while reading, shown by
 * whoever asked for the file to be read.
 */
#ifndef KERMON_PERFDATA_DAMAGE_H
#define KERMON_PERFDATA_DAMAGE_H

#include <kermon/damage.h>
#include <stddef.h>
#include <stdint.h>

#define DAMAGE_KEPT	8

/* One of several files: @base is the offset that its first byte is said to have. */
struct damage_file {
	const char *name;
	uint64_t base;
};

/**
 * struct damages - all that is wrong
 * @tell: called for each when it is found; NULL: nobody wants to know them all
 * @context: handed to @tell
 * @kept: the first ones
 * @nr: how many there are, more than DAMAGE_KEPT perhaps
 * @files: @nr_files of them, in ascending order, if there are several
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

/* One of those that were kept; NULL: there are no more. */
static inline const struct kermon_damage *
damage_at(const struct damages *damages, size_t index)
{
	if (index >= damages->nr || index >= DAMAGE_KEPT)
		return NULL;
	return &damages->kept[index];
}

/* Each goes to what the caller collects as well; @to may be NULL. */
void damages_collect(struct damages *damages, struct kermon_damages *to);

#endif /* KERMON_PERFDATA_DAMAGE_H */
