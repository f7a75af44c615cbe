// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the branch stack of a sample: the fields brstack and brstacksym.
 */
#include <linux/perf_event.h>

#include "script.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* Print one end of a branch. */
static int put_end(struct script *script,
		   const struct kermon_profile_sample *sample, uint64_t address,
		   uint64_t mask)
{
	struct kermon_frame frame = { .address = address };

	kermon_profile_branch_end(sample, address, &frame.place);
	return script_branch_end(script, sample, &frame, mask);
}

static const char *type_name(unsigned int type)
{
	static const char *const names[] = {
		"", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET",
		"SYSCALL", "SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",
		"SERROR", "NO_TX",
	};

	return type < ARRAY_SIZE(names) ? names[type] : "";
}

static void put_flags(struct line *line, const struct perf_branch_entry *branch)
{
	line_char(line, '/');
	line_char(line, branch->predicted ? 'P' : branch->mispred ? 'M' : '-');
	line_char(line, '/');
	line_char(line, branch->in_tx ? 'X' : '-');
	line_char(line, '/');
	line_char(line, branch->abort ? 'A' : '-');
	line_char(line, '/');
	line_decimal(line, branch->cycles, 0, ' ');
	line_char(line, '/');
	line_text(line, type_name(branch->type));
	line_char(line, ' ');
}

int script_branches(struct script *script,
		    const struct kermon_profile_sample *sample, uint64_t mask)
{
	struct perf_branch_entry branch;
	int err = 0;

	for (uint64_t i = 0; i < sample->nr_branches && !err; i++) {
		if (mask & FIELD_BIT(BRSTACK))
			line_char(&script->line, ' ');
		memcpy(&branch, sample->branches + i * sizeof(branch),
		       sizeof(branch));
		err = put_end(script, sample, branch.from, mask);
		line_char(&script->line, '/');
		if (!err)
			err = put_end(script, sample, branch.to, mask);
		put_flags(&script->line, &branch);
	}
	return err;
}
