// SPDX-License-Identifier: GPL-2.0
/*
 * The samples as perf.data: a sample of perf per event of the set, with the count as its
 * period, on the CPU and at the end of the interval. An event without one was not counted in
 * the interval. They are attributed to process 0, because counts of a CPU are nobody's.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <kermon/sampled.h>
#include <kermon/writer.h>

#include "machine/hypervisor.h"
#include "perfdata/format/format.h"
#include "util/monotonic.h"
#include "util/perfevent.h"
#include "util/sysfile.h"
#include "watch.h"

#define POWER		"/sys/bus/event_source/devices/power/type"

/* Ids of the kernel are small numbers, and those of the writer follow its own. */
#define FIRST_ID	(1ULL << 40)

#define NS_PER_MS	1000000

/**
 * struct watch_file - the file
 * @writer: of the library
 * @clock: from CLOCK_MONOTONIC, as if it were a TSC of 1 GHz, to the clock of the file
 * @nr_events: number of counted events; energy domains follow
 * @nr_cpus: number of CPUs
 * @changes: how often the set of a CPU was changed
 * @uncounted: number of samples whose counts are too low
 */
struct watch_file {
	struct kermon_writer *writer;
	struct kermon_clock clock;
	size_t nr_events;
	size_t nr_cpus;
	unsigned long long changes;
	unsigned long long uncounted;
};

static uint64_t raw_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* Samples that end later are converted by a later pair. */
static void take_pair(struct watch_file *file)
{
	kermon_clock_add_pair(&file->clock, monotonic_ns(), raw_ns());
}

static uint64_t id_of(const struct watch_file *file, size_t event, size_t cpu)
{
	return FIRST_ID + event * file->nr_cpus + cpu;
}

/* The event of this name in the first set that has it. */
static const struct kermon_spy_event *find_event(const struct watch *watch, const char *name)
{
	const struct kermon_spy_set *set;

	for (unsigned int i = 0; (set = kermon_spy_set(watch->spy, i)); i++)
		for (unsigned int j = 0; j < set->nr; j++)
			if (!strcmp(set->events[j].name, name))
				return &set->events[j];
	return NULL;
}

static void describe_event(const struct watch *watch, size_t event,
			   struct kermon_sampling *sampling)
{
	const char *name = watch->sums.events[event].name;
	const struct kermon_spy_event *from = find_event(watch, name);
	const bool raw = from->type == PERF_TYPE_RAW;

	*sampling = (struct kermon_sampling){
		.type = from->type,
		.config = raw ? from->config & ~PERFEVENT_MODES : from->config,
		.config1 = from->extra,
		.modes = raw ? perfevent_modes(from->config) :
			       KERMON_COUNT_USER | KERMON_COUNT_KERNEL,
		.period = 1,
	};
	snprintf(sampling->name, sizeof(sampling->name), "%s", name);
}

/* Numbers of perf's events of energy: arch/x86/events/rapl.c */
static uint64_t energy_config(const char *name)
{
	static const char *const names[] = { "cores", "pkg", "ram", "gpu", "psys" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strstr(name, names[i]))
			return i + 1;
	return 0;
}

static void describe_domain(const char *name, struct kermon_sampling *sampling)
{
	uint64_t type;

	*sampling = (struct kermon_sampling){
		.type = sysfile_number(&type, 10, POWER) ? type : PERF_TYPE_SOFTWARE,
		.config = energy_config(name),
		.modes = KERMON_COUNT_USER | KERMON_COUNT_KERNEL,
		.period = 1,
	};
	if (sampling->type == PERF_TYPE_SOFTWARE)
		sampling->config = PERF_COUNT_SW_DUMMY;
	snprintf(sampling->name, sizeof(sampling->name), "%s", name);
}

/**
 * struct description - the events of the file
 * @events: for the writer, with @samplings, @attrs and @ids behind them
 */
struct description {
	struct kermon_sampled_event events[KERMON_MAX_SAMPLED];
	struct kermon_sampling samplings[KERMON_MAX_SAMPLED];
	struct perf_event_attr attrs[KERMON_MAX_SAMPLED];
	uint64_t *ids;
};

static void add_event(const struct watch_file *file, struct description *to, size_t event)
{
	uint64_t *ids = to->ids + event * file->nr_cpus;

	kermon_sampling_attr(&to->samplings[event], file->clock.kind, &to->attrs[event]);
	for (size_t i = 0; i < file->nr_cpus; i++)
		ids[i] = id_of(file, event, i);
	to->events[event] = (struct kermon_sampled_event){
		.name = to->samplings[event].name,
		.attr = &to->attrs[event],
		.ids = ids,
		.nr_ids = file->nr_cpus,
	};
}

static int add_events(const struct watch *watch, const struct watch_file *file)
{
	struct description *to = calloc(1, sizeof(*to));
	struct kermon_sampled_options options = { .size = sizeof(options), .alone = true };
	size_t nr = file->nr_events;
	const char *domain;
	int err = -ENOMEM;

	if (nr + KERMON_SPY_DOMAINS > KERMON_MAX_SAMPLED)
		err = -E2BIG;
	else if (to)
		to->ids = calloc((nr + KERMON_SPY_DOMAINS) * file->nr_cpus,
				 sizeof(*to->ids));
	if (to && to->ids) {
		for (size_t i = 0; i < nr; i++)
			describe_event(watch, i, &to->samplings[i]);
		for (unsigned int i = 0; (domain = kermon_spy_domain(watch->spy, i)); i++)
			describe_domain(domain, &to->samplings[nr++]);
		for (size_t i = 0; i < nr; i++)
			add_event(file, to, i);
		options.events = to->events;
		options.nr_events = nr;
		err = kermon_writer_sampled(file->writer, &options);
		free(to->ids);
	}
	free(to);
	return err;
}

/* Its words, with spaces in between. */
static void put_command(const struct watch *watch, struct kermon_writer *writer)
{
	char *text = NULL;
	size_t size;
	FILE *stream = *watch->argv ? open_memstream(&text, &size) : NULL;

	if (!stream)
		return;
	for (char **word = watch->argv; *word; word++)
		fprintf(stream, "%s%s", word == watch->argv ? "" : " ", *word);
	if (!fclose(stream))
		kermon_writer_note(writer, "command", "%s", text);
	free(text);
}

static void put_notes(const struct watch *watch, struct kermon_writer *writer)
{
	char hypervisor[HYPERVISOR_SIZE];

	hypervisor_name(hypervisor);
	kermon_writer_note(writer, "version", "1");
	kermon_writer_note(writer, "source", "spy");
	kermon_writer_note(writer, "backend", "%s", kermon_spy_backend(watch->spy));
	if (*hypervisor)
		kermon_writer_note(writer, "hypervisor", "%s", hypervisor);
	kermon_writer_note(writer, "interval_ns", "%llu",
			   (unsigned long long)watch->interval_ns);
	put_command(watch, writer);
}

/* The name of process 0, from the beginning on. */
static int put_name(const struct watch_file *file, uint64_t now)
{
	struct {
		struct perf_event_header header;
		uint32_t pid;
		uint32_t tid;
		char comm[16];
		struct perfdata_sample_id id;
	} record = {
		.header = { .type = PERF_RECORD_COMM, .size = sizeof(record) },
		.comm = "all tasks",
		.id = { .time = now, .id = id_of(file, 0, 0) },
	};

	return kermon_writer_sideband(file->writer, &record.header);
}

static int open_writer(const struct watch *watch, struct watch_file *file)
{
	static const struct kermon_selection none;
	static const struct kermon_info info;
	const struct kermon_writer_options options = {
		.size = sizeof(options),
		.fd = watch->output.fd,
		.pipe = watch->output.stream,
		.events = &none,
		.count = KERMON_COUNT_USER | KERMON_COUNT_KERNEL,
		.info = &info,
		.clock = &file->clock,
		.argv = watch->line,
	};
	int err;

	kermon_clock_init(&file->clock, NS_PER_MS);
	take_pair(file);
	err = kermon_writer_open(&file->writer, &options);
	return err ? err : add_events(watch, file);
}

static void put_begin(struct watch *watch)
{
	struct watch_file *file = calloc(1, sizeof(*file));
	int err = -ENOMEM;

	watch->file = file;
	if (file) {
		file->nr_events = watch->sums.nr_events;
		file->nr_cpus = watch->sums.nr_cpus;
		watch->described = file->nr_events;
		err = open_writer(watch, file);
	}
	if (!err) {
		put_notes(watch, file->writer);
		err = kermon_writer_start(file->writer, 0);
	}
	if (!err)
		err = put_name(file, raw_ns());
	if (!err)
		err = kermon_writer_save(file->writer);
	if (!err)
		err = output_place(&watch->output);
	if (err)
		watch->error = err;
}

static int put_event(const struct watch_file *file, const struct kermon_spy_sample *sample,
		     size_t event, size_t cpu, uint64_t period)
{
	const struct perfdata_sample record = {
		.header = {
			.type = PERF_RECORD_SAMPLE,
			.misc = PERF_RECORD_MISC_USER,
			.size = sizeof(record),
		},
		.id = id_of(file, event, cpu),
		.time = kermon_clock_time(&file->clock, sample->end_ns),
		.cpu = sample->cpu,
		.period = period,
	};

	return kermon_writer_sideband(file->writer, &record.header);
}

static int put_energy(const struct watch_file *file, const struct kermon_spy_sample *sample,
		      size_t domain, size_t cpu)
{
	const uint64_t units = llrint(ldexp(sample->joules[domain], PERFDATA_ENERGY_UNIT));

	return units ? put_event(file, sample, file->nr_events + domain, cpu, units) : 0;
}

static void put_sample(struct watch *watch, const struct kermon_spy_sample *sample)
{
	struct watch_file *file = watch->file;
	const size_t cpu = sums_find_cpu(&watch->sums, sample->cpu) - watch->sums.cpus;
	int err = 0;

	file->changes += !!(sample->flags & KERMON_SPY_FIRST);
	file->uncounted += !!(sample->flags & KERMON_SPY_UNCOUNTED);
	for (unsigned int i = 0; i < sample->nr && !err; i++)
		err = put_event(file, sample, watch->sums.sets[sample->set][i], cpu,
				sample->counts[i]);
	for (unsigned int i = 0; i < sample->nr_domains && !err; i++)
		err = put_energy(file, sample, i, cpu);
	if (err && !watch->error)
		watch->error = err;
}

/* The command runs: should the tool be killed, the file has what was counted until then. */
static void put_round(struct watch *watch)
{
	int err = output_keep(&watch->output);

	if (!err)
		err = kermon_writer_round(watch->file->writer);
	if (err && !watch->error)
		watch->error = err;
}

static void before_batch(struct watch *watch)
{
	take_pair(watch->file);
}

static void put_end(struct watch *watch)
{
	struct kermon_writer *writer = watch->file->writer;
	unsigned long long samples = 0;
	int err;

	for (size_t i = 0; i < watch->sums.nr_cpus; i++)
		samples += watch->sums.cpus[i].samples;
	kermon_writer_note(writer, "intervals", "%llu", samples);
	if (watch->file->changes)
		kermon_writer_note(writer, "changes", "%llu", watch->file->changes);
	if (watch->file->uncounted)
		kermon_writer_note(writer, "uncounted", "%llu", watch->file->uncounted);
	kermon_writer_note(writer, "ended", "exit");
	kermon_writer_note(writer, "complete", "1");
	err = kermon_writer_finish(writer);
	if (!err)
		err = output_keep(&watch->output);
	if (err && !watch->error)
		watch->error = err;
}

static void close_file(struct watch *watch)
{
	if (watch->file)
		kermon_writer_close(watch->file->writer);
	free(watch->file);
	watch->file = NULL;
}

const struct watch_format watch_format_perfdata = {
	.name = "perf-data",
	.help = "a recording for kermon report and perf",
	.is_recording = true,
	.begin = put_begin,
	.batch = before_batch,
	.sample = put_sample,
	.tick = put_round,
	.end = put_end,
	.close = close_file,
};
