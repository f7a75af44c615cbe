// SPDX-License-Identifier: GPL-2.0
/*
 * Where records go on behind bytes that are none.
 *
 * Any four bytes with a small number in them look like a type, and any two behind
 * them like a size. So a record counts only if the next one does as well: of bytes at
 * random one in 10^16 passes, and numbers, addresses and text have zeros or
 * letters where the size would be.
 */
#include "perfdata/format/format.h"
#include "resync.h"

/* Types from here on are known to nobody. */
#define TYPES_END	96

/* Size of the record that may begin there; 0: none can. */
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
