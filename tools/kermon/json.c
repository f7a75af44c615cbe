// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <math.h>

#include "json.h"

/* Bytes of the UTF-8 sequence at @text; 0 if it is none. RFC 3629. */
static int utf8_length(const unsigned char *text)
{
	int length = *text < 0x80 ? 1 : *text >= 0xc2 && *text < 0xe0 ? 2 :
		     *text >= 0xe0 && *text < 0xf0 ? 3 :
		     *text >= 0xf0 && *text < 0xf5 ? 4 : 0;

	for (int i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((*text == 0xe0 && text[1] < 0xa0) ||
	    (*text == 0xed && text[1] > 0x9f) ||
	    (*text == 0xf0 && text[1] < 0x90) ||
	    (*text == 0xf4 && text[1] > 0x8f))
		return 0;
	return length;
}

static void write_string(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	int length;

	fputc('"', out);
	for (; *at; at += length ? length : 1) {
		length = utf8_length(at);
		if (!length)
			fputs("\\ufffd", out);
		else if (*at < 0x20)
			fprintf(out, "\\u%04x", *at);
		else if (*at == '"' || *at == '\\')
			fprintf(out, "\\%c", *at);
		else
			fwrite(at, 1, length, out);
	}
	fputc('"', out);
}

static void begin_line(struct json *json)
{
	if (!json->compact)
		fprintf(json->out, "\n%*s", (int)json->depth * 2, "");
}

/* Comma, line break, indentation and name: what stands before any value. */
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

void json_bool(struct json *json, const char *name, bool value)
{
	begin(json, name);
	fputs(value ? "true" : "false", json->out);
}
