// SPDX-License-Identifier: GPL-2.0
/* Read a file of ceilings, and tell what is in it. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"
#include "util/fileio.h"

/* Objects in arrays in an object, and some for members that this version does not know. */
#define MOST_NESTED	16

int ceilings_fail(struct kermon_ceilings_error *error, int err,
		  const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return err;
}

/* Line and column of byte @offset, counted from 1. */
static void position_of(const char *text, size_t offset, size_t *line, size_t *column)
{
	*line = 1;
	*column = 1;
	for (size_t i = 0; i < offset; i++) {
		if (text[i] == '\n') {
			++*line;
			*column = 0;
		}
		++*column;
	}
}

static int fail_parse(struct json_tokener *tokener, const char *text, size_t size,
		      struct kermon_ceilings_error *error)
{
	const enum json_tokener_error reason = json_tokener_get_error(tokener);
	size_t line, column, offset = json_tokener_get_parse_end(tokener);

	if (offset > size)
		offset = size;
	position_of(text, offset, &line, &column);
	if (reason == json_tokener_continue || reason == json_tokener_error_parse_eof)
		return ceilings_fail(error, -EINVAL, "the file is truncated, in line %zu",
				     line);
	return ceilings_fail(error, -EINVAL, "line %zu, column %zu: invalid JSON: %s", line,
			     column, reason == json_tokener_success ?
			     "text after the end" : json_tokener_error_desc(reason));
}

/* Parse @size bytes, followed by a NUL, at which the parser sees the end. */
static int parse_text(struct json_object **root, const char *text, size_t size,
		      struct kermon_ceilings_error *error)
{
	struct json_tokener *tokener = json_tokener_new_ex(MOST_NESTED);
	int err = 0;

	if (!tokener)
		return ceilings_fail(error, -ENOMEM, "out of memory");
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	*root = json_tokener_parse_ex(tokener, text, size + 1);
	if (json_tokener_get_error(tokener) != json_tokener_success ||
	    json_tokener_get_parse_end(tokener) < size) {
		err = fail_parse(tokener, text, size, error);
		json_object_put(*root);
		*root = NULL;
	}
	json_tokener_free(tokener);
	return err;
}

static int fail_read(int err, struct kermon_ceilings_error *error)
{
	if (err == -EINVAL)
		return ceilings_fail(error, err, "not a regular file");
	if (err == -EFBIG)
		return ceilings_fail(error, -EINVAL, "the file has more than %u bytes",
				     KERMON_CEILINGS_BYTES);
	return ceilings_fail(error, err, "%s", strerror(-err));
}

int ceilings_parse(struct json_object **root, const char *path,
		   struct kermon_ceilings_error *error)
{
	char *text = malloc(KERMON_CEILINGS_BYTES + 1);
	ssize_t size;
	int err;

	if (!text)
		return ceilings_fail(error, -ENOMEM, "out of memory");
	size = read_small(path, text, KERMON_CEILINGS_BYTES);
	if (size < 0)
		err = fail_read(size, error);
	else if (!size)
		err = ceilings_fail(error, -EINVAL, "the file is empty");
	else if (memchr(text, '\0', size))
		err = ceilings_fail(error, -EINVAL, "the file is not text");
	else {
		text[size] = '\0';
		err = parse_text(root, text, size, error);
	}
	free(text);
	return err;
}

int kermon_ceilings_read(struct kermon_ceilings **ceilings, const char *path,
			 struct kermon_ceilings_error *error)
{
	struct kermon_ceilings *made = calloc(1, sizeof(*made));
	int err;

	*ceilings = NULL;
	error->text[0] = '\0';
	if (!made)
		return ceilings_fail(error, -ENOMEM, "out of memory");
	err = ceilings_parse(&made->root, path, error);
	if (!err)
		err = ceilings_take(made, error);
	if (err)
		kermon_ceilings_free(made);
	else
		*ceilings = made;
	return err;
}

void kermon_ceilings_free(struct kermon_ceilings *ceilings)
{
	if (!ceilings)
		return;
	json_object_put(ceilings->root);
	free(ceilings->entries);
	free(ceilings);
}

size_t kermon_ceilings_nr(const struct kermon_ceilings *ceilings)
{
	return ceilings->nr;
}

const struct kermon_ceiling *
kermon_ceilings_get(const struct kermon_ceilings *ceilings, size_t index)
{
	return index < ceilings->nr ? &ceilings->entries[index].ceiling : NULL;
}

const struct kermon_ceilings_about *
kermon_ceilings_about(const struct kermon_ceilings *ceilings)
{
	return &ceilings->about;
}

bool kermon_ceilings_is_quick(const struct kermon_ceilings *ceilings)
{
	struct json_object *conditions, *quick;

	return json_object_object_get_ex(ceilings->root, "conditions", &conditions) &&
	       json_object_object_get_ex(conditions, "quick", &quick) &&
	       json_object_get_boolean(quick);
}
