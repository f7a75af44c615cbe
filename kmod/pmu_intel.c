// SPDX-License-Identifier: GPL-2.0
/*
 * Intel architectural performance monitoring (SDM vol. 3B, chapter 20).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/topology.h>
#include <asm/cpufeature.h>
#include <asm/nmi.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#include "pmu.h"

/* IA32_PERFEVTSELx: what the user ABI allows; EN is added here, INT never. */
#define EVENT_SELECT		GENMASK_ULL(7, 0)
#define EVENT_UMASK		GENMASK_ULL(15, 8)
#define EVENT_CODE		(EVENT_SELECT | EVENT_UMASK)
#define EVENT_USR		BIT_ULL(16)
#define EVENT_OS		BIT_ULL(17)
#define EVENT_EDGE		BIT_ULL(18)
#define EVENT_EN		BIT_ULL(22)
#define EVENT_INV		BIT_ULL(23)
#define EVENT_CMASK		GENMASK_ULL(31, 24)
#define EVENT_ALLOWED		(EVENT_CODE | EVENT_USR | EVENT_OS | \
				 EVENT_EDGE | EVENT_INV | EVENT_CMASK)

/* IA32_FIXED_CTR_CTRL: four bits for each counter, of which two are used. */
#define FIXED_SHIFT		4
#define FIXED_OS		BIT_ULL(0)
#define FIXED_USR		BIT_ULL(1)

/* Operand of RDPMC and bit of IA32_PERF_GLOBAL_CTRL of fixed counter 0. */
#define FIXED_RDPMC		BIT(30)
#define FIXED_GLOBAL		32

#define NR_OFFCORE		2

/**
 * struct offcore - the offcore response events of some models
 * @code: event and unit mask that look at MSR_OFFCORE_RSP_0 and _1
 * @valid: bits of these registers that exist
 *
 * Models before Sandy Bridge share the registers between hyperthreads and
 * are left out: what one counts would depend on the other.
 */
struct offcore {
	u16 code[NR_OFFCORE];
	u64 valid;
};

static const struct offcore offcore_snb = {
	{ 0x01b7, 0x01bb }, 0x3f807f8fffULL
};

static const struct offcore offcore_snbep = {
	{ 0x01b7, 0x01bb }, 0x3fffff8fffULL
};

static const struct offcore offcore_icl = {
	{ 0x01b7, 0x01bb }, 0x3fffffbfffULL
};

static const struct offcore offcore_spr = {
	{ 0x012a, 0x012b }, 0x3fffffffffULL
};

/**
 * struct intel_machine - what CPUID does not tell of a model of family 6
 * @model: of CPUID
 * @leaks: errata BJ122, BV98, HSD29: with hyperthreading, the events 0xd0 to
 *	0xd3 also count what the other thread of the core does
 * @offcore: its offcore response events
 */
struct intel_machine {
	u8 model;
	bool leaks;
	const struct offcore *offcore;
};

/* Valid bits and errata as in the tables of arch/x86/events/intel/core.c. */
static const struct intel_machine intel_machines[] = {
	{ 0x2a, true, &offcore_snb },		/* Sandy Bridge */
	{ 0x2d, true, &offcore_snbep },		/* Sandy Bridge-EP */
	{ 0x3a, true, &offcore_snb },		/* Ivy Bridge */
	{ 0x3e, true, &offcore_snbep },		/* Ivy Bridge-EP */
	{ 0x3c, true, &offcore_snbep },		/* Haswell */
	{ 0x3f, true, &offcore_snbep },		/* Haswell-EP */
	{ 0x45, true, &offcore_snbep },		/* Haswell-ULT */
	{ 0x46, true, &offcore_snbep },		/* Haswell, GT3e */
	{ 0x3d, false, &offcore_snbep },	/* Broadwell */
	{ 0x47, false, &offcore_snbep },	/* Broadwell, GT3e */
	{ 0x4f, false, &offcore_snbep },	/* Broadwell-EP */
	{ 0x56, false, &offcore_snbep },	/* Broadwell-DE */
	{ 0x4e, false, &offcore_snbep },	/* Sky Lake, mobile */
	{ 0x5e, false, &offcore_snbep },	/* Sky Lake */
	{ 0x55, false, &offcore_snbep },	/* Sky Lake-SP, Cascade Lake */
	{ 0x8e, false, &offcore_snbep },	/* Kaby Lake, mobile */
	{ 0x9e, false, &offcore_snbep },	/* Kaby Lake, Coffee Lake */
	{ 0xa5, false, &offcore_snbep },	/* Comet Lake */
	{ 0xa6, false, &offcore_snbep },	/* Comet Lake, mobile */
	{ 0x6a, false, &offcore_icl },		/* Ice Lake-SP */
	{ 0x6c, false, &offcore_icl },		/* Ice Lake-D */
	{ 0x7d, false, &offcore_icl },		/* Ice Lake */
	{ 0x7e, false, &offcore_icl },		/* Ice Lake, mobile */
	{ 0x8c, false, &offcore_icl },		/* Tiger Lake, mobile */
	{ 0x8d, false, &offcore_icl },		/* Tiger Lake */
	{ 0xa7, false, &offcore_icl },		/* Rocket Lake */
	{ 0x8f, false, &offcore_spr },		/* Sapphire Rapids */
	{ 0xcf, false, &offcore_spr },		/* Emerald Rapids */
};

static const struct intel_machine unknown_machine;

/* The events behind the bits of CPUID.0AH:EBX: SDM vol. 3B, table 20-1. */
static const u16 arch_events[] = {
	0x003c,		/* core cycles */
	0x00c0,		/* instructions retired */
	0x013c,		/* reference cycles */
	0x4f2e,		/* last level cache references */
	0x412e,		/* last level cache misses */
	0x00c4,		/* branch instructions retired */
	0x00c5,		/* branch misses retired */
	0x01a4,		/* topdown slots */
};

static struct {
	const struct pmu_model *model;
	const struct intel_machine *machine;
	bool has_offcore;
	u32 missing;			/* bits of arch_events[] */
	u8 first_offcore;		/* index in pmu_model.regs */
	u8 first_evtsel;
	u8 fixed_ctrl;
	u8 global_ctrl;
} intel __ro_after_init;

static bool intel_event_missing(u64 config)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(arch_events); i++)
		if (arch_events[i] == (config & EVENT_CODE))
			return intel.missing & BIT(i);
	return false;
}

/* Which offcore response register @config looks at, or -1. */
static int intel_offcore_of(u64 config)
{
	int i;

	for (i = 0; intel.has_offcore && i < NR_OFFCORE; i++)
		if (intel.machine->offcore->code[i] == (config & EVENT_CODE))
			return i;
	return -1;
}

/* An offcore event counts nothing without bits; no other event may have some. */
static int intel_encode_offcore(const struct kermon_event *event,
				struct pmu_image *image)
{
	int nr = intel_offcore_of(event->config);
	u64 *reg;

	if (nr < 0)
		return event->extra ? -EINVAL : 0;
	reg = &image->regs[intel.first_offcore + nr];
	if (!event->extra ||
	    event->extra & ~intel.machine->offcore->valid)
		return -EINVAL;
	if (*reg && *reg != event->extra)
		return -EINVAL;
	*reg = event->extra;
	return 0;
}

static bool intel_has_hyperthreads(void)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (cpumask_weight(topology_sibling_cpumask(cpu)) > 1)
			return true;
	return false;
}

static void intel_warn_of_leak(u64 config)
{
	u64 select = config & EVENT_SELECT;

	if (intel.machine->leaks && select >= 0xd0 && select <= 0xd3 &&
	    intel_has_hyperthreads())
		pr_warn_once("events 0xd0 to 0xd3 also count the other hyperthread of the core on this CPU (erratum BJ122, BV98, HSD29); switch hyperthreading off for exact counts\n");
}

static int intel_encode_event(const struct kermon_event *event, u32 counter,
			      struct pmu_image *image)
{
	u32 value = image->nr_values++;

	if (event->config & ~EVENT_ALLOWED ||
	    !(event->config & (EVENT_USR | EVENT_OS)) ||
	    intel_event_missing(event->config))
		return -EINVAL;
	intel_warn_of_leak(event->config);
	image->regs[intel.first_evtsel + counter] = event->config | EVENT_EN;
	if (intel.model->status)
		image->regs[intel.global_ctrl] |= BIT_ULL(counter);
	image->rdpmc[value] = counter;
	image->mask[value] = GENMASK_ULL(intel.model->general_width - 1, 0);
	return intel_encode_offcore(event, image);
}

static void intel_encode_fixed(u64 modes, u32 counter, struct pmu_image *image)
{
	u32 value = image->nr_values++;

	image->nr_fixed++;
	image->regs[intel.fixed_ctrl] |= modes << (counter * FIXED_SHIFT);
	image->regs[intel.global_ctrl] |= BIT_ULL(FIXED_GLOBAL + counter);
	image->rdpmc[value] = FIXED_RDPMC | counter;
	image->mask[value] = GENMASK_ULL(intel.model->fixed_width - 1, 0);
}

static int intel_encode(const struct kermon_app *app, struct pmu_image *image)
{
	u32 count = app->set.count;
	u64 modes = (count & KERMON_COUNT_USER ? FIXED_USR : 0) |
		    (count & KERMON_COUNT_KERNEL ? FIXED_OS : 0);
	int ret;
	u32 i;

	if (app->set.nr_events > intel.model->nr_general)
		return -ENOSPC;
	for (i = 0; i < intel.model->nr_fixed; i++)
		intel_encode_fixed(modes, i, image);
	for (i = 0; i < app->set.nr_events; i++) {
		ret = intel_encode_event(&app->events[i], i, image);
		if (ret)
			return ret;
	}
	return 0;
}

static void intel_release_first(u32 nr_evtsel, u32 nr_perfctr)
{
	while (nr_evtsel--)
		release_evntsel_nmi(MSR_ARCH_PERFMON_EVENTSEL0 + nr_evtsel);
	while (nr_perfctr--)
		release_perfctr_nmi(MSR_ARCH_PERFMON_PERFCTR0 + nr_perfctr);
}

/*
 * The selectors exclude perf, which takes the counters by their full-width
 * addresses that the kernel's bitmap does not know. Fixed counters have no
 * reservation of their own; perf takes all or nothing. Both functions return 1
 * for success.
 */
static int intel_reserve(void)
{
	u32 i;

	for (i = 0; i < intel.model->nr_general; i++) {
		if (!reserve_perfctr_nmi(MSR_ARCH_PERFMON_PERFCTR0 + i)) {
			intel_release_first(i, i);
			return -EBUSY;
		}
		if (!reserve_evntsel_nmi(MSR_ARCH_PERFMON_EVENTSEL0 + i)) {
			intel_release_first(i, i + 1);
			return -EBUSY;
		}
	}
	return 0;
}

static void intel_release(void)
{
	intel_release_first(intel.model->nr_general, intel.model->nr_general);
}

static const struct intel_machine __init *intel_find_machine(void)
{
	u32 i;

	if (boot_cpu_data.x86 != 6)
		return &unknown_machine;
	for (i = 0; i < ARRAY_SIZE(intel_machines); i++)
		if (intel_machines[i].model == boot_cpu_data.x86_model)
			return &intel_machines[i];
	return &unknown_machine;
}

/* Hypervisors tend to leave these registers out. */
static bool __init intel_probe_offcore(void)
{
	u64 value;
	u32 i;

	if (!intel.machine->offcore)
		return false;
	for (i = 0; i < NR_OFFCORE; i++)
		if (rdmsrl_safe(MSR_OFFCORE_RSP_0 + i, &value))
			return false;
	return true;
}

static u8 __init intel_add_reg(struct pmu_model *model, u32 msr)
{
	model->regs[model->nr_regs] = msr;
	return model->nr_regs++;
}

static void __init intel_add_regs(struct pmu_model *model)
{
	u32 i;

	intel.first_offcore = model->nr_regs;
	for (i = 0; intel.has_offcore && i < NR_OFFCORE; i++)
		intel_add_reg(model, MSR_OFFCORE_RSP_0 + i);
	intel.first_evtsel = model->nr_regs;
	for (i = 0; i < model->nr_general; i++)
		intel_add_reg(model, MSR_ARCH_PERFMON_EVENTSEL0 + i);
	if (!model->status)
		return;
	if (model->nr_fixed)
		intel.fixed_ctrl =
			intel_add_reg(model, MSR_ARCH_PERFMON_FIXED_CTR_CTRL);
	intel.global_ctrl = intel_add_reg(model, MSR_CORE_PERF_GLOBAL_CTRL);
}

/* CPUID.0AH: SDM vol. 2A. Fixed counters and global control came with v2. */
static void __init intel_read_cpuid(struct pmu_model *model)
{
	u32 eax, ebx, ecx, edx, version, nr_events;

	cpuid(0x0a, &eax, &ebx, &ecx, &edx);
	version = eax & 0xff;
	if (!version)
		return;
	scnprintf(model->name, sizeof(model->name), "intel-arch-v%u", version);
	model->nr_general = min_t(u32, eax >> 8 & 0xff, KERMON_MAX_EVENTS);
	model->general_width = eax >> 16 & 0xff;
	nr_events = min_t(u32, eax >> 24, ARRAY_SIZE(arch_events));
	intel.missing = ebx & (BIT(nr_events) - 1);
	if (version < 2)
		return;
	model->status = MSR_CORE_PERF_GLOBAL_STATUS;
	model->ack = MSR_CORE_PERF_GLOBAL_OVF_CTRL;
	model->nr_fixed = min_t(u32, edx & 0x1f, PMU_MAX_FIXED);
	model->fixed_width = edx >> 5 & 0xff;
}

int __init pmu_intel_init(struct pmu_model *model)
{
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL ||
	    !boot_cpu_has(X86_FEATURE_ARCH_PERFMON) ||
	    boot_cpu_has(X86_FEATURE_XENPV))
		return -ENODEV;
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU)) {
		pr_warn("hybrid CPU: one encoding does not fit all its cores\n");
		return -ENODEV;
	}
	intel_read_cpuid(model);
	if (!model->nr_general) {
		model->name[0] = '\0';
		return -ENODEV;
	}
	intel.model = model;
	intel.machine = intel_find_machine();
	intel.has_offcore = intel_probe_offcore();
	intel_add_regs(model);
	model->encode = intel_encode;
	model->reserve = intel_reserve;
	model->release = intel_release;
	return 0;
}
