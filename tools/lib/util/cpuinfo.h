/* SPDX-License-Identifier: GPL-2.0 */
/* What /proc/cpuinfo calls the processor, as in the header of perf.data. */
#ifndef KERMON_CPUINFO_H
#define KERMON_CPUINFO_H

#define CPUINFO_TEXT	128

/* The name of the model; "" if there is none. */
void cpuinfo_name(char name[CPUINFO_TEXT]);

/* "GenuineIntel,6,58,9": vendor, family, model and stepping. */
void cpuinfo_id(char id[CPUINFO_TEXT]);

#endif /* KERMON_CPUINFO_H */
