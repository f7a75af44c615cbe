/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to statements.c: statements about a recording, such as losses, which every
 * command repeats.
 */
#ifndef KERMON_STATEMENTS_TEXT_H
#define KERMON_STATEMENTS_TEXT_H

#include <kermon/statements.h>

#include "ui/json.h"

/* Print each statement as a line of standard output, in the footer of a report. */
void statements_print(const struct kermon_statements *statements);

/*
 * Add to the current object "complete": true, false, or null if unknown; and "statements"
 * with their ids.
 */
void statements_json(struct json *json,
		     const struct kermon_statements *statements);

/*
 * Print statements that limit the meaning of counts to standard error, for commands whose
 * output does not include them. Damages, which are reported anyway, are omitted.
 */
void statements_tell(const char *command, const char *path,
		     const struct kermon_statements *statements);

#endif /* KERMON_STATEMENTS_TEXT_H */
