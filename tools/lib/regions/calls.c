// SPDX-License-Identifier: GPL-2.0
/* Calls that have ended: their durations, and who is told. */
#include "private.h"

int calls_ended(struct regions *regions, struct stat_of *stat, const struct region_thread *thread,
		struct region_call *call)
{
	const struct regions_options *options = &regions->options;
	int err = 0;

	call->node = stat->node;
	call->thread = thread;
	call->number = ++regions->nodes[stat->node].calls;
	if (regions->nodes[stat->node].kind != REGION_EVENT)
		err = durations_add(&stat->durations, call->duration);
	if (err || !options->call)
		return err;
	return options->call(options->context, call);
}
