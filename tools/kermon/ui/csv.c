// SPDX-License-Identifier: GPL-2.0
/*
 * Writes lines of comma-separated values.
 */
#include <inttypes.h>
#include <kermon/text.h>
#include <math.h>
#include <string.h>

#include "csv.h"
#include "number.h"

static char separator_of(const struct csv *csv)
{
	return csv->separator ? csv->separator : ',';
}

static void begin_value(struct csv *csv)
{
	if (csv->begun)
		fputc(separator_of(csv), csv->out);
	csv->begun = true;
}

/* Double the quotes; control characters are escaped, so a value has no newline. */
static void write_quoted(FILE *out, const char *text)
{
	fputc('"', out);
	while (*text) {
		if (*text == '"')
			fputc('"', out);
		text += kermon_text_print_next(out, text);
	}
	fputc('"', out);
}

void csv_text(struct csv *csv, const char *text)
{
	const char special[] = { separator_of(csv), '"', '\0' };

	begin_value(csv);
	if (!text)
		return;
	if (!text[strcspn(text, special)]) {
		kermon_text_print(csv->out, text);
		return;
	}
	write_quoted(csv->out, text);
}

void csv_number(struct csv *csv, uint64_t number)
{
	begin_value(csv);
	fprintf(csv->out, "%" PRIu64, number);
}

void csv_hex(struct csv *csv, uint64_t number)
{
	begin_value(csv);
	fprintf(csv->out, "%" PRIx64, number);
}

void csv_real(struct csv *csv, double number)
{
	char text[NUMBER_SIZE];

	begin_value(csv);
	number_real(number, text);
	fputs(isnan(number) ? "" : text, csv->out);
}

void csv_end(struct csv *csv)
{
	fputc('\n', csv->out);
	csv->begun = false;
}
