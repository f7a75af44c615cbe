// SPDX-License-Identifier: GPL-2.0
/* Finds the ceilings of the machine that was recorded, and those of them that apply. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "roofline.h"
#include "ui/message.h"

static void describe_machine(const struct roofline_run *run, struct kermon_machine *machine)
{
	const struct kermon_roofline_origin *origin = kermon_roofline_origin(run->table);

	*machine = (struct kermon_machine){ .cpus = origin->cpus };
	snprintf(machine->hostname, sizeof(machine->hostname), "%s",
		 origin->hostname ? origin->hostname : "");
	snprintf(machine->cpuid, sizeof(machine->cpuid), "%s",
		 origin->cpuid ? origin->cpuid : "");
	snprintf(machine->cpudesc, sizeof(machine->cpudesc), "%s",
		 origin->cpudesc ? origin->cpudesc : "");
}

static bool is_here(const struct kermon_machine *machine)
{
	struct kermon_machine here;

	kermon_machine_here(&here);
	return !strcmp(machine->hostname, here.hostname) &&
	       !strcmp(machine->cpuid, here.cpuid) && machine->cpus == here.cpus;
}

/* The file of the machine of the first recording; "" if there is none. */
static void find_default(struct roofline_view *view)
{
	struct kermon_machine machine;
	char *path = view->roofs.path;

	describe_machine(&view->runs[0], &machine);
	for (int theoretical = 0; theoretical < 2; theoretical++)
		if (!kermon_ceilings_default_path(&machine, theoretical, path) &&
		    !access(path, F_OK))
			return;
	*path = '\0';
	if (is_here(&machine))
		labels_add(view, "no ceilings of this machine: measure them with kermon roofline bench");
	else
		labels_add(view, "no ceilings of the machine that was recorded (%s, %s): measure them there with kermon roofline bench, and name the file with --ceilings",
			   *machine.hostname ? machine.hostname : "unknown host",
			   *machine.cpudesc ? machine.cpudesc : "unknown CPU");
}

static const char *or_unknown(const char *text)
{
	return text && *text ? text : "unknown";
}

/* Ceilings of another machine are only used if the user has named them. */
static void check_machine(struct roofline_view *view, struct roofline_run *run)
{
	const struct kermon_ceilings_about *about = kermon_ceilings_about(view->roofs.ceilings);
	const struct kermon_roofline_origin *origin = kermon_roofline_origin(run->table);

	run->match = kermon_ceilings_match(view->roofs.ceilings, origin->cpuid,
					   origin->cpudesc, origin->cpus);
	if (run->match == KERMON_CEILINGS_SAME)
		return;
	labels_add(view, "%s: %s of another machine: %s with %u CPUs on %s; recorded on %s with %u CPUs on %s",
		   run->label, run->match == KERMON_CEILINGS_OTHER ? "the ceilings are" :
								     "the ceilings may be",
		   or_unknown(about->cpudesc), about->cpus, or_unknown(about->hostname),
		   or_unknown(origin->cpudesc), origin->cpus, or_unknown(origin->hostname));
}

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

unsigned int roofs_threads(const struct roofline_view *view, const struct roofline_run *run)
{
	return threads_measured(&view->roofs, roofs_wanted(run));
}

unsigned int roofs_one_thread(const struct roofline_view *view)
{
	return threads_measured(&view->roofs, 1);
}

/* The precision of most operations of all recordings. */
static const char *precision_of(const struct roofline_view *view)
{
	double of[KERMON_PRECISIONS] = { 0 };
	const struct kermon_roofline_sums *total;

	for (size_t i = 0; i < view->nr_runs; i++) {
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

static void choose(struct roofline_view *view)
{
	const char *precision = precision_of(view);
	struct roofs *roofs = &view->roofs;
	const struct kermon_ceiling *from;

	for (size_t i = 0; i < roofs->nr; i++) {
		from = roofs->all[i].from;
		roofs->all[i].highest = is_highest(roofs, i) &&
					(!is_peak(from) || !strcmp(from->precision, precision));
	}
}

/* Samples are of one thread, averages of all. */
static void show(struct roofline_view *view, unsigned int threads)
{
	struct roofs *roofs = &view->roofs;

	for (size_t i = 0; i < roofs->nr; i++)
		roofs->all[i].shown |= roofs->all[i].highest &&
				       roofs->all[i].from->threads == threads;
}

static int take_all(struct roofline_view *view)
{
	struct roofs *roofs = &view->roofs;

	roofs->nr = kermon_ceilings_nr(roofs->ceilings);
	roofs->all = calloc(roofs->nr + 1, sizeof(*roofs->all));
	if (!roofs->all) {
		message("roofline", "out of memory");
		return STATUS_FAILED;
	}
	for (size_t i = 0; i < roofs->nr; i++)
		roofs->all[i].from = kermon_ceilings_get(roofs->ceilings, i);
	choose(view);
	show(view, roofs_one_thread(view));
	for (size_t i = 0; i < view->nr_runs; i++)
		show(view, roofs_threads(view, &view->runs[i]));
	return STATUS_OK;
}

static void label_about(struct roofline_view *view)
{
	const struct kermon_ceilings_about *about = kermon_ceilings_about(view->roofs.ceilings);

	if (about->theoretical)
		labels_add(view, "the ceilings are theoretical: from documentation, not measured");
	if (about->incomplete)
		labels_add(view, "the measurement of the ceilings was interrupted: some are missing");
	if (about->is_model)
		labels_add(view, "the ceilings are those of a simulated CPU");
	else if (about->is_virtual)
		labels_add(view, "the ceilings were measured in a virtual machine, which shares its CPUs");
}

int roofs_find(struct roofline_view *view)
{
	struct kermon_ceilings_error error;
	struct roofs *roofs = &view->roofs;

	if (roofs->given)
		snprintf(roofs->path, sizeof(roofs->path), "%s", roofs->given);
	else
		find_default(view);
	if (!*roofs->path)
		return STATUS_OK;
	if (kermon_ceilings_read(&roofs->ceilings, roofs->path, &error)) {
		message("roofline", "cannot read the ceilings in %s: %s", roofs->path,
			error.text);
		if (!roofs->given)
			message_hint("measure them again with: kermon roofline bench");
		return STATUS_FAILED;
	}
	for (size_t i = 0; i < view->nr_runs; i++)
		check_machine(view, &view->runs[i]);
	label_about(view);
	return take_all(view);
}

void roofs_free(struct roofs *roofs)
{
	kermon_ceilings_free(roofs->ceilings);
	free(roofs->all);
}

double roof_at(const struct roof *roof, double intensity)
{
	return is_peak(roof->from) ? roof->from->value : roof->from->value * intensity;
}

bool roofs_apply(const struct roofline_view *view, const struct roofline_run *run)
{
	return view->roofs.ceilings &&
	       (run->match == KERMON_CEILINGS_SAME || view->roofs.given);
}
