// SPDX-License-Identifier: GPL-2.0
/*
 * Find the next record after invalid bytes.
 *
 * Any four bytes with a small number look like a type, and any two bytes after them
 * like a size. So a record only counts if the next one is valid, too: of random bytes,
 * one in 10^16 passes, and numbers, addresses and text have zeros or letters in place
 * of the size.
 */
#include "perfdata/format/format.h"
#include "resync.h"

/* No record type is known from here on. */
#define TYPES_END	96

/* Size of the record that may begin at @at; 0: none can. */
static size_t size_at(const unsigned char *at, size_t left, bool swapped)
{
	struct perf_event_header header;

	if (left < sizeof(header))
		return 0;
	header = record_header(at, swapped);
	if (header.type >= TYPES_END || header.size < sizeof(header) ||
	    header.size > left || !record_type_exists(header.type))
		return 0;
	return header.size;
}

static bool begins(const unsigned char *at, size_t left, bool swapped)
{
	size_t size = size_at(at, left, swapped);

	return size && (size == left ||
			size_at(at + size, left - size, swapped));
}

size_t resync(const unsigned char *at, size_t limit, size_t size, bool swapped)
{
	for (size_t passed = 0; passed < limit; passed++)
		if (begins(at + passed, size - passed, swapped))
			return passed;
	return limit;
}
