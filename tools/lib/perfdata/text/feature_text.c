// SPDX-License-Identifier: GPL-2.0
/*
 * What the features of a file say, as lines of name and value. The table says
 * of each feature how it is read; one that is not in it is named with its size.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "text.h"
#include "util/cursor.h"

#define LINE_SIZE	4096

struct feature_lines {
	void (*line)(void *context, const char *name, const char *value);
	void *context;
	uint32_t nr_cpus;	/* that NRCPUS tells of */
};

static void say(const struct feature_lines *lines, const char *name,
		const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say(const struct feature_lines *lines, const char *name,
		const char *format, ...)
{
	char value[LINE_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	lines->line(lines->context, name, value);
}

static void text(struct cursor *c, const char *name, const struct feature_lines *lines)
{
	const char *value = cursor_string(c);

	if (!c->failed)
		say(lines, name, "%s", value);
}

static void kilobytes(struct cursor *c, const char *name,
		      const struct feature_lines *lines)
{
	uint64_t value = cursor_u64(c);

	if (!c->failed)
		say(lines, name, "%" PRIu64 " kB", value);
}

static void cpus(struct cursor *c, const char *name, const struct feature_lines *lines)
{
	uint32_t available = cursor_u32(c), online = cursor_u32(c);

	if (!c->failed)
		say(lines, name, "%u online, %u available", online, available);
}

/* Words that a shell would take for several are quoted. */
static void words(struct cursor *c, const char *name, const struct feature_lines *lines)
{
	char line[LINE_SIZE] = "";
	size_t used = 0;
	const char *word, *quote;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		word = cursor_string(c);
		quote = *word && !strpbrk(word, " \t\n\"$*?;&|<>()") ? "" : "'";
		used += snprintf(line + used, sizeof(line) - used, "%s%s%s%s",
				 used ? " " : "", quote, word, quote);
		if (used >= sizeof(line))
			break;
	}
	say(lines, name, "%s", line);
}

static void each_string(struct cursor *c, const char *name,
			const struct feature_lines *lines)
{
	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--)
		text(c, name, lines);
}

/*
 * Newer files have the core and socket of each CPU behind the lists, still newer
 * ones dies.
 */
static void topology(struct cursor *c, const char *name,
		     const struct feature_lines *lines)
{
	uint32_t core, socket, die;

	each_string(c, "sibling cores", lines);
	each_string(c, "sibling threads", lines);
	for (uint32_t cpu = 0; cpu < lines->nr_cpus && cursor_left(c); cpu++) {
		core = cursor_u32(c);
		socket = cursor_u32(c);
		if (!c->failed)
			say(lines, name, "CPU %u: core %u, socket %u", cpu,
			    core, socket);
	}
	if (!cursor_left(c))
		return;
	each_string(c, "sibling dies", lines);
	for (uint32_t cpu = 0; cpu < lines->nr_cpus && cursor_left(c); cpu++) {
		die = cursor_u32(c);
		if (!c->failed)
			say(lines, name, "CPU %u: die %u", cpu, die);
	}
}

static void build_ids(struct cursor *c, const char *name,
		      const struct feature_lines *lines)
{
	struct perfdata_build_id element;
	const unsigned char *bytes;
	char hex[2 * sizeof(element.id) + 1];
	const char *path;

	while (cursor_left(c)) {
		bytes = cursor_take(c, sizeof(element));
		if (!bytes)
			return;
		memcpy(&element, bytes, sizeof(element));
		element.header = record_header(bytes, c->swapped);
		path = cursor_chars(c, element.header.size - sizeof(element));
		for (size_t i = 0; i < sizeof(element.id); i++)
			snprintf(hex + 2 * i, 3, "%02x", element.id[i]);
		if (element.header.misc & PERF_RECORD_MISC_BUILD_ID_SIZE &&
		    element.size < sizeof(element.id))
			hex[2 * element.size] = '\0';
		if (!c->failed)
			say(lines, name, "%s %s", hex, path);
	}
}

static void descriptions(struct cursor *c, const char *name,
			 const struct feature_lines *lines)
{
	uint32_t nr = cursor_u32(c), size = cursor_u32(c);

	if (!c->failed)
		say(lines, name, "%u of %u bytes each", nr, size);
}

static void memory_nodes(struct cursor *c, const char *name,
			 const struct feature_lines *lines)
{
	uint64_t block, node, words, blocks;

	cursor_u64(c);		/* version */
	block = cursor_u64(c);
	for (uint64_t nr = cursor_u64(c); nr && !c->failed; nr--) {
		node = cursor_u64(c);
		cursor_u64(c);	/* bits of the map */
		words = (cursor_u64(c) + 63) / 64;
		for (blocks = 0; words && !c->failed; words--)
			blocks += __builtin_popcountll(cursor_u64(c));
		if (!c->failed)
			say(lines, name, "node %" PRIu64 ": %" PRIu64
			    " blocks of %" PRIu64 " bytes", node, blocks,
			    block);
	}
}

static void version(struct cursor *c, const char *name,
		    const struct feature_lines *lines)
{
	uint64_t value = cursor_u64(c);

	if (!c->failed)
		say(lines, name, "version %" PRIu64, value);
}

static void traces(struct cursor *c, const char *name,
		   const struct feature_lines *lines)
{
	uint64_t offset, size;

	for (uint64_t nr = cursor_u64(c); nr && !c->failed; nr--) {
		offset = cursor_u64(c);
		size = cursor_u64(c);
		if (!c->failed)
			say(lines, name, "%" PRIu64 " bytes at offset %" PRIu64,
			    size, offset);
	}
}

/* { u32 info_len, data_len; u64 arrays; struct bpf_prog_info; data } each. */
static void bpf_programs(struct cursor *c, const char *name,
			 const struct feature_lines *lines)
{
	uint32_t info_size, data_size, type, id;
	struct cursor info;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		info_size = cursor_u32(c);
		data_size = cursor_u32(c);
		cursor_u64(c);
		info = *c;
		type = cursor_u32(&info);
		id = cursor_u32(&info);
		cursor_take(c, info_size);
		cursor_take(c, data_size);
		if (!c->failed)
			say(lines, name, "id %u, type %u, %u bytes", id, type,
			    data_size);
	}
}

static void bpf_types(struct cursor *c, const char *name,
		      const struct feature_lines *lines)
{
	uint32_t id, size;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		id = cursor_u32(c);
		size = cursor_u32(c);
		cursor_take(c, size);
		if (!c->failed)
			say(lines, name, "id %u, %u bytes", id, size);
	}
}

static void numa(struct cursor *c, const char *name, const struct feature_lines *lines)
{
	uint64_t total, available;
	uint32_t node;
	const char *list;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		node = cursor_u32(c);
		total = cursor_u64(c);
		available = cursor_u64(c);
		list = cursor_string(c);
		if (!c->failed)
			say(lines, name, "%u: CPUs %s, %" PRIu64 " kB, %"
			    PRIu64 " kB free", node, list, total, available);
	}
}

static void pmus(struct cursor *c, const char *name, const struct feature_lines *lines)
{
	uint32_t type;
	const char *pmu;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		type = cursor_u32(c);
		pmu = cursor_string(c);
		if (!c->failed)
			say(lines, name, "%s = %u", pmu, type);
	}
}

static void groups(struct cursor *c, const char *name,
		   const struct feature_lines *lines)
{
	uint32_t leader, members;
	const char *group;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		group = cursor_string(c);
		leader = cursor_u32(c);
		members = cursor_u32(c);
		if (!c->failed)
			say(lines, name, "%s: %u events from event %u on",
			    group, members, leader);
	}
}

static void caches(struct cursor *c, const char *name,
		   const struct feature_lines *lines)
{
	uint32_t level, line, sets, ways;
	const char *type, *size, *map;

	cursor_u32(c);		/* version */
	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		level = cursor_u32(c);
		line = cursor_u32(c);
		sets = cursor_u32(c);
		ways = cursor_u32(c);
		type = cursor_string(c);
		size = cursor_string(c);
		map = cursor_string(c);
		if (!c->failed)
			say(lines, name, "L%u %s %s, %u ways, %u sets, %u byte lines, CPUs %s",
			    level, type, size, ways, sets, line, map);
	}
}

static void span(struct cursor *c, const char *name, const struct feature_lines *lines)
{
	uint64_t first = cursor_u64(c), last = cursor_u64(c);

	if (c->failed || last < first)
		return;
	say(lines, name, "%" PRIu64 ".%09" PRIu64 " s to %" PRIu64 ".%09" PRIu64
	    " s", first / 1000000000, first % 1000000000, last / 1000000000,
	    last % 1000000000);
}

static void nanoseconds(struct cursor *c, const char *name,
			const struct feature_lines *lines)
{
	uint64_t value = cursor_u64(c);

	if (!c->failed)
		say(lines, name, "%" PRIu64 " ns", value);
}

static void compression(struct cursor *c, const char *name,
			const struct feature_lines *lines)
{
	uint32_t type, level, ratio;

	cursor_u32(c);		/* version */
	type = cursor_u32(c);
	level = cursor_u32(c);
	ratio = cursor_u32(c);
	if (!c->failed)
		say(lines, name, "%s, level %u, ratio %u",
		    type == 1 ? "zstd" : "unknown", level, ratio);
}

static void capabilities(struct cursor *c, const char *name,
			 const struct feature_lines *lines)
{
	const char *capability, *value;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		capability = cursor_string(c);
		value = cursor_string(c);
		if (!c->failed)
			say(lines, name, "%s = %s", capability, value);
	}
}

static void pmu_capabilities(struct cursor *c, const char *name,
			     const struct feature_lines *lines)
{
	const char *pmu;

	for (uint32_t nr = cursor_u32(c); nr && !c->failed; nr--) {
		capabilities(c, name, lines);
		pmu = cursor_string(c);
		if (!c->failed)
			say(lines, name, "these are of %s", pmu);
	}
}

static void clock_data(struct cursor *c, const char *name,
		       const struct feature_lines *lines)
{
	uint32_t clock;
	uint64_t wall, reference;

	cursor_u32(c);		/* version */
	clock = cursor_u32(c);
	wall = cursor_u64(c);
	reference = cursor_u64(c);
	if (!c->failed)
		say(lines, name, "clock %u was %" PRIu64 " ns at %" PRIu64
		    " ns since 1970", clock, reference, wall);
}

static const struct {
	const char *name;
	void (*read)(struct cursor *c, const char *name,
		     const struct feature_lines *lines);
} features[PERFDATA_FEATURES] = {
	[PERFDATA_TRACING_DATA] = { "tracing data" },
	[PERFDATA_BUILD_ID] = { "build id", build_ids },
	[PERFDATA_HOSTNAME] = { "host name", text },
	[PERFDATA_OSRELEASE] = { "OS release", text },
	[PERFDATA_VERSION] = { "recorded by version", text },
	[PERFDATA_ARCH] = { "architecture", text },
	[PERFDATA_NRCPUS] = { "CPUs", cpus },
	[PERFDATA_CPUDESC] = { "CPU", text },
	[PERFDATA_CPUID] = { "CPU id", text },
	[PERFDATA_TOTAL_MEM] = { "memory", kilobytes },
	[PERFDATA_CMDLINE] = { "command line", words },
	[PERFDATA_EVENT_DESC] = { "event descriptions", descriptions },
	[PERFDATA_CPU_TOPOLOGY] = { "topology", topology },
	[PERFDATA_NUMA_TOPOLOGY] = { "NUMA node", numa },
	[PERFDATA_BRANCH_STACK] = { "branch stacks" },
	[PERFDATA_PMU_MAPPINGS] = { "PMU", pmus },
	[PERFDATA_GROUP_DESC] = { "group", groups },
	[PERFDATA_AUXTRACE] = { "hardware trace", traces },
	[PERFDATA_STAT] = { "counts of perf stat" },
	[PERFDATA_CACHE] = { "cache", caches },
	[PERFDATA_SAMPLE_TIME] = { "samples from", span },
	[PERFDATA_MEM_TOPOLOGY] = { "memory", memory_nodes },
	[PERFDATA_CLOCKID] = { "clock resolution", nanoseconds },
	[PERFDATA_DIR_FORMAT] = { "directory format", version },
	[PERFDATA_BPF_PROG_INFO] = { "BPF program", bpf_programs },
	[PERFDATA_BPF_BTF] = { "BPF types", bpf_types },
	[PERFDATA_COMPRESSED] = { "compression", compression },
	[PERFDATA_CPU_PMU_CAPS] = { "PMU capability", capabilities },
	[PERFDATA_CLOCK_DATA] = { "clock", clock_data },
	[PERFDATA_HYBRID_TOPOLOGY] = { "hybrid topology", capabilities },
	[PERFDATA_PMU_CAPS] = { "PMU capability", pmu_capabilities },
	[PERFDATA_KERMON] = { "kermon", each_string },
};

bool feature_text(const struct reader *reader, unsigned int bit,
		  void (*line)(void *context, const char *name,
			       const char *value),
		  void *context)
{
	struct cursor cpus = reader_feature_cursor(reader, PERFDATA_NRCPUS);
	const struct feature_lines lines = {
		.line = line,
		.context = context,
		.nr_cpus = cursor_u32(&cpus),
	};
	struct cursor c = reader_feature_cursor(reader, bit);
	const char *name = features[bit].name;
	size_t size = cursor_left(&c);

	if (!c.at)
		return true;
	if (!name)
		say(&lines, "unknown", "feature %u of %zu bytes", bit, size);
	else if (!features[bit].read)
		say(&lines, name, "%zu bytes", size);
	else
		features[bit].read(&c, name, &lines);
	if (c.failed)
		say(&lines, name, "(cut off)");
	return !c.failed;
}
