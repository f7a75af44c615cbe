// SPDX-License-Identifier: GPL-2.0
/* Counting beside perf; see pmu_share.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/smp.h>

#include "pmu_read.h"
#include "pmu_share.h"

DEFINE_PER_CPU(struct pmu_share_cpu, pmu_share_cpu);

/* What the events were created with; protected by pmu_mutex and the hotplug lock. */
static struct pmu_image pmu_share_image;

static const u64 pmu_share_fixed[PMU_MAX_FIXED] = {
	PERF_COUNT_HW_INSTRUCTIONS,
	PERF_COUNT_HW_CPU_CYCLES,
	PERF_COUNT_HW_REF_CPU_CYCLES,
};

static void pmu_share_describe(struct perf_event_attr *attr, u32 value)
{
	const struct pmu_image *image = &pmu_share_image;
	u64 selector = image->selectors[value];

	attr->size = sizeof(*attr);
	attr->pinned = 1;
	attr->exclude_user = !(selector & EVENT_USR);
	attr->exclude_kernel = !(selector & EVENT_OS);
	if (value < image->nr_fixed) {
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = pmu_share_fixed[value];
		return;
	}
	attr->type = PERF_TYPE_RAW;
	attr->config = selector & ~(EVENT_USR | EVENT_OS | ARCH_PERFMON_EVENTSEL_INT);
	attr->config1 = image->extra[value];
}

static void pmu_share_drop(unsigned int nr, u32 from)
{
	struct pmu_share_cpu *cpu = per_cpu_ptr(&pmu_share_cpu, nr);
	u32 i;

	WRITE_ONCE(cpu->nr, from);
	for (i = from; i < PMU_MAX_VALUES; i++) {
		if (cpu->events[i])
			perf_event_release_kernel(cpu->events[i]);
		cpu->events[i] = NULL;
	}
}

static void pmu_share_announce(void *unused)
{
	this_cpu_inc(kermon_event_moves);
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
		kermon_track_event(event);
	}
	if (!from)
		cpu->modes = pmu_share_image.selectors[0];
	/* The hooks find the new ones at the next move, which this is. */
	WRITE_ONCE(cpu->nr, i);
	return smp_call_function_single(nr, pmu_share_announce, NULL, true);
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
	for (i = before.nr_fixed; i < had; i++) {
		pmu_share_image.selectors[i] = before.selectors[i];
		pmu_share_image.extra[i] = before.extra[i];
		pmu_share_image.needs[i] = before.needs[i];
	}
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

static bool pmu_share_fits_place(const struct pmu_image *present,
				 const struct pmu_image *image, u32 i)
{
	return image->extra[i] == present->extra[i] &&
	       image->needs[i].width == present->needs[i].width &&
	       !(present->needs[i].counters & ~image->needs[i].counters);
}

/*
 * An event keeps its place, so it must be able to count wherever perf may put the
 * event that was created for that place.
 */
bool pmu_share_fits(const struct pmu_image *image)
{
	const struct pmu_image *present = &pmu_share_image;
	u32 i, nr = min(image->nr_values, present->nr_values);

	for (i = image->nr_fixed; i < nr; i++)
		if (!pmu_share_fits_place(present, image, i))
			return false;
	return true;
}

void pmu_share_program(const struct pmu_image *image)
{
	struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);
	u32 nr_fixed = image->nr_fixed;

	if (nr_fixed && cpu->modes != image->selectors[0]) {
		kermon_change_modes(cpu->events, nr_fixed, image->selectors[0]);
		cpu->modes = image->selectors[0];
	}
	kermon_change_events(cpu->events + nr_fixed,
			     image->selectors + nr_fixed,
			     image->nr_values - nr_fixed);
}

static bool pmu_share_find(struct pmu_share_cpu *cpu, u32 i, u64 *begin)
{
	u64 before = cpu->offset[i];

	if (!kermon_find_event(cpu->events[i], &cpu->rdpmc[i], &cpu->offset[i]))
		return false;
	if (begin)
		begin[i] += before - cpu->offset[i];
	return true;
}

static bool pmu_share_find_all(struct pmu_share_cpu *cpu, u64 *begin)
{
	u32 i, nr = READ_ONCE(cpu->nr);
	bool found = true;

	for (i = 0; i < nr; i++)
		found &= pmu_share_find(cpu, i, begin);
	return found;
}

/* Give up this CPU, and let the sample be recognized as invalid. */
static void pmu_share_lose(u32 from, u64 *begin, u64 *values)
{
	__this_cpu_write(pmu_cpu.ours, false);
	pmu_forget();
	if (begin)
		values[from] = begin[from] + BIT_ULL(47) - 1;
}

/* An NMI may come at any point: the same again, which is right for any mixture. */
void pmu_share_settle(u32 from, u32 to, u64 *begin, u64 *values)
{
	struct pmu_share_cpu *cpu = this_cpu_ptr(&pmu_share_cpu);
	bool found;

	lockdep_assert_irqs_disabled();
	do {
		cpu->moves = this_cpu_read(kermon_event_moves);
		barrier();
		found = pmu_share_find_all(cpu, begin);
		pmu_rdpmc(cpu->rdpmc, from, to, values);
		barrier();
	} while (cpu->moves != this_cpu_read(kermon_event_moves));
	if (!found)
		pmu_share_lose(from, begin, values);
}
