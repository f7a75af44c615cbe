// SPDX-License-Identifier: GPL-2.0
#include <kermon/report.h>
#include <stdio.h>

#include "names.h"

const char *names_list(const char *(*name)(size_t index), char text[NAMES_SIZE])
{
	size_t len = 0;

	*text = '\0';
	for (size_t i = 0; name(i) && len < NAMES_SIZE; i++)
		len += snprintf(text + len, NAMES_SIZE - len, "%s%s",
				i ? ", " : "", name(i));
	return text;
}

static const char *name_of_key(size_t index)
{
	const struct kermon_key *key = kermon_key_at(index);

	return key ? key->name : NULL;
}

bool names_keys_option(struct options *options)
{
	char names[NAMES_SIZE];

	if (kermon_keys_valid(options->value))
		return true;
	options_stop(options, "invalid list of keys '%s'; valid keys: %s",
		     options->value, names_list(name_of_key, names));
	return false;
}
