// SPDX-License-Identifier: GPL-2.0
/*
 * AMD's counter registers: writable bits, legacy addresses, pairs, and the
 * global registers of PerfMonV2.
 */
#include "kselftest_harness.h"

#include <cpuid.h>
#include <unistd.h>

#include "msr.h"

#define MSR_K7_EVNTSEL0		0xc0010000
#define MSR_K7_PERFCTR0		0xc0010004
#define MSR_CTL(i)		(0xc0010200 + 2 * (i))
#define MSR_CTR(i)		(0xc0010201 + 2 * (i))
#define MSR_GLOBAL_STATUS	0xc0000300
#define MSR_GLOBAL_CTL		0xc0000301
#define MSR_GLOBAL_CLR		0xc0000302
#define MSR_GLOBAL_SET		0xc0000303

#define NR_COUNTERS		6
#define COUNTER_MAX		0xffffffffffffull

#define USER			(1 << 16)
#define ENABLE			(1 << 22)
#define INSTRUCTIONS		0x00c0
#define ADDITIONS		0x0103
#define MERGE			0xf000000ffull

/* Eight double-precision additions. */
static void add(void)
{
	__asm__ volatile("addpd %%xmm0, %%xmm0; addpd %%xmm0, %%xmm0\n"
			 "addpd %%xmm0, %%xmm0; addpd %%xmm0, %%xmm0\n"
			 ::: "xmm0");
}

static bool has_v2(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(0x80000022, &eax, &ebx, &ecx, &edx) && eax & 1;
}

FIXTURE(amd)
{
	int fd;
	uint64_t global;
};

FIXTURE_SETUP(amd)
{
	self->fd = msr_open();
	self->global = msr_value(self->fd, MSR_GLOBAL_CTL);
	msr_write(self->fd, MSR_GLOBAL_CTL, 0x3f);
}

FIXTURE_TEARDOWN(amd)
{
	int i;

	for (i = 0; i < NR_COUNTERS; i++) {
		msr_write(self->fd, MSR_CTL(i), 0);
		msr_write(self->fd, MSR_CTR(i), 0);
	}
	msr_write(self->fd, MSR_GLOBAL_CLR, -1);
	msr_write(self->fd, MSR_GLOBAL_CTL, self->global);
	close(self->fd);
}

TEST_F(amd, cpuid)
{
	unsigned int eax, ebx, ecx, edx;

	ASSERT_TRUE(__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx));
	EXPECT_TRUE((bool)(ecx & 1 << 23));
	ASSERT_TRUE(__get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx));
	EXPECT_TRUE((bool)(edx & 1 << 14));
	if (has_v2()) {
		__get_cpuid(0x80000022, &eax, &ebx, &ecx, &edx);
		EXPECT_EQ(ebx, NR_COUNTERS);
	}
}

/*
 * Reserved bits do not fault; the enable bit is kept only if the event is
 * supported.
 */
TEST_F(amd, reserved_bits_are_ignored)
{
	const uint64_t all = ~0ull, reserved = 0xfffffcf000280000ull;

	EXPECT_EQ(msr_write(self->fd, MSR_CTL(5), all), 0);
	EXPECT_EQ(msr_value(self->fd, MSR_CTL(5)), all & ~reserved);
	EXPECT_EQ(msr_write(self->fd, MSR_CTL(5), 0x12 | USER | ENABLE), 0);
	EXPECT_EQ(msr_value(self->fd, MSR_CTL(5)), 0x12 | USER);
	EXPECT_EQ(msr_write(self->fd, MSR_CTR(5), all), 0);
	EXPECT_EQ(msr_value(self->fd, MSR_CTR(5)), COUNTER_MAX);
}

TEST_F(amd, old_names)
{
	int i;

	for (i = 0; i < 4; i++) {
		msr_write(self->fd, MSR_CTL(i), INSTRUCTIONS + i);
		msr_write(self->fd, MSR_CTR(i), 0x123456789abc + i);
		EXPECT_EQ(msr_value(self->fd, MSR_K7_EVNTSEL0 + i),
			  INSTRUCTIONS + i);
		EXPECT_EQ(msr_value(self->fd, MSR_K7_PERFCTR0 + i),
			  0x123456789abc + i);
		msr_write(self->fd, MSR_K7_PERFCTR0 + i, i);
		EXPECT_EQ(msr_value(self->fd, MSR_CTR(i)), i);
	}
}

TEST_F(amd, rdpmc)
{
	uint64_t value;
	int i;

	ASSERT_TRUE(rdpmc_allow("2"));
	for (i = 0; i < NR_COUNTERS; i++) {
		msr_write(self->fd, MSR_CTR(i), 1000 + i);
		EXPECT_TRUE(rdpmc(i, &value));
		EXPECT_EQ(value, 1000 + i);
	}
	EXPECT_FALSE(rdpmc(NR_COUNTERS, &value));
	EXPECT_FALSE(rdpmc(1 << 30, &value));
	ASSERT_TRUE(rdpmc_allow("1"));
}

/* The second counter of a pair holds the upper bits; it wraps. */
TEST_F(amd, pair)
{
	msr_write(self->fd, MSR_CTR(2), COUNTER_MAX - 2);
	msr_write(self->fd, MSR_CTR(3), 0);
	msr_write(self->fd, MSR_CTL(3), MERGE | ENABLE);
	msr_write(self->fd, MSR_CTL(2), ADDITIONS | USER | ENABLE);
	add();
	EXPECT_EQ(msr_value(self->fd, MSR_CTR(2)), 5);
	EXPECT_EQ(msr_value(self->fd, MSR_CTR(3)), 1);
	msr_write(self->fd, MSR_CTR(2), COUNTER_MAX);
	msr_write(self->fd, MSR_CTR(3), 0xffff);
	add();
	EXPECT_EQ(msr_value(self->fd, MSR_CTR(2)), 7);
	EXPECT_EQ(msr_value(self->fd, MSR_CTR(3)), 0);
}

TEST_F(amd, operations_need_a_pair)
{
	msr_write(self->fd, MSR_CTL(2), ADDITIONS | USER | ENABLE);
	msr_write(self->fd, MSR_CTL(5), ADDITIONS | USER | ENABLE);
	add();
	EXPECT_EQ(msr_value(self->fd, MSR_CTR(2)), 0);
	EXPECT_EQ(msr_value(self->fd, MSR_CTR(5)), 0);
}

/* Zen 3 does not have these; missing registers read as 0. */
TEST_F(amd, global_registers)
{
	const uint64_t bits = has_v2() ? 0x3f : 0;

	msr_write(self->fd, MSR_GLOBAL_CTL, -1);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_CTL), bits);
	msr_write(self->fd, MSR_GLOBAL_SET, -1);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS), bits);
	msr_write(self->fd, MSR_GLOBAL_STATUS, 0);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS), bits);
	msr_write(self->fd, MSR_GLOBAL_CLR, 0x0f);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS), bits & ~0x0f);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_CLR), 0);
}

/* Without global control, only the enable bits matter. */
TEST_F(amd, global_control)
{
	msr_write(self->fd, MSR_GLOBAL_CTL, 0x3f & ~2);
	msr_write(self->fd, MSR_CTL(1), INSTRUCTIONS | USER | ENABLE);
	add();
	EXPECT_EQ(msr_value(self->fd, MSR_CTR(1)) == 0, has_v2());
	msr_write(self->fd, MSR_GLOBAL_CTL, 0x3f);
	add();
	EXPECT_GE(msr_value(self->fd, MSR_CTR(1)), 4);
}

TEST_F(amd, overflow)
{
	msr_write(self->fd, MSR_CTR(4), COUNTER_MAX);
	msr_write(self->fd, MSR_CTL(4), INSTRUCTIONS | USER | ENABLE);
	add();
	EXPECT_LT(msr_value(self->fd, MSR_CTR(4)), 1000000);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS),
		  has_v2() ? 1 << 4 : 0);
}

TEST_HARNESS_MAIN
