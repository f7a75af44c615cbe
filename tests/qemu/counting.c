// SPDX-License-Identifier: GPL-2.0
/*
 * Counts a loop that takes some seconds, and says in KTAP whether all events
 * were counted exactly. In the meantime the machine may move.
 */
#include <stdio.h>
#include <stdlib.h>

#include "counter.h"

#define LOOPS	200000000ull

static void loop(void *memory)
{
	uint64_t n = LOOPS;

	__asm__ volatile("1:	mov	(%1), %%eax\n"
			 "	mov	%%eax, 8(%1)\n"
			 "	dec	%0\n"
			 "	jnz	1b\n"
			 : "+r" (n) : "r" (memory) : "eax", "memory");
}

/* What the compiler puts around the loop. */
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

int main(void)
{
	uint64_t memory[2] = { 0 }, counts[GROUP_SIZE];
	struct group group;
	int good;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("KTAP version 1\n1..4\n");
	group_open(&group, INSTRUCTIONS);
	printf("# counting\n");
	if (!group_count(&group, loop, memory, counts)) {
		printf("Bail out! the events were not counted all the time\n");
		return 1;
	}
	good = check("instructions", counts[INSTRUCTIONS], 4 * LOOPS, AROUND);
	good &= check("branches", counts[BRANCHES], LOOPS, 0);
	good &= check("cycles", counts[CYCLES], counts[INSTRUCTIONS], 0);
	good &= check("reference cycles", counts[REF_CYCLES],
		      counts[INSTRUCTIONS], 0);
	return !good;
}
