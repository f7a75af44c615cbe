/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Handlers of signals that faults raise, in front of those of the program: what is not the
 * library's is passed on, as if nothing were in front.
 */
#ifndef KERMON_HANDLER_H
#define KERMON_HANDLER_H

#include <signal.h>
#include <stdbool.h>

/*
 * @function gets siginfo_t and runs on the alternate stack, if there is one. @before: what the
 * signal did until then. Return: whether it is installed.
 */
bool handler_install(int number, void (*function)(int, siginfo_t *, void *),
		     struct sigaction *before);

/* Do what the signal did before. To be called in the handler, with its arguments. */
void handler_pass_on(struct sigaction *before, int number, siginfo_t *info, void *context);

#endif /* KERMON_HANDLER_H */
