// SPDX-License-Identifier: GPL-2.0
/* An ELF file: its symbols, PLT and source lines. */
#include <string.h>

#include "../input.h"
#include "lines/lines.h"
#include "symbols/symbols.h"

/* Addresses that are looked up. */
#define PLACES	64

static void look_up(struct dso *dso, uint64_t offset)
{
	static const struct symbol_sources sources;
	const struct symbol *symbol = dso_symbol(dso, &sources, offset);
	const struct source_line *line = dso_line(dso, &sources, offset);
	const struct source *source = dso_source(dso, &sources, offset);
	uint64_t address = dso_address(dso, &sources, offset);

	if (symbol) {
		promise(address >= symbol->start && address < symbol->end);
		free(symbol_demangle(symbol_name(dso, symbol)));
	}
	if (line)
		input_touch(line->file, strlen(line->file));
	for (size_t i = 0; source && i < source->nr; i++) {
		if (source->lines[i].function)
			input_touch(source->lines[i].function,
				    strlen(source->lines[i].function));
		if (source->lines[i].file)
			input_touch(source->lines[i].file,
				    strlen(source->lines[i].file));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dsos dsos = { .by_path = {} };
	char path[INPUT_PATH];
	int fd = input_file(data, size, path);
	struct dso *dso = dsos_get(&dsos, path, NULL, false);

	promise(dso);
	for (uint64_t i = 0; i < PLACES; i++)
		look_up(dso, i * size / PLACES);
	look_up(dso, UINT64_MAX);
	dsos_free(&dsos);
	close(fd);
	return 0;
}
