// SPDX-License-Identifier: GPL-2.0
/*
 * The samples as lines of JSON, each an object: what is watched, the sets, the samples, and
 * at the end what the spies cost and missed.
 */
#include <stdio.h>
#include <sys/utsname.h>

#include "sample_text.h"
#include "ui/json.h"
#include "watch.h"

/* The writer ends a line after each outermost object. */
static struct json begin_line(const struct watch *watch)
{
	struct json json = { .out = watch->out, .compact = true };

	json_begin_object(&json, NULL);
	return json;
}

static void put_event(struct json *json, const struct kermon_spy_event *event)
{
	json_begin_object(json, NULL);
	json_text(json, "name", event->name);
	json_text(json, "unit", event->unit == KERMON_SPY_NS ? "ns" : NULL);
	if (event->unit == KERMON_SPY_NS)
		json_number(json, "step_ns", sample_step_ns(event->unit));
	json_end_object(json);
}

static void put_set(struct watch *watch, const struct kermon_spy_set *set)
{
	struct json json = begin_line(watch);

	json_text(&json, "type", "set");
	json_number(&json, "number", watch->described++);
	json_text(&json, "set", set->text);
	json_begin_array(&json, "events");
	for (unsigned int i = 0; i < set->nr; i++)
		put_event(&json, &set->events[i]);
	json_end_array(&json);
	json_end_object(&json);
}

static void put_cpus(const struct watch *watch, struct json *json)
{
	struct kermon_spy_cpu info;

	json_begin_array(json, "cpus");
	for (unsigned int i = 0; kermon_spy_cpu(watch->spy, i, &info); i++) {
		json_begin_object(json, NULL);
		json_number(json, "cpu", info.cpu);
		json_number(json, "package", info.package);
		json_bool(json, "watched", !info.error);
		json_end_object(json);
	}
	json_end_array(json);
}

static void put_domains(const struct watch *watch, struct json *json)
{
	const char *domain;

	json_begin_array(json, "domains");
	for (unsigned int i = 0; (domain = kermon_spy_domain(watch->spy, i)); i++)
		json_text(json, NULL, domain);
	json_end_array(json);
}

/* Why it is not the best backend; NULL: it is, or was asked for. */
static const char *reason(const struct watch *watch)
{
	switch (kermon_spy_reason(watch->spy)) {
	case KERMON_SPY_NONE:
		return NULL;
	case KERMON_SPY_NO_PMU:
		return "no hardware counters";
	case KERMON_SPY_DENIED:
		return "not permitted";
	default:
		return "events of this backend";
	}
}

static void put_machine(struct watch *watch)
{
	struct json json = begin_line(watch);
	struct utsname name = { 0 };

	uname(&name);
	json_text(&json, "type", "spy");
	json_number(&json, "version", 1);
	json_text(&json, "host", name.nodename);
	json_text(&json, "release", name.release);
	json_text(&json, "backend", kermon_spy_backend(watch->spy));
	json_text(&json, "reason", reason(watch));
	json_number(&json, "interval_ns", watch->interval_ns);
	json_text(&json, "clock", "CLOCK_MONOTONIC");
	put_cpus(watch, &json);
	put_domains(watch, &json);
	json_end_object(&json);
}

static void put_counts(const struct kermon_spy_sample *sample, struct json *json)
{
	json_begin_array(json, "counts");
	for (unsigned int i = 0; i < sample->nr; i++)
		json_number(json, NULL, sample->counts[i]);
	json_end_array(json);
	if (!sample->nr_domains)
		return;
	json_begin_array(json, "joules");
	for (unsigned int i = 0; i < sample->nr_domains; i++)
		json_exact(json, NULL, sample->joules[i]);
	json_end_array(json);
	json_number(json, "energy_ns", sample->energy_ns);
}

static void put_sample(struct watch *watch, const struct kermon_spy_sample *sample)
{
	const struct kermon_spy_set *set;
	char flags[SAMPLE_FLAGS];
	struct json json;

	while (watch->described <= sample->set && (set = kermon_spy_set(watch->spy, watch->described)))
		put_set(watch, set);
	json = begin_line(watch);
	json_text(&json, "type", "sample");
	json_number(&json, "cpu", sample->cpu);
	json_number(&json, "set", sample->set);
	json_number(&json, "begin_ns", sample->begin_ns);
	json_number(&json, "end_ns", sample->end_ns);
	json_number(&json, "begin_tsc", sample->begin_tsc);
	json_number(&json, "end_tsc", sample->end_tsc);
	json_text(&json, "flags", sample_flags(sample->flags, flags));
	json_number(&json, "missed", sample->missed);
	json_number(&json, "merged", sample->merged);
	json_number(&json, "enabled_ns", sample->enabled_ns);
	json_number(&json, "running_ns", sample->running_ns);
	put_counts(sample, &json);
	json_end_object(&json);
}

static void put_move(struct watch *watch, unsigned int cpu, bool online)
{
	struct json json = begin_line(watch);

	json_text(&json, "type", "cpu");
	json_number(&json, "cpu", cpu);
	json_bool(&json, "watched", online);
	json_end_object(&json);
}

static void put_spy(struct json *json, const struct kermon_spy_cpu *info)
{
	json_begin_object(json, NULL);
	json_number(json, "cpu", info->cpu);
	json_number(json, "samples", info->samples);
	json_number(json, "missed", info->missed);
	json_number(json, "merged", info->merged);
	json_number(json, "uncounted", info->uncounted);
	json_number(json, "cost_ns", info->cost_ns);
	json_end_object(json);
}

static void put_end(struct watch *watch)
{
	struct json json = begin_line(watch);
	struct kermon_spy_cpu info;

	json_text(&json, "type", "end");
	json_begin_array(&json, "cpus");
	for (unsigned int i = 0; kermon_spy_cpu(watch->spy, i, &info); i++)
		put_spy(&json, &info);
	json_end_array(&json);
	json_end_object(&json);
}

const struct watch_format watch_format_json = {
	.name = "json",
	.help = "lines of JSON: machine, sets, samples",
	.begin = put_machine,
	.sample = put_sample,
	.move = put_move,
	.end = put_end,
};
