// SPDX-License-Identifier: GPL-2.0
/*
 * Properties of Intel processors that CPUID does not report. The tables are those of the
 * module, kmod/pmu_intel_machines.c, which is compiled here a second time: without the
 * kernel's headers, of which it needs little more than what stands here.
 */
#include <cpuid.h>
#include <errno.h>
#include <stdint.h>

#include "pmu.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define BIT(n)		(1U << (n))
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define EVENT_SELECT	0xffULL
#define EVENT_UMASK	0xff00ULL
#define __init

static _Thread_local struct {
	u8 x86;
	u8 x86_model;
} boot_cpu_data;

#include <generated/pmu_intel_machines.h>

/* Bits that no event has: they interrupt, count other hyperthreads, or control a pin. */
#define EVENT_FORBIDDEN	(~0xffc7ffffULL)

static const struct intel_machine *machine(void)
{
	unsigned int eax = 0, ebx, ecx, edx;

	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	boot_cpu_data.x86 = eax >> 8 & 0xf;
	boot_cpu_data.x86_model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);
	return intel_machine_find();
}

int intel_offcore(const struct kermon_spy_event *event)
{
	const struct intel_offcore *offcore = machine()->offcore;

	for (int i = 0; offcore && i < NR_OFFCORE; i++)
		if (offcore->code[i] == (event->config & EVENT_CODE))
			return i;
	return -1;
}

int intel_need(const struct pmu *pmu, const struct kermon_spy_event *event,
	       struct pmu_need *need)
{
	const struct intel_offcore *offcore = machine()->offcore;

	need->width = 1;
	need->counters = intel_machine_counters(machine(), event->config) &
			 (BIT(pmu->counters) - 1);
	if (event->config & EVENT_FORBIDDEN || !need->counters)
		return -EOPNOTSUPP;
	/* An offcore event requires response bits; other events must not have any. */
	if (intel_offcore(event) < 0)
		return event->extra ? -EOPNOTSUPP : 0;
	return event->extra && !(event->extra & ~offcore->valid) ? 0 : -EOPNOTSUPP;
}
