// SPDX-License-Identifier: GPL-2.0
/*
 * Completes command lines from the tables of commands, their options and possible values.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "completion.h"
#include "option_walk.h"
#include "units.h"
#include "values.h"

void completion_offer(const struct completion *completion, const char *word,
		      const char *help)
{
	if (strncasecmp(word, completion->word, strlen(completion->word)))
		return;
	printf("%s%s", completion->before, word);
	if (help)
		printf("\t%s", help);
	putchar('\n');
}

void completion_files(struct completion *completion)
{
	(void)completion;
	puts(":files");
}

void completion_folders(struct completion *completion)
{
	(void)completion;
	puts(":folders");
}

void completion_pids(struct completion *completion)
{
	(void)completion;
	puts(":pids");
}

/* Offer units after a number. */
void completion_units(struct completion *completion, const struct unit *units)
{
	size_t digits = strspn(completion->word, "0123456789");
	char word[64];

	if (!digits || digits > sizeof(word) / 2)
		return;
	for (; units->name; units++) {
		snprintf(word, sizeof(word), "%.*s%s", (int)digits,
			 completion->word, units->name);
		completion_offer(completion, word, NULL);
	}
}

/* Complete only the last word of a list. */
static void enter_list(struct completion *completion, const char *separators)
{
	size_t length = strlen(completion->before);
	const char *word = completion->word;
	size_t begin = strlen(word);

	puts(":nospace");
	while (begin && !strchr(separators, word[begin - 1]))
		begin--;
	snprintf(completion->before + length,
		 sizeof(completion->before) - length, "%.*s", (int)begin, word);
	completion->word += begin;
}

static void complete_value(struct completion *completion,
			   const struct value_type *type)
{
	if (type->separators)
		enter_list(completion, type->separators);
	for (size_t i = 0; value_name(type, i); i++)
		completion_offer(completion, value_name(type, i),
				 type->help ? type->help(i) : NULL);
	if (type->complete)
		type->complete(completion);
}

static void complete_command(struct completion *completion)
{
	const struct command *command;

	for (unsigned int i = 0; (command = command_at(i)); i++)
		completion_offer(completion, command->name, command->summary);
	completion_offer(completion, "record", "another name of run, as in perf");
	completion_offer(completion, "--help", "show the commands");
	completion_offer(completion, "--version", "show the version");
}

/* Commands of two words, of which @word is the first one. */
static void complete_second_word(const struct completion *completion, const char *word)
{
	const size_t length = strlen(word);
	const struct command *command;

	for (unsigned int i = 0; (command = command_at(i)); i++)
		if (!strncmp(command->name, word, length) && command->name[length] == '-')
			completion_offer(completion, command->name + length + 1,
					 command->summary);
}

static void complete_option(struct completion *completion,
			    const struct option_walk *walk)
{
	const struct option_spec *spec;
	char word[64];

	for (unsigned int i = 0; i < walk->nr_rows; i++) {
		spec = walk->rows[i].spec;
		snprintf(word, sizeof(word), "--%s%s", spec->name,
			 spec->arg ? "=" : "");
		completion_offer(completion, word, spec->help);
	}
}

/* Complete the value in "--sort=co". Returns whether there is a "=". */
static bool complete_joined(struct completion *completion,
			    const struct option_walk *walk)
{
	const char *equals = strchr(completion->word, '=');
	const char *name = completion->word + 2;
	const struct option_spec *spec;

	for (unsigned int i = 0; equals && i < walk->nr_rows; i++) {
		spec = walk->rows[i].spec;
		if (strncmp(spec->name, name, equals - name) ||
		    spec->name[equals - name] || !spec->arg)
			continue;
		snprintf(completion->before, sizeof(completion->before),
			 "--%s=", spec->name);
		completion->word = equals + 1;
		complete_value(completion, spec->type);
	}
	return equals;
}

static void complete_operand(struct completion *completion,
			     const struct command *command, unsigned int index,
			     unsigned int nr_operands)
{
	const unsigned int most = command->completed_operands ?
				  command->completed_operands :
				  command->max_operands;

	if (command->takes_command)
		printf(":command %u\n", index);
	else if (command->operand && nr_operands < most)
		complete_value(completion, command->operand);
}

static bool is_recording(const struct value_type *type)
{
	return type && type->is_recording;
}

/* Whether the option that was found has an optional argument, which is missing. */
static bool lacks_optional(const struct option_walk *walk)
{
	const struct option_spec *spec = walk->rows[walk->row].spec;

	return spec->arg && spec->type->is_value && !walk->value;
}

/*
 * Parse the words before the last one. Returns what the last of them is; sets @optional if
 * it is an option that may have an argument.
 */
static enum option_found walk_words(struct option_walk *walk,
				    const struct command *command,
				    struct completion *completion,
				    unsigned int *nr_operands, bool *optional)
{
	enum option_found found, last = OPTION_END;

	while ((found = option_walk_next(walk)) != OPTION_END) {
		last = found;
		*nr_operands += found == OPTION_OPERAND;
		*optional = found == OPTION_KNOWN && lacks_optional(walk);
		if (found == OPTION_OPERAND && is_recording(command->operand))
			completion->path = walk->token;
		if (found == OPTION_KNOWN &&
		    is_recording(walk->rows[walk->row].spec->type))
			completion->path = walk->value;
		if (found == OPTION_OPERAND && command->takes_command)
			break;
	}
	return last;
}

static void complete_argument(struct completion *completion,
			      const struct command *command, char **words,
			      unsigned int nr)
{
	struct option_walk walk;
	enum option_found last;
	unsigned int nr_operands = 0;
	bool optional = false;

	words[nr - 1] = NULL;
	option_walk_begin(&walk, command, words);
	last = walk_words(&walk, command, completion, &nr_operands, &optional);
	if (optional && *completion->word != '-')
		complete_value(completion, walk.rows[walk.row].spec->type);
	if (last == OPTION_LACKS_VALUE)
		complete_value(completion, walk.rows[walk.row].spec->type);
	else if (last == OPTION_OPERAND && command->takes_command)
		printf(":command %u\n", walk.next - 1);
	else if (walk.no_options || *completion->word != '-')
		complete_operand(completion, command, nr - 1, nr_operands);
	else if (!complete_joined(completion, &walk))
		complete_option(completion, &walk);
}

void completion_print(char **words, unsigned int nr)
{
	struct completion completion = {
		.word = nr ? words[nr - 1] : "",
	};
	const struct command *command;
	unsigned int taken;

	if (nr < 2) {
		complete_command(&completion);
		return;
	}
	if (nr == 2)
		complete_second_word(&completion, words[0]);
	command = command_of(words, nr - 1, &taken);
	if (command)
		complete_argument(&completion, command, words + taken - 1,
				  nr - taken + 1);
}
