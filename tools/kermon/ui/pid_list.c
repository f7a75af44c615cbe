// SPDX-License-Identifier: GPL-2.0
/* Options that name processes or threads. */
#include <errno.h>
#include <stdlib.h>

#include "completion.h"
#include "pid_list.h"
#include "util/array.h"

static bool has(const struct pid_list *list, pid_t id)
{
	for (size_t i = 0; i < list->nr; i++)
		if (list->ids[i] == id)
			return true;
	return false;
}

/* An id that is named twice would be recorded or shown twice. */
static int add(struct pid_list *list, pid_t id)
{
	if (has(list, id))
		return 0;
	if (array_room(list->ids, list->room, list->nr + 1))
		return -ENOMEM;
	list->ids[list->nr++] = id;
	return 0;
}

static void take_pids(struct options *options, const struct option_spec *spec, void *to)
{
	const char *text = options->value;
	struct pid_list *list = to;
	unsigned long id;
	char *end;

	do {
		errno = 0;
		id = strtoul(text, &end, 10);
		if (*text < '0' || *text > '9' || errno || !id || id > INT32_MAX ||
		    (*end && *end != ',')) {
			options_stop(options, "invalid %.3s '%s' for '%s'", spec->arg,
				     options->value, options->token);
			return;
		}
		if (add(list, id)) {
			options_stop(options, "out of memory");
			return;
		}
		text = end + 1;
	} while (*end);
}

const struct value_type value_pids = {
	.separators = ",",
	.take = take_pids,
	.complete = completion_pids,
};

void pid_list_free(struct pid_list *list)
{
	free(list->ids);
	*list = (struct pid_list){ 0 };
}
