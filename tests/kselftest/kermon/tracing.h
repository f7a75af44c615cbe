/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Accesses to model-specific registers, counted by the kernel's tracepoints.
 */
#ifndef KERMON_TEST_TRACING_H
#define KERMON_TEST_TRACING_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct accesses - accesses between tracing_start() and tracing_stop()
 * @pmu_writes: WRMSR of registers of the PMU
 * @pmu_reads: RDMSR of them
 * @energy_reads: RDMSR of the package's energy counter
 * @domain_reads: RDMSR of this and all other energy counters
 * @rdpmc: RDPMC
 */
struct accesses {
	uint64_t pmu_writes;
	uint64_t pmu_reads;
	uint64_t energy_reads;
	uint64_t domain_reads;
	uint64_t rdpmc;
};

/* Whether this kernel has the tracepoints; mounts tracefs if necessary. */
bool tracing_available(void);

/* 0, or -1 with errno. */
int tracing_start(void);
int tracing_stop(struct accesses *accesses);

#endif /* KERMON_TEST_TRACING_H */
