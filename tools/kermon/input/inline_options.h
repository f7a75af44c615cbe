/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options of all commands that show call chains: whether functions that were
 * inlined are in them. In a table of options stands INLINE_OPTIONS, and the walk over
 * them asks inline_option().
 */
#ifndef KERMON_INLINE_OPTIONS_H
#define KERMON_INLINE_OPTIONS_H

#include <kermon/report.h>

#include "ui/options.h"

/* Keys behind those of filter_options.h. */
enum {
	INLINE_KEY_ALL = 1536,
	INLINE_KEY_NONE,
};

#define INLINE_OPTIONS							\
	{ 0, INLINE_KEY_ALL, "inline", NULL,				\
	  "show inlined functions in all call chains (default: in those unwound from copies of the stack)" }, \
	{ 0, INLINE_KEY_NONE, "no-inline", NULL,			\
	  "show no inlined functions" }

/* Returns whether @key is of one of these options. */
static inline bool inline_option(int key, enum kermon_inlines *inlines)
{
	switch (key) {
	case INLINE_KEY_ALL:
		*inlines = KERMON_INLINES_ALL;
		return true;
	case INLINE_KEY_NONE:
		*inlines = KERMON_INLINES_NONE;
		return true;
	default:
		return false;
	}
}

#endif /* KERMON_INLINE_OPTIONS_H */
