// SPDX-License-Identifier: GPL-2.0
/*
 * Write the features, the optional sections of perf.data on the machine, the recording
 * and its command: a function for each, and a table of them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <kermon/version.h>

#include "pmu_caps.h"
#include "topology.h"
#include "util/cpuinfo.h"
#include "writer_private.h"

static void write_tracing_data(const struct kermon_writer *writer,
			       struct blob *blob)
{
	tracing_collect(writer, blob);
}

static void write_build_ids(const struct kermon_writer *writer,
			    struct blob *blob)
{
	buildid_collect(writer, blob);
}

static void write_hostname(const struct kermon_writer *writer,
			   struct blob *blob)
{
	struct utsname name = { 0 };

	(void)writer;
	uname(&name);
	blob_string(blob, name.nodename);
}

static void write_osrelease(const struct kermon_writer *writer,
			    struct blob *blob)
{
	struct utsname name = { 0 };

	(void)writer;
	uname(&name);
	blob_string(blob, name.release);
}

static void write_version(const struct kermon_writer *writer,
			  struct blob *blob)
{
	char text[64];

	(void)writer;
	snprintf(text, sizeof(text), "kermon %s", kermon_version());
	blob_string(blob, text);
}

static void write_arch(const struct kermon_writer *writer, struct blob *blob)
{
	struct utsname name = { 0 };

	(void)writer;
	uname(&name);
	blob_string(blob, name.machine);
}

static void write_nrcpus(const struct kermon_writer *writer, struct blob *blob)
{
	blob_u32(blob, topology_nr_cpus(writer->root));
	blob_u32(blob, sysconf(_SC_NPROCESSORS_ONLN));
}

/* Features that are read from sysfs. */
#define FROM_SYSFS(name, function)					\
	static void write_##name(const struct kermon_writer *writer,	\
				 struct blob *blob)			\
	{								\
		function(writer->root, blob);				\
	}

FROM_SYSFS(cpu_topology, topology_cpus)
FROM_SYSFS(numa_topology, topology_nodes)
FROM_SYSFS(mem_topology, topology_memory)
FROM_SYSFS(cache, topology_caches)
FROM_SYSFS(cpu_pmu_caps, pmu_caps_cpu)
FROM_SYSFS(pmu_caps, pmu_caps_others)
FROM_SYSFS(hybrid_topology, pmu_caps_hybrid)

static void write_cpudesc(const struct kermon_writer *writer,
			  struct blob *blob)
{
	char name[CPUINFO_TEXT];

	(void)writer;
	cpuinfo_name(name);
	blob_string(blob, name);
}

static void write_cpuid(const struct kermon_writer *writer, struct blob *blob)
{
	char text[CPUINFO_TEXT];

	(void)writer;
	cpuinfo_id(text);
	blob_string(blob, text);
}

static void write_total_mem(const struct kermon_writer *writer,
			    struct blob *blob)
{
	(void)writer;
	blob_u64(blob, (uint64_t)sysconf(_SC_PHYS_PAGES) *
		       (sysconf(_SC_PAGESIZE) / 1024));
}

static void write_cmdline(const struct kermon_writer *writer,
			  struct blob *blob)
{
	char **arg;
	uint32_t nr = 0;

	for (arg = writer->argv; *arg; arg++)
		nr++;
	blob_u32(blob, nr);
	for (arg = writer->argv; *arg; arg++)
		blob_string(blob, *arg);
}

static void write_event_desc(const struct kermon_writer *writer,
			     struct blob *blob)
{
	const struct described_event *event;
	const uint64_t *ids;
	unsigned int i;
	size_t nr;

	blob_u32(blob, writer->attrs.nr);
	blob_u32(blob, PERFDATA_ATTR_SIZE);
	for (i = 0; i < writer->attrs.nr; i++) {
		event = &writer->attrs.events[i];
		ids = writer_ids(writer, i, &nr);
		attrs_describe(blob, &event->attr, event->name, ids, nr);
	}
}

static int count_pmu(const char *name, uint32_t type, void *data)
{
	(void)name;
	(void)type;
	++*(uint32_t *)data;
	return 0;
}

static int add_pmu(const char *name, uint32_t type, void *data)
{
	blob_u32(data, type);
	blob_string(data, name);
	return 0;
}

static void write_pmu_mappings(const struct kermon_writer *writer,
			       struct blob *blob)
{
	uint32_t nr = 0;

	(void)writer;
	attrs_each_pmu(count_pmu, &nr);
	blob_u32(blob, nr);
	attrs_each_pmu(add_pmu, blob);
}

static void write_sample_time(const struct kermon_writer *writer,
			      struct blob *blob)
{
	if (!writer->totals.samples && !writer->sampled.samples &&
	    !writer->marked.totals.marks)
		return;
	blob_u64(blob, writer->first_time);
	blob_u64(blob, writer->last_time);
}

static void write_clockid(const struct kermon_writer *writer,
			  struct blob *blob)
{
	struct timespec resolution = { 0 };

	if (writer->clock->kind != KERMON_CLOCK_PAIRS)
		return;
	clock_getres(CLOCK_MONOTONIC_RAW, &resolution);
	blob_u64(blob, resolution.tv_sec * 1000000000ULL + resolution.tv_nsec);
}

static void write_compressed(const struct kermon_writer *writer,
			     struct blob *blob)
{
	if (writer->compressor)
		compress_describe(writer->compressor, blob);
}

static void write_clock_data(const struct kermon_writer *writer,
			     struct blob *blob)
{
	blob_u32(blob, 1);	/* version */
	blob_u32(blob, writer->reference.clock);
	blob_u64(blob, writer->reference.wall);
	blob_u64(blob, writer->reference.time);
}

void features_notes(const struct kermon_writer *writer, struct blob *blob)
{
	blob_u32(blob, writer->nr_notes);
	blob_put(blob, writer->notes.data, writer->notes.size);
}

static void write_kermon(const struct kermon_writer *writer, struct blob *blob)
{
	features_notes(writer, blob);
}

/* Ascending by number, as the format requires. Rows without a function are skipped. */
#define NO
#define EARLY(name)	.write = write_##name
#define LATE(name)	.write = write_##name, .late = true
#define ROW(number, name, title, written, ...)	{ .bit = number, written },

static const struct {
	enum perfdata_feature bit;
	bool late;	/* unknown before the end, or slow to collect */
	void (*write)(const struct kermon_writer *writer, struct blob *blob);
} features[] = {
	PERFDATA_FEATURE_TABLE(ROW)
};

#define NR_FEATURES (sizeof(features) / sizeof(features[0]))

int features_bit(size_t index)
{
	for (size_t i = 0; i < NR_FEATURES; i++)
		if (features[i].write && !index--)
			return features[i].bit;
	return -1;
}

/* The notes have more to say at the end, where they are a record. */
static bool is_written(size_t index, enum features_when when)
{
	const bool late = features[index].late;

	if (!features[index].write)
		return false;
	if (when == FEATURES_ALL)
		return features[index].bit != PERFDATA_KERMON;
	return late == (when == FEATURES_LATE);
}

int features_each(const struct kermon_writer *writer, enum features_when when,
		  features_fn fn, void *data)
{
	struct blob feature = { 0 };
	int result = 0;

	for (size_t i = 0; i < NR_FEATURES && !result; i++) {
		if (!is_written(i, when))
			continue;
		feature.size = 0;
		features[i].write(writer, &feature);
		if (feature.failed)
			result = -ENOMEM;
		else if (feature.size)
			result = fn(data, features[i].bit, &feature);
	}
	free(feature.data);
	return result;
}

/**
 * struct sections - features as they follow the data of a file
 * @table: where they are, relative to the first one
 * @nr: number of them
 * @contents: of all
 * @bits: for the header
 */
struct sections {
	struct perfdata_section table[NR_FEATURES];
	size_t nr;
	struct blob contents;
	uint64_t *bits;
};

static int add_section(void *data, enum perfdata_feature bit,
		       struct blob *feature)
{
	struct sections *sections = data;

	sections->table[sections->nr++] = (struct perfdata_section){
		.offset = sections->contents.size,
		.size = feature->size,
	};
	sections->bits[bit / 64] |= 1ULL << bit % 64;
	blob_put(&sections->contents, feature->data, feature->size);
	return 0;
}

int features_build(const struct kermon_writer *writer, uint64_t start,
		   enum features_when when, struct blob *blob, uint64_t bits[4])
{
	struct sections sections = { .bits = bits };
	int result = features_each(writer, when, add_section, &sections);
	const size_t size = sections.nr * sizeof(sections.table[0]);

	for (size_t i = 0; i < sections.nr; i++)
		sections.table[i].offset += start + size;
	blob_put(blob, sections.table, size);
	blob_put(blob, sections.contents.data, sections.contents.size);
	free(sections.contents.data);
	return blob->failed || sections.contents.failed ? -ENOMEM : result;
}
