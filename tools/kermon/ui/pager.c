// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the pager, and handles signals so that the terminal is its own meanwhile.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <limits.h>
#include <stdio.h>
#include <stdio_ext.h>
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

/* The first word of @program, of @length bytes. */
static const char *first_word(const char *program, size_t *length)
{
	const char *word = program + strspn(program, " \t");

	*length = strcspn(word, " \t");
	return word;
}

/* Whether the first word of @program has characters that only a shell interprets. */
static bool is_for_shell(const char *program)
{
	size_t length;
	const char *word = first_word(program, &length);

	return strcspn(word, "\n\"#$&'()*;<=>?[\\]`{|}~!") < length;
}

/*
 * The program to run, NULL for none. Shell syntax is not checked here but left to the
 * shell.
 */
static const char *choose(const char *command)
{
	const char *program = getenv("PAGER"), *word;
	size_t length;

	if (!program)
		return can_run("less", strlen("less")) ? "less" : NULL;
	if (!*program || !strcmp(program, "cat"))
		return NULL;
	word = first_word(program, &length);
	if (is_for_shell(program) || can_run(word, length))
		return program;
	message(command, "cannot run the pager '%s' (from $PAGER)", program);
	return NULL;
}

/* The running pager for the signal handlers; 0 if none. */
static volatile pid_t running;

/* Actions of signals before the pager was started, by number. */
static struct sigaction before[_NSIG];

/* Let the tool die only after the pager has exited and the terminal is free. */
static void end_after_pager(int number)
{
	close(STDOUT_FILENO);
	while (waitpid(running, NULL, 0) < 0 && errno == EINTR)
		;
	signal(number, SIG_DFL);
	raise(number);
}

/* If the pager exits before the output is complete, let Ctrl-C kill the tool again. */
static void look_for_end(int number)
{
	const int saved_errno = errno;
	siginfo_t info = { 0 };

	(void)number;
	if (running && !waitid(P_PID, running, &info,
			       WEXITED | WNOHANG | WNOWAIT) && info.si_pid) {
		sigaction(SIGINT, &before[SIGINT], NULL);
		sigaction(SIGQUIT, &before[SIGQUIT], NULL);
	}
	errno = saved_errno;
}

/* Signals with another action while the pager runs. */
static const struct {
	int number;
	void (*take)(int number);
} taken[] = {
	{ SIGINT, SIG_IGN },
	{ SIGQUIT, SIG_IGN },
	{ SIGPIPE, SIG_IGN },
	{ SIGHUP, end_after_pager },
	{ SIGTERM, end_after_pager },
	{ SIGCHLD, look_for_end },
};

#define NR_TAKEN (sizeof(taken) / sizeof(taken[0]))

/* Keep ignoring what was ignored, for example under nohup, but always handle SIGCHLD. */
static void take_signals(void)
{
	struct sigaction action = { .sa_flags = SA_RESTART | SA_NOCLDSTOP };

	for (size_t i = 0; i < NR_TAKEN; i++) {
		sigaction(taken[i].number, NULL, &before[taken[i].number]);
		action.sa_handler = taken[i].take;
		if (before[taken[i].number].sa_handler != SIG_IGN ||
		    taken[i].number == SIGCHLD)
			sigaction(taken[i].number, &action, NULL);
	}
}

static void give_signals_back(void)
{
	for (size_t i = 0; i < NR_TAKEN; i++)
		sigaction(taken[i].number, &before[taken[i].number], NULL);
}

/* Use exec, or else signals for the pager would kill the shell. */
static void run_pager(const char *program, int input)
{
	char *line = NULL;

	give_signals_back();
	dup2(input, STDIN_FILENO);
	/* less: keep colours, quit if one screen is enough, do not clear */
	setenv("LESS", "FRSX", 0);
	if (!is_for_shell(program) && asprintf(&line, "exec %s", program) < 0)
		line = NULL;
	execl("/bin/sh", "sh", "-c", line ? line : program, NULL);
	_exit(127);
}

/* Start the pager with the pipe @ends. Returns whether it runs. */
static bool start(struct pager *pager, const int ends[2])
{
	pager->terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	if (pager->terminal < 0)
		return false;
	take_signals();
	pager->pid = fork();
	if (!pager->pid)
		run_pager(pager->program, ends[0]);
	if (pager->pid > 0) {
		running = pager->pid;
		look_for_end(SIGCHLD);	/* it may have come before running was set */
		dup2(ends[1], STDOUT_FILENO);
		return true;
	}
	give_signals_back();
	close(pager->terminal);
	return false;
}

void pager_start(struct pager *pager, const char *command)
{
	const char *program = isatty(STDOUT_FILENO) ? choose(command) : NULL;
	int ends[2];

	*pager = (struct pager){ .program = program, .command = command };
	if (!program)
		return;
	fflush(stdout);
	if (pipe2(ends, O_CLOEXEC))
		return;
	if (!start(pager, ends))
		pager->pid = 0;
	close(ends[0]);
	close(ends[1]);
}

/* The shell exits with 126 or 127 if it could not run the command. */
static bool has_run(int status)
{
	return !WIFEXITED(status) ||
	       (WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127);
}

/* Close the input of the pager, and return its status. */
static int wait_for(struct pager *pager)
{
	int status = 0;

	fflush(stdout);
	__fpurge(stdout);	/* what an exited pager did not read */
	clearerr(stdout);
	dup2(pager->terminal, STDOUT_FILENO);
	close(pager->terminal);
	while (waitpid(pager->pid, &status, 0) < 0 && errno == EINTR)
		;
	running = 0;
	give_signals_back();
	return status;
}

int pager_finish(struct pager *pager, int err)
{
	int status;

	if (!pager->pid)
		return err;
	status = wait_for(pager);
	pager->pid = 0;
	/* A shell ends its loop only if it sees that SIGINT killed the tool. */
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)
		raise(SIGINT);
	if (has_run(status))
		return err == -EPIPE ? 0 : err;
	message(pager->command, "nothing was shown: cannot run the pager '%s'",
		pager->program);
	message_hint("set PAGER to another program, or use --no-pager");
	return -EPIPE;
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

bool terminal_colour(enum color color)
{
	const char *no = getenv("NO_COLOR");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && !(no && *no);
}
