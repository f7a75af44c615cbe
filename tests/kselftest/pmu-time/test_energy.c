// SPDX-License-Identifier: GPL-2.0
/*
 * Phases draw the energy of tests/qemu/README.md: 6 W always and 12 W while the CPU
 * runs, 200 pJ for an operation, 3 nJ for a line from memory; DRAM 1.5 W and 10 nJ
 * for a line.
 */
#include "kselftest_harness.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "area.h"
#include "counter.h"
#include "msr.h"
#include "stretch.h"

#define MSR_UNIT	0x606
#define LLC_MISSES	0x412e
#define STEP		512

#define PHASE		20e-3

/* Between an update of the registers and the reading of the clocks */
#define DELAY		20e-6

enum domain {
	PACKAGE,
	CORES,
	DRAM,
	NR_DOMAINS
};

static const uint32_t registers[NR_DOMAINS] = { 0x611, 0x639, 0x619 };
static const char *const names[NR_DOMAINS] = { "package", "cores", "DRAM" };

struct state {
	double seconds;
	double running;
	uint64_t lines;
	uint32_t units[NR_DOMAINS];
};

FIXTURE(energy)
{
	int msr;
	int lines;
	double unit;
	struct stretch stretch;
};

FIXTURE_SETUP(energy)
{
	struct perf_event_attr attr = event_attr(LLC_MISSES);

	self->msr = msr_open();
	self->unit = ldexp(1, -(msr_value(self->msr, MSR_UNIT) >> 8 & 0x1f));
	attr.exclude_kernel = 0;
	attr.disabled = 0;
	self->lines = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
	ASSERT_GE(self->lines, 0);
	self->stretch = (struct stretch) {
		.counter = stretch_counter(),
		.area = (uintptr_t)area,
		.steps = AREA_SIZE / STEP,
	};
}

FIXTURE_TEARDOWN(energy)
{
	close(self->lines);
	close(self->msr);
}

/* Registers are updated once in a millisecond: wait for that. */
static struct state look(FIXTURE_DATA(energy) *self)
{
	uint32_t old = msr_value(self->msr, registers[PACKAGE]);
	struct state state;
	int i;

	do {
		state.units[PACKAGE] = msr_value(self->msr, registers[PACKAGE]);
	} while (state.units[PACKAGE] == old);
	state.seconds = __rdtsc() / (MHZ * 1e6);
	state.running = __rdpmc(self->stretch.counter) / (MHZ * 1e6);
	for (i = CORES; i < NR_DOMAINS; i++)
		state.units[i] = msr_value(self->msr, registers[i]);
	if (read(self->lines, &state.lines, sizeof(state.lines)) < 0)
		state.lines = 0;
	return state;
}

/* The energy of a phase of @flops operations between two looks. */
static void expect_energy(struct __test_metadata *_metadata, double unit,
			  const struct state *from, const struct state *to,
			  double flops)
{
	double seconds = to->seconds - from->seconds;
	double cores = 12 * (to->running - from->running) + 200e-12 * flops;
	double lines = to->lines - from->lines;
	const double expected[NR_DOMAINS] = {
		6 * seconds + cores + 3e-9 * lines, cores,
		1.5 * seconds + 10e-9 * lines,
	};
	int i;

	for (i = 0; i < NR_DOMAINS; i++) {
		double drawn = unit * (uint32_t)(to->units[i] - from->units[i]);
		double power = expected[i] / seconds;

		TH_LOG("%s: %.6f J in %.6f s, expected %.6f", names[i], drawn,
		       seconds, expected[i]);
		EXPECT_TRUE(fabs(drawn - expected[i]) <=
			    2 * unit + 2 * DELAY * power);
	}
}

TEST_F(energy, of_an_idle_machine)
{
	struct state from = look(self), to;

	usleep(PHASE * 1e6);
	to = look(self);
	EXPECT_LT(to.running - from.running, PHASE / 4);
	expect_energy(_metadata, self->unit, &from, &to, 0);
}

static void run_phase(struct __test_metadata *_metadata,
		      FIXTURE_DATA(energy) *self, stretch_fn run,
		      uint64_t rounds, double flops)
{
	struct state from = look(self), to;

	self->stretch.rounds = rounds;
	run(&self->stretch);
	to = look(self);
	EXPECT_GT(to.seconds - from.seconds, PHASE / 2);
	expect_energy(_metadata, self->unit, &from, &to, flops * rounds);
}

TEST_F(energy, of_integer_operations)
{
	run_phase(_metadata, self, loop_nothing, 2500000, 0);
}

/* 5.6 W at 28 GFLOP/s */
TEST_F(energy, of_floating_point_operations)
{
	run_phase(_metadata, self, loop_mix_avx, 1250000, 240);
}

/* A division takes the same energy, but much longer. */
TEST_F(energy, of_divisions)
{
	run_phase(_metadata, self, loop_div_avx, 25000, 240);
}

/* 1.4 W in the package and 4.7 W in DRAM at 29.9 GB/s */
TEST_F(energy, of_memory)
{
	run_phase(_metadata, self, walk_loads, 36, 0);
}

TEST_HARNESS_MAIN
