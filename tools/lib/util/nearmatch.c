// SPDX-License-Identifier: GPL-2.0
/* Suggestions for a misspelled name: the candidates closest to it. */
#define _GNU_SOURCE
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "nearmatch.h"

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int min = a < b ? a : b;

	return min < c ? min : c;
}

/* Levenshtein distance of strings that fit into an event name. */
static unsigned int edit_distance(const char *a, const char *b)
{
	unsigned int row[KERMON_EVENT_NAME], diagonal, above;
	unsigned int n = strlen(b), i, j;

	for (j = 0; j <= n; j++)
		row[j] = j;
	for (i = 0; a[i]; i++) {
		diagonal = row[0];
		row[0] = i + 1;
		for (j = 0; j < n; j++) {
			above = row[j + 1];
			row[j + 1] = min3(above + 1, row[j] + 1, diagonal +
					  (toupper(a[i]) != toupper(b[j])));
			diagonal = above;
		}
	}
	return row[n];
}

/* A substring counts as much as a typo. UINT_MAX: not similar. */
static unsigned int score(const char *word, const char *candidate)
{
	unsigned int distance;

	if (strcasestr(candidate, word))
		return 1 + (strlen(candidate) - strlen(word)) / 8;
	distance = edit_distance(word, candidate);
	return distance <= strlen(word) / 3 + 1 ? distance : UINT_MAX;
}

void nearmatch_offer(struct nearmatch *match, const char *candidate)
{
	struct kermon_event_error *error = match->error;
	unsigned int i, n = error->nr_near, points;

	if (strlen(match->word) < 2 || strlen(candidate) >= KERMON_EVENT_NAME)
		return;
	points = score(match->word, candidate);
	if (points == UINT_MAX)
		return;
	for (i = n; i > 0 && match->scores[i - 1] > points; i--)
		;
	if (i == KERMON_NEAR_EVENTS)
		return;
	if (n < KERMON_NEAR_EVENTS)
		error->nr_near = ++n;
	memmove(&match->scores[i + 1], &match->scores[i],
		(n - 1 - i) * sizeof(match->scores[0]));
	memmove(error->near[i + 1], error->near[i],
		(n - 1 - i) * sizeof(error->near[0]));
	match->scores[i] = points;
	strcpy(error->near[i], candidate);
}
