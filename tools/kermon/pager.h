/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Long output goes through a pager if standard output is a terminal: $PAGER, or
 * less if there is one. "cat" and "" mean none, and so does a program that is
 * not found, which is said.
 */
#ifndef KERMON_PAGER_H
#define KERMON_PAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct pager {
	pid_t pid;	/* 0: none */
};

/* Redirects standard output; where that fails, output goes on as it was. */
void pager_start(struct pager *pager);
/*
 * Waits until the reader has seen enough. False if the pager could not be run,
 * which is said, and what was printed is lost.
 */
bool pager_finish(struct pager *pager);

/* Columns of the terminal on standard output, $COLUMNS, or 0 if neither. */
size_t terminal_width(void);

/* Standard output is a terminal and nobody set NO_COLOR. */
bool terminal_colour(void);

#endif /* KERMON_PAGER_H */
