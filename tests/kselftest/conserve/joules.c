// SPDX-License-Identifier: GPL-2.0
/*
 * Conservation: the energy of all intervals and of the time between them equals what
 * the register of the package has counted, even if it wraps many times.
 *
 * The tracepoint of RDMSR shows each reading of the register. The begin and end of an
 * interval use the newest reading, so the exact value of each sample is known. All tasks
 * run on one CPU, so their intervals do not overlap.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <x86intrin.h>

#include "kselftest_harness.h"

#include "control.h"
#include "history.h"
#include "ledger.h"
#include "mixture.h"
#include "registers.h"

/* The register is read at most this long after the TSC in the sample. */
#define SLACK		5000
/* Minimum mean number of readings per second. */
#define MIN_READINGS	200

/**
 * struct meter - total of the register up to a reading, over all wraps
 * @readings: each one, as happening.to
 * @next: the first one that is not included yet
 * @total: up to the one before
 * @wraps: number of times that the register wrapped
 */
struct meter {
	const struct history *readings;
	size_t next;
	uint64_t total;
	unsigned int wraps;
};

/* Advance to the last reading before @tsc. */
static uint64_t meter_until(struct meter *meter, uint64_t tsc)
{
	const struct happening *all = meter->readings->all;

	while (meter->next < meter->readings->nr &&
	       all[meter->next].tsc < tsc) {
		uint32_t value = all[meter->next].to;
		uint32_t last = meter->next ? all[meter->next - 1].to : value;

		meter->total += (uint32_t)(value - last);
		meter->wraps += value < last;
		meter->next++;
	}
	return meter->total;
}

FIXTURE(joules) {
	struct machine_info info;
	struct mixture mixture;
	struct ledger ledger;
	struct history readings;
	uint64_t begin;		/* TSC after the test's own reading, before all tasks */
	uint64_t end;		/* TSC after its second reading, after all tasks */
};

FIXTURE_SETUP(joules)
{
	ASSERT_EQ(control_get_info(&self->info), 0);
	ASSERT_NE(self->info.domains & 1U << KERMON_DOMAIN_PACKAGE, 0);
	ASSERT_EQ(mixture_prepare(), 0);
}

FIXTURE_TEARDOWN(joules)
{
	ledger_free(&self->ledger);
	free(self->readings.all);
	mixture_free(&self->mixture);
}

static int read_register(uint64_t *tsc)
{
	uint32_t msr = cpu_is_amd() ? MSR_AMD_PKG_ENERGY :
				      MSR_PKG_ENERGY_STATUS;
	uint64_t value;
	int error = register_read(0, msr, &value);

	*tsc = __rdtsc();
	return error;
}

static void run(struct __test_metadata *_metadata, FIXTURE_DATA(joules) *self)
{
	struct mixture *mixture = &self->mixture;

	mixture->flags = KERMON_SET_ENERGY;
	mixture->cpus = 1;
	ASSERT_EQ(mixture_start(mixture, NR_TASKS, SEED), 0)
		TH_LOG("%s", strerror(errno));
	ASSERT_EQ(history_begin(&energy_topic), 0);
	ASSERT_EQ(read_register(&self->begin), 0);
	ASSERT_EQ(mixture_go(mixture), 0);
	ASSERT_EQ(read_register(&self->end), 0);
	ASSERT_EQ(history_end(&energy_topic, &self->readings), 0);
	ASSERT_EQ(mixture_read(mixture), 0);
	ASSERT_EQ(mixture->tally.cpus, 1);
	ASSERT_EQ(ledger_make(&self->ledger, &mixture->records), 0);
	ledger_sort_by_cpu(&self->ledger);
}

static uint64_t energy_of(const struct kermon_sample *sample)
{
	return sample->values[sample->nr_fixed + sample->nr_events];
}

/*
 * The earliest time of the next reading, after the one at @tsc, which is the
 * begin or the end of sample @i.
 */
static uint64_t next_look(const FIXTURE_DATA(joules) *self, size_t i,
			  uint64_t tsc)
{
	for (; i < self->ledger.nr; i++) {
		const struct kermon_sample *sample = self->ledger.samples[i];

		if (sample->tsc_begin > tsc)
			return sample->tsc_begin;
		if (sample->tsc_end > tsc)
			return sample->tsc_end;
	}
	return tsc + SLACK;
}

/*
 * Count samples with a wrong value; @idle: energy between samples, from the
 * readings.
 */
static unsigned int count_wrong(struct __test_metadata *_metadata,
				FIXTURE_DATA(joules) *self, struct meter *meter,
				uint64_t *idle)
{
	uint64_t begin, end = 0;
	unsigned int wrong = 0;
	size_t i;

	*idle = 0;
	for (i = 0; i < self->ledger.nr; i++) {
		const struct kermon_sample *sample = self->ledger.samples[i];
		uint64_t energy = energy_of(sample);

		begin = meter_until(meter, next_look(self, i,
						     sample->tsc_begin));
		*idle += begin - end;
		end = meter_until(meter, next_look(self, i, sample->tsc_end));
		if (energy != end - begin && !wrong++)
			TH_LOG("sample %zu: %llu units, not %llu", i,
			       (unsigned long long)energy,
			       (unsigned long long)(end - begin));
	}
	*idle += meter_until(meter, self->end) - end;
	return wrong;
}

/*
 * KerMon must not read twice within a millisecond; the first and the last
 * reading are the test's own.
 */
static unsigned int count_hasty(const FIXTURE_DATA(joules) *self)
{
	unsigned int hasty = 0;
	size_t i;

	for (i = 2; i + 1 < self->readings.nr; i++)
		hasty += self->readings.all[i].tsc + SLACK <
			 self->readings.all[i - 1].tsc + self->info.tsc_khz;
	return hasty;
}

TEST_F(joules, intervals_and_idle_are_the_register)
{
	struct meter meter = { .readings = &self->readings };
	uint64_t idle, ms;

	run(_metadata, self);
	EXPECT_EQ(count_wrong(_metadata, self, &meter, &idle), 0);
	EXPECT_EQ(meter.next, self->readings.nr);
	EXPECT_EQ(self->mixture.tally.energy[KERMON_DOMAIN_PACKAGE] + idle,
		  meter.total);
	EXPECT_EQ(count_hasty(self), 0);
	ms = (self->end - self->begin) / self->info.tsc_khz;
	TH_LOG("%u tasks, seed %u: %llu ms, %llu samples, %zu readings, %u wraps",
	       NR_TASKS, SEED, (unsigned long long)ms,
	       (unsigned long long)self->ledger.nr, self->readings.nr,
	       meter.wraps);
	EXPECT_GE(self->readings.nr, ms * MIN_READINGS / 1000);
	EXPECT_GE(meter.wraps, 2);
}

TEST_HARNESS_MAIN
