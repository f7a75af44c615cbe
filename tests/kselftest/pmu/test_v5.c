// SPDX-License-Identifier: GPL-2.0
/*
 * Features of version 5 of Intel's architectural performance monitoring beyond
 * version 2.
 */
#include "kselftest_harness.h"

#include <cpuid.h>
#include <errno.h>
#include <unistd.h>

#include "intel.h"
#include "msr.h"

#define MSR_STATUS_RESET	0x390
#define MSR_STATUS_SET		0x391
#define MSR_GLOBAL_INUSE	0x392

#define NR_COUNTERS		8
#define USER			(1 << 16)
#define INTERRUPT		(1 << 20)
#define ENABLE			(1 << 22)
#define LOADS			0x81d0

FIXTURE(v5)
{
	int fd;
	uint64_t global;
};

FIXTURE_SETUP(v5)
{
	self->fd = msr_open();
	self->global = msr_value(self->fd, MSR_GLOBAL_CTRL);
}

FIXTURE_TEARDOWN(v5)
{
	int i;

	msr_write(self->fd, MSR_GLOBAL_CTRL, self->global);
	for (i = 0; i < NR_COUNTERS; i++) {
		msr_write(self->fd, MSR_EVTSEL0 + i, 0);
		msr_write(self->fd, MSR_A_PMC0 + i, 0);
	}
	close(self->fd);
}

TEST_F(v5, cpuid)
{
	unsigned int eax, ebx, ecx, edx;

	ASSERT_TRUE(__get_cpuid_count(0xa, 0, &eax, &ebx, &ecx, &edx));
	EXPECT_EQ(eax & 0xff, 5);
	EXPECT_EQ(eax >> 8 & 0xff, NR_COUNTERS);
	EXPECT_EQ(ecx, 7);
	EXPECT_EQ(edx & 0x1f, 3);
	EXPECT_TRUE((bool)(edx & 1 << 15));	/* no AnyThread */
}

TEST_F(v5, reserved_bits_fault)
{
	EXPECT_EQ(msr_write(self->fd, MSR_EVTSEL0 + 7, 1 << 21), -EIO);
	EXPECT_EQ(msr_write(self->fd, MSR_GLOBAL_CTRL, 1 << 8), -EIO);
	EXPECT_EQ(msr_write(self->fd, MSR_STATUS_SET, 1ull << 63), -EIO);
	EXPECT_EQ(msr_write(self->fd, MSR_STATUS_RESET, 1ull << 56), -EIO);
	EXPECT_EQ(msr_write(self->fd, MSR_GLOBAL_INUSE, 0), -EIO);
}

TEST_F(v5, status_is_set_and_reset)
{
	const uint64_t bits = 1ull << 7 | 1ull << 34;

	EXPECT_EQ(msr_write(self->fd, MSR_STATUS_SET, bits), 0);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS) & bits, bits);
	EXPECT_EQ(msr_write(self->fd, MSR_STATUS_RESET, 1ull << 7), 0);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS) & bits, 1ull << 34);
	EXPECT_EQ(msr_write(self->fd, MSR_STATUS_RESET, bits), 0);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS) & bits, 0);
}

TEST_F(v5, in_use)
{
	const uint64_t mine = 1ull << 6 | 1ull << 33 | 1ull << 63;
	uint64_t fixed = msr_value(self->fd, MSR_FIXED_CTR_CTRL);

	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_INUSE) & mine, 0);
	msr_write(self->fd, MSR_EVTSEL0 + 6, LOADS);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_INUSE) & mine, 1ull << 6);
	msr_write(self->fd, MSR_EVTSEL0 + 6, INTERRUPT);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_INUSE) & mine, 1ull << 63);
	msr_write(self->fd, MSR_EVTSEL0 + 6, 0);
	msr_write(self->fd, MSR_FIXED_CTR_CTRL, fixed | 2 << 4);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_INUSE) & mine, 1ull << 33);
	msr_write(self->fd, MSR_FIXED_CTR_CTRL, fixed);
}

/* As on hardware, the upper four counters do not support event D0H. */
TEST_F(v5, memory_events_on_the_lower_counters)
{
	msr_write(self->fd, MSR_EVTSEL0 + 3, LOADS | USER | ENABLE);
	msr_write(self->fd, MSR_EVTSEL0 + 4, LOADS | USER | ENABLE);
	msr_write(self->fd, MSR_GLOBAL_CTRL, self->global | 3 << 3);
	EXPECT_GT(msr_value(self->fd, MSR_A_PMC0 + 3), 0);
	EXPECT_EQ(msr_value(self->fd, MSR_A_PMC0 + 4), 0);
}

TEST_F(v5, energy_unit)
{
	EXPECT_EQ(msr_value(self->fd, MSR_POWER_UNIT) >> 8 & 0x1f, 14);
}

TEST_HARNESS_MAIN
