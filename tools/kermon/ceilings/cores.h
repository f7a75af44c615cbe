/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to cores.c: what a core executes per cycle, according to the manuals of the
 * manufacturers.
 */
#ifndef KERMON_CORES_H
#define KERMON_CORES_H

#include <stdbool.h>

#include "kernels.h"

/**
 * struct core_rates - instructions of a width per cycle
 * @operations: by operation; of add+mul and fma+add, of both together; 0: it has none
 * @loads: loads from L1
 * @stores: stores to L1
 * @both: loads and stores together, two loads per store
 */
struct core_rates {
	double operations[NR_OPERATIONS];
	double loads;
	double stores;
	double both;
};

/**
 * struct core - a microarchitecture
 * @name: its name
 * @vendor: of the CPU
 * @family: of the CPU
 * @models: model numbers, ends with -1
 * @widest: widest instructions that it has
 * @narrow: of at most 128 bits
 * @avx: of 256 bits
 * @avx512: of 512 bits
 * @l2: bytes per cycle between L2 and L1; 0: not stated
 * @has_amx: it has AMX
 * @source: where this is from
 */
struct core {
	const char *name;
	const char *vendor;
	unsigned int family;
	const short *models;
	enum isa widest;
	struct core_rates narrow;
	struct core_rates avx;
	struct core_rates avx512;
	double l2;
	bool has_amx;
	const char *source;
};

/* By perf's "GenuineIntel,6,58,9"; NULL: unknown. */
const struct core *core_find(const char *cpuid);

/* The first core of Intel that has AMX. */
const struct core *core_with_amx(void);

const struct core_rates *core_rates(const struct core *core, enum isa isa);

#endif /* KERMON_CORES_H */
