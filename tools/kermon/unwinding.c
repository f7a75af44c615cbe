// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>

#include "unwinding.h"

bool unwinding_text(const struct kermon_unwinding *unwinding, size_t index,
		    char text[UNWINDING_TEXT_SIZE])
{
	/* by enum kermon_unwind_end */
	static const char *const why[KERMON_UNWIND_ENDS] = {
		"could not be unwound to the end: the recording lacks registers that this takes (record without --user-regs)",
		"could not be unwound to the end: the copy lacks what this takes (record a larger one: --call-graph dwarf,SIZE)",
		"could not be unwound to the end: they reach code of no file that can be read (generated code, or the file is gone)",
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
