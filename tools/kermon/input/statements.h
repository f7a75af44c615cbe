/* SPDX-License-Identifier: GPL-2.0 */
/* How commands repeat what is true of a recording. */
#ifndef KERMON_STATEMENTS_TEXT_H
#define KERMON_STATEMENTS_TEXT_H

#include <kermon/statements.h>

#include "ui/json.h"

/* Each a line of standard output, the footer of a report. */
void statements_print(const struct kermon_statements *statements);

/*
 * "complete": true, false, or null if nobody knows; and "statements", with their ids, in
 * the object that is being written.
 */
void statements_json(struct json *json,
		     const struct kermon_statements *statements);

/*
 * Those that limit how the counts of a file can be read, on standard error: for commands
 * whose output has no place for them. They have told damages there.
 */
void statements_tell(const char *command, const char *path,
		     const struct kermon_statements *statements);

#endif /* KERMON_STATEMENTS_TEXT_H */
