// SPDX-License-Identifier: GPL-2.0
/* Which CPU this is, and what CPUID reports of its events. */
#include <cpuid.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/events.h>

#include "events/tables.h"
#include "eventsets.h"
#include "model.h"

/* Bits of IA32_PERFEVTSELx: SDM vol. 3B, 20.2.1.1. */
#define EVENT_AND_UMASK	0xffffULL

static pfm_pmu_info_t pmu;	/* the core PMU; size is 0 if unknown */

/*
 * libpfm4 also detects the architectural PMU next to that of the model. Use it only on
 * CPUs whose model is unknown.
 */
static void find_pmu(void)
{
	pfm_pmu_info_t info;
	int i;

	if (pfm_initialize() != PFM_SUCCESS)
		return;
	for (i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		memset(&info, 0, sizeof(info));
		info.size = sizeof(info);
		if (pfm_get_pmu_info(i, &info) != PFM_SUCCESS ||
		    !info.is_present || info.type != PFM_PMU_TYPE_CORE)
			continue;
		pmu = info;
		if (i != PFM_PMU_INTEL_X86_ARCH)
			return;
	}
}

const pfm_pmu_info_t *model_pmu(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_pmu);
	return pmu.size ? &pmu : NULL;
}

static bool is_amd(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(0, &eax, &ebx, &ecx, &edx) &&
	       ebx == signature_AMD_ebx;
}

/* libpfm4's name of the PMU of Intel CPUs whose model it does not know. */
#define ARCHITECTURAL	"ix86arch"

/* This CPU, by CPUID, or the one that is to be assumed; NULL: no event file names it. */
static const char *find_cpu(void)
{
	const char *forced = getenv("LIBPFM_FORCE_PMU");
	unsigned int eax, family, model, words[4] = { 0 };

	if (forced && *forced)
		return tables_cpu_known(forced) ? forced : NULL;
	if (!__get_cpuid(0, &eax, &words[0], &words[2], &words[1]) ||
	    !__get_cpuid(1, &eax, &family, &family, &family))
		return NULL;
	family = (eax >> 8 & 0xf) + ((eax >> 8 & 0xf) == 0xf ? eax >> 20 & 0xff : 0);
	model = (eax >> 4 & 0xf) + (eax >> 12 & 0xf0);
	return tables_cpu_find((const char *)words, family, model);
}

/* libpfm4's name, or that of an event file for CPUs that libpfm4 is too old for. */
static const char *find_name(void)
{
	const char *name = NULL;

	if (!model_pmu() || !strcmp(pmu.name, ARCHITECTURAL))
		name = find_cpu();
	if (name)
		return name;
	return model_pmu() ? pmu.name : is_amd() ? EVENTSETS_AMD : "";
}

static const char *cpu_name;

static void set_name(void)
{
	cpu_name = find_name();
}

const char *model_name(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, set_name);
	return cpu_name;
}

int kermon_events_model(struct kermon_pmu_model *model)
{
	*model = (struct kermon_pmu_model){
		.name = model_pmu() ? pmu.name : "",
		.title = model_pmu() ? pmu.desc : "",
		.nr_events = model_pmu() ? pmu.nevents : 0,
	};
	return model_pmu() ? 0 : -ENODEV;
}

const struct kermon_event_list *kermon_events_list(unsigned int index)
{
	return eventsets_get(model_name(), index);
}

const char *kermon_events_problem(unsigned int index)
{
	return tables_problem(index);
}

/* Whether CPUID.0AH:EBX reports an event as not available: SDM vol. 3B, 20.2.1.2. */
bool model_lacks(uint64_t config)
{
	static const uint16_t architectural[] = {
		0x003c, 0x00c0, 0x013c, 0x4f2e, 0x412e, 0x00c4, 0x00c5,
	};
	unsigned int eax, ebx, ecx, edx, i;

	if (!__get_cpuid_count(0x0a, 0, &eax, &ebx, &ecx, &edx) ||
	    !(eax & 0xff))
		return false;
	for (i = 0; i < sizeof(architectural) / sizeof(architectural[0]); i++)
		if ((config & EVENT_AND_UMASK) ==
		    architectural[i])
			return i >= eax >> 24 || ebx & 1U << i;
	return false;
}
