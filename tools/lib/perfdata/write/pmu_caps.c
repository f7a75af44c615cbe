// SPDX-License-Identifier: GPL-2.0
/*
 * Read from sysfs what the PMUs are capable of, and which CPUs they are for, as the
 * features CPU_PMU_CAPS, PMU_CAPS and HYBRID_TOPOLOGY.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "pmu_caps.h"
#include "util/sysfile.h"

#define PMUS	"/sys/bus/event_source/devices"
#define CPU_PMU	"cpu"

/* PMUs of a kind of core: cpu_core, cpu_atom. */
#define HYBRID	"cpu_"

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Entries of a folder below that of the PMUs. Return: their number, 0 if there are none. */
static int list(const char *root, const char *below, struct dirent ***entries)
{
	char path[SYSFILE_LINE];
	int nr;

	*entries = NULL;
	snprintf(path, sizeof(path), "%s" PMUS "/%s", root, below);
	nr = scandir(path, entries, is_visible, alphasort);
	return nr < 0 ? 0 : nr;
}

/* Add the capabilities of a PMU. Return: whether it has any. */
static bool add_caps(const char *root, const char *pmu, struct blob *blob)
{
	char folder[512], value[SYSFILE_LINE];
	struct blob_list caps = { 0 };
	struct dirent **entries;
	bool has_any;
	int nr;

	snprintf(folder, sizeof(folder), "%s/caps", pmu);
	nr = list(root, folder, &entries);
	for (int i = 0; i < nr; i++) {
		if (!sysfile_line(value, "%s" PMUS "/%s/%s", root, folder,
				  entries[i]->d_name))
			continue;
		blob_string(&caps.data, entries[i]->d_name);
		blob_string(&caps.data, value);
		caps.nr++;
	}
	sysfile_free(entries, nr);
	has_any = caps.nr;
	blob_list(blob, &caps);
	return has_any;
}

void pmu_caps_cpu(const char *root, struct blob *blob)
{
	add_caps(root, CPU_PMU, blob);
}

/* Whether a PMU is that of a kind of core; sets @cpus to those it is for. */
static bool is_hybrid(const char *root, const char *pmu,
		      char cpus[SYSFILE_LINE])
{
	return !strncmp(pmu, HYBRID, strlen(HYBRID)) &&
	       sysfile_line(cpus, "%s" PMUS "/%s/cpus", root, pmu);
}

/* Those of cores first, as in perf: when the feature was new, there were no others. */
void pmu_caps_others(const char *root, struct blob *blob)
{
	struct blob_list pmus = { 0 };
	struct dirent **entries;
	char cpus[SYSFILE_LINE];
	const char *name;
	int nr = list(root, "", &entries);

	for (int i = 0; i < 2 * nr; i++) {
		name = entries[i % nr]->d_name;
		if (!strcmp(name, CPU_PMU) ||
		    is_hybrid(root, name, cpus) != (i < nr) ||
		    !add_caps(root, name, &pmus.data))
			continue;
		blob_string(&pmus.data, name);
		pmus.nr++;
	}
	sysfile_free(entries, nr);
	blob_list(blob, &pmus);
}

void pmu_caps_hybrid(const char *root, struct blob *blob)
{
	struct blob_list pmus = { 0 };
	struct dirent **entries;
	char cpus[SYSFILE_LINE];
	int nr = list(root, "", &entries);

	for (int i = 0; i < nr; i++) {
		if (!is_hybrid(root, entries[i]->d_name, cpus))
			continue;
		blob_string(&pmus.data, entries[i]->d_name);
		blob_string(&pmus.data, cpus);
		pmus.nr++;
	}
	sysfile_free(entries, nr);
	blob_list(blob, &pmus);
}
