// SPDX-License-Identifier: GPL-2.0
/* Print ceilings as the file that kermon_ceilings_read() reads. */
#include <errno.h>
#include <kermon/version.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "bench.h"
#include "ui/json.h"
#include "util/sysfile.h"

static void put_machine(struct json *json, const struct bench *bench)
{
	struct utsname name = { 0 };

	uname(&name);
	json_begin_object(json, "machine");
	json_text(json, "hostname", bench->machine.hostname);
	json_text(json, "cpuid", bench->machine.cpuid);
	json_text(json, "cpudesc", bench->machine.cpudesc);
	json_number(json, "cpus", bench->machine.cpus);
	json_text(json, "kernel", bench->theoretical ? "" : name.release);
	json_bool(json, "virtual", bench->is_virtual);
	json_bool(json, "model", bench->is_model);
	json_end_object(json);
}

/* A line of sysfs, or null. */
static void put_line(struct json *json, const char *name, const char *path)
{
	char line[SYSFILE_LINE];

	json_text(json, name, sysfile_line(line, "%s", path) ? line : NULL);
}

static void put_load(struct json *json)
{
	double load[3];
	int nr = getloadavg(load, 3);

	json_begin_array(json, "load");
	for (int i = 0; i < nr; i++)
		json_real(json, NULL, load[i]);
	json_end_array(json);
}

static void put_conditions(struct json *json, const struct bench *bench)
{
	json_begin_object(json, "conditions");
	put_line(json, "governor", "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor");
	put_line(json, "boost", "/sys/devices/system/cpu/cpufreq/boost");
	put_line(json, "no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo");
	put_line(json, "thp", "/sys/kernel/mm/transparent_hugepage/enabled");
	put_load(json);
	json_real(json, "steal_percent", bench->steal_percent);
	json_text(json, "clock", bench->counts_cycles ? "cycles, counted by the PMU" :
							"additions that take a cycle each");
	json_bool(json, "quick", bench->selection.quick);
	json_end_object(json);
}

static void put_estimate(struct json *json, const struct ceiling *ceiling)
{
	const struct estimate *estimate = &ceiling->estimate;

	json_exact(json, "value", estimate->value);
	if (ceiling->source) {
		json_text(json, "source", ceiling->source);
		return;
	}
	json_exact(json, "low", estimate->low);
	json_exact(json, "high", estimate->high);
	json_exact(json, "median", estimate->median);
	json_number(json, "windows", estimate->windows);
	json_number(json, "outliers", estimate->outliers);
	json_number(json, "disturbed", estimate->dropped);
	json_bool(json, "tight", estimate->tight);
	if (estimate->hertz > 0)
		json_exact(json, "hertz", estimate->hertz);
	else
		json_text(json, "hertz", NULL);
}

static void put_threads(struct json *json, const struct bench *bench,
			const struct ceiling *ceiling)
{
	char cpus[CPULIST_SIZE];

	json_number(json, "threads", ceiling->threads);
	if (bench->theoretical) {
		json_text(json, "placement", ceiling->threads == 1 ? "one" : "cores");
		return;
	}
	placement_list(&bench->placement, ceiling->threads, cpus);
	json_text(json, "placement", placement_name(&bench->placement, ceiling->threads));
	json_text(json, "cpus", cpus);
}

static void put_ceiling(struct json *json, const struct bench *bench,
			const struct ceiling *ceiling)
{
	json_begin_object(json, NULL);
	if (ceiling->kind == KERMON_CEILING_FLOPS) {
		json_text(json, "operation", operation_names[ceiling->operation]);
		json_text(json, "precision", precision_names[ceiling->precision]);
		json_text(json, "isa", isa_names[ceiling->isa]);
	} else {
		json_text(json, "level", level_names[ceiling->level]);
		json_text(json, "pattern", pattern_names[ceiling->pattern]);
		if (!bench->theoretical || ceiling->level == LEVEL_L1)
			json_text(json, "isa", isa_names[ceiling->isa]);
	}
	put_threads(json, bench, ceiling);
	if (ceiling->kind == KERMON_CEILING_BANDWIDTH && !bench->theoretical) {
		json_text(json, "pages", ceiling->huge ? "2M" : "4K");
		json_number(json, "bytes_per_thread", ceiling->bytes);
	}
	put_estimate(json, ceiling);
	json_end_object(json);
}

static void put_ceilings(struct json *json, const struct bench *bench, const char *name,
			 enum kermon_ceiling_kind kind)
{
	const struct ceiling *ceiling = bench->ceilings;

	json_begin_array(json, name);
	for (; ceiling < bench->ceilings + bench->nr; ceiling++)
		if (ceiling->kind == kind && (ceiling->state == STATE_MEASURED ||
					      ceiling->state == STATE_DOCUMENTED))
			put_ceiling(json, bench, ceiling);
	json_end_array(json);
}

int file_print(const void *context, FILE *out)
{
	const struct bench *bench = context;
	struct json json = { .out = out };
	const time_t started = bench->started;
	char when[32] = "", tool[64];
	struct tm utc;

	if (gmtime_r(&started, &utc))
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &utc);
	snprintf(tool, sizeof(tool), "kermon %s", kermon_version());
	json_begin_object(&json, NULL);
	json_text(&json, "format", KERMON_CEILINGS_FORMAT);
	json_text(&json, "kind", bench->theoretical ? "theoretical" : "measured");
	json_bool(&json, "complete", !bench->interrupted);
	put_machine(&json, bench);
	json_text(&json, "when", when);
	json_text(&json, "tool", tool);
	if (!bench->theoretical)
		put_conditions(&json, bench);
	json_begin_array(&json, "notes");
	for (size_t i = 0; i < bench->notes.nr; i++)
		json_text(&json, NULL, bench->notes.all[i]);
	json_end_array(&json);
	put_ceilings(&json, bench, "flops", KERMON_CEILING_FLOPS);
	put_ceilings(&json, bench, "bandwidths", KERMON_CEILING_BANDWIDTH);
	json_end_object(&json);
	return ferror(out) ? -EIO : 0;
}
