// SPDX-License-Identifier: GPL-2.0
/*
 * Build the record that KerMon's notes are in. perf 6.1 crashes when it copies a file
 * (perf inject) with a feature that it does not know, but ignores updates of events of an
 * unknown kind.
 */
#include <errno.h>

#include "notes.h"
#include "perfdata/format/format.h"

int notes_put(struct blob *record, uint64_t id, const void *notes, size_t size)
{
	const size_t padding = -size % sizeof(uint64_t);
	struct perfdata_event_update update = {
		.header.type = PERFDATA_RECORD_EVENT_UPDATE,
		.what = PERFDATA_UPDATE_KERMON,
		.id = id,
	};
	struct perfdata_notes_end end = { .magic = PERFDATA_NOTES_MAGIC };

	end.size = sizeof(update) + size + padding + sizeof(end);
	if (end.size > UINT16_MAX)
		return -E2BIG;
	update.header.size = end.size;
	blob_put(record, &update, sizeof(update));
	blob_put(record, notes, size);
	blob_put(record, NULL, padding);
	blob_put(record, &end, sizeof(end));
	return record->failed ? -ENOMEM : 0;
}
