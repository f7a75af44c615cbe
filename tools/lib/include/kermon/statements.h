/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is true of a recording as a whole: whether it is complete, what is missing, what
 * was not decoded. All of it is derived from facts in the file, when that has been read;
 * kermon_report_statements() and the like hand it out.
 */
#ifndef KERMON_STATEMENTS_H
#define KERMON_STATEMENTS_H

#include <stdbool.h>
#include <stddef.h>

#define KERMON_STATEMENT_TEXT	384
#define KERMON_MAX_STATEMENTS	20

/**
 * struct kermon_statement - one of them
 * @id: the same in all versions: "lost", "cut-off", "complete", "exact"...; they are
 *	listed in kermon-report(1)
 * @limits: counts have to be read with it in mind: they are lower bounds, estimates, not of
 *	everything that ran, or not by function where they could be
 * @is_damage: it is one of the damages, too, which say more
 * @text: a sentence or two
 */
struct kermon_statement {
	const char *id;
	bool limits;
	bool is_damage;
	char text[KERMON_STATEMENT_TEXT];
};

enum kermon_completeness {
	KERMON_COMPLETENESS_UNKNOWN,	/* nothing in the file proves either */
	KERMON_COMPLETE,		/* finished by the recorder, intact, without losses */
	KERMON_INCOMPLETE,
};

/**
 * struct kermon_statements - all that can be said
 * @completeness: whether all is there that was to be recorded
 * @nr: how many there are
 * @all: these; later libraries may have room for more
 */
struct kermon_statements {
	enum kermon_completeness completeness;
	size_t nr;
	struct kermon_statement all[KERMON_MAX_STATEMENTS];
};

#endif /* KERMON_STATEMENTS_H */
