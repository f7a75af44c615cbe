// SPDX-License-Identifier: GPL-2.0
/*
 * The energy of the intervals of a task equals that of the registers for the
 * same time, within the uncertainty of reading once per millisecond.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include <linux/perf_event.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "quantities.h"
#include "registers.h"
#include "tally.h"
#include "worker.h"

#define ROUNDS		1000000
/* Maximum age of a reading, at the begin and at the end of an interval. */
#define STALE_MS	2

static const uint32_t intel_msrs[KERMON_DOMAIN_COUNT] = {
	[KERMON_DOMAIN_PACKAGE] = MSR_PKG_ENERGY_STATUS,
	[KERMON_DOMAIN_CORES] = MSR_PP0_ENERGY_STATUS,
	[KERMON_DOMAIN_GPU] = MSR_PP1_ENERGY_STATUS,
	[KERMON_DOMAIN_DRAM] = MSR_DRAM_ENERGY_STATUS,
};

static const uint32_t amd_msrs[KERMON_DOMAIN_COUNT] = {
	[KERMON_DOMAIN_PACKAGE] = MSR_AMD_PKG_ENERGY,
};

static void compute(void *data)
{
	(void)data;
	code_arithmetic(ROUNDS, NULL);
}

/* struct meter - a reading of the registers, taken between @begin and @end */
struct meter {
	uint64_t begin;
	uint64_t end;
	uint32_t energy[KERMON_DOMAIN_COUNT];
};

static int read_meter(uint32_t domains, struct meter *meter)
{
	const uint32_t *msrs = cpu_is_amd() ? amd_msrs : intel_msrs;
	uint64_t value;
	unsigned int i;

	meter->begin = __rdtsc();
	for (i = 0; i < KERMON_DOMAIN_COUNT; i++) {
		if (!(domains & 1U << i))
			continue;
		if (register_read(0, msrs[i], &value))
			return -1;
		meter->energy[i] = value;
	}
	meter->end = __rdtsc();
	return 0;
}

FIXTURE(energy) {
	struct machine_info info;
	struct records records;
	struct tally tally;
};

FIXTURE_SETUP(energy)
{
	ASSERT_EQ(control_get_info(&self->info), 0);
	if (!self->info.domains)
		SKIP(return, "this machine has no energy counters");
}

FIXTURE_TEARDOWN(energy)
{
	free(self->records.data);
}

static void monitor_computation(struct __test_metadata *_metadata,
				FIXTURE_DATA(energy) *self,
				struct meter *before, struct meter *after)
{
	struct kermon_event_set set = plain_set();
	struct sched_param param = { .sched_priority = 1 };
	pid_t pid = worker_start(compute, NULL);
	int fd;

	set.flags = KERMON_SET_ENERGY;
	ASSERT_EQ(pin(pid, 0), 0);
	ASSERT_EQ(sched_setscheduler(pid, SCHED_FIFO, &param), 0);
	fd = set_events(pid, &set, sizeof(set), 0);
	ASSERT_GE(fd, 0) TH_LOG("set_events: %s", strerror(errno));
	ASSERT_EQ(read_meter(self->info.domains, before), 0);
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	ASSERT_EQ(read_meter(self->info.domains, after), 0);
	ASSERT_EQ(records_read_all(&self->records, fd), 0);
	close(fd);
	records_tally(&self->records, 0, &self->tally);
	ASSERT_EQ(self->tally.broken, 0);
}

/*
 * The registers also count while the task was not running between the two
 * readings; the tolerance is that time at the mean power.
 */
TEST_F(energy, sums_up_to_the_registers)
{
	uint64_t stale = STALE_MS * (uint64_t)self->info.tsc_khz;
	struct meter before, after;
	uint64_t time, outside;
	unsigned int i;

	monitor_computation(_metadata, self, &before, &after);
	time = after.end - before.begin;
	outside = time - self->tally.oncpu + stale;
	ASSERT_GT(time, 4 * outside) TH_LOG("too short or disturbed");
	for (i = 0; i < KERMON_DOMAIN_COUNT; i++) {
		uint64_t used = after.energy[i] - before.energy[i];
		uint64_t slack = used * outside / time + 1;

		if (!(self->info.domains & 1U << i)) {
			EXPECT_EQ(self->tally.energy[i], 0);
			continue;
		}
		EXPECT_GT(used, 0) TH_LOG("domain %u", i);
		EXPECT_LE(self->tally.energy[i], used + slack)
			TH_LOG("domain %u", i);
		EXPECT_GE(self->tally.energy[i] + slack, used)
			TH_LOG("domain %u", i);
	}
}

TEST_F(energy, every_sample_has_every_domain)
{
	const struct kermon_record *record = NULL;
	struct meter before, after;

	monitor_computation(_metadata, self, &before, &after);
	while ((record = records_next(&self->records, record)))
		EXPECT_EQ(((const struct kermon_sample *)record)->domains,
			  self->info.domains);
}

TEST_F(energy, nothing_unless_asked_for)
{
	struct kermon_event_set set = plain_set();
	pid_t pid = worker_start(compute, NULL);
	const struct kermon_record *record = NULL;
	int fd = set_events(pid, &set, sizeof(set), 0);

	ASSERT_GE(fd, 0);
	worker_go(pid);
	ASSERT_EQ(worker_wait(pid), 0);
	ASSERT_EQ(records_read_all(&self->records, fd), 0);
	while ((record = records_next(&self->records, record)))
		EXPECT_EQ(((const struct kermon_sample *)record)->domains, 0);
	close(fd);
}

#define PERF_POWER	"/sys/bus/event_source/devices/power/"

static const char *const perf_events[KERMON_DOMAIN_COUNT] = {
	[KERMON_DOMAIN_PACKAGE] = PERF_POWER "events/energy-pkg",
	[KERMON_DOMAIN_CORES] = PERF_POWER "events/energy-cores",
	[KERMON_DOMAIN_GPU] = PERF_POWER "events/energy-gpu",
	[KERMON_DOMAIN_DRAM] = PERF_POWER "events/energy-ram",
};

static int scan(const char *path, const char *format, unsigned int *value)
{
	FILE *file = fopen(path, "re");
	int n = file ? fscanf(file, format, value) : 0;

	if (file)
		fclose(file);
	return n == 1 ? 0 : -1;
}

/* A descriptor, or -1 with errno. */
static int open_perf(const char *event)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	unsigned int config;

	if (scan(PERF_POWER "type", "%u", &attr.type) ||
	    scan(event, "event=%x", &config))
		return -1;
	attr.config = config;
	return syscall(SYS_perf_event_open, &attr, -1, 0, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

/*
 * perf counts in 2^-32 J, whatever the unit of the register is; the two are not
 * read at the same time.
 */
static int measure_unit(uint32_t domain, const char *event)
{
	struct meter before, after;
	uint64_t counts[2] = {}, joules;
	int fd = open_perf(event);
	int unit = 32;

	if (fd < 0 || read_meter(1U << domain, &before) ||
	    read(fd, &counts[0], sizeof(counts[0])) < 0)
		return -1;
	sleep_us(100000);
	if (read_meter(1U << domain, &after) ||
	    read(fd, &counts[1], sizeof(counts[1])) < 0)
		return -1;
	close(fd);
	joules = counts[1] - counts[0];
	for (; joules / 3 > (after.energy[domain] - before.energy[domain]) / 2;
	     joules /= 2)
		unit--;
	return unit;
}

/* perf's models and quirks are in arch/x86/events/rapl.c. */
TEST_F(energy, domains_and_units_are_those_of_perf)
{
	uint32_t i;

	for (i = 0; i < KERMON_DOMAIN_COUNT; i++) {
		bool has = self->info.domains & 1U << i;

		EXPECT_EQ(has, !access(perf_events[i], F_OK))
			TH_LOG("%s", perf_events[i]);
		if (has)
			EXPECT_EQ(measure_unit(i, perf_events[i]),
				  self->info.units[i])
				TH_LOG("%s", perf_events[i]);
	}
}

TEST_F(energy, unit_is_that_of_the_register)
{
	uint32_t msr = cpu_is_amd() ? MSR_AMD_POWER_UNIT : MSR_RAPL_POWER_UNIT;
	uint64_t value;

	ASSERT_EQ(register_read(0, msr, &value), 0);
	EXPECT_EQ(self->info.units[KERMON_DOMAIN_PACKAGE], value >> 8 & 0x1f);
}

TEST_HARNESS_MAIN
