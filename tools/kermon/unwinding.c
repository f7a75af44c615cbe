// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>

#include "unwinding.h"

bool unwinding_text(const struct kermon_unwinding *unwinding, size_t index,
		    char text[UNWINDING_TEXT_SIZE])
{
	const struct {
		uint64_t nr;
		const char *why;
	} all[] = {
		{ unwinding->lacking,
		  "could not be unwound to the end: the recording lacks registers that this takes (record without --user-regs)" },
		{ unwinding->foreign,
		  "were not unwound: they are not of 64-bit programs on x86-64" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!all[i].nr || index--)
			continue;
		snprintf(text, UNWINDING_TEXT_SIZE,
			 "%" PRIu64 " of %" PRIu64 " stacks %s", all[i].nr,
			 unwinding->stacks, all[i].why);
		return true;
	}
	return false;
}
