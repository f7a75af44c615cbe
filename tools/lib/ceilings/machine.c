// SPDX-License-Identifier: GPL-2.0
/* Which machine ceilings belong to, and where they are kept. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "private.h"
#include "util/cpuinfo.h"
#include "util/location.h"

/* Of each part of a file's name, so that the whole stays below NAME_MAX. */
#define PART_SIZE	56

void kermon_machine_here(struct kermon_machine *machine)
{
	struct utsname name = { 0 };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	uname(&name);
	memset(machine, 0, sizeof(*machine));
	snprintf(machine->hostname, sizeof(machine->hostname), "%s", name.nodename);
	cpuinfo_id(machine->cpuid);
	cpuinfo_name(machine->cpudesc);
	machine->cpus = cpus > 0 ? cpus : 0;
}

/*
 * A text of the machine as part of a file's name: letters, digits, commas and dots; other
 * characters become one '_'.
 */
static void name_part(char part[PART_SIZE], const char *text)
{
	size_t length = 0;

	for (; *text && length < PART_SIZE - 1; text++) {
		if (isalnum((unsigned char)*text) || strchr(",.", *text))
			part[length++] = *text;
		else if (length && part[length - 1] != '_')
			part[length++] = '_';
	}
	while (length && part[length - 1] == '_')
		length--;
	part[length] = '\0';
	if (!length)
		strcpy(part, "unknown");
}

int kermon_ceilings_default_path(const struct kermon_machine *machine, bool theoretical,
				 char path[KERMON_CEILINGS_PATH])
{
	char folder[KERMON_CEILINGS_PATH];
	char hostname[PART_SIZE], cpuid[PART_SIZE], cpudesc[PART_SIZE];
	int length = xdg_folder(folder, sizeof(folder), "XDG_DATA_HOME", ".local/share",
				"ceilings");

	if (length < 0)
		return length;
	name_part(hostname, machine->hostname);
	name_part(cpuid, machine->cpuid);
	name_part(cpudesc, machine->cpudesc);
	length = snprintf(path, KERMON_CEILINGS_PATH,
			  "%s/%s-%s-%u-%s%s.json", folder, cpuid, cpudesc,
			  machine->cpus, hostname, theoretical ? "-theoretical" : "");
	return length < KERMON_CEILINGS_PATH ? 0 : -ENAMETOOLONG;
}

static bool differ(const char *one, const char *other)
{
	return one && *one && *other && strcmp(one, other);
}

enum kermon_ceilings_match
kermon_ceilings_match(const struct kermon_ceilings *ceilings, const char *cpuid,
		      const char *cpudesc, unsigned int cpus)
{
	const struct kermon_ceilings_about *about = &ceilings->about;
	bool cpuid_known = cpuid && *cpuid && *about->cpuid;
	bool cpudesc_known = cpudesc && *cpudesc && *about->cpudesc;

	if (differ(cpuid, about->cpuid) || differ(cpudesc, about->cpudesc) ||
	    (cpus && about->cpus && cpus != about->cpus))
		return KERMON_CEILINGS_OTHER;
	return cpuid_known || cpudesc_known ? KERMON_CEILINGS_SAME :
					      KERMON_CEILINGS_UNKNOWN;
}
