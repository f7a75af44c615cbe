// SPDX-License-Identifier: GPL-2.0
/* The live view: intervals, keys and signals, in one loop. */
#include <errno.h>
#include <kermon/text.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "picture.h"
#include "ui/message.h"
#include "ui/pager.h"
#include "util/monotonic.h"
#include "workload/signals.h"

#define INPUT_SIZE	256
#define STATUS_SIZE	(INPUT_SIZE + 128)
#define HINT		"h help   q quit   < > sort   / filter   space pause   w write"

enum prompt {
	PROMPT_NONE,
	PROMPT_FILTER,
	PROMPT_FILE,
	PROMPT_REPLACE,
};

/**
 * struct live - the live view
 * @picture: what is drawn
 * @signals: of the process
 * @deadline: end of the current interval
 * @done: number of intervals
 * @paused: intervals do not end
 * @prompt: what is being typed
 * @input: so far
 * @message: the result of the last key
 * @status: the bottom line
 * @output_error: of the file of -o, which is written no more
 * @proc_error: of /proc
 * @quit: end
 */
struct live {
	struct top *top;
	struct picture picture;
	struct signals signals;
	uint64_t deadline;
	unsigned int done;
	bool paused;
	enum prompt prompt;
	char input[INPUT_SIZE];
	char message[STATUS_SIZE];
	char status[STATUS_SIZE * 2];
	int output_error;
	int proc_error;
	bool quit;
};

static void say(struct live *live, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say(struct live *live, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(live->message, sizeof(live->message), format, args);
	va_end(args);
}

static void make_status(struct live *live)
{
	static const char *const prompts[] = {
		[PROMPT_FILTER] = "show only rows with: ",
		[PROMPT_FILE] = "write to file: ",
		[PROMPT_REPLACE] = "it exists; replace it? (y/n) ",
	};
	const char *filter = live->top->view.filter;

	if (live->prompt)
		snprintf(live->status, sizeof(live->status), "%s%s_",
			 prompts[live->prompt],
			 live->prompt == PROMPT_REPLACE ? "" : live->input);
	else
		snprintf(live->status, sizeof(live->status), "%s%s%s%s%s",
			 live->paused ? "PAUSED   " : "", *filter ? "only: " : "", filter,
			 *filter ? "   " : "", *live->message ? live->message : HINT);
}

static void draw(struct live *live)
{
	make_status(live);
	live->picture.status = live->status;
	picture_draw(&live->picture);
}

static void update(struct live *live)
{
	int err = view_update(live->top);

	if (err)
		live->proc_error = err;
}

static void sort_by(struct live *live, unsigned int column)
{
	char heading[TOP_CELL];

	live->top->view.column = column;
	live->top->view.reverse = false;
	column_heading(live->top, column, heading);
	say(live, "sorted by %s", heading);
	update(live);
}

static void sort_beside(struct live *live, int step)
{
	unsigned int column = live->top->view.column;

	do
		column = (column + TOP_COLUMNS + step) % TOP_COLUMNS;
	while (!column_is_shown(live->top, column));
	sort_by(live, column);
}

static void sort_by_letter(struct live *live, int key)
{
	const struct column *column;

	for (unsigned int i = 0; (column = column_at(i)); i++) {
		if (column->letter != key)
			continue;
		if (column_is_shown(live->top, i))
			sort_by(live, i);
		else
			say(live, "there is no %s here", column->heading);
		return;
	}
	say(live, "key not in use; h shows all keys");
}

static int write_rows(const void *context, FILE *out)
{
	int err = format_begin(context, out, FORMAT_CSV);

	return err ? err : format_interval(context, out, FORMAT_CSV);
}

static void write_file(struct live *live)
{
	int err = output_write(live->input, write_rows, live->top);

	if (err)
		say(live, "cannot write '%s': %s", live->input, output_reason(err));
	else
		say(live, "%zu row%s written to '%s'", live->top->view.nr,
		    kermon_plural(live->top->view.nr), live->input);
}

static void ask(struct live *live, enum prompt prompt, const char *input)
{
	live->prompt = prompt;
	*live->message = '\0';
	snprintf(live->input, sizeof(live->input), "%s", input);
}

/* A file that exists is not replaced without asking. */
static void end_prompt(struct live *live)
{
	const enum prompt prompt = live->prompt;

	live->prompt = PROMPT_NONE;
	if (prompt == PROMPT_FILTER) {
		snprintf(live->top->view.filter, TOP_FILTER, "%.*s", TOP_FILTER - 1,
			 live->input);
		update(live);
	} else if (*live->input && !access(live->input, F_OK)) {
		live->prompt = PROMPT_REPLACE;
	} else if (*live->input) {
		write_file(live);
	}
}

static void answer(struct live *live, int key)
{
	live->prompt = PROMPT_NONE;
	if (key == 'y' || key == 'Y')
		write_file(live);
	else
		say(live, "not written: '%s' exists", live->input);
}

/* Remove the last character, of however many bytes. */
static void erase_last(char *input)
{
	size_t length = strlen(input);

	while (length && (input[--length] & 0xc0) == 0x80)
		;
	input[length] = '\0';
}

static void type(struct live *live, int key)
{
	const size_t length = strlen(live->input);

	if (live->prompt == PROMPT_REPLACE) {
		answer(live, key);
	} else if (key == KEY_ENTER_LINE) {
		end_prompt(live);
	} else if (key == KEY_ESCAPE) {
		live->prompt = PROMPT_NONE;
	} else if (key == KEY_ERASE) {
		erase_last(live->input);
	} else if (key >= ' ' && key < 256 && length + 1 < sizeof(live->input)) {
		live->input[length] = key;
		live->input[length + 1] = '\0';
	}
}

static void toggle_processes(struct live *live)
{
	struct view *view = &live->top->view;

	view->processes = !view->processes;
	say(live, "rows are %s", view->processes ? "processes" : "threads");
	update(live);
}

static void toggle_pause(struct live *live)
{
	live->paused = !live->paused;
	*live->message = '\0';
	if (!live->paused)
		live->deadline = monotonic_ns();
}

static void command(struct live *live, int key)
{
	switch (key) {
	case 'q':
		live->quit = true;
		return;
	case 'h':
	case '?':
		live->picture.help = true;
		return;
	case '<':
		sort_beside(live, -1);
		return;
	case '>':
		sort_beside(live, 1);
		return;
	case 'r':
		live->top->view.reverse = !live->top->view.reverse;
		update(live);
		return;
	case 't':
		toggle_processes(live);
		return;
	case '/':
		ask(live, PROMPT_FILTER, live->top->view.filter);
		return;
	case 'w':
		ask(live, PROMPT_FILE, "");
		return;
	case ' ':
		toggle_pause(live);
		return;
	default:
		sort_by_letter(live, key);
	}
}

static void take_key(struct live *live, int key)
{
	if (live->picture.help)
		live->picture.help = false;
	else if (live->prompt)
		type(live, key);
	else if (!scroll_key(&live->picture.scroll, key))
		command(live, key);
}

/* Without any key, the terminal has gone. */
static void take_keys(struct live *live)
{
	int key = screen_key();

	live->quit |= key == KEY_NONE;
	for (; key != KEY_NONE && !live->quit; key = screen_key())
		take_key(live, key);
}

static void stop(void)
{
	screen_leave();
	signals_stop();
	screen_return();
}

static void take_signal(struct live *live, int number)
{
	switch (number) {
	case SIGCHLD:
		break;
	case SIGWINCH:
		screen_resize();
		break;
	case SIGTSTP:
		stop();
		break;
	case SIGCONT:
		screen_return();
		break;
	case SIGINT:
		live->quit = true;
		break;
	default:
		live->top->signal = number;
		live->quit = true;
	}
}

static void take_signals(struct live *live)
{
	struct signalfd_siginfo info;

	while (signals_next(&live->signals, &info))
		take_signal(live, info.ssi_signo);
}

static void write_output(struct live *live)
{
	if (live->output_error)
		return;
	live->output_error = top_write(live->top);
	if (live->output_error)
		say(live, "cannot write '%s': %s; it is written no more", live->top->path,
		    output_reason(live->output_error));
}

static void end_interval(struct live *live)
{
	struct top *top = live->top;

	live->deadline = top_next(top, live->deadline);
	if (live->paused) {
		gauges_keep(&top->gauges);
		return;
	}
	live->proc_error = interval_end(top);
	if (live->proc_error)
		return;
	write_output(live);
	live->quit |= ++live->done == top->iterations || top->ended;
}

static void wait_and_act(struct live *live)
{
	struct pollfd fds[] = {
		{ .fd = live->signals.fd, .events = POLLIN },
		{ .fd = STDIN_FILENO, .events = POLLIN },
	};

	if (poll(fds, 2, top_timeout(live->deadline)) < 0 && errno != EINTR)
		live->quit = true;
	if (fds[0].revents)
		take_signals(live);
	if (fds[1].revents)
		take_keys(live);
	if (monotonic_ns() >= live->deadline)
		end_interval(live);
}

/* Until the first interval has ended, which is short, there is nothing to be seen. */
#define FIRST_NS	250000000ULL

static int show(struct live *live)
{
	live->deadline = monotonic_ns() + FIRST_NS;
	if (live->top->delay_ns < FIRST_NS || live->top->path || live->top->iterations)
		live->deadline = monotonic_ns() + live->top->delay_ns;
	say(live, "counting...");
	while (!live->quit && !live->proc_error) {
		draw(live);
		wait_and_act(live);
		if (live->done == 1 && !strcmp(live->message, "counting..."))
			*live->message = '\0';
	}
	screen_close();
	if (live->proc_error)
		return top_say_proc(live->top, live->proc_error);
	if (live->output_error)
		return top_say_output(live->top, live->output_error);
	if (live->top->ended)
		message(live->top->command->name, "all that was to be shown has ended");
	return STATUS_OK;
}

static int open_screen(struct live *live)
{
	const char *type = getenv("TERM");

	if (!screen_open(terminal_colour(live->top->color)))
		return STATUS_OK;
	message(live->top->command->name, "cannot use this terminal: its type, TERM=%s, is "
		"unknown", type ? type : "");
	message_hint("set TERM, or print tables: -b");
	return STATUS_FAILED;
}

int live_run(struct top *top)
{
	struct live live = { .top = top, .picture.top = top };
	sigset_t wanted;
	int err, status;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGWINCH);
	sigaddset(&wanted, SIGCONT);
	err = signals_open(&live.signals, &wanted, true);
	if (err) {
		message(top->command->name, "cannot receive signals: %s", strerror(-err));
		return STATUS_FAILED;
	}
	status = open_screen(&live);
	if (!status)
		status = show(&live);
	signals_close(&live.signals);
	return status;
}
