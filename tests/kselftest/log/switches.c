// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "switches.h"

static void bounce(int in, int out, unsigned int rounds)
{
	char ball = 0;

	while (rounds--)
		if (read(in, &ball, 1) != 1 || write(out, &ball, 1) != 1)
			abort();
}

void make_switches(void *nr)
{
	unsigned int rounds = *(unsigned int *)nr / 2;
	int there[2], back[2];
	pid_t child;

	if (pipe(there) || pipe(back))
		abort();
	child = fork();
	if (!child) {
		bounce(there[0], back[1], rounds);
		_exit(0);
	}
	if (child < 0 || write(there[1], "", 1) != 1)
		abort();
	bounce(back[0], there[1], rounds - 1);
	/*
	 * The child's last token stays in the pipe; neither waits for another
	 * one.
	 */
	if (waitpid(child, NULL, 0) != child)
		abort();
}
