/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks whose instructions in user mode are known by reading script.S: each walks
 * along a list of system calls, and computes for a known time before each.
 */
#ifndef KERMON_TEST_SCRIPT_H
#define KERMON_TEST_SCRIPT_H

#include <stdint.h>

/**
 * struct step - what walk() takes from its script for a system call
 * @number: of the system call
 * @args: of it
 * @rounds: of a loop of two instructions before it, at least 1
 *
 * What the system call returns is not looked at. The child of clone() follows the
 * script that clone() was given as its stack; a list ends with one that does not
 * return.
 */
struct step {
	uint64_t number;
	uint64_t args[5];
	uint64_t rounds;
};

_Noreturn void walk(const struct step *script);

/*
 * Instructions of a step, up to and including SYSCALL. They begin after that of the
 * step before, or of whoever created the task.
 */
static inline uint64_t step_instructions(const struct step *step)
{
	return 9 + 2 * step->rounds;
}

/* An executable file that does so many instructions and exits with status 0. */
#define PROGRAM_INSTRUCTIONS	(2 + 2 * 1000 + 2)
extern const char program[], program_end[];

#endif /* KERMON_TEST_SCRIPT_H */
