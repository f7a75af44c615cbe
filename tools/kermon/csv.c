// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include "csv.h"

static void begin_value(struct csv *csv)
{
	if (csv->begun)
		fputc(',', csv->out);
	csv->begun = true;
}

void csv_text(struct csv *csv, const char *text)
{
	begin_value(csv);
	if (!text)
		return;
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, csv->out);
		return;
	}
	fputc('"', csv->out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', csv->out);
		fputc(*text, csv->out);
	}
	fputc('"', csv->out);
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
	begin_value(csv);
	fprintf(csv->out, "%.15g", number);
}

void csv_end(struct csv *csv)
{
	fputc('\n', csv->out);
	csv->begun = false;
}
