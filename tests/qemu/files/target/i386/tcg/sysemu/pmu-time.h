/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time and energy of the TCG x86 target with pmu-time=on: interfaces
 */
#ifndef I386_TCG_SYSEMU_PMU_TIME_H
#define I386_TCG_SYSEMU_PMU_TIME_H

#include "cache.h"

/* @cpu loads a line that @level serves, CACHE_L2 or beyond. */
void x86_time_line(X86CPU *cpu, bool user, X86CacheLevel level);

/* RAPL domains */
typedef struct X86Energy {
    uint64_t package;
    uint64_t pp0;
    uint64_t dram;
} X86Energy;

/* Picojoules drawn since power-on; @ns is the virtual clock, just read. */
X86Energy x86_time_energy(X86CPU *cpu, int64_t ns);

#endif /* I386_TCG_SYSEMU_PMU_TIME_H */
