/* SPDX-License-Identifier: GPL-2.0 */
/* Events by the terms of a PMU, "cpu/event=0x3c,umask=0x00/u", as sysfs describes them. */
#ifndef KERMON_PMU_TERMS_H
#define KERMON_PMU_TERMS_H

#include <kermon/sampling.h>

/*
 * Set type, configs, period and frequency of @sampling; a name if the terms have one. Modifiers
 * are not part of @text. Return: 0; -ENXIO: there is no such PMU; -ENOENT: it has no such
 * term or event; -ERANGE: a value is larger than its field; -EINVAL: no such notation.
 */
int pmu_terms_find(struct kermon_sampling *sampling, const char *text);

/* Length of the first name of a list: a comma between slashes is part of the name. */
size_t pmu_terms_length(const char *text);

#endif /* KERMON_PMU_TERMS_H */
