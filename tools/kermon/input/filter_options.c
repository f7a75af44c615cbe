// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "filter_options.h"

static const struct {
	int key;
	enum kermon_filter_by by;
	const char *what;
} kinds[] = {
	{ 'c', KERMON_FILTER_COMM, "list of names" },
	{ FILTER_KEY_PID, KERMON_FILTER_PID, "list of processes" },
	{ FILTER_KEY_TID, KERMON_FILTER_TID, "list of threads" },
	{ 'C', KERMON_FILTER_CPU, "CPU list" },
	{ 'd', KERMON_FILTER_DSO, "list of programs and libraries" },
	{ 'S', KERMON_FILTER_SYMBOL, "list of functions" },
	{ FILTER_KEY_TIME, KERMON_FILTER_TIME, "time range" },
};

bool filter_option(struct options *options, int key,
		   struct kermon_filter *filter)
{
	int err;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].key != key)
			continue;
		err = kermon_filter_add(filter, kinds[i].by, options->value);
		if (err == -EINVAL)
			options_stop(options, "invalid %s '%s'", kinds[i].what,
				     options->value);
		else if (err)
			options_stop(options, "%s", strerror(-err));
		return true;
	}
	return false;
}
