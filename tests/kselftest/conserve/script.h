/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks with a known number of user-mode instructions, see script.S: each one
 * processes a list of system calls, with a known computation before each.
 */
#ifndef KERMON_TEST_SCRIPT_H
#define KERMON_TEST_SCRIPT_H

#include <stdint.h>

/**
 * struct step - a system call in the script of walk()
 * @number: number of the system call
 * @args: its arguments
 * @rounds: iterations of a loop of two instructions before it, at least 1
 *
 * The result of the system call is ignored. The child of clone() follows the script that
 * clone() was given as its stack; a list ends with a system call that does not return.
 */
struct step {
	uint64_t number;
	uint64_t args[5];
	uint64_t rounds;
};

_Noreturn void walk(const struct step *script);

/*
 * Instructions of a step, up to and including SYSCALL. They begin after the
 * SYSCALL of the previous step, or of the creator of the task.
 */
static inline uint64_t step_instructions(const struct step *step)
{
	return 9 + 2 * step->rounds;
}

/*
 * An executable file that executes PROGRAM_INSTRUCTIONS and exits with status
 * 0.
 */
#define PROGRAM_INSTRUCTIONS	(2 + 2 * 1000 + 2)
extern const char program[], program_end[];

#endif /* KERMON_TEST_SCRIPT_H */
