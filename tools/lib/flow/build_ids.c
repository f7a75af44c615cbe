// SPDX-License-Identifier: GPL-2.0
/*
 * Read build ids from the header of a file or from the records of a pipe, and the
 * release of the kernel, which identifies it if there is no build id.
 */
#include <stdio.h>
#include <string.h>

#include "build_ids.h"
#include "util/cursor.h"

/* Parse an element of BUILD_ID at @c and advance to the next one. */
static int take_build_id(struct dsos *dsos, struct cursor *c)
{
	struct perfdata_build_id element;
	const unsigned char *bytes = cursor_take(c, sizeof(element));
	struct build_id id = { .size = BUILD_ID_MAX };
	const char *path;

	if (!bytes)
		return 0;
	memcpy(&element, bytes, sizeof(element));
	element.header = record_header(bytes, c->swapped);
	path = cursor_chars(c, element.header.size - sizeof(element));
	if (c->failed)
		return 0;
	if (element.header.misc & PERF_RECORD_MISC_BUILD_ID_SIZE &&
	    element.size < BUILD_ID_MAX)
		id.size = element.size;
	memcpy(id.bytes, element.id, id.size);
	return dsos_know_build_id(dsos, path, &id);
}

static void read_release(struct dsos *dsos, struct reader *reader)
{
	struct cursor c = reader_feature_cursor(reader,
						PERFDATA_OSRELEASE);
	struct kernel_identity *kernel = &dsos->kernel;

	if (cursor_left(&c))
		snprintf(kernel->release, sizeof(kernel->release), "%s",
			 cursor_string(&c));
}

int build_ids_read(struct dsos *dsos, struct reader *reader,
		   struct damages *damages)
{
	struct cursor c = reader_feature_cursor(reader,
						PERFDATA_BUILD_ID);
	int err = 0;

	read_release(dsos, reader);
	while (!err && cursor_left(&c))
		err = take_build_id(dsos, &c);
	if (c.failed && !reader_feature_is_cut(reader,
					       PERFDATA_BUILD_ID))
		damage_add(damages,
			   reader_feature_offset(reader,
						 PERFDATA_BUILD_ID),
			   "the build ids are truncated");
	return err;
}

int build_ids_take(struct dsos *dsos, const struct record *record)
{
	struct cursor c = cursor_of(record->data, record->size);

	return take_build_id(dsos, &c);
}
