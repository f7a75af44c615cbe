/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to clock.c: the core clock, as the PMU counts it if there is one.
 */
#ifndef KERMON_CLOCK_H
#define KERMON_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Open an event that counts cycles of this thread in user mode. Return: -1 if none can. */
int clock_open(void);

/* Cycles so far; 0 if @event is -1, or has lost its counter. */
uint64_t clock_cycles(int event);

/* Cycles since there were @before; 0 likewise. */
uint64_t clock_since(int event, uint64_t before);

/*
 * Measure the clock while nothing else is executed. Returns cycles per second; *counted says
 * whether the PMU counted them: if not, additions were executed that take a cycle each on a
 * CPU, though not on one that is emulated.
 */
double clock_measure(bool *counted);

#endif /* KERMON_CLOCK_H */
