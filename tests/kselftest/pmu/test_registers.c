// SPDX-License-Identifier: GPL-2.0
/*
 * The registers, accessed through /dev/cpu/0/msr and RDPMC: writable bits,
 * faults, and the energy counters.
 */
#include "kselftest_harness.h"

#include <cpuid.h>
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "counter.h"
#include "intel.h"
#include "msr.h"

#define MSR_TSC			0x10
#define MSR_DRAM_ENERGY		0x619
#define MSR_PP0_ENERGY		0x639

#define RDPMC_FIXED		(1u << 30)

FIXTURE(registers)
{
	int fd;
};

FIXTURE_SETUP(registers)
{
	self->fd = msr_open();
}

FIXTURE_TEARDOWN(registers)
{
	close(self->fd);
}

TEST_F(registers, cpuid)
{
	unsigned int eax, ebx, ecx, edx;

	ASSERT_TRUE(__get_cpuid_count(0xa, 0, &eax, &ebx, &ecx, &edx));
	EXPECT_EQ(eax & 0xff, 2);
	EXPECT_EQ(eax >> 8 & 0xff, 4);
	EXPECT_EQ(eax >> 16 & 0xff, 48);
	EXPECT_EQ(edx & 0x1f, 3);
	EXPECT_EQ(edx >> 5 & 0xff, 48);
	/*
	 * LLC references, LLC misses, branch misses: reported as not available
	 */
	EXPECT_EQ(ebx, 1u << 3 | 1u << 4 | 1u << 6);
}

static const struct {
	uint32_t msr;
	uint64_t value;
} faulting_writes[] = {
	{ MSR_EVTSEL0, 1ull << 21 },		/* AnyThread: version 3 */
	{ MSR_EVTSEL0 + 3, 1ull << 32 },
	{ MSR_A_PMC0, 1ull << 48 },
	{ MSR_FIXED_CTR0 + 2, 1ull << 48 },
	{ MSR_FIXED_CTR_CTRL, 1ull << 2 },	/* AnyThread */
	{ MSR_FIXED_CTR_CTRL, 1ull << 12 },
	{ MSR_GLOBAL_CTRL, 1ull << 4 },
	{ MSR_GLOBAL_CTRL, 1ull << 35 },
	{ MSR_GLOBAL_STATUS, 0 },
	{ MSR_OVF_CTRL, 1ull << 4 },
	{ MSR_PERF_CAPABILITIES, 0 },
	{ MSR_OFFCORE_RSP_0, 1ull << 63 },
	{ MSR_POWER_UNIT, 0 },
	{ MSR_PKG_ENERGY, 0 },
	{ MSR_PP0_ENERGY, 0 },
	{ MSR_DRAM_ENERGY, 0 },
};

TEST_F(registers, reserved_bits_fault)
{
	uint64_t before, after;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(faulting_writes); i++) {
		uint32_t msr = faulting_writes[i].msr;

		before = msr_value(self->fd, msr);
		EXPECT_EQ(msr_write(self->fd, msr, faulting_writes[i].value),
			  -EIO)
			TH_LOG("write to %#x", msr);
		after = msr_value(self->fd, msr);
		if (msr < MSR_PKG_ENERGY)
			EXPECT_EQ(before, after);
	}
}

static const struct {
	uint32_t msr;
	uint64_t write;
	uint64_t read;
} kept_writes[] = {
	{ MSR_PMC0, 0x12345678, 0x12345678 },
	{ MSR_PMC0 + 3, 0x80000000, 0xffff80000000 },	/* 32 bits, signed */
	{ MSR_PMC0 + 1, 0x7f00000001, 1 },
	{ MSR_A_PMC0, 0xfedcba987654, 0xfedcba987654 },
	{ MSR_FIXED_CTR0 + 1, 0xfedcba987654, 0xfedcba987654 },
	{ MSR_EVTSEL0 + 2, 0xff9effff, 0xff9effff },	/* all but EN */
	{ MSR_FIXED_CTR_CTRL, 0x888, 0x888 },
	{ MSR_OFFCORE_RSP_0, 0x3f80408fff, 0x3f80408fff },
	{ MSR_OFFCORE_RSP_0 + 1, 0x3f80408001, 0x3f80408001 },
	{ MSR_OVF_CTRL, 3ull << 62, 0 },
};

TEST_F(registers, keep_what_is_written)
{
	uint64_t before;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kept_writes); i++) {
		uint32_t msr = kept_writes[i].msr;

		before = msr_value(self->fd, msr);
		EXPECT_EQ(msr_write(self->fd, msr, kept_writes[i].write), 0)
			TH_LOG("write to %#x", msr);
		EXPECT_EQ(msr_value(self->fd, msr), kept_writes[i].read)
			TH_LOG("read of %#x", msr);
		msr_write(self->fd, msr, before);
	}
}

TEST_F(registers, overflow_sets_status)
{
	const uint64_t bit = 1 << 3;
	uint64_t global = msr_value(self->fd, MSR_GLOBAL_CTRL);

	msr_write(self->fd, MSR_GLOBAL_CTRL, global & ~bit);
	msr_write(self->fd, MSR_A_PMC0 + 3, 0xffffffffff00);
	/* instructions in user and kernel mode, without interrupt */
	msr_write(self->fd, MSR_EVTSEL0 + 3, 0x4300c0);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS) & bit, 0);
	EXPECT_EQ(msr_value(self->fd, MSR_A_PMC0 + 3), 0xffffffffff00);
	msr_write(self->fd, MSR_GLOBAL_CTRL, global | bit);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS) & bit, bit);
	msr_write(self->fd, MSR_GLOBAL_CTRL, global & ~bit);
	EXPECT_LT(msr_value(self->fd, MSR_A_PMC0 + 3), 1u << 30);
	EXPECT_GT(msr_value(self->fd, MSR_A_PMC0 + 3), 0);
	msr_write(self->fd, MSR_OVF_CTRL, bit);
	EXPECT_EQ(msr_value(self->fd, MSR_GLOBAL_STATUS) & bit, 0);
	msr_write(self->fd, MSR_EVTSEL0 + 3, 0);
	msr_write(self->fd, MSR_GLOBAL_CTRL, global);
}

TEST_F(registers, tsc)
{
	const uint64_t step = 1000000;
	uint64_t before = __rdtsc(), middle = msr_value(self->fd, MSR_TSC),
		 after = __rdtsc();

	EXPECT_LE(before, middle);
	EXPECT_LE(middle, after);
	ASSERT_EQ(msr_write(self->fd, MSR_TSC, __rdtsc() + step), 0);
	EXPECT_GE(__rdtsc(), after + step);
	ASSERT_EQ(msr_write(self->fd, MSR_TSC, __rdtsc() - step), 0);
	EXPECT_GE(__rdtsc(), after);
}

static uint64_t nanoseconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

struct energy {
	uint64_t ns;
	uint32_t units;
};

/* Energy and the time of the reading, within 0.1 ms. */
static struct energy read_energy(int fd, uint32_t msr)
{
	struct energy now;
	uint64_t start;

	do {
		start = nanoseconds();
		now.units = msr_value(fd, msr);
		now.ns = nanoseconds();
	} while (now.ns - start > 100000);
	return now;
}

/*
 * Watch a domain for 200 ms; return the smallest step of its register and the
 * average increase per millisecond.
 */
static void watch_energy(int fd, uint32_t msr, uint32_t *step, double *power)
{
	struct energy first = read_energy(fd, msr), last = first, now;

	*step = -1;
	do {
		now = read_energy(fd, msr);
		if (now.units != last.units && now.units - last.units < *step)
			*step = now.units - last.units;
		last = now;
	} while (last.ns - first.ns < 200000000);
	*power = (last.units - first.units) * 1e6 / (last.ns - first.ns);
}

TEST_F(registers, energy)
{
	static const uint32_t domains[] = {
		MSR_PKG_ENERGY, MSR_PP0_ENERGY, MSR_DRAM_ENERGY,
	};
	uint32_t step;
	double power;
	size_t i;

	EXPECT_EQ(msr_value(self->fd, MSR_POWER_UNIT) >> 8 & 0x1f, 16);
	for (i = 0; i < ARRAY_SIZE(domains); i++) {
		EXPECT_NE(msr_value(self->fd, domains[i]), 0);
		EXPECT_EQ(msr_value(self->fd, domains[i]) >> 32, 0);
		watch_energy(self->fd, domains[i], &step, &power);
		EXPECT_GT(power, 0);
		/* a step takes a millisecond of the same clock */
		EXPECT_GT(power, step * 0.98);
		EXPECT_LT(power, (step + 1) * 1.02);
	}
}

TEST_F(registers, rdpmc_faults)
{
	uint64_t value;
	uint32_t i;

	ASSERT_TRUE(rdpmc_allow("0"));
	EXPECT_FALSE(rdpmc(0, &value));
	ASSERT_TRUE(rdpmc_allow("2"));
	for (i = 0; i < 4; i++) {
		EXPECT_TRUE(rdpmc(i, &value));
		EXPECT_EQ(value >> 48, 0);
	}
	for (i = 0; i < 3; i++)
		EXPECT_TRUE(rdpmc(RDPMC_FIXED | i, &value));
	EXPECT_FALSE(rdpmc(4, &value));
	EXPECT_FALSE(rdpmc(RDPMC_FIXED | 3, &value));
	EXPECT_FALSE(rdpmc(1u << 31, &value));
	ASSERT_TRUE(rdpmc_allow("1"));
}

/* RDPMC is counted after its reading; if it faults, not at all. */
TEST_F(registers, rdpmc_counts_itself)
{
	struct perf_event_attr attr = event_attr(event_config(INSTRUCTIONS));
	struct perf_event_mmap_page *page;
	uint32_t index, first, second;
	int fd = event_open(&attr, -1);

	ASSERT_GE(fd, 0);
	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_NE(page, MAP_FAILED);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	ASSERT_TRUE((bool)page->cap_user_rdpmc);
	index = page->index - 1;
	__asm__ volatile("rdpmc; mov %%eax, %0; rdpmc"
			 : "=&r" (first), "=&a" (second)
			 : "c" (index) : "edx");
	EXPECT_EQ(second - first, 2);
	close(fd);
}

static uint64_t count_config(struct __test_metadata *_metadata, uint64_t config)
{
	struct perf_event_attr attr = event_attr(config);
	uint64_t count = 1;
	int fd = event_open(&attr, -1);

	ASSERT_GE(fd, 0);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	EXPECT_EQ(read(fd, &count, sizeof(count)), (ssize_t)sizeof(count));
	close(fd);
	return count;
}

/* Events that the model does not support count 0. */
TEST_F(registers, unknown_events_count_nothing)
{
	EXPECT_GT(count_config(_metadata, 0x00c0), 0);
	EXPECT_EQ(count_config(_metadata, 0x0151), 0);	/* L1D.REPLACEMENT */
	EXPECT_EQ(count_config(_metadata, 0x2024), 0);	/* L2_RQSTS */
	EXPECT_EQ(count_config(_metadata, 0x04c0), 0);	/* other unit mask */
	/* unit masks can be combined: loads and stores */
	EXPECT_GT(count_config(_metadata, 0x83d0),
		  count_config(_metadata, 0x81d0));
}

/* Count event @config, in user and kernel mode, while @fn runs 100 times. */
static uint64_t count_calls(struct __test_metadata *_metadata, uint64_t config,
			    void (*fn)(int fd), int msr_fd)
{
	struct perf_event_attr attr = event_attr(config);
	uint64_t count = 0;
	int i, fd;

	attr.exclude_kernel = 0;
	fd = event_open(&attr, -1);
	ASSERT_GE(fd, 0);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (i = 0; i < 100; i++)
		fn(msr_fd);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	EXPECT_EQ(read(fd, &count, sizeof(count)), (ssize_t)sizeof(count));
	close(fd);
	return count;
}

static void do_rdmsr(int fd)
{
	msr_value(fd, MSR_GLOBAL_CTRL);
}

static void do_wrmsr(int fd)
{
	msr_write(fd, MSR_OFFCORE_RSP_0, 0);
}

static void do_rdpmc(int fd)
{
	(void)fd;
	__rdpmc(0);
}

/* The events specific to the model. Interrupts may add some. */
TEST_F(registers, accesses_are_counted)
{
	uint64_t count;

	ASSERT_TRUE(rdpmc_allow("2"));
	count = count_calls(_metadata, 0x01ff, do_rdmsr, self->fd);
	EXPECT_GE(count, 100);
	EXPECT_LT(count, 150);
	EXPECT_LT(count_calls(_metadata, 0x01ff, do_wrmsr, self->fd), 50);
	count = count_calls(_metadata, 0x02ff, do_wrmsr, self->fd);
	EXPECT_GE(count, 100);
	EXPECT_LT(count, 150);
	count = count_calls(_metadata, 0x04ff, do_rdpmc, self->fd);
	EXPECT_GE(count, 100);
	EXPECT_LT(count, 150);
	ASSERT_TRUE(rdpmc_allow("1"));
}

TEST_HARNESS_MAIN
