/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to sample_text.c: what CSV and JSON call the members of a sample. */
#ifndef KERMON_SAMPLE_TEXT_H
#define KERMON_SAMPLE_TEXT_H

#include "sums.h"
#include "ui/fields.h"

#define SAMPLE_FLAGS	32

/* "first+cut", "" for none. That there is energy is evident. */
const char *sample_flags(unsigned int flags, char text[SAMPLE_FLAGS]);

/* "user-time_ns", "energy_pkg_J" */
const char *sample_event_field(const struct sums_event *event, char name[FIELD_NAME]);
const char *sample_domain_field(const char *domain, char name[FIELD_NAME]);

/* Counts of this unit come in steps of so many nanoseconds; 0: they do not. */
uint64_t sample_step_ns(enum kermon_spy_unit unit);

#endif /* KERMON_SAMPLE_TEXT_H */
