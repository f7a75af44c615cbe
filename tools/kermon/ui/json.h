/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to json.c: a JSON writer. The name of an element of an array is NULL. Integers
 * are written with all digits, though some readers round those above 2^53.
 */
#ifndef KERMON_JSON_H
#define KERMON_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *out;
	unsigned int depth;
	bool comma;		/* before the next element */
	bool compact;		/* all on one line */
};

void json_begin_object(struct json *json, const char *name);
void json_end_object(struct json *json);
void json_begin_array(struct json *json, const char *name);
void json_end_array(struct json *json);
/* NULL is null; bytes that are not valid UTF-8 become U+FFFD. */
void json_text(struct json *json, const char *name, const char *value);
void json_number(struct json *json, const char *name, uint64_t value);
/* NaN is null. */
void json_real(struct json *json, const char *name, double value);
/* The same with as many digits as number_real() has. */
void json_exact(struct json *json, const char *name, double value);
void json_bool(struct json *json, const char *name, bool value);

#endif /* KERMON_JSON_H */
