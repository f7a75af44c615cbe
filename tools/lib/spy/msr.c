// SPDX-License-Identifier: GPL-2.0
/*
 * The backend msr: the counters of Intel and AMD by their registers, for users whom perf_event
 * refuses whole CPUs. Each spy has a helper of its own on its CPU, see <kermon/msr.h>, which
 * programs the counters. The spy reads them itself where it may execute RDPMC; then a sample
 * does not wake the helper. Nothing reserves the counters: they have to be free when the spy
 * begins, and it verifies that they still are as it has programmed them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/msr.h>

#include "backend.h"
#include "pmu.h"
#include "rdpmc.h"
#include "util/monotonic.h"

/* Intel's modes of fixed counters, which perf sets to 0 when it does not use them. */
#define FIXED_CTRL	0x38d

/* No counter counts that much in an interval; what is written to it looks like more. */
#define PLAUSIBLE	(1ULL << 46)

#define MOST_OPS	(PMU_MOST_CONTROLS + KERMON_SPY_EVENTS)

/**
 * struct registers - the counters of a CPU in use
 * @cpu: the CPU
 * @pmu: what it has
 * @msr: client of a helper
 * @rdpmc: permission to read counters; @direct: it is given
 * @set: what is counted; @image: its registers
 * @last: last values of the counters; @total: sums, as counters are narrow
 */
struct registers {
	uint32_t cpu;
	struct pmu pmu;
	struct kermon_msr *msr;
	struct rdpmc rdpmc;
	bool direct;
	const struct spy_set *set;
	struct pmu_image image;
	uint64_t last[KERMON_SPY_EVENTS];
	uint64_t total[KERMON_SPY_EVENTS];
};

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

/* Read what controls the counters; @ops has room for all of it. */
static int read_controls(const struct registers *registers, struct kermon_msr_op *ops)
{
	const struct pmu_image *image = &registers->image;

	for (unsigned int i = 0; i < image->nr_controls; i++)
		ops[i] = reading(registers->cpu, image->controls[i].reg);
	return kermon_msr_batch(registers->msr, ops, image->nr_controls);
}

/* The first of them that does not have the value of the set, or NULL. */
static const struct pmu_control *find_other(const struct registers *registers,
					    const struct kermon_msr_op *ops)
{
	const struct pmu_image *image = &registers->image;
	const struct pmu_control *control = image->controls;

	for (; control < image->controls + image->nr_controls; control++, ops++)
		if ((ops->value ^ control->value) & control->owned)
			return control;
	return NULL;
}

/* Write the registers that have other values than those of the image. */
static int write_controls(struct registers *registers, struct kermon_msr_op *ops)
{
	const struct pmu_control *control = registers->image.controls;
	const unsigned int all = registers->image.nr_controls;
	unsigned int nr = 0;
	uint64_t value;

	for (unsigned int i = 0; i < all; i++, control++) {
		value = (ops[i].value & ~control->owned) | control->value;
		if (value != ops[i].value)
			ops[nr++] = writing(registers->cpu, control->reg, value);
	}
	return kermon_msr_batch(registers->msr, ops, nr);
}

static bool has(const struct pmu_image *image, uint32_t reg)
{
	for (unsigned int i = 0; i < image->nr_controls; i++)
		if (image->controls[i].reg == reg)
			return true;
	return false;
}

/* Whether the register @reg, with @value, lets a counter count. */
static bool is_counting(const struct pmu *pmu, uint32_t reg, uint64_t value)
{
	if (reg == FIXED_CTRL && !pmu->amd)
		return value;
	return reg >= pmu->selector && reg < pmu->selector + pmu->counters * pmu->stride &&
	       value & PMU_EVENT_ENABLE;
}

/*
 * Whether the counters of the image are free, apart from those of the @former one. Perf
 * disables those that it does not use, one by one.
 */
static int check_free(const struct registers *registers, const struct pmu_image *former,
		      const struct kermon_msr_op *ops, struct kermon_spy_trouble *trouble)
{
	const struct kermon_msr_op *op = ops;

	for (; op < ops + registers->image.nr_controls; op++)
		if (!has(former, op->reg) &&
		    is_counting(&registers->pmu, op->reg, op->value))
			return spy_fail(trouble, KERMON_SPY_HELD, -EBUSY, registers->cpu,
					NULL);
	return 0;
}

/* Counters of the former set that the image does not have count no more. */
static void release(struct pmu_image *image, const struct pmu_image *former)
{
	for (unsigned int i = 0; i < former->nr_controls; i++) {
		if (has(image, former->controls[i].reg))
			continue;
		image->controls[image->nr_controls] = former->controls[i];
		image->controls[image->nr_controls].value = 0;
		image->controls[image->nr_controls++].event = -1;
	}
}

static int fail(const struct registers *registers, int err, struct kermon_spy_trouble *trouble)
{
	const enum kermon_spy_kind kind = err == -EBUSY ? KERMON_SPY_HELD :
		err == -EPERM || err == -EACCES ? KERMON_SPY_DENIED : KERMON_SPY_SYSTEM;

	return spy_fail(trouble, kind, err, registers->cpu, NULL);
}

/* An emulated processor may lack an event, and shows that only by not keeping the selection. */
static int check_kept(const struct registers *registers, struct kermon_spy_trouble *trouble)
{
	struct kermon_msr_op ops[PMU_MOST_CONTROLS];
	const struct pmu_control *other;
	int err = read_controls(registers, ops);

	if (err)
		return fail(registers, err, trouble);
	other = find_other(registers, ops);
	if (!other)
		return 0;
	if (other->event < 0)
		return fail(registers, -EBUSY, trouble);
	return spy_fail(trouble, KERMON_SPY_REFUSED, -EOPNOTSUPP, registers->cpu,
			registers->set->events[other->event].name);
}

/* Let the counters count @set. */
static int program(struct registers *registers, const struct spy_set *set,
		   struct kermon_spy_trouble *trouble)
{
	const struct pmu_image former = registers->image;
	const struct spy_set *before = registers->set;
	struct kermon_msr_op ops[PMU_MOST_CONTROLS];
	int err;

	registers->set = set;
	pmu_make_image(&registers->pmu, set, &registers->image);
	release(&registers->image, &former);
	err = read_controls(registers, ops);
	if (err)
		fail(registers, err, trouble);
	else
		err = check_free(registers, &former, ops, trouble);
	if (err) {
		registers->set = before;
		registers->image = former;
		return err;
	}
	err = write_controls(registers, ops);
	return err ? fail(registers, err, trouble) : check_kept(registers, trouble);
}

/* Add what a counter has counted since the last reading. Returns whether it can be that. */
static bool add(struct registers *registers, unsigned int index, uint64_t value)
{
	const uint64_t more = (value - registers->last[index]) &
			      registers->image.values[index].mask;
	const bool is_plausible = more < PLAUSIBLE;

	registers->last[index] = value;
	if (is_plausible)
		registers->total[index] += more;
	return is_plausible;
}

/*
 * One after the other, and then into memory: what is executed in between is counted. Returns
 * false if that is no longer permitted.
 */
static bool read_direct(struct registers *registers, bool *undisturbed)
{
	const struct pmu_value *values = registers->image.values;
	const unsigned int nr = registers->set->public.nr;
	uint64_t now[KERMON_SPY_EVENTS];

	rdpmc_begin();
	for (unsigned int i = 0; i < nr; i++)
		now[i] = rdpmc_read(values[i].rdpmc);
	if (!rdpmc_end())
		return false;
	*undisturbed = true;
	for (unsigned int i = 0; i < nr; i++)
		*undisturbed &= add(registers, i, now[i]);
	return true;
}

/* Counters and what controls them, in one round trip. */
static int read_by_helper(struct registers *registers, bool *undisturbed)
{
	const struct pmu_image *image = &registers->image;
	const unsigned int values = registers->set->public.nr;
	struct kermon_msr_op ops[MOST_OPS];
	unsigned int nr = 0;
	int err;

	for (unsigned int i = 0; i < values; i++)
		ops[nr++] = reading(registers->cpu, image->values[i].reg);
	for (unsigned int i = 0; i < image->nr_controls; i++)
		ops[nr++] = reading(registers->cpu, image->controls[i].reg);
	err = kermon_msr_batch(registers->msr, ops, nr);
	if (err)
		return err;
	*undisturbed = !find_other(registers, ops + values);
	for (unsigned int i = 0; i < values; i++)
		*undisturbed &= add(registers, i, ops[i].value);
	return 0;
}

static int read_counters(struct registers *registers, bool *undisturbed)
{
	if (registers->direct && read_direct(registers, undisturbed))
		return 0;
	if (registers->direct)
		rdpmc_close(&registers->rdpmc);
	registers->direct = false;
	return read_by_helper(registers, undisturbed);
}

static void msr_close(void *source)
{
	struct registers *registers = source;

	kermon_msr_close(registers->msr);
	if (registers->direct)
		rdpmc_close(&registers->rdpmc);
	free(registers);
}

/* Where counting begins; the counters keep their values. */
static int begin(struct registers *registers, struct kermon_spy_trouble *trouble)
{
	bool undisturbed;
	int err = read_counters(registers, &undisturbed);

	if (err)
		return spy_fail(trouble, KERMON_SPY_SYSTEM, err, registers->cpu, NULL);
	memset(registers->total, 0, sizeof(registers->total));
	return 0;
}

static int open_registers(struct registers *registers, const struct spy_set *set,
			  struct kermon_spy_trouble *trouble)
{
	int err = open_client(&registers->msr, registers->cpu, trouble);

	if (!err)
		err = program(registers, set, trouble);
	if (err)
		return err;
	/* When the registers are saved, and before counting begins. */
	registers->direct = rdpmc_open(&registers->rdpmc);
	return begin(registers, trouble);
}

static int select_for(const struct pmu *pmu, const struct spy_machine *machine,
		      struct spy_set *set, struct kermon_spy_trouble *trouble)
{
	int err = spy_select_hardware(machine, set, trouble);

	return err ? err : pmu_assign(pmu, set, trouble);
}

/* Where no counter is fixed, a set may need those of instructions and cycles itself. */
static int msr_select(const struct spy_machine *machine, struct spy_set *set,
		      struct kermon_spy_trouble *trouble)
{
	struct spy_machine bare = *machine;
	struct pmu pmu;
	int err;

	if (!pmu_find(&pmu))
		return spy_fail(trouble, KERMON_SPY_NO_PMU, -ENODEV, machine->cpu, NULL);
	err = select_for(&pmu, machine, set, trouble);
	if (err == -ENOSPC && !pmu.fixed) {
		bare.fixed = 0;
		set->public.nr = 0;
		err = select_for(&pmu, &bare, set, trouble);
	}
	if (err && trouble->kind != KERMON_SPY_EVENT)
		trouble->cpu = machine->cpu;
	return err;
}

/* Whether what every set needs is free. */
static int probe_registers(struct registers *registers, const struct spy_set *set,
			   struct kermon_spy_trouble *trouble)
{
	const struct pmu_image none = { .nr_controls = 0 };
	struct kermon_msr_op ops[PMU_MOST_CONTROLS];
	int err;

	pmu_make_image(&registers->pmu, set, &registers->image);
	err = read_controls(registers, ops);
	return err ? fail(registers, err, trouble) : check_free(registers, &none, ops, trouble);
}

static int msr_probe(struct spy_machine *machine, struct kermon_spy_trouble *trouble)
{
	struct registers registers = { .cpu = machine->cpu };
	struct spy_set set = { .public.text = "fixed" };
	int err;

	if (!pmu_find(&registers.pmu))
		return spy_fail(trouble, KERMON_SPY_NO_PMU, -ENODEV, machine->cpu, NULL);
	machine->fixed = pmu_kept(&registers.pmu);
	err = open_client(&registers.msr, machine->cpu, trouble);
	if (err)
		return err;
	err = msr_select(machine, &set, trouble);
	if (!err)
		err = probe_registers(&registers, &set, trouble);
	kermon_msr_close(registers.msr);
	return err;
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
	pmu_find(&registers->pmu);
	err = open_registers(registers, set, trouble);
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

static int msr_verify(void *source)
{
	const struct registers *registers = source;
	struct kermon_msr_op ops[PMU_MOST_CONTROLS];
	int err;

	if (!registers->direct)
		return 0;
	err = read_controls(registers, ops);
	return err ? err : find_other(registers, ops) ? -EAGAIN : 0;
}

/* Programmed counters begin anew; the kept ones go on, if both sets have them. */
static int msr_change(void *source, const struct spy_set *set, struct spy_reading *base,
		      struct kermon_spy_trouble *trouble)
{
	struct registers *registers = source;
	const struct spy_set *former = registers->set;
	const unsigned int kept = set->kept < former->kept ? set->kept : former->kept;
	struct kermon_spy_trouble ignored;
	bool undisturbed;
	int err = program(registers, set, trouble);

	if (err)
		program(registers, former, &ignored);
	if (read_counters(registers, &undisturbed) && !err)
		err = spy_fail(trouble, KERMON_SPY_SYSTEM, -EIO, registers->cpu, NULL);
	for (unsigned int i = kept; i < KERMON_SPY_EVENTS; i++) {
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
	.verify = msr_verify,
	.close = msr_close,
};
