// SPDX-License-Identifier: GPL-2.0
/*
 * Reads signals of the tool by signalfd(2), forwards them to the command, and restores
 * their dispositions for it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "signals.h"

/* Signals that terminate the process by default; real-time signals do so, too. */
static const int deadly[] = {
	SIGHUP,  SIGINT,    SIGQUIT,   SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGSTKFLT,
	SIGABRT, SIGTRAP,   SIGSYS,    SIGXCPU, SIGIO,   SIGPWR,  SIGPROF, SIGVTALRM,
};

#define NR_DEADLY (sizeof(deadly) / sizeof(deadly[0]))

/* Whether @number was neither ignored nor blocked, with @mask as the blocked ones. */
static bool is_received(int number, const sigset_t *mask)
{
	struct sigaction action;

	return !sigismember(mask, number) &&
	       !sigaction(number, NULL, &action) &&
	       action.sa_handler != SIG_IGN;
}

static void add_received(sigset_t *set, int number, const sigset_t *mask)
{
	if (is_received(number, mask))
		sigaddset(set, number);
}

static void choose(sigset_t *set, const sigset_t *mask, bool stop)
{
	size_t i;
	int number;

	for (i = 0; i < NR_DEADLY; i++)
		add_received(set, deadly[i], mask);
	for (number = SIGRTMIN; number <= SIGRTMAX; number++)
		add_received(set, number, mask);
	if (stop)
		add_received(set, SIGTSTP, mask);
	sigaddset(set, SIGCHLD);
}

int signals_open(struct signals *signals, const sigset_t *wanted, bool stop)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	const struct sigaction normal = { .sa_handler = SIG_DFL };
	sigset_t set = *wanted;

	sigprocmask(SIG_SETMASK, NULL, &signals->mask);
	choose(&set, &signals->mask, stop);
	signals->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals->fd < 0)
		return -errno;
	signals->open = true;
	sigaction(SIGCHLD, &normal, &signals->child);
	sigaction(SIGPIPE, &ignore, &signals->pipe);
	sigaction(SIGXFSZ, &ignore, &signals->size);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return 0;
}

bool signals_next(const struct signals *signals, struct signalfd_siginfo *info)
{
	return read(signals->fd, info, sizeof(*info)) == sizeof(*info);
}

bool signals_is_for_group(const struct signalfd_siginfo *info)
{
	const int number = info->ssi_signo;

	if (info->ssi_code != SI_KERNEL)
		return false;
	return number == SIGINT || number == SIGQUIT || number == SIGTSTP ||
	       (number == SIGHUP && getsid(0) != getpid());
}

int signals_forward(const struct signalfd_siginfo *info, pid_t pid)
{
	const union sigval value = { .sival_ptr = (void *)(uintptr_t)info->ssi_ptr };
	int result;

	if (info->ssi_code == SI_QUEUE)
		result = sigqueue(pid, info->ssi_signo, value);
	else
		result = kill(pid, info->ssi_signo);
	/* As the kernel does: a stopped process has to continue to handle the hang-up. */
	if (!result && info->ssi_code == SI_KERNEL && info->ssi_signo == SIGHUP)
		kill(pid, SIGCONT);
	return result ? -errno : 0;
}

bool signals_stop(void)
{
	const struct sigaction normal = { .sa_handler = SIG_DFL };
	struct sigaction action;
	sigset_t set, mask, pending;

	/* While blocked, a SIGCONT stays pending, which shows that we were stopped. */
	sigemptyset(&set);
	sigaddset(&set, SIGCONT);
	sigprocmask(SIG_BLOCK, &set, &mask);
	sigaction(SIGTSTP, &normal, &action);
	raise(SIGTSTP);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sigpending(&pending);
	sigaction(SIGTSTP, &action, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return sigismember(&pending, SIGCONT) == 1;
}

void signals_restore(const struct signals *signals)
{
	if (!signals->open)
		return;
	sigaction(SIGCHLD, &signals->child, NULL);
	sigaction(SIGPIPE, &signals->pipe, NULL);
	sigaction(SIGXFSZ, &signals->size, NULL);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
}

void signals_name(int number, char name[SIGNALS_NAME])
{
	const char *abbreviation = sigabbrev_np(number);

	if (abbreviation)
		snprintf(name, SIGNALS_NAME, "SIG%s", abbreviation);
	else
		snprintf(name, SIGNALS_NAME, "signal %d", number);
}

void signals_close(struct signals *signals)
{
	if (!signals->open)
		return;
	close(signals->fd);
	signals_restore(signals);
	signals->open = false;
}
