// SPDX-License-Identifier: GPL-2.0
/* Tables of options that are shared by many commands and belong to no other file. */
#include <string.h>

#include "common_options.h"

struct flag {
	bool is_set;
};

const struct option_spec json_options[] = {
	{ 'j', "json", NULL, "print JSON with exact numbers",
	  VALUE(flag, struct flag, is_set) },
	{}
};

const struct option_spec quiet_options[] = {
	{ 'q', "quiet", NULL, "print only errors and warnings",
	  VALUE(flag, struct flag, is_set) },
	{}
};

const struct option_spec pager_options[] = {
	{ 0, "no-pager", NULL, "do not use a pager",
	  VALUE(flag, struct flag, is_set) },
	{}
};

static const char *name_of_color(size_t index)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto",
		[COLOR_ALWAYS] = "always",
		[COLOR_NEVER] = "never",
	};

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : NULL;
}

static const struct value_type value_color = {
	.what = "color mode",
	.whats = "modes",
	.name = name_of_color,
	.take = value_take_name,
};

const struct option_spec color_options[] = {
	{ 0, "color", "WHEN",
	  "highlight headings; auto: on a terminal, unless NO_COLOR is set",
	  .type = &value_color, .preset = "auto" },
	{}
};
