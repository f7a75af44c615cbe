/* SPDX-License-Identifier: GPL-2.0 */
/* Names that are like a name that was not found. */
#ifndef KERMON_NEARMATCH_H
#define KERMON_NEARMATCH_H

#include <kermon/events.h>

/**
 * struct nearmatch - the best candidates so far
 * @word: what is looked for
 * @error: gets the candidates
 * @scores: theirs, ascending; 0 is best
 */
struct nearmatch {
	const char *word;
	struct kermon_event_error *error;
	unsigned int scores[KERMON_NEAR_EVENTS];
};

/* Keeps @candidate if it is like the word, and more so than another one. */
void nearmatch_offer(struct nearmatch *match, const char *candidate);

#endif /* KERMON_NEARMATCH_H */
