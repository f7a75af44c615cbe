// SPDX-License-Identifier: GPL-2.0
/* The roofline of a recording: made, read, and asked for its results. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "roofline_private.h"
#include "util/sized.h"

#define QUANTUM_NS	100000000ULL

struct kermon_roofline *
kermon_roofline_new(const struct kermon_report_options *options)
{
	struct kermon_roofline *roofline = calloc(1, sizeof(*roofline));
	struct kermon_report_options known;
	int err;

	if (!roofline)
		return NULL;
	err = sized_take(&known, sizeof(known), options);
	if (err) {
		free(roofline);
		errno = -err;
		return NULL;
	}
	roofline->wants_functions = known.keys && !strcmp(known.keys, "sym");
	roofline->quantum = known.time_quantum ? known.time_quantum : QUANTUM_NS;
	if (pipeline_init(&roofline->pipeline, &roofline_consumer, roofline, &known)) {
		kermon_roofline_free(roofline);
		return NULL;
	}
	return roofline;
}

static void free_owners(struct kermon_roofline *roofline)
{
	for (size_t i = 0; i < roofline->nr_owners; i++) {
		free(roofline->all[i].part.counts);
		free(roofline->all[i].row.counts);
		if (!roofline->all[i].from)
			free((char *)roofline->all[i].shown.comm);
	}
	free(roofline->all);
	numbering_free(&roofline->owners);
}

void kermon_roofline_free(struct kermon_roofline *roofline)
{
	if (!roofline)
		return;
	free_owners(roofline);
	free(roofline->interval.counts);
	free(roofline->events);
	free(roofline->operations);
	free(roofline->set_of);
	free(roofline->first_of);
	free(roofline->sockets);
	free(roofline->apart);
	free(roofline->samples);
	free(roofline->stays);
	free(roofline->unknown);
	numbering_free(&roofline->cpus);
	free(roofline->command);
	functions_free(roofline);
	for (size_t i = 0; i < KERMON_ROOFLINE_DOMAINS; i++)
		free(roofline->power[i]);
	pipeline_end(&roofline->pipeline);
	free(roofline);
}

int kermon_roofline_read(struct kermon_roofline *roofline, const char *path)
{
	return pipeline_read(&roofline->pipeline, path);
}

const struct kermon_statements *
kermon_roofline_statements(const struct kermon_roofline *roofline)
{
	return &roofline->pipeline.facts.statements;
}

const struct kermon_roofline_origin *
kermon_roofline_origin(const struct kermon_roofline *roofline)
{
	return &roofline->origin;
}

const struct kermon_roofline_basis *
kermon_roofline_basis(const struct kermon_roofline *roofline)
{
	return &roofline->basis;
}

const char *kermon_roofline_domain(const struct kermon_roofline *roofline,
				   size_t index)
{
	return index < roofline->nr_domains ? roofline->domains[index] : NULL;
}

const char *kermon_roofline_why_name(unsigned int why)
{
	static const char *const names[] = {
		[KERMON_WHY_PREEMPTED] = "preempted",
		[KERMON_WHY_SLEEP] = "sleep",
		[KERMON_WHY_EXIT] = "exit",
		[KERMON_WHY_TICK] = "tick",
		[KERMON_WHY_EXEC] = "exec",
		[KERMON_WHY_ROTATION] = "rotation",
		[KERMON_WHY_SET] = "set",
	};

	return why < sizeof(names) / sizeof(names[0]) ? names[why] : NULL;
}

const struct kermon_roofline_sample *
kermon_roofline_sample(const struct kermon_roofline *roofline, size_t index)
{
	return index < roofline->nr_samples ? &roofline->samples[index] : NULL;
}

const struct kermon_roofline_interval *
kermon_roofline_interval(const struct kermon_roofline *roofline, size_t index)
{
	return index < roofline->nr_stays ? &roofline->stays[index].shown : NULL;
}

const double *
kermon_roofline_interval_joules(const struct kermon_roofline *roofline, size_t index)
{
	return index < roofline->nr_stays ? roofline->stays[index].joules : NULL;
}

unsigned int kermon_roofline_package(const struct kermon_roofline *roofline, uint32_t cpu)
{
	const int32_t socket = cpu < roofline->nr_sockets ? roofline->sockets[cpu] : 0;

	return socket >= 0 && socket < PACKAGES ? socket : 0;
}

const struct kermon_roofline_thread *
kermon_roofline_thread(const struct kermon_roofline *roofline, size_t index)
{
	return index < roofline->nr_owners && roofline->all[index].shown.sums ?
	       &roofline->all[index].shown : NULL;
}

const struct kermon_roofline_sums *
kermon_roofline_total(const struct kermon_roofline *roofline)
{
	return &roofline->total;
}

double kermon_roofline_flops(const struct kermon_roofline_sums *sums)
{
	return sums->counted > 0 ? sums->flop / sums->counted : NAN;
}

double kermon_roofline_intensity(const struct kermon_roofline_sums *sums, double bytes)
{
	return bytes > 0 && sums->placed > 0 ? sums->placed_flop / bytes : NAN;
}

const struct kermon_roofline_power *
kermon_roofline_power(const struct kermon_roofline *roofline, size_t domain, size_t *nr)
{
	*nr = domain < roofline->nr_domains ? roofline->nr_power[domain] : 0;
	return *nr ? roofline->power[domain] : NULL;
}
