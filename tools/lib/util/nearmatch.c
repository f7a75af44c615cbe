// SPDX-License-Identifier: GPL-2.0
/* Suggestions for a misspelled name: the candidates closest to it. */
#define _GNU_SOURCE
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "nearmatch.h"

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int min = a < b ? a : b;

	return min < c ? min : c;
}

/* Levenshtein distance of strings shorter than NEARMATCH_LENGTH. */
static unsigned int edit_distance(const char *a, const char *b)
{
	unsigned int row[NEARMATCH_LENGTH], diagonal, above;
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

static bool is_comparable(const char *word, const char *candidate)
{
	size_t length = strlen(word);

	return length > 1 && length < NEARMATCH_LENGTH &&
	       strlen(candidate) < NEARMATCH_LENGTH;
}

void nearmatch_offer(struct nearmatch *match, const char *candidate)
{
	unsigned int i, points;

	if (!is_comparable(match->word, candidate))
		return;
	points = score(match->word, candidate);
	if (points == UINT_MAX)
		return;
	for (i = match->nr; i > 0 && match->scores[i - 1] > points; i--)
		;
	if (i == NEARMATCH_NAMES)
		return;
	if (match->nr < NEARMATCH_NAMES)
		match->nr++;
	memmove(&match->scores[i + 1], &match->scores[i],
		(match->nr - 1 - i) * sizeof(match->scores[0]));
	memmove(match->names[i + 1], match->names[i],
		(match->nr - 1 - i) * sizeof(match->names[0]));
	match->scores[i] = points;
	strcpy(match->names[i], candidate);
}
