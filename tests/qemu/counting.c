// SPDX-License-Identifier: GPL-2.0
/*
 * usage: counting LOOPS
 *
 * Counts the events of a loop and reports in KTAP whether all counts are exact.
 * The machine may be migrated meanwhile.
 */
#include <stdio.h>
#include <stdlib.h>

#include "counter.h"

static uint64_t loops;

static void loop(void *memory)
{
	uint64_t n = loops;

	__asm__ volatile("1:	mov	(%1), %%eax\n"
			 "	mov	%%eax, 8(%1)\n"
			 "	dec	%0\n"
			 "	jnz	1b\n"
			 : "+r" (n) : "r" (memory) : "eax", "memory");
}

/* Instructions that the compiler adds around the loop. */
#define AROUND	16

static int check(const char *name, uint64_t count, uint64_t expected,
		 uint64_t around)
{
	static int number;
	int good = count >= expected && count <= expected + around;

	printf("%s %d %s # %llu\n", good ? "ok" : "not ok", ++number, name,
	       (unsigned long long)count);
	return good;
}

int main(int argc, char **argv)
{
	uint64_t memory[2] = { 0 }, counts[GROUP_SIZE];
	struct group group;
	int good;

	loops = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	if (!loops)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("KTAP version 1\n1..4\n");
	group_open(&group, INSTRUCTIONS);
	printf("# counting\n");
	if (!group_count(&group, loop, memory, counts)) {
		printf("Bail out! the events were multiplexed\n");
		return 1;
	}
	good = check("instructions", counts[INSTRUCTIONS], 4 * loops, AROUND);
	good &= check("branches", counts[BRANCHES], loops, 0);
	good &= check("cycles", counts[CYCLES], counts[INSTRUCTIONS], 0);
	good &= check("reference cycles", counts[REF_CYCLES],
		      counts[INSTRUCTIONS], 0);
	return !good;
}
