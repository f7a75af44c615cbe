/* SPDX-License-Identifier: GPL-2.0 */
/* Which CPU this is. */
#ifndef KERMON_MODEL_H
#define KERMON_MODEL_H

#include <perfmon/pfmlib.h>
#include <stdbool.h>
#include <stdint.h>

/* The core PMU according to libpfm4; NULL: it does not know the CPU. */
const pfm_pmu_info_t *model_pmu(void);

/*
 * libpfm4's name of the PMU, or that of an event file for CPUs that libpfm4 is too old for;
 * otherwise EVENTSETS_AMD or "".
 */
const char *model_name(void);

/* Whether CPUID reports the event of a selector value as not available. */
bool model_lacks(uint64_t config);

#endif /* KERMON_MODEL_H */
