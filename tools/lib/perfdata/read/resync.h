/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds where records go on behind bytes that are no record, in a file that was
 * damaged.
 */
#ifndef KERMON_PERFDATA_RESYNC_H
#define KERMON_PERFDATA_RESYNC_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many bytes decide whether a record begins: the longest one and a header. */
#define RESYNC_BYTES	(UINT16_MAX + sizeof(struct perf_event_header))

/*
 * Bytes to pass over, less than @limit of @size, until a record of a known type
 * begins that is followed by another one or ends where all ends. @limit if there is
 * none.
 */
size_t resync(const unsigned char *at, size_t limit, size_t size, bool swapped);

#endif /* KERMON_PERFDATA_RESYNC_H */
