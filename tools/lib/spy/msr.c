// SPDX-License-Identifier: GPL-2.0
/*
 * The backend msr: the counters of Intel's architectural performance monitoring, by their
 * registers, for users whom perf_event refuses whole CPUs. Each spy has a helper of its own
 * on its CPU, see <kermon/msr.h>. Nothing reserves the counters: they have to be free when the
 * spy begins, and each reading verifies that they still are as the spy has programmed them.
 */
#include <cpuid.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/msr.h>

#include "backend.h"
#include "util/monotonic.h"

/* SDM vol. 4, 2.1 */
#define PMC0		0x0c1
#define EVTSEL0		0x186
#define FIXED0		0x309
#define FIXED_CTRL	0x38d
#define GLOBAL_CTRL	0x38f

#define EVTSEL_ENABLE	(1ULL << 22)
#define FIXED_MODES	3ULL		/* of a counter, which has four bits */
#define FIXED_SHIFT	32		/* of fixed counters in GLOBAL_CTRL */

#define MOST_FIXED	3
#define MOST_COUNTERS	8

/* Event and unit mask of the events that any counter counts: SDM vol. 3B, 20.2.1.2. */
static const uint16_t architectural[] = {
	0x003c, 0x00c0, 0x013c, 0x4f2e, 0x412e, 0x00c4, 0x00c5,
};

/* Counters, then the registers that control them. */
#define MOST_OPS	(MOST_FIXED + MOST_COUNTERS + 2 + MOST_COUNTERS)

/**
 * struct pmu - the counters of a CPU according to CPUID leaf 0AH
 * @fixed: number of fixed counters, those beyond reference cycles aside
 * @counters: number of programmable counters
 * @fixed_mask: bits of a fixed counter; @mask: of a programmable one
 */
struct pmu {
	unsigned int fixed;
	unsigned int counters;
	uint64_t fixed_mask;
	uint64_t mask;
};

/**
 * struct registers - the counters of a CPU in use
 * @cpu: the CPU
 * @pmu: what it has
 * @msr: client of a helper
 * @set: what is counted
 * @global: value of GLOBAL_CTRL
 * @last: last values of the counters; @total: sums, as counters are narrow
 */
struct registers {
	uint32_t cpu;
	struct pmu pmu;
	struct kermon_msr *msr;
	const struct spy_set *set;
	uint64_t global;
	uint64_t last[KERMON_SPY_EVENTS];
	uint64_t total[KERMON_SPY_EVENTS];
};

static uint64_t mask_of(unsigned int bits)
{
	return bits < 64 ? (1ULL << bits) - 1 : UINT64_MAX;
}

/* Only Intel has this leaf. Version 1 has neither fixed counters nor GLOBAL_CTRL. */
static bool find_pmu(struct pmu *pmu)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid_count(0x0a, 0, &eax, &ebx, &ecx, &edx) || (eax & 0xff) < 2)
		return false;
	pmu->counters = eax >> 8 & 0xff;
	pmu->mask = mask_of(eax >> 16 & 0xff);
	pmu->fixed = edx & 0x1f;
	pmu->fixed_mask = mask_of(edx >> 5 & 0xff);
	if (pmu->counters > MOST_COUNTERS)
		pmu->counters = MOST_COUNTERS;
	if (pmu->fixed > MOST_FIXED)
		pmu->fixed = MOST_FIXED;
	return pmu->fixed && pmu->counters;
}

static int open_client(struct kermon_msr **msr, uint32_t cpu,
		       struct kermon_spy_trouble *trouble)
{
	const struct kermon_msr_options options = {
		.size = sizeof(options),
		.flags = KERMON_MSR_WRITE,
		.nr_cpus = 1,
		.cpus = &cpu,
	};
	struct kermon_msr_error error;
	int err = kermon_msr_open(msr, &options, &error);

	if (!err)
		return 0;
	return spy_fail(trouble, error.reason == KERMON_MSR_BUSY ? KERMON_SPY_HELD :
			KERMON_SPY_DENIED, err, cpu, NULL);
}

static struct kermon_msr_op reading(uint32_t cpu, uint32_t reg)
{
	return (struct kermon_msr_op){ .cpu = cpu, .reg = reg, .kind = KERMON_MSR_OP_READ };
}

static struct kermon_msr_op writing(uint32_t cpu, uint32_t reg, uint64_t value)
{
	return (struct kermon_msr_op){
		.cpu = cpu, .reg = reg, .value = value, .kind = KERMON_MSR_OP_WRITE,
	};
}

/* Perf disables the counters that it does not use, one by one. */
static int check_free(struct registers *registers, struct kermon_spy_trouble *trouble)
{
	const struct pmu *pmu = &registers->pmu;
	struct kermon_msr_op ops[2 + MOST_COUNTERS];
	bool used;
	int err;

	ops[0] = reading(registers->cpu, GLOBAL_CTRL);
	ops[1] = reading(registers->cpu, FIXED_CTRL);
	for (unsigned int i = 0; i < pmu->counters; i++)
		ops[2 + i] = reading(registers->cpu, EVTSEL0 + i);
	err = kermon_msr_batch(registers->msr, ops, 2 + pmu->counters);
	if (err)
		return spy_fail(trouble, KERMON_SPY_SYSTEM, err, registers->cpu, NULL);
	registers->global = ops[0].value;
	used = ops[1].value;
	for (unsigned int i = 0; i < pmu->counters; i++)
		used |= ops[2 + i].value & EVTSEL_ENABLE;
	return used ? spy_fail(trouble, KERMON_SPY_HELD, -EBUSY, registers->cpu, NULL) : 0;
}

static int msr_probe(struct spy_machine *machine, struct kermon_spy_trouble *trouble)
{
	struct registers registers = { .cpu = machine->cpu };
	int err;

	if (!find_pmu(&registers.pmu))
		return spy_fail(trouble, KERMON_SPY_NO_PMU, -ENODEV, machine->cpu, NULL);
	machine->counters = registers.pmu.counters;
	machine->fixed = (1U << registers.pmu.fixed) - 1;
	err = open_client(&registers.msr, machine->cpu, trouble);
	if (err)
		return err;
	err = check_free(&registers, trouble);
	kermon_msr_close(registers.msr);
	return err;
}

/* Which counters count other events depends on the model; a wrong one counts something. */
static bool is_architectural(const struct kermon_spy_event *event)
{
	for (size_t i = 0; i < sizeof(architectural) / sizeof(architectural[0]); i++)
		if ((event->config & 0xffff) == architectural[i])
			return !event->extra;
	return false;
}

static int msr_select(const struct spy_machine *machine, struct spy_set *set,
		      struct kermon_spy_trouble *trouble)
{
	int err = spy_select_hardware(machine, set, trouble);

	for (unsigned int i = set->kept; i < set->public.nr && !err; i++) {
		if (!is_architectural(&set->events[i]))
			err = spy_fail(trouble, KERMON_SPY_REFUSED, -EOPNOTSUPP,
				       machine->cpu, set->events[i].name);
		else if (i - set->kept >= machine->counters)
			err = spy_fail(trouble, KERMON_SPY_EXCESS, -ENOSPC,
				       machine->cpu, set->events[i].name);
	}
	return err;
}

/* What the event select of counter @index has while @set is counted. */
static uint64_t selector(const struct spy_set *set, unsigned int index)
{
	return set->kept + index < set->public.nr ?
	       set->events[set->kept + index].config | EVTSEL_ENABLE : 0;
}

static uint64_t fixed_control(const struct registers *registers)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < registers->set->kept; i++)
		value |= FIXED_MODES << 4 * i;
	return value;
}

/* Program the counters; those that are not needed do not count. @fixed: the fixed ones too. */
static int program(struct registers *registers, bool fixed)
{
	struct kermon_msr_op ops[MOST_COUNTERS + 2];
	const unsigned int nr = registers->pmu.counters;

	for (unsigned int i = 0; i < nr; i++)
		ops[i] = writing(registers->cpu, EVTSEL0 + i, selector(registers->set, i));
	if (!fixed)
		return kermon_msr_batch(registers->msr, ops, nr);
	registers->global |= ((1ULL << registers->set->kept) - 1) << FIXED_SHIFT |
			     ((1ULL << nr) - 1);
	ops[nr] = writing(registers->cpu, FIXED_CTRL, fixed_control(registers));
	ops[nr + 1] = writing(registers->cpu, GLOBAL_CTRL, registers->global);
	return kermon_msr_batch(registers->msr, ops, nr + 2);
}

/* Counters in the order of the events, then what controls them. */
static unsigned int make_reading(const struct registers *registers,
				 struct kermon_msr_op ops[MOST_OPS])
{
	const struct spy_set *set = registers->set;
	const unsigned int programmed = set->public.nr - set->kept;
	unsigned int nr = 0;

	for (unsigned int i = 0; i < set->kept; i++)
		ops[nr++] = reading(registers->cpu, FIXED0 + i);
	for (unsigned int i = 0; i < programmed; i++)
		ops[nr++] = reading(registers->cpu, PMC0 + i);
	ops[nr++] = reading(registers->cpu, FIXED_CTRL);
	ops[nr++] = reading(registers->cpu, GLOBAL_CTRL);
	for (unsigned int i = 0; i < programmed; i++)
		ops[nr++] = reading(registers->cpu, EVTSEL0 + i);
	return nr;
}

static bool is_undisturbed(const struct registers *registers, const struct kermon_msr_op *ops)
{
	const struct spy_set *set = registers->set;
	const struct kermon_msr_op *control = ops + set->public.nr;
	bool same = control[0].value == fixed_control(registers) &&
		    control[1].value == registers->global;

	for (unsigned int i = 0; i < set->public.nr - set->kept; i++)
		same &= control[2 + i].value == selector(set, i);
	return same;
}

/* Add what the counters have counted since the last reading. */
static int read_counters(struct registers *registers, bool *undisturbed)
{
	const struct spy_set *set = registers->set;
	struct kermon_msr_op ops[MOST_OPS];
	int err = kermon_msr_batch(registers->msr, ops, make_reading(registers, ops));
	uint64_t mask;

	if (err)
		return err;
	for (unsigned int i = 0; i < set->public.nr; i++) {
		mask = i < set->kept ? registers->pmu.fixed_mask : registers->pmu.mask;
		registers->total[i] += (ops[i].value - registers->last[i]) & mask;
		registers->last[i] = ops[i].value;
	}
	*undisturbed = is_undisturbed(registers, ops);
	return 0;
}

static void msr_close(void *source)
{
	struct registers *registers = source;

	kermon_msr_close(registers->msr);
	free(registers);
}

/* The counters keep their values; the first reading is where they begin. */
static int begin(struct registers *registers, struct kermon_spy_trouble *trouble)
{
	bool undisturbed;
	int err = check_free(registers, trouble);

	if (err)
		return err;
	err = program(registers, true);
	if (!err)
		err = read_counters(registers, &undisturbed);
	if (err)
		return spy_fail(trouble, err == -EBUSY ? KERMON_SPY_HELD :
				KERMON_SPY_SYSTEM, err, registers->cpu, NULL);
	memset(registers->total, 0, sizeof(registers->total));
	return 0;
}

static int msr_open(void **source, unsigned int cpu, const struct spy_set *set,
		    struct kermon_spy_trouble *trouble)
{
	struct registers *registers = calloc(1, sizeof(*registers));
	int err;

	*source = NULL;
	if (!registers)
		return spy_fail(trouble, KERMON_SPY_SYSTEM, -ENOMEM, cpu, NULL);
	registers->cpu = cpu;
	registers->set = set;
	find_pmu(&registers->pmu);
	err = open_client(&registers->msr, cpu, trouble);
	if (!err)
		err = begin(registers, trouble);
	if (err)
		msr_close(registers);
	else
		*source = registers;
	return err;
}

static int msr_read(void *source, struct spy_reading *reading, bool last)
{
	struct registers *registers = source;
	bool undisturbed;
	int err = read_counters(registers, &undisturbed);

	(void)last;
	if (err)
		return err;
	reading->enabled = monotonic_ns();
	reading->running = reading->enabled;
	memcpy(reading->values, registers->total, sizeof(reading->values));
	return undisturbed ? 0 : -EAGAIN;
}

static int change_set(struct registers *registers, const struct spy_set *set)
{
	bool undisturbed;
	int err;

	registers->set = set;
	err = program(registers, false);
	return err ? err : read_counters(registers, &undisturbed);
}

/* Programmed counters begin anew; the fixed ones go on. */
static int msr_change(void *source, const struct spy_set *set, struct spy_reading *base,
		      struct kermon_spy_trouble *trouble)
{
	struct registers *registers = source;
	const struct spy_set *former = registers->set;
	int err = change_set(registers, set);

	if (err) {
		spy_fail(trouble, KERMON_SPY_SYSTEM, err, registers->cpu, NULL);
		change_set(registers, former);
	}
	for (unsigned int i = set->kept; i < KERMON_SPY_EVENTS; i++) {
		registers->total[i] = 0;
		base->values[i] = 0;
	}
	return err;
}

const struct spy_backend spy_msr = {
	.name = "msr",
	.probe = msr_probe,
	.select = msr_select,
	.open = msr_open,
	.change = msr_change,
	.read = msr_read,
	.close = msr_close,
};
