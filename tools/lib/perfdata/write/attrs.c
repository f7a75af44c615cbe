// SPDX-License-Identifier: GPL-2.0
/*
 * Generate the events of KerMon's files: fixed counters, programmed events, on-CPU
 * time, energy and the side-band, with their attrs and names.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attrs.h"
#include "topology.h"

#define PMU_PATH	"/sys/bus/event_source/devices"

/* perf's name and identity of each fixed counter: SDM vol. 3B, 20.2.2. */
static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
} fixed_events[ATTRS_MAX_FIXED] = {
	[KERMON_FIXED_INSTRUCTIONS] = {
		PERFDATA_EVENT_INSTRUCTIONS,
		PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
	},
	[KERMON_FIXED_CORE_CYCLES] = {
		PERFDATA_EVENT_CYCLES,
		PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
	},
	[KERMON_FIXED_REF_CYCLES] = {
		PERFDATA_EVENT_REF_CYCLES,
		PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES,
	},
	[3] = { "slots", PERF_TYPE_RAW, PERFDATA_CONFIG_SLOTS },
};

/* config of the RAPL PMU for each domain: arch/x86/events/rapl.c */
static const uint64_t energy_configs[KERMON_DOMAIN_COUNT] = {
	[KERMON_DOMAIN_PACKAGE] = 0x02,
	[KERMON_DOMAIN_CORES] = 0x01,
	[KERMON_DOMAIN_GPU] = 0x04,
	[KERMON_DOMAIN_DRAM] = 0x03,
};

/* Common to all events of the file, so that all records have the same trailer. */
static void set_common(struct perf_event_attr *attr,
		       enum kermon_clock_kind kind)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = PERFDATA_ATTR_SIZE;
	attr->sample_type = PERFDATA_SAMPLE_TYPE;
	attr->sample_period = 1;
	attr->sample_id_all = 1;
	attr->exclude_guest = 1;
	if (kind == KERMON_CLOCK_PAIRS) {
		attr->use_clockid = 1;
		attr->clockid = CLOCK_MONOTONIC_RAW;
	}
}

void attrs_sideband(struct perf_event_attr *attr, enum kermon_clock_kind kind)
{
	set_common(attr, kind);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->inherit = 1;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->watermark = 1;
	attr->wakeup_watermark = 1 << 16;
}

static void set_modes(struct perf_event_attr *attr, bool user, bool kernel)
{
	attr->exclude_user = !user;
	attr->exclude_kernel = !kernel;
	attr->exclude_hv = !kernel;
}

/* The registers that are needed to unwind a stack: all but segments. */
#define REGISTERS	0xff0fffULL

static void set_chains(struct perf_event_attr *attr,
		       const struct kermon_sampling *sampling)
{
	if (sampling->chains == KERMON_CHAINS_NONE)
		return;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (sampling->chains != KERMON_CHAINS_DWARF)
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = REGISTERS;
	attr->sample_stack_user = sampling->stack_bytes;
	attr->exclude_callchain_user = 1;
}

/*
 * The kernel takes a sample of each such event, whatever the period, if samples have their
 * period: they must not have the one that is the same for all of them. For tracepoints, perf
 * leaves it at that.
 */
static bool ignores_period(const struct kermon_sampling *sampling)
{
	return sampling->period > 1 && sampling->type == PERF_TYPE_SOFTWARE &&
	       sampling->config != PERF_COUNT_SW_CPU_CLOCK &&
	       sampling->config != PERF_COUNT_SW_TASK_CLOCK;
}

void kermon_sampling_attr(const struct kermon_sampling *sampling,
			  enum kermon_clock_kind kind, struct perf_event_attr *attr)
{
	set_common(attr, kind);
	attr->type = sampling->type;
	attr->config = sampling->config;
	attr->config1 = sampling->config1;
	attr->config2 = sampling->config2;
	attr->sample_period = sampling->period;
	if (!sampling->period) {
		attr->freq = 1;
		attr->sample_freq = sampling->freq;
	}
	attr->precise_ip = sampling->precise;
	if (sampling->type == PERF_TYPE_TRACEPOINT)
		attr->sample_type |= PERF_SAMPLE_RAW;
	if (ignores_period(sampling))
		attr->sample_type &= ~PERF_SAMPLE_PERIOD;
	set_modes(attr, sampling->modes & KERMON_COUNT_USER,
		  sampling->modes & KERMON_COUNT_KERNEL);
	set_chains(attr, sampling);
}

/*
 * Add an event; there is always room, see attrs_build(). It does not inherit: perf would
 * take the sums of PERF_SAMPLE_READ to be those of each thread.
 */
static struct described_event *add(struct attrs *attrs,
				   enum kermon_clock_kind kind, uint32_t type,
				   uint64_t config)
{
	struct described_event *event = &attrs->events[attrs->nr++];

	set_common(&event->attr, kind);
	event->attr.sample_type = PERFDATA_INTERVAL_TYPE;
	event->attr.read_format = PERFDATA_INTERVAL_READ;
	event->attr.type = type;
	event->attr.config = config;
	return event;
}

static const char *mode_suffix(bool user, bool kernel)
{
	return user && kernel ? "" : user ? ":u" : ":k";
}

static void add_fixed(struct attrs *attrs, unsigned int index,
		      const struct kermon_writer_options *options)
{
	bool user = options->count & KERMON_COUNT_USER;
	bool kernel = options->count & KERMON_COUNT_KERNEL;
	struct described_event *event;

	event = add(attrs, options->clock->kind, fixed_events[index].type,
		    fixed_events[index].config);
	set_modes(&event->attr, user, kernel);
	snprintf(event->name, sizeof(event->name), "%s%s",
		 fixed_events[index].name, mode_suffix(user, kernel));
}

static void add_programmed(struct attrs *attrs,
			   const struct kermon_selected_event *selected,
			   enum kermon_clock_kind kind)
{
	const uint64_t usr = 1 << 16, os = 1 << 17;
	uint64_t config = selected->event.config;
	struct described_event *event;

	/* perf stores the modes in separate bits. */
	event = add(attrs, kind, PERF_TYPE_RAW, config & ~(usr | os));
	event->attr.config1 = selected->event.extra;
	set_modes(&event->attr, config & usr, config & os);
	snprintf(event->name, sizeof(event->name), "%s", selected->name);
}

static int add_sets(struct attrs *attrs,
		    const struct kermon_writer_options *options)
{
	const struct kermon_selection *set;
	unsigned int i, j, total = 0;

	for (i = 0; i <= options->nr_more; i++) {
		set = &options->events[i];
		total += set->nr;
		if (i == KERMON_MAX_SETS || set->nr > KERMON_MAX_EVENTS ||
		    total > KERMON_MAX_SELECTED)
			return -E2BIG;
		attrs->sets[i].first = attrs->nr;
		attrs->sets[i].nr = set->nr;
		for (j = 0; j < set->nr; j++)
			add_programmed(attrs, &set->events[j],
				       options->clock->kind);
	}
	attrs->nr_sets = i;
	return 0;
}

void attrs_describe(struct blob *blob, const struct perf_event_attr *attr,
		    const char *name, const uint64_t *ids, size_t nr_ids)
{
	blob_put(blob, attr, PERFDATA_ATTR_SIZE);
	blob_u32(blob, nr_ids);
	blob_string(blob, name);
	blob_put(blob, ids, nr_ids * sizeof(*ids));
}

static int find_energy(const char *name, uint32_t type, void *data)
{
	if (!strcmp(name, PERFDATA_PMU_ENERGY))
		*(uint32_t *)data = type;
	return 0;
}

static void add_energy(struct attrs *attrs,
		       const struct kermon_domain_info *domain, uint32_t type,
		       enum kermon_clock_kind kind)
{
	struct described_event *event;

	attrs->energy[domain->id] = attrs->nr;
	event = add(attrs, kind, type, energy_configs[domain->id]);
	snprintf(event->name, sizeof(event->name), "%s/%s/",
		 PERFDATA_PMU_ENERGY, domain->name);
}

static int add_domains(struct attrs *attrs,
		       const struct kermon_writer_options *options)
{
	const struct kermon_info *info = options->info;
	uint32_t type = 0;
	unsigned int i;
	int result = attrs_each_pmu(find_energy, &type);

	for (i = 0; i < info->nr_domains && !result; i++) {
		if (info->domains[i].id >= KERMON_DOMAIN_COUNT ||
		    info->domains[i].unit > PERFDATA_ENERGY_UNIT)
			return -EINVAL;
		add_energy(attrs, &info->domains[i], type,
			   options->clock->kind);
	}
	return result;
}

int attrs_build(struct attrs *attrs,
		const struct kermon_writer_options *options)
{
	enum kermon_clock_kind kind = options->clock->kind;
	struct described_event *event;
	unsigned int i;
	int result;

	memset(attrs, 0, sizeof(*attrs));
	attrs->nr_cpus = options->nr_cpus ? options->nr_cpus :
					    topology_nr_possible("");
	if (options->info->fixed > ATTRS_MAX_FIXED ||
	    options->info->nr_domains > KERMON_DOMAIN_COUNT)
		return -E2BIG;
	attrs->nr_fixed = options->info->fixed;
	for (i = 0; i < attrs->nr_fixed; i++)
		add_fixed(attrs, i, options);
	result = add_sets(attrs, options);
	if (result)
		return result;

	attrs->oncpu = attrs->nr;
	event = add(attrs, kind, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	strcpy(event->name, PERFDATA_EVENT_ONCPU);

	if (options->energy) {
		result = add_domains(attrs, options);
		if (result)
			return result;
	}
	attrs->logged = attrs->nr;
	attrs->sideband = attrs->nr;
	event = add(attrs, kind, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	attrs_sideband(&event->attr, kind);
	strcpy(event->name, PERFDATA_EVENT_SIDEBAND);
	return 0;
}

struct pmu {
	uint32_t type;
	char name[64];
};

static int by_type(const void *a, const void *b)
{
	const struct pmu *left = a, *right = b;

	return left->type < right->type ? -1 : left->type > right->type;
}

static int is_pmu(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static bool read_pmu(struct pmu *pmu, const char *name)
{
	char path[256];
	FILE *file;
	int n;

	snprintf(path, sizeof(path), PMU_PATH "/%.63s/type", name);
	snprintf(pmu->name, sizeof(pmu->name), "%.63s", name);
	file = fopen(path, "re");
	if (!file)
		return false;
	n = fscanf(file, "%u", &pmu->type);
	fclose(file);
	return n == 1;
}

/* Read the PMUs into @pmus and ensure that there is one for energy. */
static unsigned int read_pmus(struct pmu *pmus, struct dirent **entries, int nr)
{
	uint32_t highest = PERF_TYPE_MAX;
	bool has_energy = false;
	unsigned int n = 0;
	int i;

	for (i = 0; i < nr; i++) {
		if (!read_pmu(&pmus[n], entries[i]->d_name))
			continue;
		if (pmus[n].type > highest)
			highest = pmus[n].type;
		has_energy |= !strcmp(pmus[n].name, PERFDATA_PMU_ENERGY);
		n++;
	}
	qsort(pmus, n, sizeof(*pmus), by_type);
	if (!has_energy) {
		pmus[n].type = highest + 1;
		strcpy(pmus[n++].name, PERFDATA_PMU_ENERGY);
	}
	return n;
}

int attrs_each_pmu(int (*fn)(const char *name, uint32_t type, void *data),
		   void *data)
{
	struct dirent **entries = NULL;
	struct pmu *pmus;
	unsigned int i, n;
	int nr, result = 0;

	nr = scandir(PMU_PATH, &entries, is_pmu, NULL);
	if (nr < 0)
		nr = 0;
	pmus = calloc(nr + 1, sizeof(*pmus));
	if (pmus) {
		n = read_pmus(pmus, entries, nr);
		for (i = 0; i < n && !result; i++)
			result = fn(pmus[i].name, pmus[i].type, data);
	} else {
		result = -ENOMEM;
	}
	while (nr > 0)
		free(entries[--nr]);
	free(entries);
	free(pmus);
	return result;
}
