/* SPDX-License-Identifier: GPL-2.0 */
/* Find the next record after invalid bytes in a damaged file. */
#ifndef KERMON_PERFDATA_RESYNC_H
#define KERMON_PERFDATA_RESYNC_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes needed to recognise a record: the longest one and the next header. */
#define RESYNC_BYTES	(UINT16_MAX + sizeof(struct perf_event_header))

/*
 * Number of bytes to skip, less than @limit of @size, to a record of a known type that
 * is followed by another one or by the end. Return: @limit if there is none.
 */
size_t resync(const unsigned char *at, size_t limit, size_t size, bool swapped);

#endif /* KERMON_PERFDATA_RESYNC_H */
