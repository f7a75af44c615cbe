// SPDX-License-Identifier: GPL-2.0
/*
 * The table of record types as data, and functions that distinguish the layouts of a
 * type. Fields are those of linux/perf_event.h and of perf's tools.
 */
#include "field_list.h"
#include "layout.h"
#include "record_types.h"

bool record_is_first_mmap2(const unsigned char *record, size_t size)
{
	const size_t prot_at = 64;

	/* A name has characters where a protection, which is below 256, has zeros. */
	return size >= prot_at + 2 && record[prot_at] && record[prot_at + 1];
}

/* The format of an AUXTRACE_ERROR, which is below 256, in either byte order. */
static unsigned int error_format(const unsigned char *record, size_t size)
{
	const size_t format_at = 28;

	if (size < format_at + sizeof(uint32_t))
		return 0;
	return record[format_at] | record[format_at + 3];
}

static bool record_is_timeless_error(const unsigned char *record, size_t size)
{
	return error_format(record, size) == 0;
}

static bool record_is_guest_error(const unsigned char *record, size_t size)
{
	return error_format(record, size) >= 2;
}

#define MISC(bits)	.misc = (bits)
#define IF(function)	.is_layout = function
#define FORM(number, text, condition, ...)				\
	{ .type = number, .name = #text, .fields = FIELDS(__VA_ARGS__), condition },
#define ROW(number, text, use, ...)	FORM(number, text, MISC(0), __VA_ARGS__)

/* Rows with a condition precede those without. */
static const struct record_type types[] = {
	PERFDATA_RECORD_TABLE(ROW, ROW, FORM)
};

#define NR_TYPES	(sizeof(types) / sizeof(types[0]))

bool record_type_exists(uint32_t type)
{
	for (size_t i = 0; i < NR_TYPES; i++)
		if (types[i].type == type)
			return true;
	return false;
}

const struct record_type *record_type(uint32_t type, uint16_t misc,
				      const unsigned char *record, size_t size)
{
	for (size_t i = 0; i < NR_TYPES; i++)
		if (types[i].type == type &&
		    (misc & types[i].misc) == types[i].misc &&
		    (!types[i].is_layout || types[i].is_layout(record, size)))
			return &types[i];
	return NULL;
}

bool record_has_notes(const struct record *record)
{
	struct perfdata_event_update update;

	if (record->type != PERFDATA_RECORD_EVENT_UPDATE ||
	    record->size < sizeof(update))
		return false;
	memcpy(&update, record->data, sizeof(update));
	return update.what == PERFDATA_UPDATE_KERMON;
}
