// SPDX-License-Identifier: GPL-2.0
/* Read what /proc/cpuinfo calls the processor. */
#include <stdio.h>
#include <string.h>

#include "cpuinfo.h"

/* The value of @key in a line of /proc/cpuinfo; NULL if the line has another key. */
static char *value_in(char *line, const char *key)
{
	const size_t length = strlen(key);
	char *colon = strchr(line, ':');

	if (!colon || strncmp(line, key, length))
		return NULL;
	/* "model" is a prefix of "model name" */
	if (line + length + strspn(line + length, " \t") != colon)
		return NULL;
	colon += strspn(colon, ": \t");
	colon[strcspn(colon, "\n")] = '\0';
	return colon;
}

/* The value for the first CPU; "" if there is none. */
static void read_value(const char *key, char *value, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[512], *found = NULL;

	while (file && !found && fgets(line, sizeof(line), file))
		found = value_in(line, key);
	snprintf(value, size, "%s", found ? found : "");
	if (file)
		fclose(file);
}

void cpuinfo_name(char name[CPUINFO_TEXT])
{
	read_value("model name", name, CPUINFO_TEXT);
}

void cpuinfo_id(char id[CPUINFO_TEXT])
{
	char vendor[32], family[16], model[16], stepping[16];

	read_value("vendor_id", vendor, sizeof(vendor));
	read_value("cpu family", family, sizeof(family));
	read_value("model", model, sizeof(model));
	read_value("stepping", stepping, sizeof(stepping));
	snprintf(id, CPUINFO_TEXT, "%s,%s,%s,%s", vendor, family, model, stepping);
}
