// SPDX-License-Identifier: GPL-2.0
/* Splits a command line into options, their arguments, and operands. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "option_walk.h"
#include "values.h"

static const struct option_spec help_option = {
	'h', "help", NULL, "show this text",
};

bool option_is_help(const struct option_spec *spec)
{
	return spec == &help_option;
}

static unsigned int add_rows(const struct option_spec *spec, size_t offset,
			     struct option_row *rows, unsigned int nr)
{
	for (; spec->name || spec->group; spec++) {
		if (spec->group)
			nr = add_rows(spec->group, offset + spec->offset, rows,
				      nr);
		else if (nr < OPTIONS_MAX - 1)
			rows[nr++] = (struct option_row){
				.spec = spec,
				.offset = offset + spec->offset,
			};
	}
	return nr;
}

unsigned int option_rows(const struct command *command,
			 struct option_row rows[OPTIONS_MAX])
{
	unsigned int nr = add_rows(command->options, 0, rows, 0);

	rows[nr++] = (struct option_row){ .spec = &help_option };
	return nr;
}

void option_walk_begin(struct option_walk *walk, const struct command *command,
		       char **argv)
{
	*walk = (struct option_walk){
		.argv = argv,
		.next = 1,
		.letters = "",
	};
	walk->nr_rows = option_rows(command, walk->rows);
}

/* Take the next argument as the value of the option, unless the option needs none. */
static enum option_found take_next(struct option_walk *walk)
{
	const struct value_type *type = walk->rows[walk->row].spec->type;
	const char *word = walk->argv[walk->next];

	if (type->is_value && (!word || !type->is_value(word)))
		return OPTION_KNOWN;
	if (!word)
		return OPTION_LACKS_VALUE;
	walk->value = word;
	walk->next++;
	return OPTION_KNOWN;
}

/* Whether an optional argument is left out, and other letters follow: -ga. */
static bool are_options(const struct option_spec *spec, const char *letters)
{
	return spec->type->is_value && isalpha((unsigned char)*letters) &&
	       !spec->type->is_value(letters);
}

static enum option_found take_letter(struct option_walk *walk)
{
	const struct option_spec *spec;
	char letter = *walk->letters++;

	snprintf(walk->name, sizeof(walk->name), "-%c", letter);
	walk->token = walk->name;
	for (walk->row = 0; walk->row < walk->nr_rows; walk->row++) {
		spec = walk->rows[walk->row].spec;
		if (spec->letter != letter)
			continue;
		if (!spec->arg)
			return OPTION_KNOWN;
		if (!*walk->letters)
			return take_next(walk);
		if (are_options(spec, walk->letters))
			return OPTION_KNOWN;
		walk->value = walk->letters;
		walk->letters = "";
		return OPTION_KNOWN;
	}
	return OPTION_UNKNOWN;
}

static bool is_called(const struct option_spec *spec, const char *text,
		      size_t length)
{
	return strlen(spec->name) == length &&
	       !strncmp(spec->name, text, length);
}

static enum option_found take_long(struct option_walk *walk, const char *text)
{
	size_t length = strcspn(text, "=");
	const struct option_spec *spec;

	for (walk->row = 0; walk->row < walk->nr_rows; walk->row++) {
		spec = walk->rows[walk->row].spec;
		if (!is_called(spec, text, length))
			continue;
		if (!spec->arg && text[length])
			return OPTION_TAKES_NONE;
		snprintf(walk->name, sizeof(walk->name), "--%s", spec->name);
		walk->token = walk->name;
		if (!spec->arg)
			return OPTION_KNOWN;
		if (!text[length])
			return take_next(walk);
		walk->value = text + length + 1;
		return OPTION_KNOWN;
	}
	return OPTION_UNKNOWN;
}

enum option_found option_walk_next(struct option_walk *walk)
{
	const char *word;

	walk->value = NULL;
	if (*walk->letters)
		return take_letter(walk);
	word = walk->argv[walk->next];
	if (!word)
		return OPTION_END;
	walk->token = word;
	walk->next++;
	if (walk->no_options || word[0] != '-' || !word[1])
		return OPTION_OPERAND;
	if (word[1] != '-') {
		walk->letters = word + 1;
		return take_letter(walk);
	}
	if (word[2])
		return take_long(walk, word + 2);
	walk->no_options = true;
	return option_walk_next(walk);
}
