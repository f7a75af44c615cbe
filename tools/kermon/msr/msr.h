/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by msr.c, which accesses registers, and msr_show.c, which prints them. */
#ifndef KERMON_TOOL_MSR_H
#define KERMON_TOOL_MSR_H

#include <stdbool.h>
#include <stddef.h>

#include <kermon/msr.h>

struct command;

/**
 * struct msr_request - what to do
 * @command: kermon msr
 * @msr: the client
 * @words: operands after the action; ends with NULL
 * @json: print JSON
 */
struct msr_request {
	const struct command *command;
	struct kermon_msr *msr;
	char **words;
	bool json;
};

/* Print the values of operations that succeeded. */
void msr_show_values(const struct msr_request *request,
		     const struct kermon_msr_op *ops, size_t nr);

/* Print values before, @ops, and after @writes, of those that were written. */
void msr_show_writes(const struct msr_request *request,
		     const struct kermon_msr_op *ops,
		     const struct kermon_msr_op *writes, size_t nr);

void msr_show_restored(const struct msr_request *request, unsigned int nr);

/* Print entries with @pattern in their name, or all if it is NULL. Returns the status. */
int msr_show_list(const struct msr_request *request, const char *pattern);

#endif /* KERMON_TOOL_MSR_H */
