/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Model-specific registers, through /dev/cpu/N/msr.
 */
#ifndef KERMON_TEST_REGISTERS_H
#define KERMON_TEST_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#define MSR_PERFCTR0		0x0c1
#define MSR_PERFEVTSEL0		0x186
#define MSR_OFFCORE_RSP_0	0x1a6
#define MSR_OFFCORE_RSP_1	0x1a7
#define MSR_FIXED_CTR0		0x309
#define MSR_FIXED_CTR_CTRL	0x38d
#define MSR_PERF_GLOBAL_STATUS	0x38e
#define MSR_PERF_GLOBAL_CTRL	0x38f
#define MSR_PERF_GLOBAL_OVF_CTRL 0x390
#define MSR_FULL_PERFCTR0	0x4c1
#define MSR_RAPL_POWER_UNIT	0x606
#define MSR_PKG_ENERGY_STATUS	0x611
#define MSR_DRAM_ENERGY_STATUS	0x619
#define MSR_PP0_ENERGY_STATUS	0x639
#define MSR_PP1_ENERGY_STATUS	0x641

/* AMD: legacy controls and counters, and those of the core extension. */
#define MSR_K7_EVNTSEL0		0xc0010000
#define MSR_K7_PERFCTR0		0xc0010004
#define MSR_PERF_CTL0		0xc0010200
#define MSR_PERF_CTR0		0xc0010201
#define MSR_CNTR_GLOBAL_STATUS	0xc0000300
#define MSR_CNTR_GLOBAL_CTL	0xc0000301
#define MSR_AMD_POWER_UNIT	0xc0010299
#define MSR_AMD_PKG_ENERGY	0xc001029b

/* Whether this is an AMD CPU; otherwise it is an Intel CPU. */
bool cpu_is_amd(void);

/* Including the extended fields of CPUID.01H:EAX. */
unsigned int cpu_family(void);
unsigned int cpu_model(void);

/* Whether this is an AMD CPU with only the four legacy counters. */
bool cpu_is_legacy(void);

/* Whether this is a Core 2, Penryn; counters cannot be set to more than 31 bits there. */
bool cpu_is_core2(void);

/* MSRs of counter @nr of this CPU and of its event selector. */
uint32_t counter_register(unsigned int nr);
uint32_t selector_register(unsigned int nr);

/* 0, or -1 with errno. */
int register_read(int cpu, uint32_t msr, uint64_t *value);

/* Likewise; taints the kernel, and the first write enables further ones. */
int register_write(int cpu, uint32_t msr, uint64_t value);

#endif /* KERMON_TEST_REGISTERS_H */
