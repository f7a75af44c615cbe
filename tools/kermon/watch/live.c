// SPDX-License-Identifier: GPL-2.0
/* The live table: a row per CPU with the rates of the last second, sorted by a column. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figures.h"
#include "live.h"
#include "sample_text.h"
#include "ui/message.h"
#include "ui/number.h"
#include "ui/pager.h"
#include "ui/screen.h"
#include "ui/scroll.h"
#include "util/array.h"
#include "util/monotonic.h"
#include "workload/signals.h"

#define REDRAW_NS	1000000000ULL
#define HEADING		32
#define COUNTING	"counting..."
#define HINT		"h help   q quit   < > sort   r reverse   space pause"

/* The columns: these, the events from EVENT on, and own cost, which is the last one. */
enum { CPU, BUSY, IPC, SAMPLES, EVENT };

/**
 * struct live - the view
 * @window: what was counted since the table before; @before: until then
 * @order: the CPUs in the order of rows, indexes in @window; @nr of them, those that have been
 *	online
 * @column: sorted by it; @reverse: the other way round
 * @scroll: which rows are seen
 * @redraw_ns: when the window ends
 * @paused: it does not
 * @help: instead of the table
 * @quit: the key was typed
 * @message: in the bottom line, until the next key
 */
struct live {
	struct watch *watch;
	struct sums window;
	struct sums before;
	size_t *order;
	size_t nr;
	size_t room;
	unsigned int column;
	bool reverse;
	struct scroll scroll;
	uint64_t redraw_ns;
	bool paused;
	bool help;
	bool quit;
	char message[SCREEN_TEXT];
};

static unsigned int last_column(const struct live *live)
{
	return EVENT + live->window.nr_events;
}

static bool is_shown(const struct live *live, unsigned int column)
{
	return column != IPC || figure_has_ipc(&live->window);
}

static double value_of(const struct live *live, const struct sums_cpu *cpu, unsigned int column)
{
	if (column == last_column(live))
		return figure_cost(cpu) * 100;
	switch (column) {
	case CPU:
		return cpu->cpu;
	case BUSY:
		return figure_busy(&live->window, cpu) * 100;
	case IPC:
		return figure_ipc(&live->window, cpu);
	case SAMPLES:
		return cpu->samples;
	default:
		return figure_rate(&live->window, cpu, column - EVENT);
	}
}

static void make_heading(const struct live *live, unsigned int column, char text[HEADING])
{
	static const char *const fixed[] = { "CPU", "BUSY%", "IPC", "SAMPLES" };
	const struct sums_event *event;

	if (column == last_column(live)) {
		snprintf(text, HEADING, "OWN%%");
	} else if (column < EVENT) {
		snprintf(text, HEADING, "%s", fixed[column]);
	} else {
		event = &live->window.events[column - EVENT];
		snprintf(text, HEADING, "%.*s%s", HEADING - 4, event->name,
			 event->unit == KERMON_SPY_NS ? "%" : "/s");
	}
}

static void make_text(const struct live *live, const struct sums_cpu *cpu, unsigned int column,
		      char text[NUMBER_SIZE])
{
	const double value = value_of(live, cpu, column);
	const bool last = column == last_column(live);

	if (isnan(value))
		snprintf(text, NUMBER_SIZE, "-");
	else if (column == IPC || last)
		snprintf(text, NUMBER_SIZE, "%.3f", value);
	else if (column == BUSY || (column >= EVENT &&
				    live->window.events[column - EVENT].unit == KERMON_SPY_NS))
		snprintf(text, NUMBER_SIZE, "%.1f", value);
	else
		number_brief(value + 0.5, text);
}

static int width_of(const struct live *live, unsigned int column)
{
	char text[HEADING];
	int width;

	make_heading(live, column, text);
	width = strlen(text);
	return width < 8 ? 8 : width;
}

/* Unknown values come last; CPUs ascend, everything else descends. */
static bool goes_before(const struct live *live, size_t left, size_t right)
{
	const double a = value_of(live, &live->window.cpus[left], live->column);
	const double b = value_of(live, &live->window.cpus[right], live->column);

	if (isnan(a) || isnan(b))
		return !isnan(a);
	if (a == b)
		return false;
	return (a < b) == (live->reverse != (live->column == CPU));
}

/* By insertion: from one second to the next, few rows move. */
static int sort(struct live *live)
{
	size_t j;

	if (array_room(live->order, live->room, live->window.nr_cpus))
		return -ENOMEM;
	live->nr = 0;
	for (size_t row = 0; row < live->window.nr_cpus; row++) {
		if (!live->window.cpus[row].end_ns)
			continue;
		for (j = live->nr++; j && goes_before(live, row, live->order[j - 1]); j--)
			live->order[j] = live->order[j - 1];
		live->order[j] = row;
	}
	return 0;
}

/* The column that follows on the screen. Own cost is always seen, at the right. */
static unsigned int next_column(const struct live *live, unsigned int column)
{
	do
		column++;
	while (column < last_column(live) && !is_shown(live, column));
	return column;
}

/*
 * The first event that is seen: that by which the table is sorted is, and those after it as far
 * as they fit.
 */
static unsigned int first_event(const struct live *live)
{
	int room = screen_columns() - width_of(live, last_column(live)) - 1;
	unsigned int first = EVENT;
	int used = 0;

	for (unsigned int i = CPU; i < EVENT; i = next_column(live, i))
		room -= width_of(live, i) + 1;
	for (unsigned int i = EVENT; i <= live->column && i < last_column(live); i++)
		used += width_of(live, i) + 1;
	while (first < live->column && used > room)
		used -= width_of(live, first++) + 1;
	return first;
}

/* A row; NULL: the headings. */
static void draw_row(const struct live *live, int y, const struct sums_cpu *cpu)
{
	const unsigned int last = last_column(live), first = first_event(live);
	const int end = screen_columns() - width_of(live, last) - 1;
	char text[NUMBER_SIZE];
	int x = 0, width;

	for (unsigned int i = CPU; i <= last; i = next_column(live, i)) {
		width = width_of(live, i);
		if (i < last && ((i >= EVENT && i < first) || x + width > end))
			continue;
		if (cpu)
			make_text(live, cpu, i, text);
		else
			make_heading(live, i, text);
		if (!cpu)
			screen_style(i == live->column ? SCREEN_SORTED : SCREEN_HEADING);
		x = screen_text(y, x, width, text, true) + 1;
	}
	screen_style(SCREEN_PLAIN);
}

/* "power/energy-pkg/" is "pkg". */
static void put_power(const struct live *live, char line[SCREEN_TEXT])
{
	const struct sums_package *package = live->window.packages;
	const char *domain, *name;
	size_t length = 0;
	double seconds;

	*line = '\0';
	for (size_t i = 0; i < live->window.nr_packages; i++, package++) {
		seconds = (package->read_ns - package->begin_ns) / 1e9;
		length = screen_append(line, length, "%spackage %u:", i ? "; " : "",
				       package->package);
		for (unsigned int j = 0; (domain = kermon_spy_domain(live->watch->spy, j)); j++) {
			name = strrchr(domain, '-') ? strrchr(domain, '-') + 1 : domain;
			length = screen_append(line, length, " %.*s %.2f W",
					       (int)strcspn(name, "/"), name,
					       package->joules[j] / seconds);
		}
	}
}

static bool has_steps(const struct live *live)
{
	for (size_t i = 0; i < live->window.nr_events; i++)
		if (live->window.events[i].unit == KERMON_SPY_NS)
			return true;
	return false;
}

static int draw_header(const struct live *live)
{
	const struct watch *watch = live->watch;
	char line[SCREEN_TEXT];
	size_t length;
	int y = 0;

	screen_style(SCREEN_HEADER);
	length = screen_append(line, 0, "%zu CPUs by %s, a sample per %g ms", live->nr,
			       kermon_spy_backend(watch->spy), watch->interval_ns / 1e6);
	if (has_steps(live))
		screen_append(line, length, "; times in steps of %g ms",
			      sample_step_ns(KERMON_SPY_NS) / 1e6);
	screen_text(y++, 0, screen_columns(), line, false);
	put_power(live, line);
	if (*line)
		screen_text(y++, 0, screen_columns(), line, false);
	screen_style(SCREEN_PLAIN);
	return y;
}

static void draw_table(struct live *live)
{
	int y = screen_lines() >= 8 ? draw_header(live) : 0;
	const struct scroll *scroll = &live->scroll;

	screen_bar(y);
	draw_row(live, y++, NULL);
	scroll_fit(&live->scroll, screen_lines() - y - 1, live->nr);
	for (size_t i = scroll->first; i < scroll->first + scroll->page && i < live->nr; i++)
		draw_row(live, y++, &live->window.cpus[live->order[i]]);
}

static void draw_help(void)
{
	static const char *const lines[] = {
		"< >        sort by the column to the left or right, as do the arrows",
		"r          reverse the order",
		"space      pause, and go on: meanwhile everything is still counted",
		"arrows     scroll, as do Page Up, Page Down, Home and End",
		"q          quit, and print totals, as does Ctrl-C",
		"",
		"BUSY%      time in which the CPU was not idle",
		"IPC        instructions per cycle",
		"SAMPLES    in the last second",
		"EVENT/s    counts per second; EVENT% of times",
		"OWN%       time that the spy of the CPU took, which is part of all counts",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		screen_text(i, 0, screen_columns(), lines[i], false);
}

static void draw(struct live *live)
{
	char status[SCREEN_TEXT + 16];

	snprintf(status, sizeof(status), "%s%s", live->paused ? "PAUSED   " : "",
		 *live->message ? live->message : HINT);
	screen_begin();
	if (live->help)
		draw_help();
	else
		draw_table(live);
	screen_end(status);
}

static int end_window(struct live *live)
{
	int err;

	sums_free(&live->window);
	live->window = (struct sums){ 0 };
	err = sums_since(&live->watch->sums, &live->before, &live->window);
	return err ? err : sort(live);
}

int live_tick(struct live *live)
{
	const uint64_t now = monotonic_ns();
	int err = 0;

	if (now < live->redraw_ns)
		return 0;
	live->redraw_ns = now + REDRAW_NS;
	if (!live->paused)
		err = end_window(live);
	if (!strcmp(live->message, COUNTING))
		*live->message = '\0';
	if (!err)
		draw(live);
	return err;
}

static void sort_beside(struct live *live, int step)
{
	const unsigned int nr = last_column(live) + 1;
	char heading[HEADING];

	do
		live->column = (live->column + nr + step) % nr;
	while (!is_shown(live, live->column));
	live->reverse = false;
	make_heading(live, live->column, heading);
	snprintf(live->message, sizeof(live->message), "sorted by %s", heading);
}

static void take_key(struct live *live, int key)
{
	*live->message = '\0';
	if (live->help) {
		live->help = false;
		return;
	}
	if (scroll_key(&live->scroll, key))
		return;
	switch (key) {
	case 'q':
		live->quit = true;
		break;
	case 'h':
	case '?':
		live->help = true;
		break;
	case '<':
		sort_beside(live, -1);
		break;
	case '>':
		sort_beside(live, 1);
		break;
	case 'r':
		live->reverse = !live->reverse;
		break;
	case ' ':
		live->paused = !live->paused;
		break;
	default:
		snprintf(live->message, sizeof(live->message),
			 "key not in use; h shows all keys");
	}
}

/* Without any key, the terminal has gone. */
bool live_keys(struct live *live)
{
	int key = screen_key();

	live->quit |= key == KEY_NONE;
	for (; key != KEY_NONE && !live->quit; key = screen_key())
		take_key(live, key);
	if (!sort(live))
		draw(live);
	return !live->quit;
}

void live_signal(struct live *live, int number)
{
	if (!live) {
		if (number == SIGTSTP)
			signals_stop();
		return;
	}
	if (number == SIGTSTP) {
		screen_leave();
		signals_stop();
	}
	if (number == SIGWINCH)
		screen_resize();
	else
		screen_return();
	draw(live);
}

void live_leave(struct live *live)
{
	if (live)
		screen_leave();
}

void live_return(struct live *live, const char *text)
{
	if (!live)
		return;
	snprintf(live->message, sizeof(live->message), "%s", text);
	screen_return();
	draw(live);
}

bool live_is_wanted(const struct watch *watch)
{
	return watch_format(watch) == &watch_format_table && !*watch->argv &&
	       watch->out == stdout && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
}

/* Totals at the end need no particular terminal. */
static bool open_screen(const struct watch *watch)
{
	const char *type = getenv("TERM");

	if (!screen_open(terminal_colour(COLOR_AUTO)))
		return true;
	message(watch->command->name, "no table while it runs: the type of this terminal, "
		"TERM=%s, is unknown", type ? type : "");
	return false;
}

struct live *live_open(struct watch *watch)
{
	struct live *live = live_is_wanted(watch) ? calloc(1, sizeof(*live)) : NULL;

	if (!live)
		return NULL;
	live->watch = watch;
	live->redraw_ns = monotonic_ns() + REDRAW_NS / 2;
	snprintf(live->message, sizeof(live->message), COUNTING);
	if (!open_screen(watch)) {
		free(live);
		return NULL;
	}
	if (!end_window(live))
		draw(live);
	return live;
}

void live_close(struct live *live)
{
	if (!live)
		return;
	screen_close();
	sums_free(&live->window);
	sums_free(&live->before);
	free(live->order);
	free(live);
}
