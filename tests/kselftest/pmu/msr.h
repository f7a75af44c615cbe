/* SPDX-License-Identifier: GPL-2.0 */
/* Access to the MSRs and counters of CPU 0 from user mode. */
#ifndef KERMON_TEST_MSR_H
#define KERMON_TEST_MSR_H

#include <stdbool.h>
#include <stdint.h>

/* Open the MSRs and bind the caller to CPU 0; exits on failure. */
int msr_open(void);

/* 0, or -errno: -EIO if the instruction raised #GP. */
int msr_write(int fd, uint32_t msr, uint64_t value);
int msr_read(int fd, uint32_t msr, uint64_t *value);

/* Exits on failure. */
uint64_t msr_value(int fd, uint32_t msr);

/* Let user mode read counters: perf's policy "0", "1" or "2". */
bool rdpmc_allow(const char *policy);

/* False if RDPMC raised #GP. */
bool rdpmc(uint32_t index, uint64_t *value);

#endif
