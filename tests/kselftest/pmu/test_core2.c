// SPDX-License-Identifier: GPL-2.0
/*
 * The registers of a Core 2: two general counters and three fixed ones of 40 bits, the
 * general ones written by their lower 32 bits only; no energy, no offcore events.
 */
#include "kselftest_harness.h"

#include <cpuid.h>
#include <errno.h>
#include <unistd.h>

#include "counter.h"
#include "intel.h"
#include "msr.h"

#define NR_COUNTERS		2
#define NR_FIXED		3
#define WIDTH			40
#define RDPMC_FIXED		(1u << 30)
/* Instructions in user and kernel mode, without interrupt. */
#define COUNT_INSTRUCTIONS	0x4300c0

FIXTURE(core2)
{
	int fd;
	uint64_t global;
};

FIXTURE_SETUP(core2)
{
	self->fd = msr_open();
	self->global = msr_value(self->fd, MSR_GLOBAL_CTRL);
}

FIXTURE_TEARDOWN(core2)
{
	int i;

	msr_write(self->fd, MSR_GLOBAL_CTRL, self->global);
	for (i = 0; i < NR_COUNTERS; i++) {
		msr_write(self->fd, MSR_EVTSEL0 + i, 0);
		msr_write(self->fd, MSR_PMC0 + i, 0);
	}
	msr_write(self->fd, MSR_OVF_CTRL, 3);
	close(self->fd);
}

TEST_F(core2, cpuid)
{
	unsigned int eax, ebx, ecx, edx;

	ASSERT_TRUE(__get_cpuid(1, &eax, &ebx, &ecx, &edx));
	EXPECT_EQ(eax >> 4, 0x1067);	/* family 6, model 23 */
	EXPECT_EQ(edx & 1 << 21, 0);	/* debug store, which PEBS needs */
	EXPECT_NE(ecx & 1 << 15, 0);	/* IA32_PERF_CAPABILITIES */
	ASSERT_TRUE(__get_cpuid_count(0xa, 0, &eax, &ebx, &ecx, &edx));
	EXPECT_EQ(eax, 7 << 24 | WIDTH << 16 | NR_COUNTERS << 8 | 2);
	/* LLC references, LLC misses, branch misses: reported as not available */
	EXPECT_EQ(ebx, 1u << 3 | 1u << 4 | 1u << 6);
	EXPECT_EQ(ecx, 0);
	EXPECT_EQ(edx, WIDTH << 5 | NR_FIXED);
	EXPECT_EQ(msr_value(self->fd, MSR_PERF_CAPABILITIES), 0);
}

static const struct {
	uint32_t msr;
	uint64_t value;
} faulting_writes[] = {
	{ MSR_EVTSEL0, 1ull << 21 },		/* AnyThread: version 3 */
	{ MSR_EVTSEL0 + 1, 1ull << 32 },
	{ MSR_FIXED_CTR0 + 2, 1ull << WIDTH },
	{ MSR_FIXED_CTR_CTRL, 1ull << 2 },	/* AnyThread */
	{ MSR_FIXED_CTR_CTRL, 1ull << 12 },
	{ MSR_GLOBAL_CTRL, 1ull << NR_COUNTERS },
	{ MSR_GLOBAL_CTRL, 1ull << (32 + NR_FIXED) },
	{ MSR_GLOBAL_STATUS, 0 },
	{ MSR_OVF_CTRL, 1ull << NR_COUNTERS },
	{ MSR_PERF_CAPABILITIES, 0 },
};

TEST_F(core2, reserved_bits_fault)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(faulting_writes); i++) {
		uint32_t msr = faulting_writes[i].msr;
		uint64_t before = msr_value(self->fd, msr);

		EXPECT_EQ(msr_write(self->fd, msr, faulting_writes[i].value), -EIO)
			TH_LOG("write to %#x", msr);
		EXPECT_EQ(msr_value(self->fd, msr), before);
	}
}

/* Registers of later models. */
TEST_F(core2, others_fault)
{
	static const uint32_t missing[] = {
		MSR_PMC0 + NR_COUNTERS, MSR_EVTSEL0 + NR_COUNTERS,
		MSR_A_PMC0, MSR_A_PMC0 + 1, MSR_OFFCORE_RSP_0,
		MSR_OFFCORE_RSP_0 + 1, MSR_POWER_UNIT, MSR_PKG_ENERGY,
	};
	uint64_t value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(missing); i++) {
		EXPECT_EQ(msr_read(self->fd, missing[i], &value), -EIO)
			TH_LOG("read of %#x", missing[i]);
		EXPECT_EQ(msr_write(self->fd, missing[i], 0), -EIO)
			TH_LOG("write to %#x", missing[i]);
	}
}

static const struct {
	uint32_t msr;
	uint64_t write;
	uint64_t read;
} kept_writes[] = {
	{ MSR_PMC0, 0x12345678, 0x12345678 },
	{ MSR_PMC0 + 1, 0x80000000, 0xff80000000 },	/* 32 bits, signed */
	{ MSR_PMC0, 0x7f00000001, 1 },
	{ MSR_PMC0, 0xffffffff00000001, 1 },
	{ MSR_FIXED_CTR0 + 1, 0xdcba987654, 0xdcba987654 },
	{ MSR_EVTSEL0 + 1, 0xff9effff, 0xff9effff },	/* all but EN */
	{ MSR_FIXED_CTR_CTRL, 0x888, 0x888 },
	{ MSR_OVF_CTRL, 3ull << 62, 0 },
};

TEST_F(core2, keep_what_is_written)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kept_writes); i++) {
		uint32_t msr = kept_writes[i].msr;
		uint64_t before = msr_value(self->fd, msr);

		EXPECT_EQ(msr_write(self->fd, msr, kept_writes[i].write), 0)
			TH_LOG("write to %#x", msr);
		EXPECT_EQ(msr_value(self->fd, msr), kept_writes[i].read)
			TH_LOG("read of %#x", msr);
		msr_write(self->fd, msr, before);
	}
}

/* A counter wraps at 40 bits. */
TEST_F(core2, overflow_sets_status)
{
	const uint64_t bit = 1 << 1;
	uint64_t others = self->global & ~bit;

	msr_write(self->fd, MSR_GLOBAL_CTRL, others);
	msr_write(self->fd, MSR_PMC0 + 1, -0x100);
	msr_write(self->fd, MSR_EVTSEL0 + 1, COUNT_INSTRUCTIONS);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS) & bit, 0);
	EXPECT_EQ(msr_value(self->fd, MSR_PMC0 + 1), (1ull << WIDTH) - 0x100);
	msr_write(self->fd, MSR_GLOBAL_CTRL, others | bit);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS) & bit, bit);
	msr_write(self->fd, MSR_GLOBAL_CTRL, others);
	EXPECT_LT(msr_value(self->fd, MSR_PMC0 + 1), 1u << 30);
	EXPECT_GT(msr_value(self->fd, MSR_PMC0 + 1), 0);
	msr_write(self->fd, MSR_OVF_CTRL, bit);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS) & bit, 0);
}

/* Likewise, but by a bit at a time, as counters with CMASK do. */
TEST_F(core2, cycles_overflow)
{
	const uint64_t others = self->global & ~1ull;

	msr_write(self->fd, MSR_GLOBAL_CTRL, others);
	msr_write(self->fd, MSR_PMC0, -0x10);
	msr_write(self->fd, MSR_EVTSEL0, COUNT_INSTRUCTIONS | 1 << 24);
	msr_write(self->fd, MSR_GLOBAL_CTRL, others | 1);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS) & 1, 1);
	EXPECT_LT(msr_value(self->fd, MSR_PMC0), 1u << 30);
}

TEST_F(core2, rdpmc)
{
	uint64_t value;
	uint32_t i;

	ASSERT_TRUE(rdpmc_allow("2"));
	msr_write(self->fd, MSR_PMC0 + 1, -5);
	EXPECT_TRUE(rdpmc(1, &value));
	EXPECT_EQ(value, (1ull << WIDTH) - 5);
	for (i = 0; i < NR_COUNTERS; i++)
		EXPECT_TRUE(rdpmc(i, &value));
	for (i = 0; i < NR_FIXED; i++) {
		EXPECT_TRUE(rdpmc(RDPMC_FIXED | i, &value));
		EXPECT_EQ(value >> WIDTH, 0);
	}
	EXPECT_FALSE(rdpmc(NR_COUNTERS, &value));
	EXPECT_FALSE(rdpmc(RDPMC_FIXED | NR_FIXED, &value));
	ASSERT_TRUE(rdpmc_allow("1"));
}

TEST_HARNESS_MAIN
