// SPDX-License-Identifier: GPL-2.0
/*
 * Creates drafts under unique names, and removes them if a signal kills the tool.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "drafts.h"

/* Maximum number of watched drafts, others are not removed; kermon readperf has four. */
#define WATCHED_MAX	8
#define ATTEMPTS	100

static char *volatile watched[WATCHED_MAX];

/* Signals that remove them. */
static const int killing[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM };

#define NR_KILLING	(sizeof(killing) / sizeof(killing[0]))

/* Process that owns the drafts; a child before its exec may get the signal, too. */
static pid_t owner;

static void remove_all(int number)
{
	for (int i = 0; i < WATCHED_MAX && getpid() == owner; i++)
		if (watched[i])
			unlink(watched[i]);
	signal(number, SIG_DFL);
	raise(number);
}

static void watch_signal(int number)
{
	const struct sigaction action = { .sa_handler = remove_all };
	struct sigaction before;

	if (!sigaction(number, NULL, &before) && before.sa_handler == SIG_DFL)
		sigaction(number, &action, NULL);
}

static void watch(char *draft)
{
	owner = getpid();
	for (int i = 0; i < WATCHED_MAX; i++) {
		if (watched[i])
			continue;
		watched[i] = draft;
		break;
	}
	for (size_t i = 0; i < NR_KILLING; i++)
		watch_signal(killing[i]);
	signal(SIGXFSZ, SIG_IGN);
}

void draft_forget(const char *draft)
{
	for (int i = 0; i < WATCHED_MAX; i++)
		if (watched[i] == draft)
			watched[i] = NULL;
}

char *draft_make(const char *path, mode_t mode, int *fd)
{
	uint32_t number;
	char *draft;

	for (int i = 0; i < ATTEMPTS; i++) {
		if (getrandom(&number, sizeof(number), 0) < 0)
			return NULL;
		if (asprintf(&draft, "%s.%06x", path, number & 0xffffff) < 0) {
			errno = ENOMEM;
			return NULL;
		}
		*fd = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (*fd >= 0)
			return draft;
		free(draft);
		if (errno != EEXIST)
			return NULL;
	}
	return NULL;
}

/* A signal that arrives between the two waits, so that no draft is left behind. */
char *draft_make_watched(const char *path, mode_t mode, int *fd)
{
	sigset_t block, before;
	char *draft;
	int error;

	sigemptyset(&block);
	for (size_t i = 0; i < NR_KILLING; i++)
		sigaddset(&block, killing[i]);
	sigprocmask(SIG_BLOCK, &block, &before);
	draft = draft_make(path, mode, fd);
	error = errno;
	if (draft)
		watch(draft);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return draft;
}
