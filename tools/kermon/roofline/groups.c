// SPDX-License-Identifier: GPL-2.0
/* Groups samples by what the colour of a dot shows: time, class, recording, thread, function. */
#include "groups.h"

#include <string.h>

#define NAME_SIZE	256

/* Several recordings are told apart by colour, unless another meaning was asked for. */
static bool colours_are_runs(const struct roofline_view *view)
{
	return view->nr_runs > 1 && view->dots == DOTS_TIME;
}

static unsigned int shade_of(const struct roofline_run *run,
			     const struct kermon_roofline_sample *sample)
{
	const struct kermon_roofline_origin *origin = kermon_roofline_origin(run->table);
	const double length = (double)(origin->end - origin->begin);
	const double at = (double)(sample->end - origin->begin);
	const unsigned int shade = length > 0 ? SVG_SHADES * at / length : 0;

	return shade < SVG_SHADES ? shade : SVG_SHADES - 1;
}

/* By enum kermon_simd. */
static const unsigned int simd_colours[KERMON_SIMDS] = { 7, 0, 2, 1, 6 };
static const char *const simd_names[KERMON_SIMDS] = {
	"class unknown", "scalar", "SSE (128 bits)", "AVX (256 bits)", "AVX-512",
};

static unsigned int simd_of(const struct kermon_roofline_sample *sample)
{
	const unsigned int simd = sample->operations.simd;

	return simd < KERMON_SIMDS ? simd : KERMON_SIMD_UNKNOWN;
}

static bool are_leaders(const struct groups *groups)
{
	return groups->view->dots == DOTS_THREAD || groups->view->dots == DOTS_FUNCTION;
}

static const struct kermon_roofline_sums *sums_of(const struct roofline_view *view, size_t run,
						  size_t index)
{
	return run_sums(&view->runs[run],
			view->dots == DOTS_FUNCTION ? BY_FUNCTION : BY_THREAD, index);
}

/* Keep those that ran longest, in order. */
static void add_leader(struct groups *groups, size_t run, size_t index, double seconds)
{
	size_t at = groups->nr_leaders;

	if (at == LEADERS) {
		groups->more = true;
		if (groups->seconds[--at] >= seconds)
			return;
	} else {
		groups->nr_leaders++;
	}
	for (; at > 0 && groups->seconds[at - 1] < seconds; at--) {
		groups->run[at] = groups->run[at - 1];
		groups->index[at] = groups->index[at - 1];
		groups->seconds[at] = groups->seconds[at - 1];
	}
	groups->run[at] = run;
	groups->index[at] = index;
	groups->seconds[at] = seconds;
}

/* As they are in the file, if @all have a colour: threads then have that of their lanes. */
static void add_leaders(struct groups *groups, bool all)
{
	const struct kermon_roofline_sums *sums;

	groups->nr_leaders = 0;
	for (size_t i = 0; i < groups->view->nr_runs; i++)
		for (size_t j = 0; (sums = sums_of(groups->view, i, j)); j++)
			add_leader(groups, i, j, all ? 0 : sums->seconds);
}

struct groups groups_of(const struct roofline_view *view)
{
	struct groups groups = { .view = view };

	if (!are_leaders(&groups))
		return groups;
	add_leaders(&groups, false);
	if (!groups.more)
		add_leaders(&groups, true);
	return groups;
}

unsigned int groups_nr(const struct groups *groups)
{
	if (are_leaders(groups))
		return LEADERS + 1;
	if (colours_are_runs(groups->view))
		return groups->view->nr_runs < SVG_COLOURS ? groups->view->nr_runs : SVG_COLOURS;
	return groups->view->dots == DOTS_SIMD ? KERMON_SIMDS : SVG_SHADES;
}

/* LEADERS: not one of those that ran longest, or it is not known which it is. */
static unsigned int find_leader(const struct groups *groups, size_t run, size_t index)
{
	const struct kermon_roofline *table = groups->view->runs[run].table;
	const uint32_t number = groups->view->dots == DOTS_FUNCTION ?
				kermon_roofline_function_of(table, index) :
				kermon_roofline_sample(table, index)->thread;

	for (unsigned int i = 0; i < groups->nr_leaders; i++)
		if (groups->run[i] == run && groups->index[i] == number)
			return i;
	return LEADERS;
}

unsigned int groups_find(const struct groups *groups, size_t run, size_t index)
{
	const struct roofline_run *from = &groups->view->runs[run];
	const struct kermon_roofline_sample *sample = kermon_roofline_sample(from->table, index);

	if (are_leaders(groups))
		return find_leader(groups, run, index);
	if (colours_are_runs(groups->view))
		return run % SVG_COLOURS;
	return groups->view->dots == DOTS_SIMD ? simd_of(sample) : shade_of(from, sample);
}

void groups_class(const struct groups *groups, unsigned int group, char class[GROUP_CLASS])
{
	const struct roofline_view *view = groups->view;

	if (view->dots == DOTS_TIME && !colours_are_runs(view))
		snprintf(class, GROUP_CLASS, "t%u", group % SVG_SHADES);
	else
		snprintf(class, GROUP_CLASS, "c%u", (view->dots == DOTS_SIMD ?
						     simd_colours[group] : group) % SVG_COLOURS);
}

const struct kermon_roofline_sums *groups_sums(const struct groups *groups, unsigned int group)
{
	return group < groups->nr_leaders ?
	       sums_of(groups->view, groups->run[group], groups->index[group]) : NULL;
}

static void name_leader(const struct groups *groups, unsigned int group, char name[NAME_SIZE])
{
	const struct roofline_run *run = &groups->view->runs[groups->run[group]];
	const size_t index = groups->index[group];

	if (groups->view->dots == DOTS_FUNCTION)
		snprintf(name, NAME_SIZE, "%s",
			 function_name(kermon_roofline_function(run->table, index)));
	else
		thread_name(run, index, name);
	if (groups->view->nr_runs > 1)
		snprintf(name + strlen(name), NAME_SIZE - strlen(name), ", %s", run->label);
}

void groups_measure(const struct groups *groups, struct chart_lines *lines)
{
	const struct roofline_view *view = groups->view;
	char name[NAME_SIZE];

	for (unsigned int i = 0; i < groups->nr_leaders; i++) {
		name_leader(groups, i, name);
		chart_lines_add(lines, PICTURE_WIDTH, name);
	}
	if (groups->more)
		chart_lines_add(lines, PICTURE_WIDTH, "others");
	for (size_t i = 0; i < view->nr_runs && colours_are_runs(view); i++)
		chart_lines_add(lines, PICTURE_WIDTH, view->runs[i].label);
	for (unsigned int i = 0; i < KERMON_SIMDS && view->dots == DOTS_SIMD; i++)
		chart_lines_add(lines, PICTURE_WIDTH, simd_names[i]);
}

static void name_leaders(const struct groups *groups, struct chart *chart)
{
	char class[GROUP_CLASS], name[NAME_SIZE];

	for (unsigned int i = 0; i < groups->nr_leaders; i++) {
		groups_class(groups, i, class);
		name_leader(groups, i, name);
		chart_legend(chart, class, name);
	}
	groups_class(groups, LEADERS, class);
	if (groups->more || !groups->nr_leaders)
		chart_legend(chart, class, groups->more ? "others" : "not known");
}

static void add_shades(const struct groups *groups, struct chart *chart)
{
	char class[GROUP_CLASS];

	for (unsigned int i = 0; i < SVG_SHADES; i++) {
		groups_class(groups, i, class);
		chart_legend(chart, class, !i ? "begin" : i + 1 < SVG_SHADES ? "" : "end");
	}
}

void groups_legend(const struct groups *groups, struct chart *chart)
{
	const struct roofline_view *view = groups->view;
	char class[GROUP_CLASS];

	if (are_leaders(groups)) {
		name_leaders(groups, chart);
		return;
	}
	if (view->dots == DOTS_TIME && !colours_are_runs(view)) {
		add_shades(groups, chart);
		return;
	}
	for (size_t i = 0; i < view->nr_runs && colours_are_runs(view); i++)
		chart_legend(chart, picture_colour(i), view->runs[i].label);
	for (unsigned int i = 0; i < KERMON_SIMDS && view->dots == DOTS_SIMD; i++) {
		groups_class(groups, i, class);
		chart_legend(chart, class, simd_names[i]);
	}
}
