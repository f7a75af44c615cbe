/* SPDX-License-Identifier: GPL-2.0 */
/* Registers of Intel's PMU and energy counters, by their numbers in the SDM, volume 4. */
#ifndef KERMON_TEST_INTEL_H
#define KERMON_TEST_INTEL_H

#define MSR_PMC0		0xc1
#define MSR_EVTSEL0		0x186
#define MSR_OFFCORE_RSP_0	0x1a6
#define MSR_FIXED_CTR0		0x309
#define MSR_PERF_CAPABILITIES	0x345
#define MSR_FIXED_CTR_CTRL	0x38d
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_GLOBAL_CTRL		0x38f
#define MSR_OVF_CTRL		0x390
#define MSR_A_PMC0		0x4c1
#define MSR_POWER_UNIT		0x606
#define MSR_PKG_ENERGY		0x611

#endif
