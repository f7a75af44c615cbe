// SPDX-License-Identifier: GPL-2.0
/* Parse events and event sets and distribute them over the programmable counters. */
#include <assert.h>
#include <errno.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/events.h>

#include "events/tables.h"
#include "eventsets.h"
#include "model.h"
#include "pmu_terms.h"
#include "util/nearmatch.h"
#include "util/perfevent.h"

/* Bits of IA32_PERFEVTSELx: SDM vol. 3B, 20.2.1.1; those of modes are in perfevent.h. */
#define EVTSEL_EVENT	0x000000ffULL
#define EVTSEL_UMASK	0x0000ff00ULL
#define EVTSEL_EDGE	0x00040000ULL
#define EVTSEL_INT	0x00100000ULL
#define EVTSEL_EN	0x00400000ULL
#define EVTSEL_INV	0x00800000ULL
#define EVTSEL_CMASK	0xff000000ULL
/* AMD's event select has four more bits: APM vol. 2, 13.2.1. */
#define EVTSEL_AMD	0xf00000000ULL

/* AMD since family 17h: PPR, "Large Increment per Cycle Events". */
#define EVENT_FLOPS	0x003
#define FAMILY_ZEN	0x17

/* The bits that a user may set, and those that libpfm4 sets by itself. */
#define EVTSEL_WHAT	(EVTSEL_EVENT | EVTSEL_UMASK | EVTSEL_EDGE | \
			 EVTSEL_INV | EVTSEL_CMASK)
#define EVTSEL_IMPLIED	(EVTSEL_INT | EVTSEL_EN)

/* Return value of parse_event() for events of fixed counters: part of every recording. */
#define IN_EVERY	1

/* Without fixed counters, their events have to be programmed. */
static bool has_fixed(void)
{
	return strncmp(model_name(), EVENTSETS_AMD, strlen(EVENTSETS_AMD));
}

/* libpfm4 has no name for AMD families that are newer than itself. */
static bool is_zen(void)
{
	const char *name = model_name();
	unsigned int family = 0;

	return !strcmp(name, EVENTSETS_AMD) ||
	       (sscanf(name, EVENTSETS_AMD "_fam%2xh", &family) == 1 &&
		family >= FAMILY_ZEN);
}

/*
 * AMD's floating-point operations take two counters, since there are too many per cycle
 * for one.
 */
static unsigned int counters_for(uint64_t code)
{
	return is_zen() && (code & (EVTSEL_EVENT | EVTSEL_AMD)) == EVENT_FLOPS ?
	       2 : 1;
}

static unsigned int mode_of(const char *text)
{
	if (!strcmp(text, "u"))
		return KERMON_COUNT_USER;
	if (!strcmp(text, "k"))
		return KERMON_COUNT_KERNEL;
	if (!strcmp(text, "uk") || !strcmp(text, "ku"))
		return KERMON_COUNT_USER | KERMON_COUNT_KERNEL;
	return 0;
}

/*
 * Cut ":u", ":k" or ":uk", or the same behind terms, off the end of @word. Return: these modes,
 * or else @modes.
 */
static unsigned int cut_modes(char *word, unsigned int modes)
{
	unsigned int named = 0, mode;
	char *end;

	while ((end = strrchr(word, ':')) && (mode = mode_of(end + 1))) {
		named |= mode;
		*end = '\0';
	}
	end = strrchr(word, '/');
	if (end && (mode = mode_of(end + 1))) {
		named |= mode;
		end[1] = '\0';
	}
	return named ? named : modes;
}

/* "rUUEE" and longer, as in perf; the ninth digit is only on AMD. */
static bool parse_raw(const char *word, uint64_t *code)
{
	const char *digits = word + 1;
	size_t length = strlen(word);

	if (*word != 'r' || length < 3 || length > 10 ||
	    strspn(digits, "0123456789abcdefABCDEF") != length - 1)
		return false;
	*code = strtoull(digits, NULL, 16);
	return true;
}

static int from_libpfm(int error)
{
	switch (error) {
	case PFM_SUCCESS:
		return 0;
	case PFM_ERR_NOTFOUND:
		return -ENOENT;
	case PFM_ERR_NOMEM:
		return -ENOMEM;
	default:
		return -EINVAL;
	}
}

static int encode(const char *word, unsigned int modes, uint64_t *code,
		  uint64_t *extra)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	char full[KERMON_EVENT_NAME + 64];
	int error;

	snprintf(full, sizeof(full), "%s::%s", model_pmu()->name, word);
	error = pfm_get_os_event_encoding(full,
					  (modes & KERMON_COUNT_USER ?
					   PFM_PLM3 : 0) |
					  (modes & KERMON_COUNT_KERNEL ?
					   PFM_PLM0 : 0), PFM_OS_NONE, &arg);
	/* An unknown unit mask counts as an unknown name. */
	if (error == PFM_ERR_ATTR)
		error = PFM_ERR_NOTFOUND;
	if (error == PFM_SUCCESS) {
		*code = arg.codes[0];
		*extra = arg.count > 1 ? arg.codes[1] : 0;
		if (arg.count < 1 || arg.count > 2)
			error = PFM_ERR_NOTSUPP;
	}
	free(arg.codes);
	return from_libpfm(error);
}

/* The modes as perf writes them behind a name, which are terms if it ends with a slash. */
static const char *suffix(const char *name, uint64_t code)
{
	const bool terms = name[strlen(name) - 1] == '/';

	switch (code & PERFEVENT_MODES) {
	case PERFEVENT_USER:
		return &":u"[terms];
	case PERFEVENT_KERNEL:
		return &":k"[terms];
	default:
		return "";
	}
}

/* Event @index of the set "fixed", which may be shorter; NULL: it is. */
static const char *fixed_event(unsigned int index)
{
	const char *const *events = eventsets_find(model_name(), "fixed")->events;

	while (index && *events) {
		events++;
		index--;
	}
	return *events;
}

/*
 * Find perf's name of the event of a fixed counter. On CPUs without fixed counters,
 * replace @word by the event of the set "fixed" that counts the same; it has the same
 * order.
 */
static int find_fixed(const char **word)
{
	static const char *const names[] = {
		"instructions", "cycles", "ref-cycles",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcasecmp(*word, names[i]))
			continue;
		if (has_fixed())
			return IN_EVERY;
		*word = fixed_event(i);
		return *word ? 0 : -ENXIO;
	}
	return 0;
}

static uint64_t chosen_bits(void)
{
	return EVTSEL_WHAT | PERFEVENT_MODES | (has_fixed() ? 0 : EVTSEL_AMD);
}

/*
 * libpfm4 encodes fixed counters as event select 0 with the number of the counter, from
 * 1, as the unit mask. Those beyond reference cycles are not recorded.
 */
static int check_code(uint64_t code)
{
	const uint64_t last = (KERMON_FIXED_REF_CYCLES + 1) << 8;
	const uint64_t what = code & EVTSEL_WHAT;

	if (has_fixed() && !(code & EVTSEL_EVENT))
		return what && what <= last ? IN_EVERY : -EOPNOTSUPP;
	return code & ~(chosen_bits() | EVTSEL_IMPLIED) ? -EINVAL : 0;
}

static int find_code(const char *word, unsigned int modes, uint64_t *code,
		     uint64_t *extra)
{
	const struct table_event *given;
	int error = 0;

	if (parse_raw(word, code)) {
		*code |= perfevent_bits(modes);
	} else if ((given = tables_code_of(model_name(), word))) {
		*code = given->code | perfevent_bits(modes);
		*extra = given->extra;
	} else {
		error = model_pmu() ? encode(word, modes, code, extra) : -ENODEV;
	}
	return error ? error : check_code(*code);
}

/* Terms of the PMU of the CPU, whose config is an event select without modes. */
static int find_terms(const char *word, unsigned int modes, uint64_t *code, uint64_t *extra)
{
	struct kermon_sampling sampling = { 0 };
	const int error = pmu_terms_find(&sampling, word);

	if (error)
		return error == -ERANGE ? -EINVAL : -ENOENT;
	if (sampling.type != PERF_TYPE_RAW || sampling.config2 || sampling.period ||
	    sampling.freq)
		return -ENOENT;
	*code = (sampling.config & ~PERFEVENT_MODES) | perfevent_bits(modes);
	*extra = sampling.config1;
	return check_code(*code);
}

/* @modes also apply to the fixed counters. */
static int parse_event(char *word, unsigned int modes,
		       struct kermon_selected_event *selected)
{
	const unsigned int wanted = cut_modes(word, modes);
	uint64_t code = 0, extra = 0;
	const char *name = word;
	int result;

	if (!*word)
		return -EINVAL;
	result = find_fixed(&name);
	if (!result)
		result = strchr(name, '/') ? find_terms(name, wanted, &code, &extra) :
					     find_code(name, wanted, &code, &extra);
	if (result)
		return result == IN_EVERY && wanted != modes ? -EALREADY :
							       result;
	selected->event.config = code & chosen_bits();
	selected->event.extra = extra;
	selected->absent = model_lacks(code);
	selected->counters = counters_for(code);
	snprintf(selected->name, sizeof(selected->name), "%.*s%s",
		 (int)sizeof(selected->name) - 3, name, suffix(name, code));
	selected->translated = name != word;
	return 0;
}

static int offer(const struct kermon_event_info *info, void *data)
{
	if (!info->has_masks)
		nearmatch_offer(data, info->name);
	return 0;
}

static void find_near(const char *word, struct kermon_event_error *error)
{
	struct nearmatch match = { .word = word };
	const struct kermon_event_list *set;
	unsigned int i;

	for (i = 0; (set = kermon_events_list(i)); i++)
		nearmatch_offer(&match, set->name);
	kermon_events_each(offer, &match);
	static_assert(sizeof(match.names) == sizeof(error->near),
		      "near events are near names");
	error->nr_near = match.nr;
	memcpy(error->near, match.names, sizeof(error->near));
}

/* Different named sets may contain the same event, since sets are rotated. */
static bool is_there(const struct kermon_selection *selection,
		     const struct kermon_selected_event *event)
{
	const struct kermon_selected_event *each = selection->events;
	const struct kermon_selected_event *end = each + selection->nr;

	for (; each < end; each++)
		if (each->event.config == event->event.config &&
		    each->event.extra == event->event.extra &&
		    !(each->list && event->list))
			return true;
	return false;
}

/* Count @event, which has been stored already. */
static void count_in(struct kermon_selection *selection,
		     const struct kermon_selected_event *event)
{
	selection->nr++;
	selection->counters += event->counters;
}

/**
 * struct naming - the sets that have been named so far
 * @sets: bit mask of them, by index
 * @list: number of the named set whose events are being added; 0: none
 * @joins: it may share a set with those before it, as both are of one that rotates them
 */
struct naming {
	unsigned int sets;
	unsigned int nr;
	unsigned int list;
	bool joins;
};

/* Add the event called @text, of @length bytes, to @selection. */
static int add_event(const char *text, size_t length, const struct naming *naming,
		     unsigned int modes, struct kermon_selection *selection,
		     struct kermon_event_error *error)
{
	struct kermon_selected_event *event;
	char word[KERMON_EVENT_NAME];
	int result;

	snprintf(error->word, sizeof(error->word), "%.*s", (int)length, text);
	if (length >= sizeof(word) - 2)
		return -EINVAL;
	if (selection->nr == KERMON_MAX_SELECTED)
		return -E2BIG;
	memcpy(word, text, length);
	word[length] = '\0';
	event = &selection->events[selection->nr];
	event->list = naming->list;
	event->joins = naming->joins;
	result = parse_event(word, modes, event);
	if (result == IN_EVERY) {
		selection->nr_fixed++;
		return 0;
	}
	if (!result && is_there(selection, event))
		result = -EEXIST;
	if (!result)
		count_in(selection, event);
	if (result == -ENOENT || result == -EINVAL)
		find_near(word, error);
	return result;
}

static const struct kermon_event_list *find_set(const char *text,
						size_t length)
{
	char word[16];

	if (length >= sizeof(word))
		return NULL;
	memcpy(word, text, length);
	word[length] = '\0';
	return eventsets_find(model_name(), word);
}

/* Note that a set is named. Return: 0, or -EEXIST if it was before. */
static int name_set(struct naming *naming, const struct kermon_event_list *set,
		    struct kermon_event_error *error)
{
	const unsigned int bit = 1U << (set - kermon_events_list(0));

	snprintf(error->word, sizeof(error->word), "%s", set->name);
	if (naming->sets & bit)
		return -EEXIST;
	naming->sets |= bit;
	return 0;
}

static int add_events(const struct kermon_event_list *set, struct naming *naming,
		      unsigned int modes, struct kermon_selection *selection,
		      struct kermon_event_error *error)
{
	const char *const *event;
	int result = 0;

	naming->list = ++naming->nr;
	for (event = set->events; *event && !result; event++)
		result = add_event(*event, strlen(*event), naming, modes, selection,
				   error);
	naming->list = 0;
	return result;
}

/* Add a set, or each one that it rotates, as if these had been named. */
static int add_set(const struct kermon_event_list *set, struct naming *naming,
		   unsigned int modes, struct kermon_selection *selection,
		   struct kermon_event_error *error)
{
	const struct kermon_event_list *member;
	int result = 0;

	if (!*set->events || !eventsets_find(model_name(), *set->events))
		return add_events(set, naming, modes, selection, error);
	for (size_t i = 0; set->events[i] && !result; i++) {
		member = eventsets_find(model_name(), set->events[i]);
		snprintf(error->word, sizeof(error->word), "%s", set->events[i]);
		result = member ? name_set(naming, member, error) : -ENOENT;
		naming->joins = i > 0;
		if (!result)
			result = add_events(member, naming, modes, selection, error);
	}
	naming->joins = false;
	return result;
}

/* Add the event or set called @text. */
static int add_word(const char *text, size_t length, struct naming *naming,
		    unsigned int modes, struct kermon_selection *selection,
		    struct kermon_event_error *error)
{
	const struct kermon_event_list *set = find_set(text, length);
	int result;

	if (!set)
		return add_event(text, length, naming, modes, selection, error);
	result = name_set(naming, set, error);
	/* As it was typed. */
	if (result)
		snprintf(error->word, sizeof(error->word), "%.*s", (int)length, text);
	return result ? result : add_set(set, naming, modes, selection, error);
}

int kermon_events_select(const char *text, unsigned int modes,
			 struct kermon_selection *selection,
			 struct kermon_event_error *error)
{
	struct naming naming = { 0 };
	size_t length;
	int result;

	memset(selection, 0, sizeof(*selection));
	memset(error, 0, sizeof(*error));
	for (;; text += length + 1) {
		length = pmu_terms_length(text);
		result = add_word(text, length, &naming, modes, selection, error);
		if (result || !text[length])
			return result;
	}
}

struct each {
	int (*fn)(const struct kermon_event_info *info, void *data);
	void *data;
};

static int each_mask(const struct each *each, int index,
		     const pfm_event_info_t *event)
{
	char name[2 * KERMON_EVENT_NAME];
	pfm_event_attr_info_t attr;
	int i, result = 0;

	for (i = 0; i < event->nattrs && !result; i++) {
		memset(&attr, 0, sizeof(attr));
		attr.size = sizeof(attr);
		if (pfm_get_event_attr_info(index, i, PFM_OS_NONE, &attr) !=
		    PFM_SUCCESS || attr.type != PFM_ATTR_UMASK)
			continue;
		snprintf(name, sizeof(name), "%s:%s", event->name, attr.name);
		result = each->fn(&(struct kermon_event_info){
			.name = name,
			.title = attr.desc,
		}, each->data);
	}
	return result;
}

static bool has_masks(int index, const pfm_event_info_t *event)
{
	pfm_event_attr_info_t attr;
	int i;

	for (i = 0; i < event->nattrs; i++) {
		memset(&attr, 0, sizeof(attr));
		attr.size = sizeof(attr);
		if (pfm_get_event_attr_info(index, i, PFM_OS_NONE, &attr) ==
		    PFM_SUCCESS && attr.type == PFM_ATTR_UMASK)
			return true;
	}
	return false;
}

/* Each event whose code a file gives, if libpfm4 does not list those of this CPU. */
static int each_given(const struct each *each)
{
	const struct event_table *table;
	int result = 0;

	if (model_pmu() && !strcmp(model_name(), model_pmu()->name))
		return 0;
	for (table = tables_all(); table && !result; table = table->next) {
		if (!event_table_is_of(table, model_name(), false))
			continue;
		for (size_t i = 0; i < table->nr_events && !result; i++)
			if (table->events[i].has_code)
				result = each->fn(&(struct kermon_event_info){
					.name = table->events[i].name,
					.title = table->events[i].reference,
				}, each->data);
	}
	return result;
}

int kermon_events_each(int (*fn)(const struct kermon_event_info *info,
				 void *data), void *data)
{
	const struct each each = { .fn = fn, .data = data };
	pfm_event_info_t event;
	int index, result = each_given(&each);

	if (result || !model_pmu())
		return result ? result : -ENODEV;
	for (index = model_pmu()->first_event; index != -1 && !result;
	     index = pfm_get_event_next(index)) {
		memset(&event, 0, sizeof(event));
		event.size = sizeof(event);
		if (pfm_get_event_info(index, PFM_OS_NONE, &event) !=
		    PFM_SUCCESS)
			continue;
		result = fn(&(struct kermon_event_info){
			.name = event.name,
			.title = event.desc,
			.has_masks = has_masks(index, &event),
		}, data);
		if (!result)
			result = each_mask(&each, index, &event);
	}
	return result;
}
