// SPDX-License-Identifier: GPL-2.0
/*
 * Adds runs to averages. Counts that were taken in turns are scaled to all of the time on
 * the CPU, like those of perf stat.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine/hypervisor.h"
#include "totals.h"

void average_add(struct average *average, double value)
{
	const double distance = value - average->mean;

	if (isnan(value))
		return;
	average->nr++;
	average->mean += distance / average->nr;
	average->squares += distance * (value - average->mean);
}

double average_error(const struct average *average)
{
	const double nr = average->nr;

	if (nr < 2 || average->mean == 0)
		return 0;
	return sqrt(average->squares / (nr - 1) / nr) / fabs(average->mean);
}

static struct total *find_or_add(struct totals *totals, const char *name,
				 bool alone)
{
	struct total *total;

	for (unsigned int i = 0; i < totals->nr; i++) {
		total = &totals->counts[i];
		if (total->alone == alone && !strcmp(total->name, name))
			return total;
	}
	if (totals->nr == TOTALS_MAX)
		return NULL;
	total = &totals->counts[totals->nr++];
	snprintf(total->name, sizeof(total->name), "%s", name);
	total->alone = alone;
	return total;
}

/* @watts: NaN if unknown. */
static void raise_peak(struct total *total, double watts)
{
	if (watts > total->peak)
		total->peak = watts;
}

static void add_column(struct totals *totals, const struct kermon_report *report,
		       size_t index)
{
	const struct kermon_column *column = kermon_report_column(report, index);
	const struct kermon_share *share;
	struct kermon_estimate estimate;
	struct total *total;

	if (column->metric.kind == KERMON_METRIC_SIDEBAND)
		return;
	total = find_or_add(totals, column->name, column->alone);
	if (!total)
		return;
	total->metric = column->metric;
	raise_peak(total, kermon_peak_watts(report, NULL, 0, index));
	share = column->set < 0 ? NULL : kermon_report_share(report, column->set);
	average_add(&total->share, share ? share->share : 1);
	if (!share)
		average_add(&total->value, column->total);
	else if (kermon_report_estimate(report, index, &estimate))
		average_add(&total->value, estimate.value);
}

/* Operations, estimated where events took turns. */
static void add_flop(struct totals *totals, const struct kermon_report *report)
{
	const size_t nr = kermon_report_nr_columns(report);
	uint64_t values[TOTALS_MAX] = { 0 };
	double flop;

	for (size_t i = 0; i < nr && i < TOTALS_MAX; i++)
		values[i] = kermon_report_column(report, i)->total;
	for (int kind = KERMON_SINGLE; kind <= KERMON_MIXED; kind++) {
		if (nr > TOTALS_MAX || !kermon_counts_flop(report, kind))
			continue;
		flop = kermon_flop_estimate(report, values, kind);
		if (!isnan(flop))
			average_add(&totals->flop[kind], flop);
	}
}

static bool is_emulated(void)
{
	char hypervisor[HYPERVISOR_SIZE];

	hypervisor_name(hypervisor);
	return hypervisor_is_emulator(hypervisor);
}

static void add_report(struct totals *totals, const struct kermon_report *report)
{
	struct kermon_derived derived;

	totals->model = hypervisor_is_emulator(kermon_report_note(report, "hypervisor"));
	for (size_t i = 0; i < kermon_report_nr_columns(report); i++)
		add_column(totals, report, i);
	add_flop(totals, report);
	if (!kermon_report_derive(report, NULL, &derived))
		totals_derive(totals, &derived.operations, derived.joules_per_flop *
			      derived.operations.all_flop);
}

double outcome_scaled(const struct outcome_count *count)
{
	if (!count->running || count->running >= count->enabled)
		return count->value;
	return (double)count->value * count->enabled / count->running;
}

/* Counted by perf_event, or @usage of the kernel's accounting. */
static void add_software(struct average *average, const struct outcome *outcome,
			 uint64_t config, long usage)
{
	const struct outcome_count *count;

	for (unsigned int i = 0; i < outcome->nr_counts; i++) {
		count = &outcome->counts[i];
		if (count->attr_type == PERF_TYPE_SOFTWARE &&
		    count->config == config && !count->error) {
			average_add(average, count->value);
			return;
		}
	}
	average_add(average, usage);
}

static bool is_software(const struct outcome_count *count)
{
	return count->attr_type == PERF_TYPE_SOFTWARE &&
	       count->config != PERF_COUNT_SW_TASK_CLOCK;
}

static void add_count(struct totals *totals, const struct outcome_count *count)
{
	const struct perf_event_attr attr = {
		.type = count->attr_type,
		.config = count->config,
	};
	struct total *total = find_or_add(totals, count->name, false);

	if (!total)
		return;
	kermon_metric_of(count->name, &attr, &total->metric);
	total->error = count->error;
	if (count->error)
		return;
	average_add(&total->share, count->enabled ?
	    (double)count->running / count->enabled : 1);
	if (count->running || !count->enabled)
		average_add(&total->value, outcome_scaled(count));
}

static struct kermon_metric flop_metric(const struct outcome_count *count)
{
	const struct perf_event_attr attr = {
		.type = count->attr_type,
		.config = count->config,
	};
	struct kermon_metric metric;

	kermon_metric_of(count->name, &attr, &metric);
	if (metric.kind != KERMON_METRIC_FLOP)
		metric = (struct kermon_metric){ 0 };
	return metric;
}

/* Operations of @whole events or of the others; NaN: none of these, or not all counted. */
static double flop_of(const struct outcome *outcome,
		      enum kermon_precision precision, bool whole)
{
	const struct outcome_count *count;
	struct kermon_metric metric;
	double sum = NAN;

	for (unsigned int i = 0; i < outcome->nr_counts; i++) {
		count = &outcome->counts[i];
		metric = flop_metric(count);
		if (metric.precision != precision || metric.whole != whole)
			continue;
		if (count->error || (count->enabled && !count->running))
			return NAN;
		sum = (isnan(sum) ? 0 : sum) + metric.lanes * outcome_scaled(count);
	}
	return sum;
}

/* What add_flop() does with the columns of a recording. */
static void add_counted_flop(struct totals *totals, const struct outcome *outcome)
{
	double flop;

	for (int kind = KERMON_SINGLE; kind <= KERMON_MIXED; kind++) {
		flop = flop_of(outcome, kind, true);
		if (isnan(flop) || !flop)
			flop = flop_of(outcome, kind, false);
		if (!isnan(flop))
			average_add(&totals->flop[kind], flop);
	}
}

static void add_domain(struct totals *totals, const struct energy_domain *domain,
		       int error)
{
	const struct perf_event_attr attr = { 0 };
	struct total *total = find_or_add(totals, domain->name, false);

	if (!total)
		return;
	kermon_metric_of(domain->name, &attr, &total->metric);
	total->packages = domain->packages;
	total->error = error;
	if (error)
		return;
	average_add(&total->share, 1);
	average_add(&total->value, domain->joules * TOTALS_JOULE);
	raise_peak(total, domain->peak);
}

/* The energy of a recording is in its columns. */
static void add_energy(struct totals *totals, const struct energy_total *energy)
{
	static const struct energy_domain package = { "power/energy-pkg/" };

	for (unsigned int i = 0; i < energy->nr; i++)
		add_domain(totals, &energy->domains[i], energy->error);
	if (!energy->nr && energy->error)
		add_domain(totals, &package, energy->error);
}

static double ns_of(const struct timeval *time)
{
	return time->tv_sec * 1e9 + time->tv_usec * 1e3;
}

/* The threads of a recording, with the counts of each; NULL with -errno in @err. */
static struct kermon_report *read_whole(int file, struct kermon_damages *damages,
					int *err)
{
	const struct kermon_report_options options = {
		.size = sizeof(options),
		.keys = "comm,pid,tid",
		.damages = damages,
	};
	struct kermon_report *report = kermon_report_new(&options);
	char path[32];

	if (!report) {
		*err = -errno;
		return NULL;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	*err = kermon_report_read(report, path);
	if (!*err)
		return report;
	kermon_report_free(report);
	return NULL;
}

/*
 * Also -EBADMSG in @err with the readable part of a damaged one: that is known when it has
 * been read.
 */
static struct kermon_report *read_recording(int file, int *err)
{
	struct kermon_damages *damages = kermon_damages_new(NULL, NULL);
	struct kermon_report *report;

	if (!damages) {
		*err = -ENOMEM;
		return NULL;
	}
	report = read_whole(file, damages, err);
	if (report && kermon_damages_count(damages))
		*err = -EBADMSG;
	kermon_damages_free(damages);
	return report;
}

static void add_usage(struct totals *totals, const struct outcome *outcome)
{
	const struct rusage *usage = &outcome->usage;

	average_add(&totals->user, ns_of(&usage->ru_utime));
	average_add(&totals->system, ns_of(&usage->ru_stime));
	add_software(&totals->faults, outcome, PERF_COUNT_SW_PAGE_FAULTS,
		     usage->ru_minflt + usage->ru_majflt);
	add_software(&totals->switches, outcome, PERF_COUNT_SW_CONTEXT_SWITCHES,
		     usage->ru_nvcsw + usage->ru_nivcsw);
}

int totals_add(struct totals *totals, const struct outcome *outcome,
	       struct kermon_report **report)
{
	int err = 0;

	*report = NULL;
	if (outcome->file >= 0)
		*report = read_recording(outcome->file, &err);
	if (outcome->file >= 0 && !*report)
		return err;
	average_add(&totals->elapsed, outcome->elapsed_ns);
	if (outcome->waited)
		add_usage(totals, outcome);
	totals->by_perf = !*report;
	totals->model = !*report && is_emulated();
	if (*report)
		add_report(totals, *report);
	for (unsigned int i = 0; i < outcome->nr_counts; i++)
		if (!is_software(&outcome->counts[i]))
			add_count(totals, &outcome->counts[i]);
	add_counted_flop(totals, outcome);
	if (totals->by_perf)
		totals_derive_counts(totals, outcome);
	add_energy(totals, outcome->energy);
	return err;
}

const struct total *totals_find(const struct totals *totals,
				enum kermon_metric_kind kind)
{
	const struct total *total;

	for (unsigned int i = 0; i < totals->nr; i++) {
		total = &totals->counts[i];
		if (total->metric.kind != kind || total->alone || !total->value.nr)
			continue;
		if (kind != KERMON_METRIC_ENERGY || total_is_package(total))
			return total;
	}
	return NULL;
}

static const char *modes_of(const struct total *total)
{
	const char *modes = strrchr(total->name, ':');

	return modes ? modes : "";
}

double totals_ipc(const struct totals *totals)
{
	const struct total *instructions =
		totals_find(totals, KERMON_METRIC_INSTRUCTIONS);
	const struct total *cycles = totals_find(totals, KERMON_METRIC_CYCLES);

	if (!instructions || !cycles || !cycles->value.mean ||
	    strcmp(modes_of(instructions), modes_of(cycles)))
		return NAN;
	return instructions->value.mean / cycles->value.mean;
}

const char *total_reason(const struct total *total)
{
	if (total->value.nr)
		return NULL;
	switch (-total->error) {
	case 0:
		return "the counters were never free for it";
	case EACCES:
	case EPERM:
		return "not permitted";
	case EMFILE:
		return "too many open files";
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
	case EINVAL:
		return "not offered by this machine";
	default:
		return strerror(-total->error);
	}
}

int totals_energy_error(const struct totals *totals)
{
	for (unsigned int i = 0; i < totals->nr; i++)
		if (total_is_package(&totals->counts[i]))
			return totals->counts[i].error;
	return 0;
}

double totals_time(const struct totals *totals)
{
	const struct total *time = totals_find(totals, KERMON_METRIC_TIME);

	return time ? time->value.mean / 1e9 : 0;
}

double total_watts(const struct totals *totals, const struct total *total)
{
	const double seconds = total->packages ? totals->elapsed.mean / 1e9 :
						 totals_time(totals);

	if (total->metric.kind != KERMON_METRIC_ENERGY || total->alone ||
	    !total->value.nr || seconds <= 0)
		return NAN;
	return total->value.mean / TOTALS_JOULE / seconds;
}

bool total_is_package(const struct total *total)
{
	return strstr(total->name, "energy-pkg");
}

double total_memory_bytes(const struct total *total)
{
	struct kermon_operation operation;

	return kermon_operation_of(total->name, &operation) && operation.memory ?
	       operation.bytes : 0;
}
