// SPDX-License-Identifier: GPL-2.0
/*
 * Makes rows of parts. Where sets are rotated, a part has the counts of one set: the parts of
 * a thread are joined until each set with operations or accesses has had a turn, and the
 * counts of each are scaled to the time on the CPU of all of them.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "roofline_private.h"
#include "util/array.h"

/* The set of a CPU may change: an interval has a sample of each event that was counted in it. */
static bool tells_counted(const struct kermon_roofline *roofline)
{
	return roofline->origin.monitor == KERMON_MONITOR_SPY;
}

/* 0 if the file has such events all the time, otherwise unknown. */
static double none_of(const struct kermon_roofline *roofline, unsigned int kind)
{
	return roofline->has & 1U << kind && !tells_counted(roofline) ? 0 : NAN;
}

int part_open(const struct kermon_roofline *roofline, struct part *part, uint32_t measures)
{
	double *counts = part->counts;

	if (!counts)
		counts = malloc((roofline->nr_operations + 1) * sizeof(*counts));
	if (!counts)
		return -ENOMEM;
	for (size_t i = 0; i < roofline->nr_operations; i++)
		counts[i] = tells_counted(roofline) ? NAN : 0;
	*part = (struct part){
		.open = true,
		.function = NUMBERING_FULL,
		.counts = counts,
		.instructions = none_of(roofline, KERMON_METRIC_INSTRUCTIONS),
		.cycles = none_of(roofline, KERMON_METRIC_CYCLES),
	};
	for (size_t i = 0; i < KERMON_ROOFLINE_DOMAINS; i++)
		part->joules[i] = measures & 1U << i ? 0 : NAN;
	return 0;
}

static int add_stay(struct kermon_roofline *roofline, const struct part *part)
{
	const uint32_t cpu = numbering_get(&roofline->cpus, part->cpu);
	struct owner *owner = &roofline->all[part->owner];
	struct stay *stay;

	if (cpu == NUMBERING_FULL ||
	    array_room(roofline->stays, roofline->room_stays, roofline->nr_stays + 1))
		return -ENOMEM;
	stay = &roofline->stays[roofline->nr_stays];
	*stay = (struct stay){
		.shown = {
			.size = sizeof(stay->shown),
			.thread = part->owner,
			.cpu = part->cpu,
			.why = part->why,
			.begin = part->begin,
			.end = part->end,
			.oncpu = part->oncpu ? part->oncpu : part->end - part->begin,
		},
		.cpu_number = cpu,
		.before = roofline->nr_sets ? owner->last_stay : NO_STAY,
	};
	owner->last_stay = roofline->nr_stays++;
	memcpy(stay->joules, part->joules, sizeof(stay->joules));
	return 0;
}

/* Note of all stays of a row whether its operations are known. */
static void mark_stays(struct kermon_roofline *roofline, const struct owner *owner,
		       const struct kermon_roofline_sample *row)
{
	for (size_t i = owner->last_stay; i != NO_STAY; i = roofline->stays[i].before)
		roofline->stays[i].counted = !isnan(row->operations.all_flop);
}

static void note_span(struct kermon_roofline *roofline, const struct part *part)
{
	struct kermon_roofline_origin *origin = &roofline->origin;

	if (!roofline->nr_stays || part->begin < origin->begin)
		origin->begin = part->begin;
	if (part->end > origin->end)
		origin->end = part->end;
}

/* The difference between merged runs, of threads or of the CPU of a part. */
static double apart_of(const struct kermon_roofline *roofline, const struct part *part)
{
	return part->cpu < roofline->nr_apart ? roofline->apart[part->cpu] :
						roofline->basis.apart;
}

/* A row, but for its operations. Return: NULL if out of memory. */
static struct kermon_roofline_sample *add_row(struct kermon_roofline *roofline,
					      const struct part *part)
{
	struct kermon_roofline_sample *row;

	if (array_room(roofline->samples, roofline->room_samples, roofline->nr_samples + 1) ||
	    array_room(roofline->function_of, roofline->room_function_of,
		       roofline->nr_samples + 1))
		return NULL;
	roofline->function_of[roofline->nr_samples] = part->function;
	row = &roofline->samples[roofline->nr_samples++];
	*row = (struct kermon_roofline_sample){
		.size = sizeof(*row),
		.thread = part->owner,
		.cpu = part->cpu,
		.why = part->why,
		.alone = part->alone,
		.begin = part->begin,
		.end = part->end,
		.oncpu = part->oncpu,
		.instructions = part->valid ? part->instructions : NAN,
		.cycles = part->valid ? part->cycles : NAN,
	};
	memcpy(row->joules, part->joules, sizeof(row->joules));
	/* Attributed by instructions, or by the period of samples. */
	row->estimated = roofline->basis.runs ||
			 roofline->origin.monitor == KERMON_MONITOR_PERF;
	if (roofline->basis.runs)
		row->error = apart_of(roofline, part);
	else if (row->estimated)
		row->error = NAN;
	return row;
}

/* Whether an event that counts all operations of the precision of @one was counted. */
static bool is_in_whole(const struct kermon_roofline *roofline, const double *counts,
			const struct kermon_operation *one)
{
	const struct kermon_operation *all = roofline->operations;

	for (size_t i = 0; i < roofline->nr_operations; i++)
		if (all[i].whole && all[i].precision == one->precision && !isnan(counts[i]))
			return true;
	return false;
}

/* An event was not counted: sums that it belongs to are not known. */
static void forget(struct kermon_operations *sum, const struct kermon_operation *missing,
		   bool in_whole)
{
	const bool by_mix = missing->simd || missing->flop;

	if (missing->flop && !in_whole) {
		memset(sum->flop, 0, sizeof(sum->flop));
		sum->all_flop = NAN;
		sum->simd = KERMON_SIMD_UNKNOWN;
	}
	if (missing->access == KERMON_LOAD)
		sum->loads = NAN;
	if (missing->access == KERMON_STORE)
		sum->stores = NAN;
	if (missing->access || (by_mix && sum->basis >= KERMON_BYTES_BY_MIX)) {
		sum->bytes = sum->bytes_low = sum->bytes_high = NAN;
		sum->basis = KERMON_BYTES_UNKNOWN;
	}
	if (missing->memory)
		sum->memory_bytes = NAN;
}

static void forget_missing(const struct kermon_roofline *roofline, const double *counts,
			   struct kermon_operations *sum)
{
	const struct kermon_operation *one;

	for (size_t i = 0; i < roofline->nr_operations; i++) {
		one = &roofline->operations[i];
		if ((roofline->set_of[i] >= 0 || tells_counted(roofline)) &&
		    roofline->first_of[i] == i && isnan(counts[i]))
			forget(sum, one, is_in_whole(roofline, counts, one));
	}
}

static void fill_operations(struct kermon_roofline *roofline, const double *counts,
			    struct kermon_roofline_sample *row)
{
	struct kermon_roofline_basis *basis = &roofline->basis;

	kermon_operations_sum(roofline->operations, counts, roofline->nr_operations,
			      &row->operations);
	forget_missing(roofline, counts, &row->operations);
	if (row->operations.basis > basis->bytes && row->operations.bytes > 0)
		basis->bytes = row->operations.basis;
}

static int add_whole(struct kermon_roofline *roofline, const struct part *part)
{
	struct kermon_roofline_sample *row = add_row(roofline, part);

	if (!row || add_stay(roofline, part))
		return -ENOMEM;
	for (size_t i = 0; i < roofline->nr_operations && !part->valid; i++)
		part->counts[i] = NAN;
	fill_operations(roofline, part->counts, row);
	mark_stays(roofline, &roofline->all[part->owner], row);
	return 0;
}

/*
 * A program that did the same in the turns of all sets executed instructions at the same
 * rate, which is counted all the time: how far it was off is a measure of the error. It is not
 * known if a set had no turn.
 */
static double error_of(const struct kermon_roofline *roofline, const struct owner *owner)
{
	const double rate = owner->row.instructions / owner->row.oncpu;
	double error = 0, of_set;

	if (!(rate > 0))
		return NAN;
	for (size_t i = 0; i < roofline->nr_sets; i++) {
		if (!(roofline->needed & 1U << i))
			continue;
		if (!owner->of_set[i])
			return NAN;
		of_set = owner->set_instructions[i] / owner->of_set[i];
		error = fmax(error, fabs(of_set / rate - 1));
	}
	return error;
}

/* Add up the count and the time of an event in all sets that have it. Return: the time. */
static uint64_t pool(const struct kermon_roofline *roofline, struct owner *owner, size_t first)
{
	double *counts = owner->row.counts;
	uint64_t measured = owner->of_set[roofline->set_of[first]];

	for (size_t i = first + 1; i < roofline->nr_operations; i++) {
		if (roofline->first_of[i] != first)
			continue;
		counts[first] += counts[i];
		counts[i] = NAN;
		measured += owner->of_set[roofline->set_of[i]];
	}
	return measured;
}

/* Scale the count of each event to the whole time; NaN: it had no turn. */
static void scale(const struct kermon_roofline *roofline, struct owner *owner)
{
	double *counts = owner->row.counts;
	uint64_t measured;

	for (size_t i = 0; i < roofline->nr_operations; i++) {
		if (roofline->set_of[i] < 0 || roofline->first_of[i] != i)
			continue;
		measured = pool(roofline, owner, i);
		counts[i] = measured ? counts[i] * owner->row.oncpu / measured : NAN;
	}
}

static bool is_scaled(const struct kermon_roofline *roofline, const struct owner *owner)
{
	for (size_t i = 0; i < roofline->nr_sets; i++)
		if (roofline->needed & 1U << i && owner->of_set[i] != owner->row.oncpu)
			return true;
	return false;
}

static int close_row(struct kermon_roofline *roofline, struct owner *owner)
{
	struct kermon_roofline_sample *row = add_row(roofline, &owner->row);

	if (!row)
		return -ENOMEM;
	if (is_scaled(roofline, owner)) {
		row->estimated = true;
		row->error = error_of(roofline, owner);
		scale(roofline, owner);
	}
	fill_operations(roofline, owner->row.counts, row);
	mark_stays(roofline, owner, row);
	owner->row.open = false;
	return 0;
}

static bool is_covered(const struct kermon_roofline *roofline, const struct owner *owner)
{
	for (size_t i = 0; i < roofline->nr_sets; i++)
		if (roofline->needed & 1U << i && !owner->of_set[i])
			return false;
	return true;
}

static void add_part(const struct kermon_roofline *roofline, struct owner *owner,
		     const struct part *part)
{
	struct part *row = &owner->row;

	row->cpu = part->cpu;
	row->why = part->why;
	row->function = part->function;
	row->alone &= part->alone;
	row->end = part->end;
	row->oncpu += part->oncpu;
	for (size_t i = 0; i < KERMON_ROOFLINE_DOMAINS; i++)
		row->joules[i] += part->joules[i];
	owner->last_set = part->set;
	if (!part->valid || part->set >= roofline->nr_sets) {
		row->instructions = NAN;
		row->cycles = NAN;
		return;
	}
	row->instructions += part->instructions;
	row->cycles += part->cycles;
	for (size_t i = 0; i < roofline->nr_operations; i++)
		row->counts[i] += part->counts[i];
	owner->of_set[part->set] += part->oncpu;
	owner->set_instructions[part->set] += part->instructions;
}

static int begin_row(struct kermon_roofline *roofline, struct owner *owner,
		     const struct part *part)
{
	int err = part_open(roofline, &owner->row, (1U << roofline->nr_domains) - 1);

	if (err)
		return err;
	owner->row.owner = part->owner;
	owner->row.begin = part->begin;
	owner->row.alone = true;
	owner->last_stay = NO_STAY;
	owner->row.valid = true;
	memset(owner->of_set, 0, sizeof(owner->of_set));
	memset(owner->set_instructions, 0, sizeof(owner->set_instructions));
	return 0;
}

/* Rows end when the turn of a set ends, so that the shares of the sets are alike. */
static int join_turns(struct kermon_roofline *roofline, struct owner *owner,
		      const struct part *part)
{
	int err = 0;

	if (owner->row.open && part->set != owner->last_set && is_covered(roofline, owner))
		err = close_row(roofline, owner);
	if (!err && !owner->row.open)
		err = begin_row(roofline, owner, part);
	if (!err)
		err = add_stay(roofline, part);
	if (!err)
		add_part(roofline, owner, part);
	return err;
}

int roofline_join(struct kermon_roofline *roofline, struct part *part)
{
	struct owner *owner = &roofline->all[part->owner];
	int err;

	note_span(roofline, part);
	if (roofline->nr_sets)
		err = join_turns(roofline, owner, part);
	else
		err = add_whole(roofline, part);
	if (!err && part->tsc)
		err = moments_note(roofline, part);
	owner->end = part->end;
	owner->shown.cpu = part->cpu;
	part->open = false;
	return err;
}

int roofline_join_rest(struct kermon_roofline *roofline)
{
	int err = 0;

	for (size_t i = 0; i < roofline->nr_owners && !err; i++)
		if (roofline->all[i].row.open)
			err = close_row(roofline, &roofline->all[i]);
	return err;
}
