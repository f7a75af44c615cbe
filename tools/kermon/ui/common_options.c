// SPDX-License-Identifier: GPL-2.0
/* Tables of options that are shared by many commands and belong to no other file. */
#include <stdlib.h>
#include <string.h>

#include <kermon/writer.h>

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

struct compression {
	int level;
};

/* As in perf, the level follows the option immediately: the next word is the command. */
static bool is_level(const char *word)
{
	(void)word;
	return false;
}

static void take_level(struct options *options, const struct option_spec *spec,
		       void *to)
{
	const char *text = options->value;
	long level = 1;
	char *end = "";

	(void)spec;
	if (text)
		level = strtol(text, &end, 10);
	if (*end || (text && !*text) || level < 1 || level > KERMON_COMPRESSION_MAX)
		options_stop(options, "invalid level '%s' for '%s'; valid: 1 to %d",
			     text, options->token, KERMON_COMPRESSION_MAX);
	*(int *)to = level;
}

#define VALUE_level	int

static const struct value_type value_level = {
	.is_value = is_level,
	.take = take_level,
};

const struct option_spec compression_options[] = {
	{ 'z', "compression-level", "[LEVEL]",
	  "compress the recording with zstd, at LEVEL 1 (fast) to 22; 1 if left out",
	  VALUE(level, struct compression, level) },
	{}
};

static const char *const color_names[] = {
	[COLOR_AUTO] = "auto",
	[COLOR_ALWAYS] = "always",
	[COLOR_NEVER] = "never",
	NULL
};

static const struct value_type value_color = {
	.what = "color mode",
	.whats = "modes",
	.names = color_names,
	.take = value_take_name,
};

const struct option_spec color_options[] = {
	{ 0, "color", "WHEN",
	  "highlight headings; auto: on a terminal, unless NO_COLOR is set",
	  .type = &value_color, .preset = "auto" },
	{}
};
