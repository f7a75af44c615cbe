/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Problems of a file that was read. Reading continues after damage where possible:
 * intact parts are read, and the others are described here.
 *
 *	damages = kermon_damages_new(NULL, NULL);
 *	options.damages = damages;
 *	... make a report, a profile or the like with these options, and read a file
 *	for (i = 0; (damage = kermon_damages_get(damages, i)); i++)
 *		puts(damage->text);
 *	kermon_damages_free(damages);
 *
 * It may be passed to several reads one after the other, but not used by two threads. It
 * must live as long as the objects that it was passed to: some damage is only found when
 * more is requested from a report.
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
 * struct kermon_damage - a problem and its position
 * @offset: byte offset in the file where it was noticed; KERMON_NO_OFFSET: it concerns
 *	the file as a whole
 * @text: description
 */
struct kermon_damage {
	uint64_t offset;
	char text[KERMON_DAMAGE_TEXT];
};

struct kermon_damages;

/*
 * @found may be NULL. It is called with @context for each damage when it is found, by
 * the reading thread; the damage is valid during the call. Return: NULL if out of
 * memory.
 */
struct kermon_damages *
kermon_damages_new(void (*found)(void *context,
				 const struct kermon_damage *damage),
		   void *context);
void kermon_damages_free(struct kermon_damages *damages);

/* Number of problems so far. */
uint64_t kermon_damages_count(const struct kermon_damages *damages);

/*
 * Damage number @index, in order of discovery. Only the first few are kept. Return:
 * NULL beyond the last one that is; otherwise valid as long as @damages.
 */
const struct kermon_damage *
kermon_damages_get(const struct kermon_damages *damages, size_t index);

KERMON_END_DECLS
#endif /* KERMON_DAMAGE_H */
