// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>

#include "damage.h"

void damage_add(struct damages *damages, uint64_t offset,
		const char *format, ...)
{
	struct kermon_damage *damage;
	va_list args;

	if (damages->nr++ >= DAMAGE_KEPT)
		return;
	damage = &damages->kept[damages->nr - 1];
	damage->offset = offset;
	va_start(args, format);
	vsnprintf(damage->text, sizeof(damage->text), format, args);
	va_end(args);
}
