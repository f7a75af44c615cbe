/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names that are like a name that was not found, the likest first.
 */
#ifndef KERMON_NEARMATCH_H
#define KERMON_NEARMATCH_H

/* How many are kept, and the length of one with its NUL. */
#define NEARMATCH_NAMES	5
#define NEARMATCH_LENGTH	96

/**
 * struct nearmatch - the best candidates so far; begins as { .word = word }
 * @word: what is looked for
 * @nr: number of candidates in @names
 * @names: the candidates, best first
 * @scores: theirs, ascending; 0 is best
 */
struct nearmatch {
	const char *word;
	unsigned int nr;
	char names[NEARMATCH_NAMES][NEARMATCH_LENGTH];
	unsigned int scores[NEARMATCH_NAMES];
};

/* Keep @candidate if it is similar to the word and better than one that was kept. */
void nearmatch_offer(struct nearmatch *match, const char *candidate);

#endif /* KERMON_NEARMATCH_H */
