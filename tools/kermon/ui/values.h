/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to values.c: kinds of values of options, how they are parsed and completed.
 */
#ifndef KERMON_VALUES_H
#define KERMON_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

struct completion;

/**
 * struct value_type - a kind of value
 * @what: singular of its names for messages: "sort key"
 * @whats: plural: "keys"
 * @separators: characters that separate names in a list; NULL if it is not a list
 * @names: possible names, NULL after the last; NULL if the kind has none, or those of @name
 * @name: possible names by index, NULL after the last, if they have to be found
 * @help: their meaning by index; NULL if they have none
 * @is_value: whether the next word is the argument of an option, which is optional then;
 *	NULL: it is required
 * @take: parse @options->value, store it in @to; options_stop() if it is invalid. NULL
 *	stands for an optional argument that was not given
 * @complete: offer other completions than names; may be NULL
 * @is_recording: the value is the recording to which other values refer, such as events
 */
struct value_type {
	const char *what;
	const char *whats;
	const char *separators;
	const char *const *names;
	const char *(*name)(size_t index);
	const char *(*help)(size_t index);
	bool (*is_value)(const char *word);
	void (*take)(struct options *options, const struct option_spec *spec,
		     void *to);
	void (*complete)(struct completion *completion);
	bool is_recording;
};

/* Store true, or false. */
#define VALUE_flag	bool
#define VALUE_off	bool
extern const struct value_type value_flag, value_off;

/* Store .number of the option, of an enum for example, or set these bits. */
#define VALUE_number	unsigned int
#define VALUE_bits	unsigned int
extern const struct value_type value_number, value_bits;

/* A number of things, at least 1; .of is NULL or a struct value_range with the maximum. */
#define VALUE_count	unsigned int
extern const struct value_type value_count;

/* Text; the kinds differ in their completion. */
#define VALUE_text	const char *
#define VALUE_file	const char *
#define VALUE_folder	const char *
extern const struct value_type value_text, value_file, value_folder;

/* Their .take, for kinds with other completion: the word as it is. */
void value_take_text(struct options *options, const struct option_spec *spec,
		     void *to);

/* From 0 to 100, optionally followed by '%'. */
#define VALUE_percent	double
extern const struct value_type value_percent;

/* Valid values: from @min to @max, only powers of two if @power_of_two. */
struct value_range {
	uint64_t min;
	uint64_t max;
	bool power_of_two;
};

/* 1ns to 8760h */
extern const struct value_range any_duration;

/* In ns, or in bytes; .of is a struct value_range. */
#define VALUE_duration	uint64_t
#define VALUE_size	uint64_t
extern const struct value_type value_duration, value_size;

/* Sort keys, stored as given. */
#define VALUE_keys	const char *
extern const struct value_type value_keys;

/* A .take for kinds with names: stores the index of the name, an unsigned int. */
void value_take_name(struct options *options, const struct option_spec *spec,
		     void *to);

/* Likewise for names separated by commas: stores the bits of their indices, below 32. */
void value_take_names(struct options *options, const struct option_spec *spec,
		      void *to);

/* A possible name, by index; NULL after the last. */
const char *value_name(const struct value_type *type, size_t index);

/* Index of the name in the first @length characters of @text; -1 if there is none. */
int value_find(const struct value_type *type, const char *text, size_t length);

/* End parsing with a message that @text is unknown, and list the names. */
void value_unknown(struct options *options, const struct value_type *type,
		   const char *text, size_t length);

#define VALUE_NAMES	2048

/* Format all names as "one, two". Returns @text. */
const char *value_names(const struct value_type *type, char text[VALUE_NAMES]);

#endif /* KERMON_VALUES_H */
