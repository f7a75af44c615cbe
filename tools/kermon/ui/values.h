/* SPDX-License-Identifier: GPL-2.0 */
/* Kinds of values that options have: how they are read, what they can be. */
#ifndef KERMON_VALUES_H
#define KERMON_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

struct completion;

/**
 * struct value_type - a kind of value
 * @what: a word that can be given, in words: "sort key"; and @whats, several of them
 * @separators: it is a list of them, with any of these characters between; NULL: none
 * @name: these words, by index; NULL after the last
 * @help: what such a word means, for shells that show it; NULL: nothing
 * @take: stores @options->value, or what the option stands for, in @to; what makes no
 *	sense ends the walk
 * @complete: offers what is not among @name
 * @is_recording: it is the file that other values of the command line are about
 */
struct value_type {
	const char *what;
	const char *whats;
	const char *separators;
	const char *(*name)(size_t index);
	const char *(*help)(size_t index);
	void (*take)(struct options *options, const struct option_spec *spec,
		     void *to);
	void (*complete)(struct completion *completion);
	bool is_recording;
};

/* true, or false for an option "--no-..." of what is otherwise the case */
#define VALUE_flag	bool
#define VALUE_off	bool
extern const struct value_type value_flag, value_off;

/* an enum: the number of the option; or bits that are added */
#define VALUE_number	unsigned int
#define VALUE_bits	unsigned int
extern const struct value_type value_number, value_bits;

/* any text; the name of a file or of a folder */
#define VALUE_text	const char *
#define VALUE_file	const char *
#define VALUE_folder	const char *
extern const struct value_type value_text, value_file, value_folder;

/* from 0 to 100, perhaps with a '%' behind */
#define VALUE_percent	double
extern const struct value_type value_percent;

/* Smallest and largest value; @power_of_two: no others in between. */
struct value_range {
	uint64_t min;
	uint64_t max;
	bool power_of_two;
};

/* 1ns to a year */
extern const struct value_range any_duration;

/* in ns, or in bytes; .of is a struct value_range */
#define VALUE_duration	uint64_t
#define VALUE_size	uint64_t
extern const struct value_type value_duration, value_size;

/* a list of keys of a report, as it was written */
#define VALUE_keys	const char *
extern const struct value_type value_keys;

/* For other kinds with names: the index of the one that was given, an unsigned int. */
void value_take_name(struct options *options, const struct option_spec *spec,
		     void *to);

/* Which of the names is @length characters of @text; -1: none. */
int value_find(const struct value_type *type, const char *text, size_t length);

/* Says that @text is none of the names, which are offered; ends the walk. */
void value_unknown(struct options *options, const struct value_type *type,
		   const char *text, size_t length);

#define VALUE_NAMES	2048

/* "one, two": all of the names. Returns @text. */
const char *value_names(const struct value_type *type, char text[VALUE_NAMES]);

#endif /* KERMON_VALUES_H */
