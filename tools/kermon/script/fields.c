// SPDX-License-Identifier: GPL-2.0
/*
 * Table of the fields that kermon script prints, and the parser of its -F.
 */
#include <stdbool.h>
#include <string.h>

#include "fields.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define EVERY_KIND	((1U << KIND_COUNT) - 1)
#define BUT_TRACEPOINTS	(EVERY_KIND & ~(1U << KIND_TRACEPOINT))
#define RAW_ONLY	(1U << KIND_RAW)
#define TRACEPOINTS	(1U << KIND_TRACEPOINT)
#define FRAME_FIELDS	(FIELD_BIT(IP) | FIELD_BIT(SYM) | FIELD_BIT(SYMOFF) | \
			 FIELD_BIT(DSO))

/**
 * struct field - a field
 * @name: name in -F
 * @needs: PERF_SAMPLE_*, of which at least one has to be recorded; 0: always available
 * @kinds: bit mask of the kinds of events for which it is printed by default
 */
static const struct field {
	const char *name;
	uint64_t needs;
	unsigned int kinds;
} table[FIELD_COUNT] = {
	[FIELD_COMM] = { "comm", 0, EVERY_KIND },
	[FIELD_PID] = { "pid", PERF_SAMPLE_TID, 0 },
	[FIELD_TID] = { "tid", PERF_SAMPLE_TID, EVERY_KIND },
	[FIELD_CPU] = { "cpu", PERF_SAMPLE_CPU, EVERY_KIND },
	[FIELD_MISC] = { "misc", 0, 0 },
	[FIELD_TOD] = { "tod", PERF_SAMPLE_TIME, 0 },
	[FIELD_TIME] = { "time", PERF_SAMPLE_TIME, EVERY_KIND },
	[FIELD_PERIOD] = { "period", 0, BUT_TRACEPOINTS },
	[FIELD_EVENT] = { "event", 0, EVERY_KIND },
	[FIELD_TRACE] = { "trace", PERF_SAMPLE_RAW, TRACEPOINTS },
	[FIELD_ADDR] = { "addr", PERF_SAMPLE_ADDR, RAW_ONLY },
	[FIELD_DATA_SRC] = { "data_src", PERF_SAMPLE_DATA_SRC, RAW_ONLY },
	[FIELD_WEIGHT] = { "weight",
			   PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT,
			   RAW_ONLY },
	[FIELD_INS_LAT] = { "ins_lat", PERF_SAMPLE_WEIGHT_STRUCT, RAW_ONLY },
	[FIELD_IP] = { "ip", PERF_SAMPLE_IP, BUT_TRACEPOINTS },
	[FIELD_SYM] = { "sym", PERF_SAMPLE_IP, BUT_TRACEPOINTS },
	[FIELD_SYMOFF] = { "symoff", PERF_SAMPLE_IP, BUT_TRACEPOINTS },
	[FIELD_DSO] = { "dso", PERF_SAMPLE_IP, BUT_TRACEPOINTS },
	[FIELD_SRCLINE] = { "srcline", PERF_SAMPLE_IP, 0 },
	[FIELD_IREGS] = { "iregs", PERF_SAMPLE_REGS_INTR, 0 },
	[FIELD_UREGS] = { "uregs", PERF_SAMPLE_REGS_USER, 0 },
	[FIELD_BRSTACK] = { "brstack", PERF_SAMPLE_BRANCH_STACK, 0 },
	[FIELD_BRSTACKSYM] = { "brstacksym", PERF_SAMPLE_BRANCH_STACK, 0 },
	[FIELD_PHYS_ADDR] = { "phys_addr", PERF_SAMPLE_PHYS_ADDR, RAW_ONLY },
	[FIELD_DATA_PAGE_SIZE] = { "data_page_size",
				   PERF_SAMPLE_DATA_PAGE_SIZE, RAW_ONLY },
	[FIELD_CODE_PAGE_SIZE] = { "code_page_size",
				   PERF_SAMPLE_CODE_PAGE_SIZE, RAW_ONLY },
};

static const char *const kind_names[] = {
	[KIND_HARDWARE] = "hw",
	[KIND_SOFTWARE] = "sw",
	[KIND_TRACEPOINT] = "trace",
	[KIND_RAW] = "raw",
	[KIND_BREAKPOINT] = "break",
};

static enum script_kind kind_of(const struct perf_event_attr *attr)
{
	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		return KIND_HARDWARE;
	case PERF_TYPE_SOFTWARE:
		return KIND_SOFTWARE;
	case PERF_TYPE_TRACEPOINT:
		return KIND_TRACEPOINT;
	case PERF_TYPE_RAW:
		return KIND_RAW;
	case PERF_TYPE_BREAKPOINT:
		return KIND_BREAKPOINT;
	default:
		return KIND_OTHER;
	}
}

void script_fields_default(struct script_fields *fields)
{
	*fields = (struct script_fields){ 0 };
	for (unsigned int kind = 0; kind < KIND_COUNT; kind++)
		for (unsigned int i = 0; i < FIELD_COUNT; i++)
			if (table[i].kinds & 1U << kind)
				fields->masks[kind] |= 1ULL << i;
}

static bool is_name(const char *name, const char *text, size_t len)
{
	return name && strlen(name) == len && !strncmp(name, text, len);
}

/*
 * Bit mask of the kinds named before the colon, or of all kinds; moves @text past the
 * colon. 0: unknown kind.
 */
static unsigned int take_kinds(const char **text)
{
	const char *colon = strchr(*text, ':');
	const char *name = *text;

	if (!colon)
		return EVERY_KIND;
	*text = colon + 1;
	for (unsigned int i = 0; i < ARRAY_SIZE(kind_names); i++)
		if (is_name(kind_names[i], name, colon - name))
			return 1U << i;
	return 0;
}

/* FIELD_BIT() of a name; 0: unknown field. */
static uint64_t bit_of(const char *name, size_t len)
{
	for (unsigned int i = 0; i < FIELD_COUNT; i++)
		if (is_name(table[i].name, name, len))
			return 1ULL << i;
	return 0;
}

const char script_fields_unknown[] = "valid fields";

const char *script_fields_name(size_t index)
{
	return index < FIELD_COUNT ? table[index].name : NULL;
}

/* Parsed list: fields that replace the present ones, or are added to or removed from them. */
struct change {
	uint64_t set;
	uint64_t add;
	uint64_t remove;
};

static const char *take_name(struct change *change, const char *name,
			     size_t len)
{
	char sign = len && (*name == '+' || *name == '-') ? *name : 0;
	uint64_t bit = bit_of(name + !!sign, len - !!sign);

	if (!bit)
		return script_fields_unknown;
	if (sign == '+')
		change->add |= bit;
	else if (sign == '-')
		change->remove |= bit;
	else
		change->set |= bit;
	if (change->set && (change->add || change->remove))
		return "either all fields or none have + or -";
	return NULL;
}

static void apply(struct script_fields *fields, unsigned int kinds,
		  const struct change *change)
{
	for (unsigned int kind = 0; kind < KIND_COUNT; kind++) {
		if (!(kinds & 1U << kind))
			continue;
		fields->changed[kind] = true;
		if (!change->add && !change->remove)
			fields->masks[kind] = fields->asked[kind] = 0;
		fields->asked[kind] |= change->set | change->add;
		fields->asked[kind] &= ~change->remove;
		fields->masks[kind] |= change->set | change->add;
		fields->masks[kind] &= ~change->remove;
	}
}

const char *script_fields_parse(struct script_fields *fields, const char *text,
				const char **at)
{
	unsigned int kinds = take_kinds(&text);
	struct change change = { 0 };
	const char *wrong = NULL;
	size_t len;

	if (!kinds)
		return "valid kinds of events: hw, sw, trace, raw, break";
	if (!*text && kinds == EVERY_KIND)
		return "no fields";
	for (*at = text; !wrong && *text; text += len + 1) {
		*at = text;
		len = strcspn(text, ",");
		wrong = take_name(&change, text, len);
		if (!text[len])
			break;
		if (!text[len + 1]) {
			*at = text + len + 1;
			wrong = script_fields_unknown;
		}
	}
	if (change.set & FIELD_BIT(SYMOFF) && !(change.set & FIELD_BIT(SYM)))
		wrong = "symoff requires sym";
	if (!wrong)
		apply(fields, kinds, &change);
	return wrong;
}

void script_fields_chains(struct script_fields *fields)
{
	if (!fields->changed[KIND_TRACEPOINT])
		fields->masks[KIND_TRACEPOINT] |= FRAME_FIELDS;
}

const char *script_fields_of(const struct script_fields *fields,
			     const struct kermon_profile_event *event,
			     uint64_t *mask)
{
	enum script_kind kind = kind_of(event->attr);
	const char *missing = NULL;

	*mask = fields->masks[kind];
	if (kind != KIND_TRACEPOINT)
		*mask &= ~FIELD_BIT(TRACE);
	for (unsigned int i = 0; i < FIELD_COUNT; i++) {
		if (!(*mask & 1ULL << i) || !table[i].needs ||
		    event->attr->sample_type & table[i].needs)
			continue;
		*mask &= ~(1ULL << i);
		if (fields->asked[kind] & 1ULL << i)
			missing = table[i].name;
	}
	return missing;
}
