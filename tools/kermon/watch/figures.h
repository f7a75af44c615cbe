/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to figures.c: what tables show of a CPU; NaN if it is unknown. */
#ifndef KERMON_FIGURES_H
#define KERMON_FIGURES_H

#include <stdbool.h>

#include "sums.h"

/* Length of all intervals. */
double figure_elapsed_ns(const struct sums_cpu *cpu);

/* Share of them in which the CPU was not idle. */
double figure_busy(const struct sums *sums, const struct sums_cpu *cpu);

/* Whether the sets have the events of figure_ipc(): instructions per cycle. */
bool figure_has_ipc(const struct sums *sums);
double figure_ipc(const struct sums *sums, const struct sums_cpu *cpu);

/* Per second in which the event was counted; of times, percent. */
double figure_rate(const struct sums *sums, const struct sums_cpu *cpu, unsigned int event);

/* Share of the CPU that its spy took. */
double figure_cost(const struct sums_cpu *cpu);

#endif /* KERMON_FIGURES_H */
