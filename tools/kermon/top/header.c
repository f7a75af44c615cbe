// SPDX-License-Identifier: GPL-2.0
/* The lines above the table. */
#include <errno.h>
#include <kermon/text.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "top.h"

static void put_time(const struct top *top, char line[TOP_LINE])
{
	const struct summary *summary = &top->summary;
	const time_t seconds = summary->wall_ns / 1000000000;
	char clock[32];
	struct tm time;
	size_t length;

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&seconds, &time));
	length = screen_append(line, 0, "%s, %.3f s: ", clock, summary->interval_ns / 1e9);
	length = screen_append(line, length, "%ld CPU%s", summary->nr_cpus,
			       kermon_plural(summary->nr_cpus));
	if (!isnan(summary->busy))
		length = screen_append(line, length, " %.1f %% busy, steal %.1f %%",
				       summary->busy * 100, summary->steal * 100);
	if (summary->nr_load == 3)
		screen_append(line, length, "; load %.2f %.2f %.2f", summary->load[0],
			      summary->load[1], summary->load[2]);
}

/* Why what ended within the interval has no row; NULL: it has. */
static const char *why_no_ended(const struct top *top)
{
	switch (-threads_exits_error(top->threads)) {
	case 0:
		return NULL;
	case ENOBUFS:
		return "too many threads ended to see all of them";
	case ENOENT:
		return "what ended has no row: the kernel, or this container, has no taskstats";
	default:
		return "what ended has no row: that requires CAP_NET_ADMIN";
	}
}

static void put_threads(const struct top *top, char line[TOP_LINE])
{
	const struct summary *summary = &top->summary;
	size_t length;

	length = screen_append(line, 0, "%zu thread%s, %zu used the CPU: %.1f %% of the CPUs",
			       summary->nr_threads, kermon_plural(summary->nr_threads),
			       summary->nr_active, summary->seen * 100);
	if (threads_by_ticks(top->threads))
		length = screen_append(line, length, "; times are in ticks, without "
				       "/proc/PID/schedstat");
	length = screen_append(line, length, "; own cost %.2f %% of a CPU", summary->own * 100);
	if (why_no_ended(top))
		screen_append(line, length, "; %s", why_no_ended(top));
}

static const char *why_no_energy(int error)
{
	switch (-error) {
	case EACCES:
		return "it requires CAP_PERFMON, or kernel.perf_event_paranoid of 0";
	case EPERM:
		return "only root may read powercap";
	case ENODEV:
		return "this machine, or its kernel, has no energy counters";
	default:
		return strerror(-error);
	}
}

/* "power/energy-pkg/" is "pkg". */
static void put_power(const struct top *top, char line[TOP_LINE])
{
	const struct energy_total *total = &top->gauges.energy.total;
	size_t length = screen_append(line, 0, "power: ");

	if (total->error || !total->nr) {
		screen_append(line, length, "unknown: %s",
			      why_no_energy(total->error ? total->error : -ENODEV));
		return;
	}
	for (unsigned int i = 0; i < total->nr; i++) {
		const char *dash = strchr(total->domains[i].name, '-');
		const char *name = dash ? dash + 1 : total->domains[i].name;

		length = screen_append(line, length, "%s%.*s %.2f W", i ? ", " : "",
				       (int)strcspn(name, "/"), name, top->gauges.watts[i]);
	}
	screen_append(line, length, " (all that runs, and idle)");
}

static bool is_executed(const struct top *top)
{
	for (unsigned int i = 0; i < top->events.nr; i++)
		if (top->events.events[i].metric.executed)
			return true;
	return false;
}

static void put_counters(const struct top *top, char line[TOP_LINE])
{
	size_t length = screen_append(line, 0, "counters: ");
	char rows[TOP_LINE];

	if (top->events.error) {
		screen_append(line, length, "%s", top->reason);
		return;
	}
	length = screen_append(line, length, "%s", top->events.user_only ?
			       "user mode only (kernel.perf_event_paranoid)" :
			       "user and kernel mode");
	if (top->emulated)
		length = screen_append(line, length, ", cycles of a model");
	if (is_executed(top))
		length = screen_append(line, length, ", FLOP as executed, not retired");
	reason_rows(top, rows, sizeof(rows));
	screen_append(line, length, "%s", rows);
}

unsigned int header_lines(const struct top *top, char lines[HEADER_LINES][TOP_LINE])
{
	put_time(top, lines[0]);
	put_threads(top, lines[1]);
	put_power(top, lines[2]);
	put_counters(top, lines[3]);
	return HEADER_LINES;
}
