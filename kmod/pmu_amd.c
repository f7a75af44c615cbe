// SPDX-License-Identifier: GPL-2.0
/*
 * AMD core performance counters (APM vol. 2, 13.2; PPR of the family): four
 * legacy counters, more with the core extension, and PerfMonV2, which can stop
 * all at once.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/kernel.h>
#include <asm/cpufeature.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#include "pmu.h"

/* PERF_CTL: event select 11:8 is in bits 35:32. */
#define EVENT_SELECT_HIGH	GENMASK_ULL(35, 32)
#define EVENT_ALLOWED		(EVENT_COMMON | EVENT_SELECT_HIGH)

/* Shift of event select bits 11:8 to their place in a 12-bit event code. */
#define EVENT_HIGH_SHIFT	24

/*
 * Events that can count more than 15 per cycle take two counters: an even one
 * and the next, which counts MERGE and holds the bits beyond 48.
 */
#define EVENT_FLOPS		0x003
#define EVENT_MERGE		0xfff
#define CTL_MERGE		(EVENT_SELECT_HIGH | EVENT_SELECT | EVENT_EN)
#define EVEN_COUNTERS		0x55555555

/* Before family 17h these count in the northbridge, which all cores share. */
#define EVENT_NORTHBRIDGE	0x0e0

#define FAMILY_BULLDOZER	0x15
#define FAMILY_ZEN		0x17

#define COUNTER_WIDTH		48

static struct {
	const struct pmu_model *model;
	bool merges;
	u8 global_ctrl;			/* index in pmu_model.regs */
} amd __ro_after_init;

static u32 amd_event_code(u64 config)
{
	return (config & EVENT_SELECT_HIGH) >> EVENT_HIGH_SHIFT |
	       (config & EVENT_SELECT);
}

static bool amd_is_northbridge(u32 code)
{
	return boot_cpu_data.x86 < FAMILY_ZEN &&
	       (code & EVENT_NORTHBRIDGE) == EVENT_NORTHBRIDGE;
}

static int amd_need(const struct kermon_event *event, struct pmu_need *need)
{
	u32 code = amd_event_code(event->config);
	bool merges = amd.merges && code == EVENT_FLOPS;

	if (event->config & ~EVENT_ALLOWED || event->extra ||
	    code == EVENT_MERGE || amd_is_northbridge(code))
		return -EINVAL;
	need->width = merges ? 2 : 1;
	need->counters = GENMASK(amd.model->nr_general - 1, 0);
	if (merges)
		need->counters &= EVEN_COUNTERS &
				  GENMASK(amd.model->nr_general - 2, 0);
	return 0;
}

static int amd_encode_event(const struct kermon_event *event,
			    const struct pmu_need *need, u32 counter,
			    struct pmu_image *image)
{
	u64 *ctl = &image->regs[amd.model->first_selector + counter];

	ctl[0] = event->config | EVENT_EN;
	if (need->width == 2)
		ctl[1] = CTL_MERGE;
	/* The same for every set, so that switching sets need not write it. */
	if (amd.model->status)
		image->regs[amd.global_ctrl] =
			GENMASK_ULL(amd.model->nr_general - 1, 0);
	return 0;
}

/* CPUID 8000_0022H. */
static void __init amd_init_v2(struct pmu_model *model)
{
	union cpuid_0x80000022_ebx ebx = {
		.full = cpuid_ebx(EXT_PERFMON_DEBUG_FEATURES),
	};

	strscpy(model->name, "amd-perfmon-v2", sizeof(model->name));
	model->nr_general = min_t(u32, ebx.split.num_core_pmc,
				  KERMON_MAX_EVENTS);
	model->status = MSR_AMD64_PERF_CNTR_GLOBAL_STATUS;
	model->ack = MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR;
}

static void __init amd_init_core(struct pmu_model *model)
{
	strscpy(model->name, "amd-core", sizeof(model->name));
	model->nr_general = AMD64_NUM_COUNTERS_CORE;
	model->selector = MSR_F15H_PERF_CTL;
	model->counter = MSR_F15H_PERF_CTR;
	model->stride = MSR_F15H_PERF_CTL1 - MSR_F15H_PERF_CTL0;
	if (boot_cpu_has(X86_FEATURE_PERFMON_V2))
		amd_init_v2(model);
}

static void __init amd_init_legacy(struct pmu_model *model)
{
	strscpy(model->name, "amd-legacy", sizeof(model->name));
	model->nr_general = AMD64_NUM_COUNTERS;
	model->selector = MSR_K7_EVNTSEL0;
	model->counter = MSR_K7_PERFCTR0;
	model->stride = 1;
}

/* CPUID does not report the legacy counters; Linux has probed them. */
static bool __init amd_has_counters(void)
{
	struct x86_pmu_capability cap;

	perf_get_x86_pmu_capability(&cap);
	return cap.num_counters_gp;
}

int __init pmu_amd_init(struct pmu_model *model)
{
	if ((boot_cpu_data.x86_vendor != X86_VENDOR_AMD &&
	     boot_cpu_data.x86_vendor != X86_VENDOR_HYGON) ||
	    boot_cpu_has(X86_FEATURE_XENPV) || !amd_has_counters())
		return -ENODEV;
	if (boot_cpu_data.x86 == FAMILY_BULLDOZER) {
		pr_warn("family 15h is not supported: its constraints between events and counters are not known\n");
		return -ENODEV;
	}
	if (boot_cpu_has(X86_FEATURE_PERFCTR_CORE))
		amd_init_core(model);
	else
		amd_init_legacy(model);
	model->general_width = COUNTER_WIDTH;
	model->need = amd_need;
	model->encode_event = amd_encode_event;
	pmu_add_selectors(model);
	if (model->status)
		amd.global_ctrl = pmu_add_reg(model, MSR_AMD64_PERF_CNTR_GLOBAL_CTL);
	amd.model = model;
	amd.merges = boot_cpu_data.x86 >= FAMILY_ZEN;
	return 0;
}
