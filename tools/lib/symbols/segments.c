// SPDX-License-Identifier: GPL-2.0
/*
 * Find the segment of an offset. The bytes of .bss on the last page of a segment count
 * only if no other segment has that offset.
 */
#include "segments.h"

static const struct segment *segment_at(const struct segments *segments,
					uint64_t offset, bool with_bss)
{
	const struct segment *segment;

	for (size_t i = 0; i < segments->nr; i++) {
		segment = &segments->all[i];
		if (offset - segment->offset <
		    segment->size + (with_bss ? segment->bss_size : 0))
			return segment;
	}
	return NULL;
}

bool segments_find(const struct segments *segments, uint64_t offset,
		   uint64_t *address)
{
	const struct segment *segment = segment_at(segments, offset, false);

	if (!segment)
		segment = segment_at(segments, offset, true);
	if (segment)
		*address = offset - segment->offset + segment->address;
	return segment;
}

/* Whether one of the first @nr segments has an offset of this one. */
static bool is_overlapped(const struct segments *segments, size_t nr,
			  const struct segment *segment)
{
	const struct segment *other;

	for (size_t i = 0; i < nr; i++) {
		other = &segments->all[i];
		if (other->offset - segment->offset < segment->size ||
		    segment->offset - other->offset < other->size)
			return true;
	}
	return false;
}

const struct segment *segments_code(const struct segments *segments)
{
	const struct segment *code = NULL, *segment;

	for (size_t i = 0; i < segments->nr; i++) {
		segment = &segments->all[i];
		if (segment->is_code && (!code || segment->size > code->size) &&
		    !is_overlapped(segments, i, segment))
			code = segment;
	}
	return code;
}
