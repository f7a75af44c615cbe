// SPDX-License-Identifier: GPL-2.0
/* Index the line table by address and cache the rows of recent sequences. */
#include <errno.h>
#include <stdlib.h>

#include "program.h"
#include "table.h"
#include "util/array.h"
#include "util/bisect.h"
#include "util/cancel.h"
#include "util/spans.h"

/* Maximum number of cached rows and file names: 16 MB. */
#define ROWS_MAX	(1UL << 20)

/**
 * struct line_unit - a program
 * @start: its first address
 * @files: its files, once they have been read
 * @sequences: spans of its sequences, once they are known; their values are indices
 */
struct line_unit {
	struct line_program program;
	uint64_t start;
	struct line_files files;
	struct spans sequences;
	bool is_indexed;
};

/**
 * struct sequence - contiguous instructions
 * @unit: index of the program
 * @code: position in the program
 * @rows: @nr of them; NULL: not cached
 */
struct sequence {
	size_t unit;
	struct cursor code;
	struct line_row *rows;
	size_t nr;
	size_t room;
};

/**
 * struct line_table - the line table of a file
 * @units: @nr_units of them, by start
 * @cancel: cancels reading; NULL: not cancellable
 * @sequences: @nr of them
 * @spans: of all units, if @is_indexed
 * @kept: number of cached rows and file names
 */
struct line_table {
	struct line_sections sections;
	const struct kermon_cancel *cancel;
	struct line_unit *units;
	size_t nr_units;
	size_t room_units;
	struct sequence *sequences;
	size_t nr;
	size_t room;
	struct spans spans;
	bool is_indexed;
	size_t kept;
};

static void forget(struct line_table *table)
{
	for (size_t i = 0; i < table->nr_units; i++)
		line_files_free(&table->units[i].files);
	for (size_t i = 0; i < table->nr; i++) {
		free(table->sequences[i].rows);
		table->sequences[i].rows = NULL;
		table->sequences[i].nr = 0;
		table->sequences[i].room = 0;
	}
	table->kept = 0;
}

void line_table_free(struct line_table *table)
{
	if (!table)
		return;
	forget(table);
	for (size_t i = 0; i < table->nr_units; i++)
		spans_free(&table->units[i].sequences);
	free(table->units);
	free(table->sequences);
	spans_free(&table->spans);
	free(table);
}

/* Linkers keep the programs of functions that they have dropped, at address 0. */
static int add_sequence(struct line_table *table, size_t unit,
			struct cursor code, const struct span *span)
{

	if (!span->start || span->start >= span->end)
		return 0;
	if (array_room(table->sequences, table->room, table->nr + 1))
		return -ENOMEM;
	table->sequences[table->nr] = (struct sequence){
		.unit = unit,
		.code = code,
	};
	return spans_add(&table->units[unit].sequences, span->start, span->end,
			 table->nr++);
}

static int index_unit(struct line_table *table, size_t number)
{
	struct line_unit *unit = &table->units[number];
	struct cursor begin, code = unit->program.code;
	struct span span;
	int err = 0;

	if (unit->is_indexed)
		return 0;
	for (begin = code; !err; begin = code) {
		if (!line_program_skip(&unit->program, &code, &span.start,
				       &span.end))
			break;
		err = add_sequence(table, number, begin, &span);
		if (!err)
			err = cancel_check(table->cancel);
	}
	if (err) {
		spans_free(&unit->sequences);
		return err;
	}
	spans_sort(&unit->sequences);
	unit->is_indexed = true;
	return 0;
}

/* An address that is in none of the likely units may be in any other. */
static int index_all(struct line_table *table)
{
	const struct spans *spans;
	int err = 0;

	for (size_t i = 0; i < table->nr_units && !err; i++) {
		err = index_unit(table, i);
		spans = &table->units[i].sequences;
		for (size_t j = 0; j < spans->nr && !err; j++)
			err = spans_add(&table->spans, spans->all[j].start,
					spans->all[j].end, spans->all[j].what);
	}
	if (err) {
		spans_free(&table->spans);
		return err;
	}
	spans_sort(&table->spans);
	table->is_indexed = true;
	return 0;
}

static int add_unit(struct line_table *table, const struct line_program *program)
{
	struct line_unit unit = { .program = *program };

	if (!line_program_start(program, &unit.start))
		return 0;
	if (array_room(table->units, table->room_units, table->nr_units + 1))
		return -ENOMEM;
	table->units[table->nr_units++] = unit;
	return 0;
}

static int compare_units(const void *a, const void *b)
{
	const struct line_unit *left = a, *right = b;

	return left->start < right->start ? -1 : left->start > right->start;
}

static int find_units(struct line_table *table)
{
	struct cursor rest = line_section_at(&table->sections.line, 0);
	struct line_program program;
	int err = 0;

	rest.swapped = table->sections.swapped;
	while (!err && cursor_left(&rest)) {
		err = cancel_check(table->cancel);
		if (!err && line_program_open(&rest, &program))
			err = add_unit(table, &program);
	}
	if (table->nr_units)
		qsort(table->units, table->nr_units, sizeof(*table->units),
		      compare_units);
	return err;
}

int line_table_open(Elf *elf, const struct kermon_cancel *cancel,
		    struct line_table **result)
{
	struct line_table *table = calloc(1, sizeof(*table));
	int err = 0;

	*result = NULL;
	if (!table)
		return -ENOMEM;
	table->cancel = cancel;
	if (line_sections_find(elf, &table->sections))
		err = find_units(table);
	if (table->nr_units && !err)
		*result = table;
	else
		line_table_free(table);
	return err;
}

/* Of several rows for an instruction, the last one is its line. */
static int keep_row(void *context, const struct line_row *row)
{
	struct sequence *sequence = context;
	size_t nr = sequence->nr;

	if (nr && sequence->rows[nr - 1].address == row->address) {
		sequence->rows[nr - 1] = *row;
		return 0;
	}
	if (array_room(sequence->rows, sequence->room, nr + 1))
		return -ENOMEM;
	sequence->rows[sequence->nr++] = *row;
	return 0;
}

static int read_files(struct line_table *table, struct line_unit *unit)
{
	int err = 0;

	if (!unit->files.files.nr) {
		err = line_files_read(&table->sections, &unit->program,
				      &unit->files);
		table->kept += unit->files.files.nr;
	}
	return err;
}

static int read_rows(struct line_table *table, struct sequence *sequence)
{
	int err = 0;

	if (!sequence->rows) {
		err = line_program_run(&table->units[sequence->unit].program,
				       sequence->code, keep_row, sequence);
		table->kept += sequence->room;
	}
	return err;
}

/* The last row at or before the address. */
static const struct line_row *find_row(const struct sequence *sequence,
				       uint64_t address)
{
	size_t nr = count_while(sequence->nr, i,
				sequence->rows[i].address <= address);

	return nr && !sequence->rows[nr - 1].is_end ? &sequence->rows[nr - 1] :
						      NULL;
}

/* Index of the last unit that starts at or before an address, plus one. */
static size_t unit_before(const struct line_table *table, uint64_t address)
{
	return count_while(table->nr_units, i,
			   table->units[i].start <= address);
}

/* Return: 0, and @found is NULL if there is none; or -ENOMEM. */
static int find_sequence(struct line_table *table, uint64_t address,
			 struct sequence **found)
{
	size_t unit = unit_before(table, address);
	const struct span *span = NULL;
	int err = 0;

	*found = NULL;
	if (unit && !table->is_indexed) {
		err = index_unit(table, unit - 1);
		span = spans_find(&table->units[unit - 1].sequences, address);
	}
	if (!span && !err) {
		if (!table->is_indexed)
			err = index_all(table);
		span = spans_find(&table->spans, address);
	}
	if (span && !err)
		*found = &table->sequences[span->what];
	return err;
}

int line_table_find(struct line_table *table, uint64_t address, char *path,
		    size_t size, unsigned int *line)
{
	const struct line_row *row;
	struct sequence *sequence;
	struct line_unit *unit;
	int err;

	if (table->kept > ROWS_MAX)
		forget(table);
	err = find_sequence(table, address, &sequence);
	if (err || !sequence)
		return err;
	unit = &table->units[sequence->unit];
	err = read_files(table, unit);
	if (!err)
		err = read_rows(table, sequence);
	if (err)
		return err;
	row = find_row(sequence, address);
	if (!row)
		return 0;
	*line = row->line;
	return line_files_path(&unit->files, row->file, path, size);
}
