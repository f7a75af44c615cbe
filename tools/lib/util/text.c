// SPDX-License-Identifier: GPL-2.0
/* Print numbers, and text that may contain control characters. */
#include <inttypes.h>
#include <kermon/text.h>
#include <stdlib.h>

/*
 * Marker bits of the first byte of a UTF-8 sequence, and its smallest code point; RFC
 * 3629.
 */
static const struct {
	unsigned char mask;
	unsigned char begin;
	uint32_t least;
} sequences[] = {
	{ 0x80, 0x00, 0 },
	{ 0xe0, 0xc0, 0x80 },
	{ 0xf0, 0xe0, 0x800 },
	{ 0xf8, 0xf0, 0x10000 },
};

#define SURROGATES	0xd800
#define SURROGATES_END	0xe000
#define CODES_END	0x110000

/* Decode the continuation bytes; false if one is missing. */
static bool take_rest(const unsigned char *bytes, int length, uint32_t *code)
{
	for (int i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return false;
		*code = *code << 6 | (bytes[i] & 0x3f);
	}
	return true;
}

int kermon_text_character(const char *text, uint32_t *code)
{
	const unsigned char *bytes = (const unsigned char *)text;
	const int nr = sizeof(sequences) / sizeof(sequences[0]);

	for (int i = 0; i < nr; i++) {
		if ((*bytes & sequences[i].mask) != sequences[i].begin)
			continue;
		*code = *bytes & ~sequences[i].mask;
		if (!take_rest(bytes, i + 1, code) ||
		    *code < sequences[i].least || *code >= CODES_END ||
		    (*code >= SURROGATES && *code < SURROGATES_END))
			return 0;
		return i + 1;
	}
	return 0;
}

/*
 * Unicode's direction marks, line separators, byte order mark, and the two noncharacters that
 * XML forbids.
 */
static bool is_format(uint32_t code)
{
	return code == 0x061c || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069) || code == 0xfeff ||
	       code == 0xfffe || code == 0xffff;
}

bool kermon_text_is_visible(uint32_t code)
{
	return code >= 0x20 && (code < 0x7f || code > 0x9f) && !is_format(code);
}

bool kermon_text_is_plain(const char *text)
{
	uint32_t code;
	int length;

	for (; *text; text += length) {
		length = 1;
		if (*text >= 0x20 && *text < 0x7f)
			continue;
		length = kermon_text_character(text, &code);
		if (!length || !kermon_text_is_visible(code))
			return false;
	}
	return true;
}

/* Only code points up to U+FFFF get here: those beyond are all printed. */
static void print_escape(FILE *out, uint32_t code)
{
	if (code == '\n' || code == '\t' || code == '\r')
		fprintf(out, "\\%c", code == '\n' ? 'n' : code == '\t' ? 't' : 'r');
	else
		fprintf(out, code < 0x80 ? "\\x%02x" : "\\u%04x", code);
}

int kermon_text_print_next(FILE *out, const char *text)
{
	uint32_t code;
	int length = kermon_text_character(text, &code);

	if (!length)
		fprintf(out, "\\x%02x", (unsigned char)*text);
	else if (kermon_text_is_visible(code))
		fwrite(text, 1, length, out);
	else
		print_escape(out, code);
	return length ? length : 1;
}

/* Length of the run of printable ASCII at the start of @text. */
static size_t ascii_run(const char *text)
{
	size_t bytes = 0;

	while (text[bytes] >= 0x20 && text[bytes] < 0x7f)
		bytes++;
	return bytes;
}

void kermon_text_print(FILE *out, const char *text)
{
	size_t run;

	while (*text) {
		run = ascii_run(text);
		fwrite(text, 1, run, out);
		text += run;
		if (*text)
			text += kermon_text_print_next(out, text);
	}
}

char *kermon_text_escaped(const char *text)
{
	char *escaped = NULL;
	size_t size;
	FILE *out = open_memstream(&escaped, &size);

	if (!out)
		return NULL;
	kermon_text_print(out, text);
	if (fclose(out)) {
		free(escaped);
		return NULL;
	}
	return escaped;
}

void kermon_size_text(uint64_t bytes, char *text, size_t size)
{
	if (bytes < 1000)
		snprintf(text, size, "%" PRIu64 " byte%s", bytes,
			 kermon_plural(bytes));
	else if (bytes < 1000000)
		snprintf(text, size, "%.1f kB", (double)bytes / 1e3);
	else
		snprintf(text, size, "%.1f MB", (double)bytes / 1e6);
}

const char *kermon_plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

const char *kermon_were(uint64_t nr)
{
	return nr == 1 ? "was" : "were";
}
