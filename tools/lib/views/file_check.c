// SPDX-License-Identifier: GPL-2.0
/* Check whether a file conforms to the format: every record is parsed. */
#include <errno.h>
#include <stdlib.h>

#include "file_private.h"
#include "flow/pipeline.h"
#include "perfdata/format/format.h"
#include "perfdata/text/text.h"
#include "util/array.h"
#include "util/bisect.h"
#include "util/cancel.h"

/**
 * struct check - a walk over the records that counts them
 * @counts: @nr of them, by ascending type
 * @null: output that is discarded
 * @newest: time of the newest record out of @order
 * @late: records out of @order after a newer one
 */
struct check {
	struct kermon_file *file;
	struct kermon_file_count *counts;
	size_t nr;
	size_t room;
	FILE *null;
	struct order *order;
	uint64_t newest;
	uint64_t late;
};

/* Binary search, because a damaged file may have many types. */
static size_t place_of(const struct check *check, uint32_t type)
{
	return count_while(check->nr, i, check->counts[i].type < type);
}

static int count_record(struct check *check, const struct record *record)
{
	const struct record_type *type = record_type_of(record);
	size_t place = place_of(check, record->type);
	struct kermon_file_count *count;

	if (place == check->nr || check->counts[place].type != record->type) {
		if (array_room(check->counts, check->room, check->nr + 1))
			return -ENOMEM;
		count = &check->counts[place];
		memmove(count + 1, count, (check->nr - place) * sizeof(*count));
		*count = (struct kermon_file_count){
			.type = record->type,
			.name = type ? type->name : NULL,
		};
		check->nr++;
	}
	check->counts[place].records++;
	check->counts[place].bytes += record->size;
	return 0;
}

static void check_fields(struct check *check, const struct record *record)
{
	const struct perf_event_attr *attr =
		record->type < PERFDATA_RECORD_FIRST ?
		&reader_event(check->file->reader, record->event)->attr : NULL;

	rewind(check->null);
	if (!record_text(check->null, record, attr))
		damage_add(&check->file->damages, record->offset,
			   "record of type %u with %u bytes is too short for its fields",
			   record->type, record->size);
}

static int check_record(void *context, const struct record *record)
{
	struct check *check = context;
	int err = cancel_check(check->file->options.cancel);

	if (!err && record->offset != RECORD_MADE_UP) {
		err = count_record(check, record);
		check_fields(check, record);
	}
	return err ? err : order_record(check->order, record);
}

static int check_time(void *context, const struct record *record)
{
	struct check *check = context;

	if (record->time && record->time < check->newest)
		check->late++;
	else if (record->time)
		check->newest = record->time;
	reader_release(check->file->reader, record);
	return 0;
}

static void pass_over(void *context, const char *name, const char *value)
{
	(void)context;
	(void)name;
	(void)value;
}

static int walk(struct check *check)
{
	int err = reader_walk(check->file->reader, check_record, check);

	return err ? err : order_flush(check->order);
}

int kermon_file_check(struct kermon_file *file,
		      void (*count)(void *context,
				    const struct kermon_file_count *count),
		      void *context, uint64_t *late)
{
	struct check check = { .file = file };
	int err = -ENOMEM;

	*late = 0;
	if (!file->reader)
		return -EINVAL;
	check.null = fopen("/dev/null", "we");
	check.order = order_new(check_time, &check);
	file_features(file, pass_over, NULL);
	if (check.null && check.order)
		err = walk(&check);
	for (size_t i = 0; i < check.nr && !err; i++)
		count(context, &check.counts[i]);
	*late = check.late;
	if (check.null)
		fclose(check.null);
	order_free(check.order);
	free(check.counts);
	return err;
}
