// SPDX-License-Identifier: GPL-2.0
/* Chooses those ceilings of a machine that apply to what was recorded there. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "roofline.h"

static bool is_peak(const struct kermon_ceiling *ceiling)
{
	return ceiling->kind == KERMON_CEILING_FLOPS;
}

/* CPUs are always there: of these, as many as would execute all operations alike. */
static double busy_cpus(const struct roofline_run *run)
{
	const struct kermon_roofline_thread *thread;
	double all = 0, most = 0;

	for (size_t i = 0; (thread = kermon_roofline_thread(run->table, i)); i++) {
		if (!(thread->sums->flop > 0))
			continue;
		all += thread->sums->flop;
		most = fmax(most, thread->sums->flop);
	}
	return most > 0 ? all / most : 1;
}

double run_parallel(const struct roofline_run *run)
{
	const struct kermon_roofline_sums *total = kermon_roofline_total(run->table);

	if (run_is_of_cpus(run))
		return busy_cpus(run);
	return total->seconds > 0 ? total->busy / total->seconds : 1;
}

/* The smallest number of threads that was measured and is not below @wanted; else the largest. */
static unsigned int threads_measured(const struct roofs *roofs, unsigned int wanted)
{
	unsigned int found = 0, most = 0, threads;

	for (size_t i = 0; i < roofs->nr; i++) {
		threads = roofs->all[i].from->threads;
		if (threads > most)
			most = threads;
		if (threads >= wanted && (!found || threads < found))
			found = threads;
	}
	return found ? found : most;
}

unsigned int roofs_wanted(const struct roofline_run *run)
{
	const double parallel = run_parallel(run);

	return parallel > 1 ? (unsigned int)lrint(parallel) : 1;
}

unsigned int roofs_threads(const struct roofline_run *run)
{
	return threads_measured(run->roofs, roofs_wanted(run));
}

unsigned int roofs_one_thread(const struct roofs *roofs)
{
	return threads_measured(roofs, 1);
}

/* The precision of most operations of all recordings of the machine. */
static const char *precision_of(const struct roofline_view *view, const struct roofs *roofs)
{
	double of[KERMON_PRECISIONS] = { 0 };
	const struct kermon_roofline_sums *total;

	for (size_t i = 0; i < view->nr_runs; i++) {
		if (view->runs[i].roofs != roofs)
			continue;
		total = kermon_roofline_total(view->runs[i].table);
		for (size_t j = 0; j < KERMON_PRECISIONS; j++)
			for (size_t k = 0; k < KERMON_SIMDS; k++)
				of[j] += total->by_class[j][k];
	}
	return of[KERMON_SINGLE] > of[KERMON_DOUBLE] ? "single" : "double";
}

/* Whether both limit the same: a peak of one width of registers, or the bandwidth of a level. */
static bool same_kind(const struct kermon_ceiling *a, const struct kermon_ceiling *b)
{
	if (a->kind != b->kind || a->threads != b->threads)
		return false;
	return is_peak(a) ? !strcmp(a->isa, b->isa) && !strcmp(a->precision, b->precision) :
			    !strcmp(a->level, b->level);
}

/* Of those that limit the same, the highest one: nothing is above it. */
static bool is_highest(const struct roofs *roofs, size_t index)
{
	const struct kermon_ceiling *of = roofs->all[index].from, *other;

	for (size_t i = 0; i < roofs->nr; i++) {
		other = roofs->all[i].from;
		if (i == index || !same_kind(of, other))
			continue;
		if (other->value > of->value || (other->value == of->value && i < index))
			return false;
	}
	return true;
}

/* Samples are of one thread, averages of all. */
static void show(struct roofs *roofs, unsigned int threads)
{
	for (size_t i = 0; i < roofs->nr; i++)
		roofs->all[i].shown |= roofs->all[i].highest &&
				       roofs->all[i].from->threads == threads;
}

int roofs_choose(const struct roofline_view *view, struct roofs *roofs)
{
	const char *precision = precision_of(view, roofs);
	const struct kermon_ceiling *from;

	roofs->nr = kermon_ceilings_nr(roofs->ceilings);
	roofs->all = calloc(roofs->nr + 1, sizeof(*roofs->all));
	if (!roofs->all)
		return -ENOMEM;
	for (size_t i = 0; i < roofs->nr; i++)
		roofs->all[i].from = kermon_ceilings_get(roofs->ceilings, i);
	for (size_t i = 0; i < roofs->nr; i++) {
		from = roofs->all[i].from;
		roofs->all[i].highest = is_highest(roofs, i) &&
					(!is_peak(from) || !strcmp(from->precision, precision));
	}
	show(roofs, roofs_one_thread(roofs));
	for (size_t i = 0; i < view->nr_runs; i++)
		if (view->runs[i].roofs == roofs)
			show(roofs, roofs_threads(&view->runs[i]));
	return 0;
}

double roof_at(const struct roof *roof, double intensity)
{
	return is_peak(roof->from) ? roof->from->value : roof->from->value * intensity;
}

bool roofs_apply(const struct roofline_run *run)
{
	return run->roofs->ceilings &&
	       (run->match == KERMON_CEILINGS_SAME || run->roofs->given);
}
