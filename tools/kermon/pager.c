// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <signal.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"
#include "pager.h"
#include "program.h"

static bool can_run(const char *name, size_t length)
{
	char file[PATH_MAX];

	return program_find(name, length, file, sizeof(file));
}

/*
 * The command to run, NULL for none. What is more than words is left to the
 * shell, which alone knows what it means.
 */
static const char *choose(void)
{
	const char *command = getenv("PAGER");
	int blank, len;

	if (!command)
		return can_run("less", strlen("less")) ? "less" : NULL;
	if (!*command || !strcmp(command, "cat"))
		return NULL;
	blank = strspn(command, " \t");
	len = strcspn(command + blank, " \t");
	if (strcspn(command + blank, "\n\"#$&'()*;<=>?[\\]`{|}~!") < (size_t)len ||
	    can_run(command + blank, len))
		return command;
	message("report", "the pager of $PAGER cannot be run: '%s'", command);
	return NULL;
}

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
	const char *command = isatty(STDOUT_FILENO) ? choose() : NULL;
	int ends[2];

	*pager = (struct pager){ 0 };
	if (!command)
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

/* By the shell's rules: 126 and 127 are of commands that it could not run. */
static bool has_run(int status)
{
	return !WIFEXITED(status) ||
	       (WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127);
}

bool pager_finish(struct pager *pager)
{
	int status = 0;

	if (!pager->pid)
		return true;
	fflush(stdout);
	clearerr(stdout);
	close(STDOUT_FILENO);
	waitpid(pager->pid, &status, 0);
	/* Whoever closes standard output after us finds one. */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	pager->pid = 0;
	if (has_run(status))
		return true;
	message("report", "the pager has shown nothing: '%s' cannot be run",
		getenv("PAGER") ? getenv("PAGER") : "less");
	message_hint("set PAGER to another one, or show it all: --no-pager");
	return false;
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
