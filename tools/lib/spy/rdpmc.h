/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to rdpmc.c: counters that this process reads by an instruction of its own. */
#ifndef KERMON_SPY_RDPMC_H
#define KERMON_SPY_RDPMC_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct rdpmc - permission to execute RDPMC
 * @fd: the event of perf_event that gives it; -1: all processes have it
 * @page: of the event, mapped
 */
struct rdpmc {
	int fd;
	void *page;
};

/*
 * Get permission for all threads of this process. It opens an event of perf_event, which does
 * not count, but may have the kernel write to the register that enables all counters of this
 * CPU, now and at no other time. Returns whether it is given, until rdpmc_close().
 */
bool rdpmc_open(struct rdpmc *rdpmc);
void rdpmc_close(struct rdpmc *rdpmc);

/*
 * Counters are read between the two. Return: whether permission was still given, as it may be
 * withdrawn at any time; otherwise the values are 0.
 */
void rdpmc_begin(void);
bool rdpmc_end(void);

/* Read the counter with this operand, of the CPU on which this is executed. */
static inline uint64_t rdpmc_read(uint32_t operand)
{
	uint32_t low, high;

	asm volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (operand));
	return (uint64_t)high << 32 | low;
}

#endif /* KERMON_SPY_RDPMC_H */
