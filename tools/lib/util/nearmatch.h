/* SPDX-License-Identifier: GPL-2.0 */
/* Suggestions for a name that was not found: the candidates closest to it. */
#ifndef KERMON_NEARMATCH_H
#define KERMON_NEARMATCH_H

#include <kermon/events.h>

/**
 * struct nearmatch - the best candidates so far
 * @word: name to look for
 * @error: receives the candidates
 * @scores: of the candidates, ascending; 0 is best
 */
struct nearmatch {
	const char *word;
	struct kermon_event_error *error;
	unsigned int scores[KERMON_NEAR_EVENTS];
};

/* Keep @candidate if it is similar to the word and better than one that was kept. */
void nearmatch_offer(struct nearmatch *match, const char *candidate);

#endif /* KERMON_NEARMATCH_H */
