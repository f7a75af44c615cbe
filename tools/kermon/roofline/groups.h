/* SPDX-License-Identifier: GPL-2.0 */
/* Interface to groups.c: samples whose dots have one colour, and what these colours mean. */
#ifndef KERMON_ROOFLINE_GROUPS_H
#define KERMON_ROOFLINE_GROUPS_H

#include "picture.h"

/* Of threads or functions: one for each of these, and one for all others. */
#define LEADERS		(SVG_COLOURS - 1)

/**
 * struct groups - what the colours of dots mean
 * @view: whose dots
 * @run: recording of a thread or function; likewise @index, its number there: all, or
 *	those that ran longest, @nr_leaders of them
 * @seconds: how long these ran, while they are found
 * @more: there are others
 */
struct groups {
	const struct roofline_view *view;
	size_t run[LEADERS];
	size_t index[LEADERS];
	double seconds[LEADERS];
	size_t nr_leaders;
	bool more;
};

struct groups groups_of(const struct roofline_view *view);
unsigned int groups_nr(const struct groups *groups);

/* The group of sample @index of a recording. */
unsigned int groups_find(const struct groups *groups, size_t run, size_t index);

/* The colour of a group, as a class. */
#define GROUP_CLASS	8
void groups_class(const struct groups *groups, unsigned int group, char class[GROUP_CLASS]);

/* Sums of the thread or function that a group is; NULL: it is none. */
const struct kermon_roofline_sums *groups_sums(const struct groups *groups,
					       unsigned int group);
/* Measure it. */
void groups_measure(const struct groups *groups, struct chart_lines *lines);
void groups_legend(const struct groups *groups, struct chart *chart);

#endif /* KERMON_ROOFLINE_GROUPS_H */
