// SPDX-License-Identifier: GPL-2.0
/*
 * Writes JSON, indented or on one line.
 */
#include <inttypes.h>
#include <kermon/text.h>
#include <math.h>

#include "json.h"
#include "number.h"

/* Characters that JSON requires to be escaped, and control characters of terminals. */
static bool is_escaped(uint32_t code)
{
	return code == '"' || code == '\\' || !kermon_text_is_visible(code);
}

static void write_string(FILE *out, const char *text)
{
	uint32_t code;
	int length;

	fputc('"', out);
	for (; *text; text += length ? length : 1) {
		length = kermon_text_character(text, &code);
		if (!length)
			fputs("\\ufffd", out);
		else if (!is_escaped(code))
			fwrite(text, 1, length, out);
		else if (kermon_text_is_visible(code))
			fprintf(out, "\\%c", *text);
		else
			fprintf(out, "\\u%04x", code);
	}
	fputc('"', out);
}

static void begin_line(struct json *json)
{
	if (!json->compact)
		fprintf(json->out, "\n%*s", (int)json->depth * 2, "");
}

/* Write what precedes a value: comma, newline, indentation and name. */
static void begin(struct json *json, const char *name)
{
	if (json->comma)
		fputc(',', json->out);
	if (json->depth)
		begin_line(json);
	if (name) {
		write_string(json->out, name);
		fputs(json->compact ? ":" : ": ", json->out);
	}
	json->comma = true;
}

static void open_bracket(struct json *json, const char *name, char bracket)
{
	begin(json, name);
	fputc(bracket, json->out);
	json->depth++;
	json->comma = false;
}

static void close_bracket(struct json *json, char bracket)
{
	json->depth--;
	if (json->comma)
		begin_line(json);
	fputc(bracket, json->out);
	json->comma = true;
	if (!json->depth)
		fputc('\n', json->out);
}

void json_begin_object(struct json *json, const char *name)
{
	open_bracket(json, name, '{');
}

void json_end_object(struct json *json)
{
	close_bracket(json, '}');
}

void json_begin_array(struct json *json, const char *name)
{
	open_bracket(json, name, '[');
}

void json_end_array(struct json *json)
{
	close_bracket(json, ']');
}

void json_text(struct json *json, const char *name, const char *value)
{
	begin(json, name);
	if (value)
		write_string(json->out, value);
	else
		fputs("null", json->out);
}

void json_number(struct json *json, const char *name, uint64_t value)
{
	begin(json, name);
	fprintf(json->out, "%" PRIu64, value);
}

void json_real(struct json *json, const char *name, double value)
{
	begin(json, name);
	if (isnan(value))
		fputs("null", json->out);
	else
		fprintf(json->out, "%.9g", value);
}

void json_exact(struct json *json, const char *name, double value)
{
	char text[NUMBER_SIZE];

	begin(json, name);
	number_real(value, text);
	fputs(isnan(value) ? "null" : text, json->out);
}

void json_bool(struct json *json, const char *name, bool value)
{
	begin(json, name);
	fputs(value ? "true" : "false", json->out);
}
