// SPDX-License-Identifier: GPL-2.0
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pager.h"

static void run_pager(const char *command, int input)
{
	dup2(input, STDIN_FILENO);
	close(input);
	/* less: keep colours, quit if one screen is enough, do not clear */
	setenv("LESS", "FRSX", 0);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

void pager_start(struct pager *pager)
{
	const char *command = getenv("PAGER");
	int ends[2];

	*pager = (struct pager){ 0 };
	if (!command)
		command = "less";
	if (!isatty(STDOUT_FILENO) || !*command || !strcmp(command, "cat"))
		return;
	fflush(stdout);
	if (pipe(ends))
		return;
	pager->pid = fork();
	if (!pager->pid) {
		close(ends[1]);
		run_pager(command, ends[0]);
	}
	if (pager->pid > 0) {
		dup2(ends[1], STDOUT_FILENO);
		/* Who quits the pager early has seen enough: no error. */
		signal(SIGPIPE, SIG_IGN);
	} else {
		pager->pid = 0;
	}
	close(ends[0]);
	close(ends[1]);
}

void pager_finish(struct pager *pager)
{
	if (!pager->pid)
		return;
	fflush(stdout);
	clearerr(stdout);
	close(STDOUT_FILENO);
	waitpid(pager->pid, NULL, 0);
	/* Whoever closes standard output after us finds one. */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	pager->pid = 0;
}

size_t terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (columns && atoi(columns) > 0)
		return atoi(columns);
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return 0;
}

bool terminal_colour(void)
{
	const char *no = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && !(no && *no);
}
