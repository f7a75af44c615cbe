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
#include <asm/kermon.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#include "pmu.h"
#include "pmu_intel.h"

/* IA32_FIXED_CTR_CTRL: four bits for each counter, of which two are used. */
#define FIXED_SHIFT		4
#define FIXED_OS		BIT_ULL(0)
#define FIXED_USR		BIT_ULL(1)

/* Bit of IA32_PERF_GLOBAL_CTRL of fixed counter 0. */
#define FIXED_GLOBAL		32

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

/* The offcore response register that @config uses, or -1. */
static int intel_offcore_of(u64 config)
{
	int i;

	for (i = 0; intel.has_offcore && i < NR_OFFCORE; i++)
		if (intel.machine->offcore->code[i] == (config & EVENT_CODE))
			return i;
	return -1;
}

/*
 * An offcore event requires response bits; other events must not have any. Those that need
 * another register cannot be counted: its value would be what perf has left there.
 */
static int intel_encode_offcore(const struct kermon_event *event,
				struct pmu_image *image)
{
	int nr = intel_offcore_of(event->config);
	u64 *reg;

	if (nr < 0)
		return event->extra || kermon_needs_register(event->config) ? -EINVAL : 0;
	reg = &image->regs[intel.first_offcore + nr];
	if (!event->extra ||
	    event->extra & ~intel.machine->offcore->valid)
		return -EINVAL;
	if (*reg && *reg != event->extra)
		return -ENOSPC;
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
		pr_warn_once("events 0xd0 to 0xd3 also count the other hyperthread of the core on this CPU (erratum BJ122, BV98, HSD29); disable hyperthreading for exact counts\n");
}

/*
 * There is no event 0; perf uses its unit masks for events of fixed counters, and would
 * not let a general counter count them.
 */
static int intel_need(const struct kermon_event *event, struct pmu_need *need)
{
	if (event->config & ~EVENT_COMMON || !(event->config & EVENT_SELECT) ||
	    intel_event_missing(event->config))
		return -EINVAL;
	need->width = 1;
	need->counters = intel_machine_counters(intel.machine, event->config) &
			 GENMASK(intel.model->nr_general - 1, 0);
	return need->counters ? 0 : -EINVAL;
}

static int intel_encode_event(const struct kermon_event *event,
			      const struct pmu_need *need, u32 counter,
			      struct pmu_image *image)
{
	u32 selector = intel.model->first_selector + counter;

	intel_warn_of_leak(event->config);
	image->regs[selector] = event->config | EVENT_EN;
	if (intel.model->status)
		image->regs[intel.global_ctrl] |= BIT_ULL(counter);
	return intel_encode_offcore(event, image);
}

static void intel_encode_fixed(u32 count, u32 counter, struct pmu_image *image)
{
	u64 modes = (count & KERMON_COUNT_USER ? FIXED_USR : 0) |
		    (count & KERMON_COUNT_KERNEL ? FIXED_OS : 0);

	image->regs[intel.fixed_ctrl] |= modes << (counter * FIXED_SHIFT);
	image->regs[intel.global_ctrl] |= BIT_ULL(FIXED_GLOBAL + counter);
}

/* Hypervisors often do not implement these registers. */
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

static void __init intel_add_regs(struct pmu_model *model)
{
	u32 i;

	intel.first_offcore = model->nr_regs;
	for (i = 0; intel.has_offcore && i < NR_OFFCORE; i++)
		pmu_add_reg(model, MSR_OFFCORE_RSP_0 + i);
	pmu_add_selectors(model);
	if (!model->status)
		return;
	if (model->nr_fixed)
		intel.fixed_ctrl =
			pmu_add_reg(model, MSR_ARCH_PERFMON_FIXED_CTR_CTRL);
	intel.global_ctrl = pmu_add_reg(model, MSR_CORE_PERF_GLOBAL_CTRL);
}

/*
 * Version 5 reports fixed counters as a bit mask that may have gaps; samples
 * include only those up to the first gap.
 */
static u32 __init intel_nr_fixed(u32 bits, u32 nr)
{
	if (nr)
		bits |= GENMASK(nr - 1, 0);
	return min_t(u32, ffz(bits), PMU_MAX_FIXED);
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
	model->selector = MSR_ARCH_PERFMON_EVENTSEL0;
	model->counter = MSR_ARCH_PERFMON_PERFCTR0;
	model->stride = 1;
	nr_events = min_t(u32, eax >> 24, ARRAY_SIZE(arch_events));
	intel.missing = ebx & (BIT(nr_events) - 1);
	if (version < 2)
		return;
	model->status = MSR_CORE_PERF_GLOBAL_STATUS;
	model->ack = MSR_CORE_PERF_GLOBAL_OVF_CTRL;
	model->nr_fixed = intel_nr_fixed(version >= 5 ? ecx : 0, edx & 0x1f);
	model->fixed_width = edx >> 5 & 0xff;
}

int __init pmu_intel_init(struct pmu_model *model)
{
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL ||
	    !boot_cpu_has(X86_FEATURE_ARCH_PERFMON) ||
	    boot_cpu_has(X86_FEATURE_XENPV))
		return -ENODEV;
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU)) {
		pr_warn("hybrid CPUs are not supported: event encodings differ between core types\n");
		return -ENODEV;
	}
	intel_read_cpuid(model);
	if (!model->nr_general) {
		model->name[0] = '\0';
		return -ENODEV;
	}
	intel.model = model;
	intel.machine = intel_machine_find();
	intel.has_offcore = intel_probe_offcore();
	intel_add_regs(model);
	model->need = intel_need;
	model->encode_event = intel_encode_event;
	model->encode_fixed = intel_encode_fixed;
	return 0;
}
