// SPDX-License-Identifier: GPL-2.0
/*
 * usage: stacks DAMAGED FILE
 *
 * Unwind the stack of every sample of FILE by rules and with libdwfl alone, then DAMAGED
 * times with random damage. Chains and statistics must be equal. Prints the number of
 * stacks and of functions in their chains.
 */
#include "both_ways.h"

static long damaged;

static int take_sample(void *context, const struct pipeline_sample *sample)
{
	struct both_ways *both = context;

	both_unwind(both, sample);
	for (long i = 0; i < damaged; i++)
		both_unwind_damaged(both, sample);
	return 0;
}

static const struct pipeline_consumer consumer = { .sample = take_sample };

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct both_ways both;
	int err;

	if (argc != 3)
		return 2;
	damaged = atol(argv[1]);
	if (pipeline_init(&pipeline, &consumer, &both, NULL) ||
	    !both_begin(&both, &pipeline))
		return 2;
	err = pipeline_read(&pipeline, argv[2]);
	printf("%llu %llu\n", (unsigned long long)both.stacks,
	       (unsigned long long)both.frames);
	both_end(&both);
	pipeline_end(&pipeline);
	return err ? 2 : !!both.differ;
}
