// SPDX-License-Identifier: GPL-2.0
/* The monitor: creates the spies, drains their channels, and changes what they count. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "monitor.h"
#include "util/cpulist.h"
#include "util/heap.h"
#include "util/monotonic.h"
#include "util/sized.h"

#define NS_PER_S	1000000000ULL

/* Samples that fit into a channel: at least so many, and those of a second. */
#define CHANNEL_MIN	64
#define CHANNEL_MAX	65536

#define PACKAGE		"/sys/devices/system/cpu/cpu%u/topology/physical_package_id"

const char *kermon_spy_backend(const struct kermon_spy *spy)
{
	return spy->backend->name;
}

enum kermon_spy_kind kermon_spy_reason(const struct kermon_spy *spy)
{
	return spy->reason;
}

const struct kermon_spy_set *kermon_spy_set(const struct kermon_spy *spy,
					    unsigned int number)
{
	return number < spy->nr_sets ? &spy->sets[number]->public : NULL;
}

const char *kermon_spy_domain(const struct kermon_spy *spy, unsigned int index)
{
	return index < spy->domains ? spy->energy.total.domains[index].name : NULL;
}

int kermon_spy_energy_error(const struct kermon_spy *spy)
{
	return spy->domains ? 0 : spy->energy.total.error;
}

int kermon_spy_add_set(struct kermon_spy *spy, const char *text,
		       struct kermon_spy_trouble *trouble)
{
	struct spy_set *set;
	int err;

	for (unsigned int i = 0; i < spy->nr_sets; i++)
		if (!strcmp(spy->sets[i]->public.text, text))
			return i;
	if (spy->nr_sets == KERMON_SPY_SETS)
		return spy_fail(trouble, KERMON_SPY_SYSTEM, -ENOSPC, -1, text);
	err = spy_make_set(spy->backend, &spy->machine, text, &set, trouble);
	if (err)
		return err;
	spy->sets[spy->nr_sets] = set;
	return spy->nr_sets++;
}

static int add_sets(struct kermon_spy *spy, const struct kermon_spy_options *options,
		    struct kermon_spy_trouble *trouble)
{
	int number;

	for (unsigned int i = 0; i < options->nr_sets; i++) {
		number = kermon_spy_add_set(spy, options->sets[i], trouble);
		if (number < 0)
			return number;
	}
	return 0;
}

static unsigned int package_of(unsigned int cpu)
{
	uint64_t package;

	return sysfile_number(&package, 10, PACKAGE, cpu) ? package : 0;
}

/* The first spy of each package reads its energy. */
static bool is_first_of_package(const struct kermon_spy *spy, unsigned int index)
{
	if (!spy->spies[index].started)
		return false;
	for (unsigned int i = 0; i < index; i++)
		if (spy->spies[i].started && spy->spies[i].package == spy->spies[index].package)
			return false;
	return true;
}

/* Incomplete energy would pass for all of it. */
static void open_energy(struct kermon_spy *spy)
{
	energy_open(&spy->energy);
	if (spy->energy.total.error || !spy->energy.nr)
		return;
	spy->domains = spy->energy.total.nr;
	for (unsigned int i = 0; i < spy->nr; i++)
		if (is_first_of_package(spy, i))
			spy->spies[i].energy = &spy->energy;
}

static unsigned int channel_size(const struct kermon_spy_options *options)
{
	const uint64_t second = NS_PER_S / options->interval_ns;
	unsigned int nr = CHANNEL_MIN;

	if (options->channel)
		return options->channel;
	while (nr < second)
		nr *= 2;
	return nr;
}

static bool make_channel(struct channel *channel, unsigned int slots)
{
	channel->nr = slots;
	channel->slots = calloc(slots, sizeof(*channel->slots));
	return channel->slots;
}

static int make_spies(struct kermon_spy *spy, const unsigned int *cpus, unsigned int nr)
{
	struct spy *each;
	size_t size = nr * sizeof(*each);

	each = aligned_alloc(CHANNEL_LINE, size);
	if (!each)
		return -ENOMEM;
	memset(each, 0, size);
	spy->spies = each;
	spy->nr = nr;
	for (unsigned int i = 0; i < nr; i++, each++) {
		each->cpu = cpus[i];
		each->backend = spy->backend;
		each->interval_ns = spy->interval_ns;
		each->set = spy->sets[0];
	}
	return 0;
}

bool monitor_is_in(unsigned int cpu, const unsigned int *cpus, int nr)
{
	for (int i = 0; i < nr; i++)
		if (cpus[i] == cpu)
			return true;
	return false;
}

/* Spies of CPUs that are offline have neither thread nor channel. */
static void note_offline(struct kermon_spy *spy, const unsigned int *online, int nr)
{
	for (unsigned int i = 0; i < spy->nr; i++) {
		if (monitor_is_in(spy->spies[i].cpu, online, nr))
			continue;
		spy->spies[i].gone = true;
		atomic_store(&spy->spies[i].error, -ENODEV);
	}
}

static int create(struct kermon_spy *spy, struct spy *each, struct kermon_spy_trouble *trouble)
{
	if (!each->channel.slots && !make_channel(&each->channel, spy->slots))
		return spy_fail(trouble, KERMON_SPY_SYSTEM, -ENOMEM, each->cpu, NULL);
	each->package = package_of(each->cpu);
	return spy_create(each, trouble);
}

int monitor_open_spy(struct kermon_spy *spy, struct spy *each,
		     struct kermon_spy_trouble *trouble)
{
	int err = create(spy, each, trouble);

	if (err)
		return err;
	err = spy_answer(each, trouble);
	if (err)
		spy_join(each);
	return err;
}

/* All threads open their counters at the same time. */
static int create_spies(struct kermon_spy *spy, struct kermon_spy_trouble *trouble)
{
	int err = 0, answer;
	unsigned int i, nr;

	for (nr = 0; nr < spy->nr && !err; nr++)
		if (!spy->spies[nr].gone)
			err = create(spy, &spy->spies[nr], trouble);
	for (i = 0; i < nr; i++) {
		if (!spy->spies[i].started)
			continue;
		answer = spy_answer(&spy->spies[i], err ? NULL : trouble);
		if (answer) {
			spy_join(&spy->spies[i]);
			err = err ? err : answer;
		}
	}
	return err;
}

static int open_spies(struct kermon_spy *spy, const struct kermon_spy_options *options,
		      const unsigned int *cpus, unsigned int nr,
		      struct kermon_spy_trouble *trouble)
{
	int err = spy_choose(options->backend, options->sets, options->nr_sets,
			     &spy->machine, &spy->backend, &spy->reason, trouble);

	if (!err)
		err = add_sets(spy, options, trouble);
	if (err)
		return err;
	spy->interval_ns = options->interval_ns;
	spy->slots = channel_size(options);
	err = make_spies(spy, cpus, nr);
	return err ? spy_fail(trouble, KERMON_SPY_SYSTEM, err, -1, NULL) : 0;
}

static int start_spies(struct kermon_spy *spy, const struct kermon_spy_options *options,
		       struct kermon_spy_trouble *trouble)
{
	int err = create_spies(spy, trouble);

	if (!err && !options->no_energy)
		open_energy(spy);
	return err;
}

/* All CPUs, of which some are offline now. */
static int open_present(struct kermon_spy *spy, const struct kermon_spy_options *options,
			struct kermon_spy_trouble *trouble)
{
	unsigned int *online, *present = NULL;
	int nr = cpulist_online(&online), all = nr < 0 ? nr : cpulist_present(&present), err;

	if (all < 0) {
		err = spy_fail(trouble, KERMON_SPY_SYSTEM, all, -1, NULL);
	} else {
		spy->machine.cpu = online[0];
		err = open_spies(spy, options, present, all, trouble);
	}
	if (!err) {
		note_offline(spy, online, nr);
		err = start_spies(spy, options, trouble);
	}
	free(online);
	free(present);
	return err;
}

static int compare_cpus(const void *left, const void *right)
{
	const unsigned int *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static int open_chosen(struct kermon_spy *spy, const struct kermon_spy_options *options,
		       struct kermon_spy_trouble *trouble)
{
	const size_t size = options->nr_cpus * sizeof(*options->cpus);
	unsigned int *cpus = malloc(size);
	int err;

	if (!cpus)
		return spy_fail(trouble, KERMON_SPY_SYSTEM, -ENOMEM, -1, NULL);
	memcpy(cpus, options->cpus, size);
	qsort(cpus, options->nr_cpus, sizeof(*cpus), compare_cpus);
	spy->machine.cpu = cpus[0];
	err = open_spies(spy, options, cpus, options->nr_cpus, trouble);
	free(cpus);
	if (!err)
		err = start_spies(spy, options, trouble);
	return err;
}

static bool is_valid(const struct kermon_spy_options *options)
{
	const unsigned int channel = options->channel;

	return options->interval_ns >= KERMON_SPY_MIN_NS &&
	       options->interval_ns <= KERMON_SPY_MAX_NS &&
	       !options->cpus == !options->nr_cpus && options->nr_cpus <= CPULIST_MOST &&
	       !options->sets == !options->nr_sets &&
	       !(channel & (channel - 1)) && channel != 1 && channel <= CHANNEL_MAX;
}

int kermon_spy_open(struct kermon_spy **spy, const struct kermon_spy_options *given,
		    struct kermon_spy_trouble *trouble)
{
	static const char *const standard[] = { "fixed" };
	struct kermon_spy_options options = { .size = sizeof(options) };
	int err = sized_take(&options, sizeof(options), given);

	*spy = NULL;
	spy_fail(trouble, KERMON_SPY_SYSTEM, -EINVAL, -1, NULL);
	if (err)
		return err;
	if (!is_valid(&options))
		return -EINVAL;
	if (!options.sets) {
		options.sets = standard;
		options.nr_sets = 1;
	}
	*spy = calloc(1, sizeof(**spy));
	if (!*spy)
		return spy_fail(trouble, KERMON_SPY_SYSTEM, -ENOMEM, -1, NULL);
	err = options.cpus ? open_chosen(*spy, &options, trouble) :
			     open_present(*spy, &options, trouble);
	if (err) {
		kermon_spy_close(*spy);
		*spy = NULL;
	}
	return err;
}

/* Give all spies a command at once. */
static void ask_all(struct kermon_spy *spy, enum spy_command command)
{
	for (unsigned int i = 0; i < spy->nr; i++)
		if (spy->spies[i].started)
			spy_ask(&spy->spies[i], command);
}

int kermon_spy_start(struct kermon_spy *spy, struct kermon_spy_trouble *trouble)
{
	const uint64_t now = monotonic_ns();
	int err = 0, answer;

	spy->start_ns = now;
	for (unsigned int i = 0; i < spy->nr; i++) {
		spy->spies[i].start_ns = now;
		spy->spies[i].before_ns = spy_cpu_time(&spy->spies[i]);
	}
	ask_all(spy, SPY_START);
	for (unsigned int i = 0; i < spy->nr; i++) {
		if (!spy->spies[i].started)
			continue;
		answer = spy_answer(&spy->spies[i], err ? NULL : trouble);
		err = err ? err : answer;
	}
	return err;
}

static int pass(const struct kermon_spy *spy, const struct spy *from,
		const struct slot *slot, kermon_spy_fn fn, void *data)
{
	const struct kermon_spy_sample sample = {
		.size = sizeof(sample),
		.cpu = from->cpu,
		.set = slot->set,
		.flags = slot->flags,
		.missed = slot->missed,
		.merged = slot->merged,
		.begin_ns = slot->begin_ns,
		.end_ns = slot->end_ns,
		.begin_tsc = slot->begin_tsc,
		.end_tsc = slot->end_tsc,
		.enabled_ns = slot->enabled_ns,
		.running_ns = slot->running_ns,
		.nr = spy->sets[slot->set]->public.nr,
		.counts = slot->counts,
		.package = from->package,
		.nr_domains = slot->flags & KERMON_SPY_ENERGY ? spy->domains : 0,
		.joules = slot->joules,
		.energy_ns = slot->energy_ns,
	};

	return fn(&sample, data);
}

/* The channels, ordered by their oldest samples; those put from now on are for next time. */
static int collect(struct kermon_spy *spy, struct heap *heap, uint64_t *ends)
{
	const struct slot *slot;
	int err = 0;

	for (unsigned int i = 0; i < spy->nr && !err; i++) {
		if (!spy->spies[i].channel.slots)
			continue;
		ends[i] = channel_end(&spy->spies[i].channel);
		slot = channel_peek(&spy->spies[i].channel, ends[i]);
		if (slot)
			err = heap_add(heap, slot->end_ns, i);
	}
	return err;
}

static int drain(struct kermon_spy *spy, struct heap *heap, const uint64_t *ends,
		 kermon_spy_fn fn, void *data)
{
	const struct slot *slot;
	struct spy *from;
	size_t number;
	int result = 0;

	while (heap->nr && !result) {
		number = heap->items[0].number;
		from = &spy->spies[number];
		result = pass(spy, from, channel_peek(&from->channel, ends[number]), fn,
			      data);
		channel_take(&from->channel);
		slot = channel_peek(&from->channel, ends[number]);
		if (slot)
			heap_move_first(heap, slot->end_ns);
		else
			heap_remove_first(heap);
	}
	return result;
}

int kermon_spy_drain(struct kermon_spy *spy, kermon_spy_fn fn, void *data)
{
	uint64_t *ends = calloc(spy->nr, sizeof(*ends));
	struct heap heap = { 0 };
	int result = -ENOMEM;

	if (ends)
		result = collect(spy, &heap, ends);
	if (!result)
		result = drain(spy, &heap, ends, fn, data);
	heap_free(&heap);
	free(ends);
	return result;
}

static struct spy *find_spy(const struct kermon_spy *spy, unsigned int cpu)
{
	for (unsigned int i = 0; i < spy->nr; i++)
		if (spy->spies[i].cpu == cpu)
			return &spy->spies[i];
	return NULL;
}

int kermon_spy_change(struct kermon_spy *spy, unsigned int cpu, unsigned int number,
		      struct kermon_spy_trouble *trouble)
{
	struct spy *each = find_spy(spy, cpu);

	if (!each || !each->started || number >= spy->nr_sets)
		return spy_fail(trouble, KERMON_SPY_CPU, -ENOENT, cpu, NULL);
	if (each->set == spy->sets[number])
		return spy_fail(trouble, KERMON_SPY_NONE, -EALREADY, cpu, NULL);
	each->wanted = spy->sets[number];
	each->wanted_number = number;
	spy_ask(each, SPY_CHANGE);
	return spy_answer(each, trouble);
}

void kermon_spy_stop(struct kermon_spy *spy)
{
	if (spy->stopped)
		return;
	spy->stopped = true;
	ask_all(spy, SPY_STOP);
	for (unsigned int i = 0; i < spy->nr; i++) {
		struct spy *each = &spy->spies[i];

		if (!each->started)
			continue;
		spy_answer(each, NULL);
		spy_join(each);
	}
}

bool kermon_spy_cpu(const struct kermon_spy *spy, unsigned int index,
		    struct kermon_spy_cpu *info)
{
	const struct spy *each = &spy->spies[index];

	if (index >= spy->nr)
		return false;
	*info = (struct kermon_spy_cpu){
		.cpu = each->cpu,
		.package = each->package,
		.set = each->number,
		.error = atomic_load_explicit(&each->error, memory_order_relaxed),
		.samples = atomic_load_explicit(&each->samples, memory_order_relaxed),
		.missed = atomic_load_explicit(&each->all_missed, memory_order_relaxed),
		.merged = atomic_load_explicit(&each->merged, memory_order_relaxed),
		.uncounted = atomic_load_explicit(&each->uncounted, memory_order_relaxed),
		.cost_ns = spy_cpu_time(each) - each->before_ns,
	};
	return true;
}

void kermon_spy_close(struct kermon_spy *spy)
{
	if (!spy)
		return;
	kermon_spy_stop(spy);
	for (unsigned int i = 0; i < spy->nr; i++)
		free(spy->spies[i].channel.slots);
	for (unsigned int i = 0; i < spy->nr_sets; i++)
		spy_free_set(spy->sets[i]);
	energy_close(&spy->energy);
	free(spy->spies);
	free(spy);
}
