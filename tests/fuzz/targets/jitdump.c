// SPDX-License-Identifier: GPL-2.0
/* A dump of JIT code: names of functions, and where they were at which time. */
#include <string.h>

#include "../input.h"
#include "flow/process.h"
#include "lines/lines.h"
#include "symbols/symbols.h"

/* Steps in which time advances. */
#define STEPS	8
#define LINES_MAX	4096

static void read_names(struct dso *dso)
{
	static const struct symbol_sources sources;
	const struct symbol *all;

	dso_symbol(dso, &sources, 0);
	all = dso->symbols->all;
	for (size_t i = 0; i < dso->symbols->nr; i++) {
		promise(!i || all[i - 1].start < all[i].start);
		input_touch(symbol_name(dso, &all[i]),
			    strlen(symbol_name(dso, &all[i])));
	}
}

/* After what ends at @end. */
static void check_block(const struct mapping_block *block, size_t size,
			uint64_t *end)
{
	const struct mapping *mapping = block->all;

	promise(block->nr && block->nr <= MAPPINGS_BLOCK);
	for (size_t i = 0; i < block->nr; i++, mapping++) {
		promise(*end <= mapping->start && mapping->start < mapping->end);
		promise(mapping->offset <= size);
		*end = mapping->end;
	}
}

static void follow(struct dso *dso, size_t size)
{
	static const struct symbol_sources sources;
	struct process process = { .pid = 1 };
	struct jitcode *dumps = NULL;
	uint64_t versions = 0, due, end = 0;

	promise(!jitcode_follow(&dumps, &process, dso, &sources, true));
	for (uint64_t i = 0; i < STEPS; i++)
		promise(!jitcode_advance(dumps, i, &versions, &due) && due > i);
	promise(!jitcode_advance(dumps, UINT64_MAX, &versions, &due));
	for (size_t i = 0; i < process.code.nr_blocks; i++)
		check_block(process.code.blocks[i], size, &end);
	mappings_free(&process.code);
	jitcode_free(dumps);
}

static void look_up_lines(struct dso *dso, size_t size)
{
	static const struct symbol_sources sources;
	const struct source_line *line;

	for (uint64_t at = 0; at <= size; at++) {
		line = dso_line(dso, &sources, at);
		if (!line)
			continue;
		promise(line->line && line->file);
		input_touch(line->file, strlen(line->file));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dsos dsos = { .by_path = {} };
	char path[INPUT_PATH];
	int fd = input_file(data, size, path);
	struct dso *dso = dsos_get_as(&dsos, path, DSO_JITDUMP);

	promise(dso);
	read_names(dso);
	look_up_lines(dso, size < LINES_MAX ? size : LINES_MAX);
	follow(dso, size);
	dsos_free(&dsos);
	close(fd);
	return 0;
}
