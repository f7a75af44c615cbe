// SPDX-License-Identifier: GPL-2.0
/*
 * Prints statements about a recording as text, JSON or messages.
 */
#include <stdio.h>

#include "statements.h"
#include "ui/message.h"
#include "ui/shown.h"

void statements_print(const struct kermon_statements *statements)
{
	for (size_t i = 0; i < statements->nr; i++)
		shown_line(stdout, "%s", statements->all[i].text);
}

void statements_json(struct json *json,
		     const struct kermon_statements *statements)
{
	if (statements->completeness == KERMON_COMPLETENESS_UNKNOWN)
		json_text(json, "complete", NULL);
	else
		json_bool(json, "complete",
			  statements->completeness == KERMON_COMPLETE);
	json_begin_array(json, "statements");
	for (size_t i = 0; i < statements->nr; i++) {
		json_begin_object(json, NULL);
		json_text(json, "id", statements->all[i].id);
		json_bool(json, "limits", statements->all[i].limits);
		json_text(json, "text", statements->all[i].text);
		json_end_object(json);
	}
	json_end_array(json);
}

void statements_tell(const char *command, const char *path,
		     const struct kermon_statements *statements)
{
	for (size_t i = 0; i < statements->nr; i++)
		if (statements->all[i].limits && !statements->all[i].is_damage)
			message(command, "%s: %s", path,
				statements->all[i].text);
}
