// SPDX-License-Identifier: GPL-2.0
/* The intervals of a thread or CPU: counts up to the end of each. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "merge_private.h"

struct life *life_get(struct run *run, size_t number)
{
	size_t nr = 2 * (number + 8);
	struct life *lives;

	if (number >= run->nr_lives) {
		lives = realloc(run->lives, nr * sizeof(*lives));
		if (!lives)
			return NULL;
		memset(lives + run->nr_lives, 0,
		       (nr - run->nr_lives) * sizeof(*lives));
		run->lives = lives;
		run->nr_lives = nr;
	}
	return &run->lives[number];
}

int life_begin(const struct run *run, struct life *life, uint32_t number)
{
	size_t room = life->room ? 2 * life->room : 16;
	uint64_t *rows;

	if (life->nr == life->room) {
		rows = realloc(life->rows, room * run->width * sizeof(*rows));
		if (!rows)
			return -ENOMEM;
		life->rows = rows;
		life->room = room;
	}
	rows = life_row(run, life, life->nr++);
	if (life->nr > 1)
		memcpy(rows, rows - run->width, run->width * sizeof(*rows));
	else
		memset(rows, 0, run->width * sizeof(*rows));
	rows[ROW_NUMBER] = number;
	return 0;
}

void life_count(struct run *run, const struct life *life, size_t event, uint64_t count)
{
	uint64_t *row = life_row(run, life, life->nr - 1);

	if (event == run->instructions) {
		row[ROW_INSTRUCTIONS] += count;
		run->told.instructions += count;
	}
	for (size_t i = 0; i < run->nr_programmed; i++)
		if (event == run->programmed[i])
			row[ROW_EVENTS + i] += count;
}
