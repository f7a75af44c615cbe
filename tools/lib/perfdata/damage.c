// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>

#include "damage.h"

/* The file that @offset is in; NULL: there is but one. */
static const struct damage_file *file_at(const struct damages *damages,
					 uint64_t offset)
{
	size_t i = damages->nr_files;

	while (i > 1 && damages->files[i - 1].base > offset)
		i--;
	return i ? &damages->files[i - 1] : NULL;
}

void damage_add(struct damages *damages, uint64_t offset,
		const char *format, ...)
{
	const struct damage_file *file = file_at(damages, offset);
	struct kermon_damage *damage;
	va_list args;
	size_t used;

	if (damages->nr++ >= DAMAGE_KEPT)
		return;
	damage = &damages->kept[damages->nr - 1];
	damage->offset = file ? offset - file->base : offset;
	used = file ? snprintf(damage->text, sizeof(damage->text), "%s: ",
			       file->name) : 0;
	va_start(args, format);
	vsnprintf(damage->text + used, sizeof(damage->text) - used, format,
		  args);
	va_end(args);
}
