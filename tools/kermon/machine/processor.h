/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to processor.c: name of the processor.
 */
#ifndef KERMON_PROCESSOR_H
#define KERMON_PROCESSOR_H

#define PROCESSOR_SIZE	49

/* The brand string of CPUID leaves 80000002H to 80000004H; "" if there is none. */
void processor_name(char name[PROCESSOR_SIZE]);

#endif /* KERMON_PROCESSOR_H */
