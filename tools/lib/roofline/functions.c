// SPDX-License-Identifier: GPL-2.0
/*
 * The functions in which intervals ended: looked up when an interval is taken, because later
 * something else may be mapped there. Regions that a program marks would be found likewise.
 *
 * A slice of time of perf_event is of several functions. Its samples have addresses, too: what
 * each stands for is summed up by function, beside the slices.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "roofline_private.h"
#include "util/array.h"

/* A function is known by its symbol, other code by its file. */
static uint64_t key_of(const struct place *place)
{
	return place->symbol ? (uintptr_t)place->symbol : (uintptr_t)place->dso;
}

static int describe(struct function *function, const struct place *place)
{
	const char *name = place->symbol ? symbol_name(place->dso, place->symbol) : NULL;

	*function = (struct function){
		.shown = {
			.size = sizeof(function->shown),
			.file = place->dso ? place->dso->name : NULL,
		},
	};
	if (!name)
		return 0;
	function->shown.name = symbol_demangle(name);
	if (!function->shown.name)
		function->shown.name = strdup(name);
	return function->shown.name ? 0 : -ENOMEM;
}

uint32_t function_of(struct kermon_roofline *roofline, const struct pipeline_sample *sample)
{
	const struct place place = places_find(roofline->pipeline.places, sample->thread,
					       record_mode(sample->record), sample->fields->ip, 0);
	const uint32_t number = numbering_get(&roofline->function_numbers, key_of(&place));

	if (number == NUMBERING_FULL || number < roofline->nr_functions)
		return number;
	if (array_room(roofline->functions, roofline->room_functions, (size_t)number + 1) ||
	    describe(&roofline->functions[number], &place))
		return NUMBERING_FULL;
	roofline->nr_functions++;
	return number;
}

int function_tally(struct kermon_roofline *roofline, const struct pipeline_sample *sample)
{
	const uint32_t number = function_of(roofline, sample);
	struct function *function;

	if (number == NUMBERING_FULL)
		return -ENOMEM;
	function = &roofline->functions[number];
	if (!function->part.open && part_open(roofline, &function->part, 0))
		return -ENOMEM;
	function->samples++;
	part_add(roofline, &function->part, sample);
	return 0;
}

void function_row(struct kermon_roofline *roofline, struct function *function,
		  struct kermon_roofline_sample *row)
{
	*row = (struct kermon_roofline_sample){
		.size = sizeof(*row),
		.estimated = true,
		.oncpu = function->part.oncpu,
		.error = NAN,
		.instructions = function->part.instructions,
		.cycles = function->part.cycles,
	};
	for (size_t i = 0; i < KERMON_ROOFLINE_DOMAINS; i++)
		row->joules[i] = NAN;
	kermon_operations_sum(roofline->operations, function->part.counts,
			      roofline->nr_operations, &row->operations);
}

void functions_free(struct kermon_roofline *roofline)
{
	for (size_t i = 0; i < roofline->nr_functions; i++) {
		free((char *)roofline->functions[i].shown.name);
		free(roofline->functions[i].part.counts);
	}
	free(roofline->functions);
	free(roofline->function_of);
	numbering_free(&roofline->function_numbers);
}

uint32_t kermon_roofline_function_of(const struct kermon_roofline *roofline, size_t index)
{
	return index < roofline->nr_samples ? roofline->function_of[index] : UINT32_MAX;
}

const struct kermon_roofline_function *
kermon_roofline_function(const struct kermon_roofline *roofline, size_t index)
{
	return index < roofline->nr_functions && roofline->functions[index].shown.sums ?
	       &roofline->functions[index].shown : NULL;
}
