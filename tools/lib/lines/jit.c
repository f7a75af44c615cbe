// SPDX-License-Identifier: GPL-2.0
/* The lines of all functions of a jitdump file, sorted by the offset of their code. */
#include <errno.h>
#include <stdlib.h>

#include "jit.h"
#include "symbols/symbols.h"
#include "util/array.h"
#include "util/bisect.h"
#include "util/cancel.h"

/*
 * A line from @start up to the next one, or to the @end of the code. @number: in the
 * dump.
 */
struct jit_line {
	uint64_t start;
	uint64_t end;
	const char *file;
	size_t number;
	uint32_t line;
};

/**
 * struct jit_lines - the lines of a dump
 * @all: @nr of them, by @start, with room for @room
 * @files: their names
 */
struct jit_lines {
	struct jit_line *all;
	size_t nr;
	size_t room;
	struct interned files;
};

void jit_lines_free(struct jit_lines *lines)
{
	if (!lines)
		return;
	free(lines->all);
	intern_free(&lines->files);
	free(lines);
}

static int keep(void *context, uint64_t start, uint64_t end, const char *file,
		uint32_t line)
{
	struct jit_lines *lines = context;

	if (array_room(lines->all, lines->room, lines->nr + 1))
		return -ENOMEM;
	file = intern(&lines->files, file);
	lines->all[lines->nr] = (struct jit_line){
		.start = start,
		.end = end,
		.file = file,
		.number = lines->nr,
		.line = line,
	};
	lines->nr++;
	return file ? 0 : -ENOMEM;
}

/* Of several lines at the same place the last one counts, as in DWARF. */
static int compare(const void *a, const void *b)
{
	const struct jit_line *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static int keep_all(struct jit_lines *lines, const struct dso *dso,
		    const struct symbol_sources *sources)
{
	struct jitdump *dump = jitdump_open(dso->path, sources);
	struct jit_load load;
	int err = 0;

	if (!dump)
		return 0;
	while (!err && jitdump_next(dump, &load)) {
		err = cancel_check(sources->cancel);
		if (!err && load.name && load.lines.at)
			err = jit_load_lines(&load, keep, lines);
	}
	jitdump_close(dump);
	return err;
}

int jit_lines_open(const struct dso *dso, const struct symbol_sources *sources,
		   struct jit_lines **lines)
{
	struct jit_lines *new = calloc(1, sizeof(*new));
	int err = new ? keep_all(new, dso, sources) : -ENOMEM;

	*lines = NULL;
	if (err || !new->nr) {
		jit_lines_free(new);
		return err;
	}
	qsort(new->all, new->nr, sizeof(*new->all), compare);
	*lines = new;
	return 0;
}

const char *jit_lines_find(const struct jit_lines *lines, uint64_t offset,
			   unsigned int *line)
{
	size_t nr = count_while(lines->nr, i, lines->all[i].start <= offset);
	const struct jit_line *found;

	if (!nr)
		return NULL;
	found = &lines->all[nr - 1];
	if (offset >= found->end || !found->line)
		return NULL;
	*line = found->line;
	return found->file;
}
