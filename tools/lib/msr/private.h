/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of this folder. */
#ifndef KERMON_MSR_PRIVATE_H
#define KERMON_MSR_PRIVATE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"

/**
 * struct msr_cause - what is known of a failure
 * @error: -errno
 * @reason: enum kermon_msr_reason, as far as the helper knows
 * @cpu: the CPU of the operation that failed
 * @reg: its register
 * @value: what was to be written; of KERMON_MSR_BUSY, the process that has the CPU
 * @line: line of @path that is not valid; 0: all of it
 * @path: the allow-list
 * @helper: path of the helper
 */
struct msr_cause {
	int error;
	unsigned int reason;
	uint32_t cpu;
	uint32_t reg;
	uint64_t value;
	unsigned int line;
	const char *path;
	const char *helper;
};

/* Say in words what happened, and what to do about it. */
void msr_explain(struct kermon_msr_error *error, const struct msr_cause *cause);

/* Find the helper that belongs to this library. Return: whether it is installed. */
bool msr_helper_find(char path[PATH_MAX]);

/*
 * Start the helper at @path, as a process of its own that need not be waited for. Return:
 * the socket, or -errno. If @path cannot be executed, a struct msr_header with the error is
 * received from the socket.
 */
int msr_helper_start(const char *path);

#endif /* KERMON_MSR_PRIVATE_H */
