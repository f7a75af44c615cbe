// SPDX-License-Identifier: GPL-2.0
/*
 * Prints how many copied stacks could not be unwound, and why.
 */
#include <inttypes.h>
#include <stdio.h>

#include "ui/message.h"
#include "unwinding.h"

bool unwinding_text(const struct kermon_unwinding *unwinding, size_t index,
		    char text[UNWINDING_TEXT_SIZE])
{
	/* by enum kermon_unwind_end */
	static const char *const why[KERMON_UNWIND_ENDS] = {
		"could not be unwound to the end: registers needed for it were not recorded (record without --user-regs)",
		"could not be unwound to the end: the copied part of the stack is too short (record more: --call-graph dwarf,SIZE)",
		"could not be unwound to the end: they reach code without a readable file (generated code, or a removed file)",
		"could not be unwound to the end: they reach code whose file has no unwind information for it",
		"could not be unwound to the end: they are deeper than 1024 functions",
		"were not unwound: they are not of 64-bit programs on x86-64",
	};

	for (size_t i = 0; i < KERMON_UNWIND_ENDS; i++) {
		if (!unwinding->ended[i] || index--)
			continue;
		snprintf(text, UNWINDING_TEXT_SIZE,
			 "%" PRIu64 " of %" PRIu64 " stacks %s",
			 unwinding->ended[i], unwinding->stacks, why[i]);
		return true;
	}
	return false;
}

void unwinding_tell(const char *command, const char *path,
		    const struct kermon_unwinding *unwinding)
{
	char text[UNWINDING_TEXT_SIZE];

	for (size_t i = 0; unwinding_text(unwinding, i, text); i++)
		message(command, "%s: %s", path, text);
}
