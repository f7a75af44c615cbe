// SPDX-License-Identifier: GPL-2.0
/*
 * The events of a file: their attrs, the ids that map records to events, and their
 * names.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_name.h"
#include "perfdata/format/format.h"
#include "reader_private.h"
#include "swap.h"
#include "tracing_name.h"
#include "util/array.h"
#include "util/cursor.h"
#include "util/hash.h"

static size_t id_hash(uint64_t id)
{
	return hash_spread(id, 32);
}

ssize_t id_table_slot(const struct id_table *table, uint64_t id)
{
	size_t at;

	if (!table->slots)
		return -1;
	for (at = id_hash(id) & table->mask; table->slots[at].event;
	     at = (at + 1) & table->mask)
		if (table->slots[at].id == id)
			return at;
	return -1;
}

int id_table_find(const struct id_table *table, uint64_t id)
{
	ssize_t slot = id_table_slot(table, id);

	return slot < 0 ? -1 : (int)table->slots[slot].event - 1;
}

static void id_table_add(struct id_table *table, uint64_t id, uint32_t event)
{
	size_t at = id_hash(id) & table->mask;

	while (table->slots[at].event)
		at = (at + 1) & table->mask;
	table->slots[at] = (struct id_slot){ .id = id, .event = event + 1 };
}

int id_table_fill(struct id_table *table, const struct reader_event *events,
		  size_t nr_events, struct damages *damages)
{
	size_t nr = 0, slots = 8;
	int other;

	for (size_t i = 0; i < nr_events; i++)
		nr += events[i].nr_ids;
	while (slots < 2 * nr)
		slots *= 2;
	table->slots = calloc(slots, sizeof(*table->slots));
	if (!table->slots)
		return -ENOMEM;
	table->mask = slots - 1;
	for (size_t i = 0; i < nr_events; i++) {
		for (size_t j = 0; j < events[i].nr_ids; j++) {
			other = id_table_find(table, events[i].ids[j]);
			if (other < 0)
				id_table_add(table, events[i].ids[j], i);
			else if ((size_t)other != i)
				damage_add(damages, KERMON_NO_OFFSET,
					   "events %d and %zu share an id: their samples go to event %d",
					   other, i, other);
		}
	}
	return 0;
}

/* The attr may be longer or shorter than ours, as stated in it. */
static void copy_attr(struct perf_event_attr *attr, const unsigned char *from,
		      size_t room, bool swapped)
{
	uint32_t size;

	memcpy(&size, from + offsetof(struct perf_event_attr, size),
	       sizeof(size));
	if (swapped)
		size = __builtin_bswap32(size);
	if (size < PERF_ATTR_SIZE_VER0 || size > room)
		size = PERF_ATTR_SIZE_VER0;
	if (size > sizeof(*attr))
		size = sizeof(*attr);
	memset(attr, 0, sizeof(*attr));
	memcpy(attr, from, size);
	if (swapped)
		swap_attr((unsigned char *)attr, size);
	attr->size = size;
}

static int copy_ids(struct reader_event *event, const unsigned char *ids,
		    size_t size, bool swapped)
{
	if (size < sizeof(uint64_t))
		return 0;
	event->ids = malloc(size);
	if (!event->ids)
		return -ENOMEM;
	memcpy(event->ids, ids, size);
	event->nr_ids = size / sizeof(uint64_t);
	if (swapped)
		swap_words((unsigned char *)event->ids, event->nr_ids);
	return 0;
}

int reader_add_event(struct reader *reader, const unsigned char *attr,
		     size_t room, const unsigned char *ids, size_t size,
		     bool swapped)
{
	struct reader_event *event;

	if (array_room(reader->events, reader->room_events,
		       reader->nr_events + 1))
		return -ENOMEM;
	event = &reader->events[reader->nr_events++];
	*event = (struct reader_event){ 0 };
	copy_attr(&event->attr, attr, room, swapped);
	event->time_at = sample_from_start(&event->attr, PERF_SAMPLE_TIME);
	return copy_ids(event, ids, size, swapped);
}

static int parse_attrs(struct reader *reader, struct perfdata_section attrs,
		       uint64_t attr_size)
{
	size_t room = attr_size - sizeof(struct perfdata_section);
	struct perfdata_section ids;
	const unsigned char *at;
	int err;

	for (size_t i = 0; i < attrs.size / attr_size; i++) {
		at = reader->map + attrs.offset + i * attr_size;
		memcpy(&ids, at + room, sizeof(ids));
		if (reader->stream.swapped)
			swap_words((unsigned char *)&ids, 2);
		ids = reader_clip(reader, ids, "event ids");
		err = reader_add_event(reader, at, room,
				       reader->map + ids.offset, ids.size,
				       reader->stream.swapped);
		if (err)
			return err;
	}
	return 0;
}

/* Whether @name without its modifiers is the name of such an event. */
static bool names_attr(const char *name, const struct perf_event_attr *attr)
{
	char own[EVENT_NAME_MAX];
	size_t length = strcspn(name, ":");

	event_name(attr, own);
	return length == strcspn(own, ":") && !strncmp(name, own, length);
}

/* Events of different types may have the same config: the names are compared, too. */
static struct reader_event *unnamed_event(const struct reader *reader,
					  uint64_t config, const char *name)
{
	struct reader_event *event, *first = NULL;

	for (size_t i = 0; i < reader->nr_events; i++) {
		event = &reader->events[i];
		if (event->name || event->attr.config != config)
			continue;
		if (names_attr(name, &event->attr))
			return event;
		if (!first)
			first = event;
	}
	return first;
}

int reader_name_by_config(struct reader *reader, uint64_t config,
			  const char *name)
{
	struct reader_event *event = unnamed_event(reader, config, name);
	char full[EVENT_NAME_MAX];

	if (!event || !*name)
		return 0;
	snprintf(full, sizeof(full), "%s", name);
	if (!strchr(name, ':'))
		event_name_add_modifiers(&event->attr, full);
	event->name = strdup(full);
	return event->name ? 0 : -ENOMEM;
}

/* Read the names, which are in the order of the attrs; make up missing ones. */
static void read_names(struct reader *reader)
{
	struct cursor c = reader_feature_cursor(reader, PERFDATA_EVENT_DESC);
	uint32_t nr, attr_size, nr_ids;
	const char *name;

	if (!c.at)
		return;
	nr = cursor_u32(&c);
	attr_size = cursor_u32(&c);
	for (uint32_t i = 0; i < nr && i < reader->nr_events; i++) {
		cursor_take(&c, attr_size);
		nr_ids = cursor_u32(&c);
		name = cursor_string(&c);
		cursor_array(&c, nr_ids, sizeof(uint64_t));
		if (c.failed && reader->features[PERFDATA_EVENT_DESC].is_cut)
			return;
		if (c.failed) {
			damage_add(reader->damages,
				   reader->features[PERFDATA_EVENT_DESC].offset,
				   "the event names are truncated after %u", i);
			return;
		}
		if (*name && !reader->events[i].name)
			reader->events[i].name = strdup(name);
	}
}

static int name_events(struct reader *reader)
{
	struct reader_event *event;
	char name[EVENT_NAME_MAX];

	read_names(reader);
	for (size_t i = 0; i < reader->nr_events; i++) {
		event = &reader->events[i];
		if (event->name)
			continue;
		if (event->attr.type != PERF_TYPE_TRACEPOINT ||
		    !tracing_name(reader_feature_cursor(reader,
							PERFDATA_TRACING_DATA),
				  event->attr.config, name))
			event_name(&event->attr, name);
		event->name = strdup(name);
		if (!event->name)
			return -ENOMEM;
	}
	return 0;
}

/* Whether records of both events have the same layout. */
static bool looks_alike(const struct perf_event_attr *one,
			const struct perf_event_attr *other)
{
	return one->sample_type == other->sample_type &&
	       one->read_format == other->read_format &&
	       one->branch_sample_type == other->branch_sample_type &&
	       one->sample_regs_user == other->sample_regs_user &&
	       one->sample_regs_intr == other->sample_regs_intr &&
	       one->sample_id_all == other->sample_id_all;
}

static bool has_ids(const struct reader *reader)
{
	for (size_t i = 0; i < reader->nr_events; i++)
		if (reader->events[i].nr_ids)
			return true;
	return false;
}

/*
 * No record tells its event. If all events have the same layout, attribute samples to
 * the first one; otherwise they cannot be parsed.
 */
static int do_without_ids(struct reader *reader)
{
	const struct reader_event *first = &reader->events[0];

	reader->id_from_start = -1;
	reader->id_from_end = -1;
	for (size_t i = 1; i < reader->nr_events; i++) {
		if (looks_alike(&first->attr, &reader->events[i].attr))
			continue;
		damage_add(reader->damages, KERMON_NO_OFFSET,
			   "samples of event %zu (%s) cannot be identified: they have no id, or at a different offset",
			   i, reader->events[i].name);
		return -EINVAL;
	}
	reader->anonymous = true;
	return 0;
}

/*
 * The id must be at the same position in the records of all events, because it is
 * needed to find the event.
 */
static int find_id_positions(struct reader *reader)
{
	const struct perf_event_attr *first = &reader->events[0].attr;
	const struct perf_event_attr *attr;

	reader->id_from_start = sample_id_from_start(first);
	reader->id_from_end = sample_id_from_end(first);
	if (reader->nr_events == 1)
		return 0;
	if (reader->id_from_start < 0 || !has_ids(reader))
		return do_without_ids(reader);
	for (size_t i = 1; i < reader->nr_events; i++) {
		attr = &reader->events[i].attr;
		if (sample_id_from_start(attr) != reader->id_from_start ||
		    sample_id_from_end(attr) != reader->id_from_end)
			return do_without_ids(reader);
	}
	return 0;
}

int reader_finish_events(struct reader *reader)
{
	int err = name_events(reader);

	if (!err)
		err = find_id_positions(reader);
	if (!err)
		err = id_table_fill(&reader->ids, reader->events,
				    reader->nr_events, reader->damages);
	return err;
}

int reader_parse_events(struct reader *reader,
			const struct perfdata_section *section,
			uint64_t attr_size)
{
	struct perfdata_section attrs = reader_clip(reader, *section, "events");

	if (attr_size < PERF_ATTR_SIZE_VER0 + sizeof(struct perfdata_section) ||
	    attrs.size < attr_size) {
		damage_add(reader->damages, attrs.offset,
			   "no event descriptions (%llu bytes of %llu each)",
			   (unsigned long long)attrs.size,
			   (unsigned long long)attr_size);
		return -EINVAL;
	}
	return parse_attrs(reader, attrs, attr_size);
}
