// SPDX-License-Identifier: GPL-2.0
/* Decode marks, which may be damaged. */
#include "private.h"
#include "util/cursor.h"

bool mark_decode(const struct regions_sample *sample, struct region_mark *mark)
{
	struct cursor c = cursor_of(sample->raw, sample->raw_size);
	uint16_t type = cursor_u16(&c);

	cursor_take(&c, sizeof(struct perfdata_common) - sizeof(type));
	*mark = (struct region_mark){ .time = sample->time };
	mark->kind = cursor_u8(&c);
	mark->nr_counts = cursor_u8(&c);
	mark->set = cursor_u8(&c);
	cursor_u8(&c);
	mark->id = cursor_u32(&c);
	mark->values[0] = cursor_u64(&c);
	mark->values[1] = cursor_u64(&c);
	mark->counts = cursor_array(&c, mark->nr_counts, sizeof(uint64_t));
	return !c.failed && type == PERFDATA_REGION_ID;
}
