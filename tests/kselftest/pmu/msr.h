/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers of CPU 0 and its counters, from user mode.
 */
#ifndef KERMON_TEST_MSR_H
#define KERMON_TEST_MSR_H

#include <stdbool.h>
#include <stdint.h>

/* A descriptor for them, with the caller bound to CPU 0; exits if it cannot. */
int msr_open(void);

/* 0, or -errno: -EIO if the instruction raised #GP. */
int msr_write(int fd, uint32_t msr, uint64_t value);
int msr_read(int fd, uint32_t msr, uint64_t *value);

/* Exits if it cannot be read. */
uint64_t msr_value(int fd, uint32_t msr);

/* Let user mode read counters: perf's policy "0", "1" or "2". */
bool rdpmc_allow(const char *policy);

/* False if RDPMC raised #GP. */
bool rdpmc(uint32_t index, uint64_t *value);

#endif
