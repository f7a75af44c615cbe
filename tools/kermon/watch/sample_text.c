// SPDX-License-Identifier: GPL-2.0
/* Names of the members of a sample in CSV and JSON. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sample_text.h"

static const struct {
	unsigned int flag;
	const char *name;
} flag_names[] = {
	{ KERMON_SPY_FIRST, "first" },
	{ KERMON_SPY_CUT, "cut" },
	{ KERMON_SPY_UNCOUNTED, "uncounted" },
	{ KERMON_SPY_OFFLINE, "offline" },
};

const char *sample_flags(unsigned int flags, char text[SAMPLE_FLAGS])
{
	size_t length = 0;

	*text = '\0';
	for (size_t i = 0; i < sizeof(flag_names) / sizeof(flag_names[0]); i++)
		if (flags & flag_names[i].flag)
			length += snprintf(text + length, SAMPLE_FLAGS - length, "%s%s",
					   length ? "+" : "", flag_names[i].name);
	return text;
}

const char *sample_event_field(const struct sums_event *event, char name[FIELD_NAME])
{
	field_of_event(event->name, event->unit == KERMON_SPY_NS ?
		       KERMON_METRIC_TIME : KERMON_METRIC_COUNT, name);
	return name;
}

uint64_t sample_step_ns(enum kermon_spy_unit unit)
{
	return unit == KERMON_SPY_NS ? 1000000000 / sysconf(_SC_CLK_TCK) : 0;
}

const char *sample_domain_field(const char *domain, char name[FIELD_NAME])
{
	field_of_event(domain, KERMON_METRIC_ENERGY, name);
	return name;
}
