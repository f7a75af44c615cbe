// SPDX-License-Identifier: GPL-2.0
/* Counting beside perf; see pmu_share.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/err.h>

#include "pmu_share.h"

DEFINE_PER_CPU(struct pmu_share_cpu, pmu_share_cpu);

/* What the events were created with; protected by pmu_mutex and the hotplug lock. */
static struct pmu_image pmu_share_image;

static const u64 pmu_share_fixed[PMU_MAX_FIXED] = {
	PERF_COUNT_HW_INSTRUCTIONS,
	PERF_COUNT_HW_CPU_CYCLES,
	PERF_COUNT_HW_REF_CPU_CYCLES,
};

static u64 pmu_share_selector(const struct pmu_image *image, u32 value)
{
	u32 counter = image->rdpmc[value];

	return image->regs[pmu_model.first_selector + counter];
}

static void pmu_share_describe(struct perf_event_attr *attr, u32 value)
{
	const struct pmu_image *image = &pmu_share_image;
	u64 selector;

	attr->size = sizeof(*attr);
	attr->pinned = 1;
	if (value < image->nr_fixed) {
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = pmu_share_fixed[value];
		attr->exclude_user = !(image->count & KERMON_COUNT_USER);
		attr->exclude_kernel = !(image->count & KERMON_COUNT_KERNEL);
		return;
	}
	selector = pmu_share_selector(image, value);
	attr->type = PERF_TYPE_RAW;
	attr->config = selector & ~(EVENT_USR | EVENT_OS | EVENT_EN);
	attr->exclude_user = !(selector & EVENT_USR);
	attr->exclude_kernel = !(selector & EVENT_OS);
	attr->config1 = image->extra[value];
}

static void pmu_share_drop(unsigned int nr, u32 from)
{
	struct pmu_share_cpu *cpu = per_cpu_ptr(&pmu_share_cpu, nr);
	u32 i;

	for (i = from; i < PMU_MAX_VALUES; i++) {
		if (cpu->events[i])
			perf_event_release_kernel(cpu->events[i]);
		cpu->events[i] = NULL;
	}
}

static int pmu_share_add(unsigned int nr, u32 from)
{
	struct pmu_share_cpu *cpu = per_cpu_ptr(&pmu_share_cpu, nr);
	struct perf_event_attr attr = {};
	struct perf_event *event;
	u32 i;

	for (i = from; i < pmu_share_image.nr_values; i++) {
		memset(&attr, 0, sizeof(attr));
		pmu_share_describe(&attr, i);
		event = perf_event_create_kernel_counter(&attr, nr, NULL, NULL,
							 NULL);
		if (IS_ERR(event)) {
			pmu_share_drop(nr, from);
			return PTR_ERR(event);
		}
		cpu->events[i] = event;
		if (READ_ONCE(event->state) != PERF_EVENT_STATE_ACTIVE) {
			pmu_share_drop(nr, from);
			return -EBUSY;
		}
	}
	return 0;
}

int pmu_share_online(unsigned int nr)
{
	return pmu_share_add(nr, 0);
}

void pmu_share_offline(unsigned int nr)
{
	pmu_share_drop(nr, 0);
}

void pmu_share_end(void)
{
	memset(&pmu_share_image, 0, sizeof(pmu_share_image));
}

int pmu_share_grow(const struct pmu_image *image)
{
	struct pmu_image before = pmu_share_image;
	unsigned int nr;
	int ret = 0;
	u32 i, had = before.nr_values;

	if (image->nr_values <= had)
		return 0;
	pmu_share_image = *image;
	for (i = before.nr_fixed; i < had; i++)
		pmu_share_image.extra[i] = before.extra[i];
	for_each_online_cpu(nr) {
		ret = pmu_share_add(nr, had);
		if (ret)
			break;
	}
	if (!ret)
		return 0;
	for_each_online_cpu(nr)
		pmu_share_drop(nr, had);
	pmu_share_image = before;
	return ret;
}

/*
 * An event keeps its place, so it must not need another counter or register
 * than the event whose place it takes.
 */
bool pmu_share_fits(const struct pmu_image *image)
{
	const struct pmu_image *present = &pmu_share_image;
	u32 i;

	if (present->nr_values && image->count != present->count)
		return false;
	for (i = image->nr_fixed; i < min(image->nr_values, present->nr_values); i++)
		if (image->extra[i] != present->extra[i])
			return false;
	return true;
}

/* perf's selectors raise an interrupt on overflow, which keeps its count. */
static void pmu_share_change(struct perf_event *event, u64 selector)
{
	struct hw_perf_event *hw = &event->hw;

	selector = (selector & ~EVENT_EN) | ARCH_PERFMON_EVENTSEL_INT;
	if (hw->config == selector)
		return;
	hw->config = selector;
	wrmsrl(hw->config_base, selector | EVENT_EN);
}

void pmu_share_program(const struct pmu_image *image)
{
	struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);
	u32 i;

	lockdep_assert_irqs_disabled();
	for (i = image->nr_fixed; i < image->nr_values; i++)
		pmu_share_change(cpu->events[i], pmu_share_selector(image, i));
}
