/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Statements about a recording as a whole: whether it is complete, what is missing, what
 * was not decoded. They are derived from facts in the file after it has been read, and
 * returned by kermon_report_statements() and similar functions.
 */
#ifndef KERMON_STATEMENTS_H
#define KERMON_STATEMENTS_H

#include <stdbool.h>
#include <stddef.h>

#define KERMON_STATEMENT_TEXT	384
#define KERMON_MAX_STATEMENTS	20

/**
 * struct kermon_statement - a statement about a recording
 * @id: the same in all versions: "lost", "cut-off", "complete", "exact"...; listed in
 *	kermon-report(1)
 * @limits: it limits how counts can be interpreted: they are lower bounds or estimates, do
 *	not cover everything that ran, or cannot be attributed to functions
 * @is_damage: it is also among the damages, which have more detail
 * @text: one or two sentences
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
 * struct kermon_statements - all statements about a recording
 * @completeness: whether everything that was to be recorded is in the file
 * @nr: length of @all
 * @all: these; later libraries may have room for more
 */
struct kermon_statements {
	enum kermon_completeness completeness;
	size_t nr;
	struct kermon_statement all[KERMON_MAX_STATEMENTS];
};

#endif /* KERMON_STATEMENTS_H */
