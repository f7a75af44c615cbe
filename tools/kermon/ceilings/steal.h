/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to steal.c: time that the hypervisor took from CPUs of this machine. */
#ifndef KERMON_STEAL_H
#define KERMON_STEAL_H

#include <stdint.h>

/* In ticks of sysconf(_SC_CLK_TCK), since the machine has started; 0: not known. */
uint64_t steal_of_cpu(unsigned int cpu);

#endif /* KERMON_STEAL_H */
