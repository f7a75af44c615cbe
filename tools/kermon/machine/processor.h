/* SPDX-License-Identifier: GPL-2.0 */
/* What the processor calls itself. */
#ifndef KERMON_PROCESSOR_H
#define KERMON_PROCESSOR_H

#define PROCESSOR_SIZE	49

/* The brand of CPUID leaves 80000002H to 80000004H; "" if it has none. */
void processor_name(char name[PROCESSOR_SIZE]);

#endif /* KERMON_PROCESSOR_H */
