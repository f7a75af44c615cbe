/* SPDX-License-Identifier: GPL-2.0 */
/* The wall clock of a recording: from times of samples to times of day, and back. */
#ifndef KERMON_WALL_H
#define KERMON_WALL_H

#include <stdint.h>

#include "perfdata/read/read.h"

#define WALL_SECOND	1000000000LL	/* ns */

/**
 * struct wall - the same instant by two clocks
 * @time: nanoseconds of the clock of the samples
 * @wall: nanoseconds since 1970, UTC
 */
struct wall {
	uint64_t time;
	uint64_t wall;
};

/*
 * Read it from CLOCK_DATA. Return: NULL; or why it is unknown, in words about the file.
 */
const char *wall_read(struct wall *wall, const struct reader *reader);

/* Nanoseconds since 1970 at @time of the samples. */
static inline uint64_t wall_of(const struct wall *wall, uint64_t time)
{
	return wall->wall + (time - wall->time);
}

/*
 * The time of the samples, at @second since 1970 and @ns. Times before the beginning of
 * their clock are 0.
 */
uint64_t wall_time(const struct wall *wall, int64_t second, uint32_t ns);

#endif /* KERMON_WALL_H */
