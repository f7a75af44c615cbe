/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Long output goes through a pager if standard output is a terminal: $PAGER, or
 * less if there is one. "cat" and "" mean none, and so does a program that is
 * not found, which is said.
 *
 * While the pager runs, the terminal is its own: Ctrl-C and Ctrl-\ are for it alone, and
 * whoever ends kermon otherwise does so when the reader has left the pager.
 */
#ifndef KERMON_PAGER_H
#define KERMON_PAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common_options.h"

/**
 * struct pager - what shows the output of a command
 * @pid: process, or 0: there is none
 * @program: what the shell runs
 * @command: name of the command whose output it is, for messages
 * @terminal: standard output as it was before
 */
struct pager {
	pid_t pid;
	const char *program;
	const char *command;
	int terminal;
};

/*
 * Redirects standard output to a pager; where that fails, output goes on as it was. Ask
 * the terminal's width and colours before that. One pager at a time.
 */
void pager_start(struct pager *pager, const char *command);

/*
 * Waits until the reader has seen enough, and gives standard output back. A pager that
 * was killed by Ctrl-C takes the tool with it.
 *
 * Return: @err, with which printing ended: 0 or -errno; but 0 for -EPIPE if a reader
 * left early, which is no error; and -EPIPE if the pager could not be run, which is said:
 * what was printed is lost.
 */
int pager_finish(struct pager *pager, int err);

/* Columns of the terminal on standard output, $COLUMNS, or 0 if neither. */
size_t terminal_width(void);

/* Whether to print colours; COLOR_AUTO: to a terminal if nobody set NO_COLOR. */
bool terminal_colour(enum color color);

#endif /* KERMON_PAGER_H */
