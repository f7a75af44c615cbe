/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is wrong with a file, and where: collected while reading, shown by
 * whoever asked for the file to be read.
 */
#ifndef KERMON_PERFDATA_DAMAGE_H
#define KERMON_PERFDATA_DAMAGE_H

#include <kermon/report.h>
#include <stdint.h>

#define DAMAGE_KEPT	8

/**
 * struct damages - all that is wrong
 * @kept: the first ones
 * @nr: how many there are, more than DAMAGE_KEPT perhaps
 */
struct damages {
	struct kermon_damage kept[DAMAGE_KEPT];
	uint64_t nr;
};

void damage_add(struct damages *damages, uint64_t offset,
		const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* KERMON_PERFDATA_DAMAGE_H */
