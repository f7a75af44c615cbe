// SPDX-License-Identifier: GPL-2.0
/* Intervals as text, one after the other, and what both ways to show them share. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "top.h"
#include "ui/message.h"
#include "util/monotonic.h"
#include "workload/signals.h"

#define NS_PER_MS	1000000ULL
#define MAX_WAIT_MS	3600000

int top_timeout(uint64_t deadline)
{
	const uint64_t now = monotonic_ns();
	const uint64_t ms = now < deadline ? (deadline - now + NS_PER_MS - 1) / NS_PER_MS : 0;

	return ms > MAX_WAIT_MS ? MAX_WAIT_MS : ms;
}

uint64_t top_next(const struct top *top, uint64_t deadline)
{
	const uint64_t now = monotonic_ns();

	deadline += top->delay_ns;
	if (deadline <= now)
		deadline += (now - deadline) / top->delay_ns * top->delay_ns + top->delay_ns;
	return deadline;
}

int top_write(struct top *top)
{
	const enum format format = top->format == FORMAT_SCREEN ? FORMAT_CSV : top->format;

	return top->out ? format_interval(top, top->out, format) : 0;
}

int top_say_output(const struct top *top, int err)
{
	message(top->command->name, "cannot write '%s': %s",
		top->path ? top->path : "standard output", output_reason(err));
	return STATUS_FAILED;
}

int top_say_proc(const struct top *top, int err)
{
	message(top->command->name, "cannot read /proc: %s", strerror(-err));
	return STATUS_FAILED;
}

/* Ctrl-C is the usual way to end it; other signals end it as if there were no handler. */
static bool take_signals(struct top *top, const struct signals *signals)
{
	struct signalfd_siginfo info;
	bool end = false;

	while (signals_next(signals, &info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		end = true;
		if (info.ssi_signo != SIGINT)
			top->signal = info.ssi_signo;
	}
	return end;
}

/* Wait for the end of an interval; false: a signal has ended all of it. */
static bool wait_for(struct top *top, const struct signals *signals, uint64_t deadline)
{
	struct pollfd poll_fd = { .fd = signals->fd, .events = POLLIN };

	while (monotonic_ns() < deadline)
		if (poll(&poll_fd, 1, top_timeout(deadline)) > 0 &&
		    take_signals(top, signals))
			return false;
	return true;
}

static int write_all(struct top *top, const struct signals *signals)
{
	uint64_t deadline = monotonic_ns() + top->delay_ns;
	unsigned int done = 0;
	int err;

	while (wait_for(top, signals, deadline)) {
		err = interval_end(top);
		if (err)
			return top_say_proc(top, err);
		err = top_write(top);
		if (err)
			return top_say_output(top, err);
		if (++done == top->iterations || top->ended)
			break;
		deadline = top_next(top, deadline);
	}
	return STATUS_OK;
}

int batch_run(struct top *top)
{
	struct signals signals = { 0 };
	sigset_t none;
	int status, err;

	sigemptyset(&none);
	err = signals_open(&signals, &none, false);
	if (err) {
		message(top->command->name, "cannot receive signals: %s", strerror(-err));
		return STATUS_FAILED;
	}
	/* A reader such as head(1) that has enough ends it quietly. */
	sigaction(SIGPIPE, &signals.pipe, NULL);
	status = write_all(top, &signals);
	signals_close(&signals);
	return status;
}
