// SPDX-License-Identifier: GPL-2.0
/*
 * Counters with CMASK, INV and EDGE. In the model each instruction takes one
 * cycle, so that code has a known number of loads in each cycle.
 */
#include "kselftest_harness.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "counter.h"

#define ROUNDS		1000
#define TRIES		10

#define CMASK(n)	((uint64_t)(n) << 24)
#define INV		(1ull << 23)
#define EDGE		(1ull << 18)

/* Loads of the 8 instructions of a round: 0 0 2 1 1 0 0 0. */
__asm__(".text\n"
	"rounds:	mov	%rdi, %rcx\n"
	"	mov	%rsi, %r8\n"
	"1:	mov	%r8, %rdi\n"
	"	mov	%r8, %rsi\n"
	"	cmpsb\n"
	"	mov	(%r8), %eax\n"
	"	add	%eax, 8(%r8)\n"
	"	nop\n"
	"	dec	%rcx\n"
	"	jnz	1b\n"
	"	ret\n");
void rounds(uint64_t n, void *memory);

static uint64_t count(struct __test_metadata *_metadata, uint64_t config,
		      uint64_t n)
{
	struct perf_event_attr attr = event_attr(config);
	static uint64_t memory[2];
	uint64_t value = 0;
	int fd = event_open(&attr, -1);

	ASSERT_GE(fd, 0);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	rounds(n, memory);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	ASSERT_EQ(read(fd, &value, sizeof(value)), (ssize_t)sizeof(value));
	close(fd);
	return value;
}

/*
 * The minimum of several attempts: an interrupt in the middle of a run of
 * qualifying cycles splits it.
 */
static uint64_t least_count(struct __test_metadata *_metadata, uint64_t config,
			    uint64_t n)
{
	uint64_t least = count(_metadata, config, n), again;
	int i;

	for (i = 1; i < TRIES; i++) {
		again = count(_metadata, config, n);
		if (again < least)
			least = again;
	}
	return least;
}

FIXTURE(cycles)
{
};

FIXTURE_VARIANT(cycles)
{
	uint64_t bits;
	uint64_t in_a_round;
};

#define VARIANT(name, flags, n) \
	FIXTURE_VARIANT_ADD(cycles, name) { .bits = (flags), .in_a_round = (n) }

VARIANT(loads, 0, 4);
VARIANT(inverted_without_mask, INV, 4);
VARIANT(one_load, CMASK(1), 3);
VARIANT(two_loads, CMASK(2), 1);
VARIANT(three_loads, CMASK(3), 0);
VARIANT(no_load, CMASK(1) | INV, 5);
VARIANT(less_than_two, CMASK(2) | INV, 7);
VARIANT(begin_of_loads, CMASK(1) | EDGE, 1);
VARIANT(begin_without_mask, EDGE, 1);
VARIANT(begin_of_none, CMASK(1) | INV | EDGE, 1);
VARIANT(never_less_than_three, CMASK(3) | INV | EDGE, 0);

FIXTURE_SETUP(cycles)
{
	(void)self;
}

FIXTURE_TEARDOWN(cycles)
{
	(void)self;
}

/* The code around the rounds counts the same in both runs. */
TEST_F(cycles, count)
{
	uint64_t config = event_config(LOADS) | variant->bits, once;

	(void)self;
	once = least_count(_metadata, config, ROUNDS);
	EXPECT_EQ(least_count(_metadata, config, 2 * ROUNDS) - once,
		  ROUNDS * variant->in_a_round);
}

TEST_HARNESS_MAIN
