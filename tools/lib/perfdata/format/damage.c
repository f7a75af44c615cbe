// SPDX-License-Identifier: GPL-2.0
/*
 * Collects what is wrong with a file: keeps the first few problems, counts them all,
 * and passes each on to whoever asked to be told.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "damage.h"

/* The file that @offset is in; NULL: there is but one, or it is in none. */
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
