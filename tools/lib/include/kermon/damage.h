/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is wrong with a file that was read. Damage does not stop a reading where it can
 * go on: what is intact is read, what is not is described here.
 *
 *	damages = kermon_damages_new(NULL, NULL);
 *	options.damages = damages;
 *	... make a report, a profile or the like with these options, and read a file
 *	for (i = 0; (damage = kermon_damages_get(damages, i)); i++)
 *		puts(damage->text);
 *	kermon_damages_free(damages);
 *
 * It may be handed to one reading after the other, but not to two threads. It has to
 * live as long as what it was handed to: some damage is only found when a report is
 * asked for more.
 */
#ifndef KERMON_DAMAGE_H
#define KERMON_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

#define KERMON_DAMAGE_TEXT	160
#define KERMON_NO_OFFSET	UINT64_MAX

/**
 * struct kermon_damage - one place where something is wrong
 * @offset: byte in the file where it was noticed; KERMON_NO_OFFSET: it is wrong with the
 *	file as a whole
 * @text: what, in words
 */
struct kermon_damage {
	uint64_t offset;
	char text[KERMON_DAMAGE_TEXT];
};

struct kermon_damages;

/*
 * @found, unless it is NULL, is called with @context for each damage when it is found,
 * by the thread that reads; the damage is valid during the call. NULL: no memory.
 */
struct kermon_damages *
kermon_damages_new(void (*found)(void *context,
				 const struct kermon_damage *damage),
		   void *context);
void kermon_damages_free(struct kermon_damages *damages);

/* How much is wrong so far. */
uint64_t kermon_damages_count(const struct kermon_damages *damages);

/*
 * Damage number @index, in the order in which they were found. Of many only the first
 * few are kept. NULL after the last that is; else valid as long as @damages.
 */
const struct kermon_damage *
kermon_damages_get(const struct kermon_damages *damages, size_t index);

KERMON_END_DECLS
#endif /* KERMON_DAMAGE_H */
