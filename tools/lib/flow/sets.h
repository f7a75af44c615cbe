/* SPDX-License-Identifier: GPL-2.0 */
/* Which events were rotated: the sets that the recorder has noted. */
#ifndef KERMON_FLOW_SETS_H
#define KERMON_FLOW_SETS_H

#include <stddef.h>

#include "perfdata/read/read.h"

/*
 * Parse the recorder's note "4,4,2": the number of programmed events (the raw ones of the
 * file, in order) in each set. @set_of has an element for each event of the file: its set,
 * or -1 for those that are counted all the time. Return: number of sets; 0: no rotation, or
 * the note is invalid, as when there are too many sets; all of @set_of is -1 then.
 */
size_t sets_assign(const struct reader *reader, int *set_of);

#endif /* KERMON_FLOW_SETS_H */
