// SPDX-License-Identifier: GPL-2.0
/*
 * Prints totals as JSON: exact numbers for one run, means and errors for several.
 */
#include <math.h>

#include "totals.h"
#include "ui/json.h"

static void add_average(struct json *json, const char *name,
			const struct average *average, double unit)
{
	json_begin_object(json, name);
	json_exact(json, "mean", average->nr ? average->mean / unit : NAN);
	json_exact(json, "relative_error", average_error(average));
	json_end_object(json);
}

static double unit_of(const struct total *total)
{
	switch (total->metric.kind) {
	case KERMON_METRIC_TIME:
		return 1e9;
	case KERMON_METRIC_ENERGY:
		return TOTALS_JOULE;
	default:
		return 1;
	}
}

static const char *unit_name(const struct total *total)
{
	switch (total->metric.kind) {
	case KERMON_METRIC_TIME:
		return "s";
	case KERMON_METRIC_ENERGY:
		return "J";
	default:
		return "";
	}
}

/* Power of a domain; null if it is not known. */
static void add_power(struct json *json, const struct totals_view *view,
		      const struct total *total)
{
	const double idle = power_idle(total->name, &view->idle);

	if (total->metric.kind != KERMON_METRIC_ENERGY)
		return;
	json_exact(json, idle > 0 ? "average_above_idle_W" : "average_W",
		   total_watts(view->totals, total) - idle);
	json_exact(json, idle > 0 ? "peak_above_idle_W" : "peak_W",
		   total->peak > 0 ? total->peak - idle : NAN);
}

static void add_total(struct json *json, const struct totals_view *view,
		      const struct total *total)
{
	json_begin_object(json, NULL);
	json_text(json, "event", total->name);
	json_text(json, "unit", unit_name(total));
	json_bool(json, "alone", total->alone);
	json_number(json, "packages", total->packages);
	json_bool(json, "counted", total->value.nr);
	json_text(json, "reason", total_reason(total));
	json_exact(json, "share", total->share.nr ? total->share.mean : 0);
	add_average(json, "value", &total->value, unit_of(total));
	add_power(json, view, total);
	json_end_object(json);
}

static void add_command(struct json *json, char *const *words)
{
	json_begin_array(json, "command");
	for (; *words; words++)
		json_text(json, NULL, *words);
	json_end_array(json);
}

static void add_derived(struct json *json, const struct totals *totals)
{
	/* by enum kermon_bytes_basis */
	static const char *const bases[] = { NULL, "exact", "mix", "assumed" };

	if (totals->bytes.nr) {
		add_average(json, "bytes", &totals->bytes, 1);
		add_average(json, "bytes_low", &totals->bytes_low, 1);
		add_average(json, "bytes_high", &totals->bytes_high, 1);
		json_text(json, "bytes_basis", bases[totals->basis]);
	}
	if (totals->intensity.nr) {
		add_average(json, "flop_per_byte", &totals->intensity, 1);
		add_average(json, "flop_per_byte_low", &totals->intensity_low, 1);
		add_average(json, "flop_per_byte_high", &totals->intensity_high, 1);
	}
	if (totals->joules_per_flop.nr)
		add_average(json, "joules_per_flop", &totals->joules_per_flop, 1);
}

int totals_print_json(const struct totals_view *view)
{
	static const char *const flop[] = {
		[KERMON_SINGLE] = "flop_single", [KERMON_DOUBLE] = "flop_double",
		[KERMON_MIXED] = "flop",
	};
	const struct totals *totals = view->totals;
	struct json json = { .out = view->out };

	json_begin_object(&json, NULL);
	add_command(&json, view->command);
	json_number(&json, "runs", view->runs);
	json_text(&json, "source", totals->by_perf ? "perf_event" : "kermon");
	json_bool(&json, "model_cycles", totals->model);
	add_average(&json, "elapsed_s", &totals->elapsed, 1e9);
	add_average(&json, "user_s", &totals->user, 1e9);
	add_average(&json, "system_s", &totals->system, 1e9);
	add_average(&json, "context_switches", &totals->switches, 1);
	add_average(&json, "page_faults", &totals->faults, 1);
	json_exact(&json, "ipc", totals_ipc(totals));
	for (int kind = KERMON_SINGLE; kind <= KERMON_MIXED; kind++)
		if (totals->flop[kind].nr)
			add_average(&json, flop[kind], &totals->flop[kind], 1);
	add_derived(&json, totals);
	json_begin_array(&json, "counts");
	for (unsigned int i = 0; i < totals->nr; i++)
		if (totals_show(view, &totals->counts[i]))
			add_total(&json, view, &totals->counts[i]);
	json_end_array(&json);
	json_end_object(&json);
	return 0;
}
