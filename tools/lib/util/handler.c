// SPDX-License-Identifier: GPL-2.0
/* Passes signals of faults on to the handler that was installed before. */
#define _GNU_SOURCE
#include <stddef.h>

#include "handler.h"

bool handler_install(int number, void (*function)(int, siginfo_t *, void *),
		     struct sigaction *before)
{
	const struct sigaction action = {
		.sa_sigaction = function,
		.sa_flags = SA_SIGINFO | SA_ONSTACK,
	};

	return !sigaction(number, &action, before);
}

/* Whether the signal was sent rather than caused by an access, which would repeat. */
static bool is_sent(int number, const siginfo_t *info)
{
	return info->si_code <= 0 || (number == SIGBUS && info->si_code == BUS_MCEERR_AO);
}

/*
 * Without a handler. The default action ends the process: if the signal was not sent,
 * the access is repeated and raises it again.
 */
static void pass_on_to_nobody(const struct sigaction *before, int number, const siginfo_t *info)
{
	const bool sent = is_sent(number, info);

	if (sent && before->sa_handler == SIG_IGN)
		return;
	signal(number, SIG_DFL);
	if (sent)
		raise(number);
}

/* As the kernel would have called it. */
static void call_before(struct sigaction *before, int number, siginfo_t *info, void *context)
{
	const struct sigaction action = *before;
	sigset_t mask;

	if (action.sa_flags & (int)SA_RESETHAND)
		*before = (struct sigaction){ .sa_handler = SIG_DFL };
	pthread_sigmask(SIG_BLOCK, &action.sa_mask, &mask);
	if (action.sa_flags & SA_SIGINFO)
		action.sa_sigaction(number, info, context);
	else
		action.sa_handler(number);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

void handler_pass_on(struct sigaction *before, int number, siginfo_t *info, void *context)
{
	if (!(before->sa_flags & SA_SIGINFO) &&
	    (before->sa_handler == SIG_DFL || before->sa_handler == SIG_IGN))
		pass_on_to_nobody(before, number, info);
	else
		call_before(before, number, info, context);
}
