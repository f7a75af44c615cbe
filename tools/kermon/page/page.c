// SPDX-License-Identifier: GPL-2.0
/*
 * Write a report as one HTML file: the template with title and data.
 */
#define _GNU_SOURCE

#include "page/page.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "page/template.h"

/* Bytes of JSON from which on it is compressed: of some ten thousand samples. */
#define LARGE	(2 << 20)

/* For text between tags. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		default:
			putc(*text, out);
		}
	}
}

/*
 * In a script element, "</script" would end it, and "<!--" hide its end. JSON has '<' only
 * in strings, where an escape means the same.
 */
static void put_json(FILE *out, const char *json, size_t size)
{
	const char *end = json + size, *next;

	for (; json < end; json = next + 1) {
		next = memchr(json, '<', end - json);
		if (!next) {
			fwrite(json, 1, end - json, out);
			return;
		}
		fwrite(json, 1, next - json, out);
		fputs("\\u003c", out);
	}
}

/* As base64, in 4 characters for each 3 bytes. */
static void put_base64(FILE *out, const unsigned char *bytes, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789+/";
	size_t i, n, left;

	for (i = 0; i < size; i += 3) {
		unsigned int group = 0;

		left = size - i < 3 ? size - i : 3;
		for (n = 0; n < 3; n++)
			group = group << 8 | (n < left ? bytes[i + n] : 0);
		for (n = 0; n < 4; n++)
			putc(n <= left ? digits[group >> (18 - 6 * n) & 63] : '=', out);
	}
}

/* A string of JSON: page.js knows from the type that it is compressed. */
static int put_compressed(FILE *out, const char *json, size_t size)
{
	z_stream z = { .next_in = (Bytef *)json, .avail_in = size };
	unsigned char *bytes;
	size_t most;
	int err = 0;

	if (size > UINT_MAX)
		return -EFBIG;
	/* 16: with gzip's header */
	if (deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	most = deflateBound(&z, size);
	bytes = malloc(most);
	z.next_out = bytes;
	z.avail_out = most;
	if (!bytes || deflate(&z, Z_FINISH) != Z_STREAM_END) {
		err = -ENOMEM;
	} else {
		putc('"', out);
		put_base64(out, bytes, z.total_out);
		putc('"', out);
	}
	free(bytes);
	deflateEnd(&z);
	return err;
}

/* Write the template from @from up to @mark; returns what is behind that. */
static const char *put_until(FILE *out, const char *from, const char *mark)
{
	const char *found = memmem(from, page_template_end - from, mark, strlen(mark));

	if (!found)
		return NULL;
	fwrite(from, 1, found - from, out);
	return found + strlen(mark);
}

static int put_page(FILE *out, const char *title, const char *json, size_t size)
{
	const char *rest = put_until(out, page_template, "@TITLE@");
	int err = 0;

	if (!rest)
		return -EINVAL;
	put_text(out, title);
	rest = put_until(out, rest, "@DATA@");
	if (!rest)
		return -EINVAL;
	if (size < LARGE)
		put_json(out, json, size);
	else
		err = put_compressed(out, json, size);
	fwrite(rest, 1, page_template_end - rest, out);
	return err;
}

int page_write(FILE *out, const char *title,
	       int (*write)(const void *context, FILE *out), const void *context)
{
	char *json = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&json, &size);
	int err;

	if (!memory)
		return -errno;
	err = write(context, memory);
	if (fclose(memory) && !err)
		err = -ENOMEM;
	if (!err)
		err = put_page(out, title, json, size);
	free(json);
	return err;
}
