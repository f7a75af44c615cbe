/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Convert records from the other byte order in place. Fields beyond the end of their
 * record are left for the parser to detect. Bit fields are converted for a
 * little-endian machine.
 */
#ifndef KERMON_PERFDATA_SWAP_H
#define KERMON_PERFDATA_SWAP_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

/* Convert @size bytes of an attr, at most a multiple of its growth. */
void swap_attr(unsigned char *attr, size_t size);

/*
 * Convert a whole record of @size bytes, including its header. @attr: of its event,
 * already converted; NULL: it has none.
 */
void swap_record(unsigned char *record, size_t size,
		 const struct perf_event_attr *attr);

void swap_words(unsigned char *words, size_t nr);

#endif /* KERMON_PERFDATA_SWAP_H */
