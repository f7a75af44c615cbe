// SPDX-License-Identifier: GPL-2.0
/*
 * Which counters this processor has, which of them count the events of a set, and what their
 * registers have then: Intel's architectural performance monitoring (SDM vol. 3B, 20) and
 * AMD's core counters (APM vol. 2, 13.2). kmod/pmu.c does the same in the kernel.
 */
#include <cpuid.h>
#include <errno.h>
#include <string.h>

#include <kermon/events.h>

#include "pmu.h"

/* SDM vol. 4, 2.1 */
#define INTEL_COUNTER		0x0c1
#define INTEL_SELECTOR		0x186
#define INTEL_OFFCORE		0x1a6
#define INTEL_FIXED		0x309
#define INTEL_FIXED_CTRL	0x38d
#define INTEL_GLOBAL		0x38f

#define FIXED_MODES	3ULL		/* of a counter, which has four bits */
#define FIXED_BITS	4
#define FIXED_SHIFT	32		/* of fixed counters in INTEL_GLOBAL */
#define FIXED_RDPMC	(1U << 30)

/* PPR of family 19h */
#define AMD_SELECTOR	0xc0010200
#define AMD_COUNTER	0xc0010201
#define AMD_GLOBAL	0xc0000301
#define AMD_COUNTERS	6
#define AMD_WIDTH	48
#define AMD_CORE	(1U << 23)	/* of CPUID 8000_0001H:ECX */
#define AMD_V2		1U		/* of CPUID 8000_0022H:EAX */
#define FAMILY_ZEN	0x17

/* Operations, more than 15 per cycle: an even counter, and the next one counts MERGE. */
#define EVENT_AMD	0xf000000ffULL
#define EVENT_FLOPS	0x003ULL
#define EVENT_MERGE	0xf000000ffULL
#define EVEN_COUNTERS	0x55555555U

#define ALL_BITS	UINT64_MAX

/* "HygonGenuine", whose processors are AMD's first Zen. */
#define SIGNATURE_HYGON_EBX	0x6f677948

static uint64_t mask_of(unsigned int bits)
{
	return bits < 64 ? (1ULL << bits) - 1 : UINT64_MAX;
}

/* Version 5 has a bit for each fixed counter, of which the first ones are used. */
static unsigned int fixed_of(unsigned int version, uint32_t bits, unsigned int nr)
{
	const uint32_t all = (version >= 5 ? bits : 0) | (uint32_t)mask_of(nr);
	const unsigned int first = __builtin_ctz(~(all & 0xffff));

	return first < PMU_MOST_FIXED ? first : PMU_MOST_FIXED;
}

/* Version 1 has neither fixed counters nor a register that enables all. */
static bool find_intel(struct pmu *pmu)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid_count(0x0a, 0, &eax, &ebx, &ecx, &edx) || (eax & 0xff) < 2)
		return false;
	*pmu = (struct pmu){
		.fixed = fixed_of(eax & 0xff, ecx, edx & 0x1f),
		.counters = eax >> 8 & 0xff,
		.fixed_mask = mask_of(edx >> 5 & 0xff),
		.mask = mask_of(eax >> 16 & 0xff),
		.selector = INTEL_SELECTOR,
		.counter = INTEL_COUNTER,
		.stride = 1,
		.global = INTEL_GLOBAL,
	};
	if (pmu->counters > PMU_MOST_COUNTERS)
		pmu->counters = PMU_MOST_COUNTERS;
	return pmu->fixed && pmu->counters;
}

static unsigned int family(void)
{
	unsigned int eax = 0, ebx, ecx, edx;

	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	return (eax >> 8 & 0xf) == 0xf ? 0xf + (eax >> 20 & 0xff) : eax >> 8 & 0xf;
}

/* Before Zen, events had counters of their own, which are not known here. */
static bool find_amd(struct pmu *pmu)
{
	unsigned int eax, ebx, ecx, edx;

	if (family() < FAMILY_ZEN || !__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) ||
	    !(ecx & AMD_CORE))
		return false;
	*pmu = (struct pmu){
		.amd = true,
		.counters = AMD_COUNTERS,
		.mask = mask_of(AMD_WIDTH),
		.selector = AMD_SELECTOR,
		.counter = AMD_COUNTER,
		.stride = 2,
	};
	if (__get_cpuid_count(0x80000022, 0, &eax, &ebx, &ecx, &edx) && eax & AMD_V2) {
		pmu->counters = ebx & 0xf;
		pmu->global = AMD_GLOBAL;
	}
	/* The allow-lists have the registers of six. */
	if (pmu->counters > AMD_COUNTERS)
		pmu->counters = AMD_COUNTERS;
	return pmu->counters > 2;
}

bool pmu_find(struct pmu *pmu)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
		return false;
	if (ebx == signature_INTEL_ebx)
		return find_intel(pmu);
	return (ebx == signature_AMD_ebx || ebx == SIGNATURE_HYGON_EBX) && find_amd(pmu);
}

/* Without fixed counters, instructions and cycles are programmed. */
unsigned int pmu_kept(const struct pmu *pmu)
{
	return pmu->amd ? 3 : (1U << pmu->fixed) - 1;
}

/* What programmable counters count for the event of perf @name. */
static int encode_kept(const char *name, uint64_t *config)
{
	struct kermon_selection selection;
	struct kermon_event_error error;
	int err = kermon_events_select(name, KERMON_COUNT_USER | KERMON_COUNT_KERNEL,
				       &selection, &error);

	if (!err && selection.nr != 1)
		err = -EOPNOTSUPP;
	if (!err)
		*config = selection.events[0].event.config;
	return err;
}

static bool is_flops(const struct pmu *pmu, uint64_t selector)
{
	return pmu->amd && (selector & EVENT_AMD) == EVENT_FLOPS;
}

static int amd_need(const struct pmu *pmu, const struct kermon_spy_event *event,
		    struct pmu_need *need)
{
	*need = (struct pmu_need){ .counters = (1U << pmu->counters) - 1, .width = 1 };
	if (event->extra || (event->config & EVENT_AMD) == EVENT_MERGE)
		return -EOPNOTSUPP;
	if (is_flops(pmu, event->config)) {
		need->width = 2;
		need->counters &= EVEN_COUNTERS & ((1U << (pmu->counters - 1)) - 1);
	}
	return 0;
}

/* Event @index of the set, whose @selector is known. */
static int need_of(const struct pmu *pmu, const struct spy_set *set, unsigned int index,
		   struct pmu_need *need)
{
	const struct kermon_spy_event *event = &set->events[index];

	if (index >= set->kept)
		return pmu->amd ? amd_need(pmu, event, need) : intel_need(pmu, event, need);
	/* All sets have the kept events in the same counters: those go on. */
	*need = (struct pmu_need){ .width = pmu->amd };
	need->counters = pmu->amd ? 1U << (pmu->counters - 1 - index) : 0;
	return 0;
}

/* The last one that is free: perf begins with the first one. */
static bool take_counter(const struct pmu_need *need, uint32_t *taken, unsigned int *counter)
{
	uint32_t bits;

	for (unsigned int i = PMU_MOST_COUNTERS; i-- > 0;) {
		bits = ((1U << need->width) - 1) << i;
		if (!(need->counters & 1U << i) || *taken & bits)
			continue;
		*taken |= bits;
		*counter = i;
		return true;
	}
	return false;
}

/* Events with the fewest alternatives choose first. Returns the event without counter, or -1. */
static int distribute(struct spy_set *set, const struct pmu_need *needs)
{
	uint32_t taken = 0;

	for (int choice = 1; choice <= PMU_MOST_COUNTERS; choice++)
		for (unsigned int i = 0; i < set->public.nr; i++)
			if (__builtin_popcount(needs[i].counters) == choice &&
			    !take_counter(&needs[i], &taken, &set->index[i]))
				return i;
	return -1;
}

/* Two events cannot have different responses in the same register. */
static bool has_other_response(const struct spy_set *set, unsigned int index)
{
	const struct kermon_spy_event *event = &set->events[index];

	for (unsigned int i = set->kept; i < index; i++)
		if (!((set->events[i].config ^ event->config) & 0xffff) &&
		    set->events[i].extra != event->extra)
			return true;
	return false;
}

static int find_needs(const struct pmu *pmu, struct spy_set *set,
		      struct pmu_need needs[KERMON_SPY_EVENTS],
		      struct kermon_spy_trouble *trouble)
{
	int err = 0;

	for (unsigned int i = 0; i < set->public.nr && !err; i++) {
		set->selectors[i] = set->events[i].config;
		if (i < set->kept && pmu->amd)
			err = encode_kept(set->events[i].name, &set->selectors[i]);
		if (!err)
			err = need_of(pmu, set, i, &needs[i]);
		if (err)
			return spy_fail(trouble, KERMON_SPY_REFUSED, err, -1,
					set->events[i].name);
		if (has_other_response(set, i))
			return spy_fail(trouble, KERMON_SPY_EXCESS, -ENOSPC, -1,
					set->events[i].name);
	}
	return err;
}

int pmu_assign(const struct pmu *pmu, struct spy_set *set, struct kermon_spy_trouble *trouble)
{
	struct pmu_need needs[KERMON_SPY_EVENTS];
	int err = find_needs(pmu, set, needs, trouble), missing;

	if (err)
		return err;
	missing = distribute(set, needs);
	return missing < 0 ? 0 : spy_fail(trouble, KERMON_SPY_EXCESS, -ENOSPC, -1,
					  set->events[missing].name);
}

static struct pmu_control *add(struct pmu_image *image, uint32_t reg, uint64_t value)
{
	struct pmu_control *control = &image->controls[image->nr_controls++];

	*control = (struct pmu_control){
		.reg = reg, .value = value, .owned = ALL_BITS, .event = -1,
	};
	return control;
}

/* Events may share a register, if they have the same responses. */
static void add_offcore(const struct spy_set *set, struct pmu_image *image)
{
	uint64_t responses[2] = { 0 };
	int nr;

	for (unsigned int i = set->kept; i < set->public.nr; i++) {
		nr = intel_offcore(&set->events[i]);
		if (nr >= 0)
			responses[nr] = set->events[i].extra;
	}
	for (nr = 0; nr < 2; nr++)
		if (responses[nr])
			add(image, INTEL_OFFCORE + nr, responses[nr]);
}

/* What counter @number is for: the event of the set, or -1. @value: of its event select. */
static int event_of(const struct pmu *pmu, const struct spy_set *set, unsigned int number,
		    uint64_t *value)
{
	*value = 0;
	for (unsigned int i = pmu->amd ? 0 : set->kept; i < set->public.nr; i++) {
		*value = set->selectors[i] | PMU_EVENT_ENABLE;
		if (set->index[i] == number)
			return i;
		*value = EVENT_MERGE | PMU_EVENT_ENABLE;
		if (set->index[i] + 1 == number && is_flops(pmu, set->selectors[i]))
			return i;
	}
	*value = 0;
	return -1;
}

/* A counter that is not needed does not count, unless others may have it. */
static void add_selectors(const struct pmu *pmu, const struct spy_set *set,
			  struct pmu_image *image)
{
	uint64_t value;
	int event;

	for (unsigned int i = 0; i < pmu->counters; i++) {
		event = event_of(pmu, set, i, &value);
		if (event >= 0 || pmu->global)
			add(image, pmu->selector + i * pmu->stride, value)->event = event;
	}
}

static void add_global(const struct pmu *pmu, const struct spy_set *set,
		       struct pmu_image *image)
{
	uint64_t modes = 0, enable = mask_of(pmu->counters);

	for (unsigned int i = 0; i < set->kept && !pmu->amd; i++) {
		modes |= FIXED_MODES << FIXED_BITS * i;
		enable |= 1ULL << (FIXED_SHIFT + i);
	}
	if (!pmu->amd)
		add(image, INTEL_FIXED_CTRL, modes);
	if (pmu->global)
		add(image, pmu->global, enable)->owned = enable;
}

static struct pmu_value value_of(const struct pmu *pmu, const struct spy_set *set,
				 unsigned int index)
{
	const unsigned int counter = set->index[index];

	if (index < set->kept && !pmu->amd)
		return (struct pmu_value){
			.reg = INTEL_FIXED + index,
			.rdpmc = FIXED_RDPMC | index,
			.mask = pmu->fixed_mask,
		};
	return (struct pmu_value){
		.reg = pmu->counter + counter * pmu->stride,
		.rdpmc = counter,
		.mask = pmu->mask,
	};
}

void pmu_make_image(const struct pmu *pmu, const struct spy_set *set, struct pmu_image *image)
{
	memset(image, 0, sizeof(*image));
	if (!pmu->amd)
		add_offcore(set, image);
	add_selectors(pmu, set, image);
	add_global(pmu, set, image);
	for (unsigned int i = 0; i < set->public.nr; i++)
		image->values[i] = value_of(pmu, set, i);
}
