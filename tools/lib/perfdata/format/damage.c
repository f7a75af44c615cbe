// SPDX-License-Identifier: GPL-2.0
/*
 * Collect the problems of a file: keep the first few, count all of them, and pass each
 * on to the callback.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "damage.h"

/* The caller's collection: a copy of what is passed to it. */
struct kermon_damages {
	struct damages all;
};

/* The file that contains @offset; NULL: there is only one file, or none contains it. */
static const struct damage_file *file_at(const struct damages *damages,
					 uint64_t offset)
{
	size_t i = damages->nr_files;

	if (offset == KERMON_NO_OFFSET)
		return NULL;
	while (i > 1 && damages->files[i - 1].base > offset)
		i--;
	return i ? &damages->files[i - 1] : NULL;
}

static void describe(struct kermon_damage *damage,
		     const struct damages *damages, uint64_t offset,
		     const char *format, va_list args)
	__attribute__((format(printf, 4, 0)));

static void describe(struct kermon_damage *damage,
		     const struct damages *damages, uint64_t offset,
		     const char *format, va_list args)
{
	const struct damage_file *file = file_at(damages, offset);
	size_t used = 0;

	damage->offset = file ? offset - file->base : offset;
	if (file)
		used = snprintf(damage->text, sizeof(damage->text), "%s: ",
				file->name);
	vsnprintf(damage->text + used, sizeof(damage->text) - used, format,
		  args);
}

void damage_add(struct damages *damages, uint64_t offset,
		const char *format, ...)
{
	bool is_kept = damages->nr++ < DAMAGE_KEPT;
	struct kermon_damage damage;
	va_list args;

	if (!is_kept && !damages->tell)
		return;
	va_start(args, format);
	describe(&damage, damages, offset, format, args);
	va_end(args);
	if (is_kept)
		damages->kept[damages->nr - 1] = damage;
	if (damages->tell)
		damages->tell(damages->context, &damage);
}

static void take(void *context, const struct kermon_damage *damage)
{
	struct damages *to = context;

	if (to->nr < DAMAGE_KEPT)
		to->kept[to->nr] = *damage;
	to->nr++;
	if (to->tell)
		to->tell(to->context, damage);
}

void damages_collect(struct damages *damages, struct kermon_damages *to)
{
	damages->tell = to ? take : NULL;
	damages->context = to ? &to->all : NULL;
}

struct kermon_damages *
kermon_damages_new(void (*found)(void *context,
				 const struct kermon_damage *damage),
		   void *context)
{
	struct kermon_damages *damages = calloc(1, sizeof(*damages));

	if (damages) {
		damages->all.tell = found;
		damages->all.context = context;
	}
	return damages;
}

void kermon_damages_free(struct kermon_damages *damages)
{
	free(damages);
}

uint64_t kermon_damages_count(const struct kermon_damages *damages)
{
	return damages->all.nr;
}

const struct kermon_damage *
kermon_damages_get(const struct kermon_damages *damages, size_t index)
{
	return damage_at(&damages->all, index);
}
