// SPDX-License-Identifier: GPL-2.0
/* kermon list: prints the event sets and the events of this CPU. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include <kermon/events.h>
#include <kermon/operations.h>

#include "ui/command.h"
#include "ui/message.h"
#include "ui/options.h"
#include "ui/values.h"
#include "util/nearmatch.h"

/**
 * struct listing - options and progress
 * @pattern: part of the names to list, NULL for all
 * @verbose: print titles
 * @names: print names only, one per line
 * @count: names printed so far
 * @match: names that are like the pattern
 */
struct listing {
	const char *pattern;
	bool verbose;
	bool names;
	unsigned int count;
	struct nearmatch match;
};

static bool is_wanted(struct listing *listing, const char *name)
{
	if (!listing->pattern || strcasestr(name, listing->pattern))
		return true;
	nearmatch_offer(&listing->match, name);
	return false;
}

static void print_title(const char *title)
{
	printf("%*s%s\n", 10, "", title);
}

/* Whether this CPU lacks @name, if it is one of the few events that CPUID enumerates. */
static bool is_absent(const char *name)
{
	struct kermon_selection selection;
	struct kermon_event_error error;

	return !kermon_events_select(name, KERMON_COUNT_USER, &selection,
				     &error) && selection.nr && selection.events[0].absent;
}

/* What the event files say of an event. */
static void print_meaning(const char *name)
{
	static const char *const precisions[KERMON_PRECISIONS] = {
		"", "single precision", "double precision", "single or double precision",
	};
	static const char *const simds[KERMON_SIMDS] = {
		"", ", scalar", ", 128 bits", ", 256 bits", ", 512 bits",
	};
	const char *about = kermon_event_about(name);
	struct kermon_operation operation;

	if (about)
		printf("%*s%s\n", 14, "", about);
	if (!kermon_operation_of(name, &operation))
		return;
	if (operation.flop)
		printf("%*s%.0f FLOP, %s%s%s\n", 14, "", operation.flop,
		       precisions[operation.precision], simds[operation.simd],
		       operation.executed ? "; counted when executed" : "");
	else if (operation.memory)
		printf("%*s%.0f bytes from memory\n", 14, "", operation.bytes);
	else if (operation.access)
		printf("%*s%s\n", 14, "", operation.access == KERMON_LOAD ?
		       "loads of a core" : "stores of a core");
	else
		printf("%*sfloating-point instructions%s\n", 14, "",
		       simds[operation.simd]);
}

static void print_set(const struct listing *listing,
		      const struct kermon_event_list *set)
{
	const char *const *event;

	if (listing->names) {
		printf("%s\n", set->name);
		return;
	}
	printf("  %-8s %s\n", set->name, set->title);
	for (event = set->events; *event; event++) {
		printf("%*s%s%s\n", 10, "", *event,
		       is_absent(*event) ? " (not on this CPU)" : "");
		if (listing->verbose)
			print_meaning(*event);
	}
}

static void print_sets(struct listing *listing)
{
	const struct kermon_event_list *set;
	unsigned int i;

	for (i = 0; (set = kermon_events_list(i)); i++) {
		if (!is_wanted(listing, set->name))
			continue;
		if (!listing->count && !listing->names)
			printf("Sets:\n");
		print_set(listing, set);
		listing->count++;
	}
}

/* Skip events that require a unit mask: they are listed with each of their masks. */
static int print_event(const struct kermon_event_info *info, void *data)
{
	struct listing *listing = data;

	if (info->has_masks || !is_wanted(listing, info->name))
		return 0;
	printf("%s%s%s\n", listing->names ? "" : "  ", info->name,
	       !listing->names && is_absent(info->name) ?
	       " (not on this CPU)" : "");
	if (listing->verbose)
		print_title(info->title);
	listing->count++;
	return 0;
}

static void print_model(const struct kermon_pmu_model *model)
{
	if (*model->name)
		printf("Events of %s (%s), by libpfm4:\n", model->title,
		       model->name);
	else
		printf("libpfm4 does not know this CPU: only raw events, and those of its "
		       "sets.\n");
}

static const struct option_spec options_of_list[] = {
	{ 'v', "verbose", NULL, "describe each event",
	  VALUE(flag, struct listing, verbose) },
	{ 'n', "names", NULL, "print only names, one per line",
	  VALUE(flag, struct listing, names) },
	{}
};

static const struct option_conflict conflicts_of_list[] = {
	{ "verbose", "names" },
	{}
};

static int run_list(const struct command *command, int argc, char **argv)
{
	struct listing listing = { 0 };
	struct kermon_pmu_model model;
	struct options options;

	if (!options_parse(&options, command, argc, argv, &listing))
		return options.status;
	listing.pattern = options.operands[0];
	listing.match.word = listing.pattern;
	kermon_events_model(&model);
	print_sets(&listing);
	if (!listing.names)
		print_model(&model);
	kermon_events_each(print_event, &listing);
	if (!listing.names && !listing.pattern)
		printf("  rUUEE: unit mask UU of event EE\n");
	if (listing.count)
		return STATUS_OK;
	message(command->name, "no set or event has '%s' in its name",
		listing.pattern);
	message_similar(listing.match.names, listing.match.nr, "");
	return STATUS_FAILED;
}

const struct command list_command = {
	.name = "list",
	.synopsis = "[OPTION]... [PATTERN]",
	.summary = "List the event sets and the events of this CPU",
	.options = options_of_list,
	.conflicts = conflicts_of_list,
	.operand = &value_text,
	.max_operands = 1,
	.run = run_list,
};
