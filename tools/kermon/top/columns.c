// SPDX-License-Identifier: GPL-2.0
/* The columns of the table: names, headings, and what a row has in each. */
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "top.h"

#define TEXT(n)	(-(n))

static const struct column columns[] = {
	[THREADS_PID] = { "pid", "PID", 'N', 7, "process" },
	[THREADS_TID] = { "tid", "TID", 'T', 7, "thread" },
	[THREADS_USER] = { "user", "USER", 'U', TEXT(8), "effective user" },
	[THREADS_CPU] = { "cpu", "CPU", 'C', 4, "CPU that it ran on last" },
	[THREADS_RUN] = { "run", "%CPU", 'P', 6, "time on the CPU, percent of one CPU" },
	[THREADS_WAIT] = { "wait", "%WAIT", 'W', 6,
			   "time that it was ready to run, but on no CPU" },
	[THREADS_IPC] = { "ipc", "IPC", 'I', 6, "instructions per cycle" },
	[THREADS_INSTRUCTIONS] = { "instructions", "INSTR/s", 'R', 8,
				   "instructions per second" },
	[THREADS_FLOP] = { "flop", "FLOP/s", 'F', 8,
			   "floating-point operations per second" },
	[THREADS_SWITCHES] = { "switches", "SWITCH/s", 'S', 8,
			       "how often it was switched in, per second" },
	[THREADS_FAULTS] = { "faults", "FAULT/s", 'M', 8, "page faults per second" },
	[THREADS_COMMAND] = { "command", "COMMAND", 'O', TEXT(15),
			      "name of the thread" },
};

#define NR_FIXED	(sizeof(columns) / sizeof(columns[0]))
#define EVENT_WIDTH	10

const struct column *column_at(unsigned int index)
{
	return index < NR_FIXED ? &columns[index] : NULL;
}

/* Events that were chosen have a column, unless another one shows the same. */
static bool event_is_shown(const struct top *top, unsigned int event)
{
	const struct threads_event *shown = &top->events.events[event];

	return top->events.chosen && event < top->events.nr &&
	       shown->metric.kind != KERMON_METRIC_INSTRUCTIONS &&
	       shown->metric.kind != KERMON_METRIC_CYCLES;
}

bool column_is_shown(const struct top *top, unsigned int index)
{
	const bool ticks = threads_by_ticks(top->threads);

	switch (index) {
	case THREADS_WAIT:
	case THREADS_SWITCHES:
		return !ticks;
	case THREADS_IPC:
	case THREADS_INSTRUCTIONS:
	case THREADS_FLOP:
		return threads_has(&top->events, index);
	default:
		return index < NR_FIXED || event_is_shown(top, index - THREADS_EVENT);
	}
}

void column_heading(const struct top *top, unsigned int index, char text[TOP_CELL])
{
	if (index >= NR_FIXED)
		snprintf(text, TOP_CELL, "%.60s/s",
			 top->events.events[index - THREADS_EVENT].name);
	else if (index == THREADS_TID && top->view.processes)
		snprintf(text, TOP_CELL, "THREADS");
	else
		snprintf(text, TOP_CELL, "%s", columns[index].heading);
}

int column_width(const struct top *top, unsigned int index)
{
	char heading[TOP_CELL];
	int width;

	if (index < NR_FIXED)
		return columns[index].width;
	column_heading(top, index, heading);
	width = strlen(heading);
	return width > EVENT_WIDTH ? width : EVENT_WIDTH;
}

static bool is_event(const struct threads_event *event, const char *name)
{
	const size_t length = strlen(name);

	return !strncasecmp(event->name, name, length) &&
	       (!event->name[length] || !strcmp(event->name + length, ":u"));
}

int column_find(const struct top *top, const char *name)
{
	for (unsigned int i = 0; i < NR_FIXED; i++)
		if (!strcasecmp(columns[i].name, name))
			return i;
	for (unsigned int i = 0; i < top->events.nr; i++)
		if (is_event(&top->events.events[i], name))
			return NR_FIXED + i;
	return -1;
}

const char *user_name(uid_t uid)
{
	static struct {
		uid_t uid;
		char name[32];
	} cache[64];
	const size_t slot = uid % (sizeof(cache) / sizeof(cache[0]));
	const struct passwd *entry;

	if (*cache[slot].name && cache[slot].uid == uid)
		return cache[slot].name;
	entry = getpwuid(uid);
	cache[slot].uid = uid;
	if (entry)
		snprintf(cache[slot].name, sizeof(cache[slot].name), "%s", entry->pw_name);
	else
		snprintf(cache[slot].name, sizeof(cache[slot].name), "%u", uid);
	return cache[slot].name;
}

static void format_rate(double value, bool estimate, char text[TOP_CELL])
{
	char exact[NUMBER_SIZE], brief[NUMBER_SIZE];

	if (estimate)
		number_about(llround(value), exact, brief);
	else
		number_brief(llround(value), brief);
	snprintf(text, TOP_CELL, "%s", brief);
}

static void format_ratio(double value, bool estimate, char text[TOP_CELL])
{
	char number[NUMBER_SIZE];

	if (estimate)
		number_about_real(value, 3, number);
	else
		snprintf(number, sizeof(number), "%.3f", value);
	snprintf(text, TOP_CELL, "%s", number);
}

static void format_number(const struct top *top, const struct threads_row *row,
			  unsigned int index, char text[TOP_CELL])
{
	const double value = threads_value(&top->events, row, index);
	const bool estimate = threads_is_estimate(&top->events, row, index);

	if (isnan(value))
		snprintf(text, TOP_CELL, "-");
	else if (index == THREADS_IPC)
		format_ratio(value, estimate, text);
	else if (index == THREADS_RUN || index == THREADS_WAIT)
		snprintf(text, TOP_CELL, "%.1f", value);
	else if (index <= THREADS_CPU)
		snprintf(text, TOP_CELL, "%.0f", value);
	else
		format_rate(value, estimate, text);
}

void column_text(const struct top *top, const struct threads_row *row, unsigned int index,
		 char text[TOP_CELL])
{
	if (index == THREADS_COMMAND)
		snprintf(text, TOP_CELL, "%s%s", row->comm, row->ended ? " (ended)" : "");
	else if (index == THREADS_USER)
		snprintf(text, TOP_CELL, "%s", user_name(row->uid));
	else if (index == THREADS_TID && top->view.processes)
		snprintf(text, TOP_CELL, "%u", row->nr);
	else
		format_number(top, row, index, text);
}
