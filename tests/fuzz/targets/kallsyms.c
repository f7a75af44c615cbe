// SPDX-License-Identifier: GPL-2.0
/* A copy of /proc/kallsyms, for the kernel and for a module. */
#include <string.h>

#include "../input.h"
#include "symbols/symbols.h"

static void look_up(struct dso *dso, const struct symbol_sources *sources)
{
	const struct symbol *all;

	dso_symbol(dso, sources, UINT64_MAX);
	all = dso->symbols->all;
	for (size_t i = 0; i < dso->symbols->nr; i++) {
		promise(!i || all[i - 1].start < all[i].start);
		input_touch(symbol_name(dso, &all[i]),
			    strlen(symbol_name(dso, &all[i])));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symbol_sources sources = { .symfs = NULL };
	struct dsos dsos = { .by_path = {} };
	char path[INPUT_PATH];
	int fd = input_file(data, size, path);

	sources.kallsyms = path;
	dsos.kernel.text = 0xffffffff81000000;
	look_up(dsos_get(&dsos, "[kernel.kallsyms]", NULL, true), &sources);
	look_up(dsos_get(&dsos, "[ext4]", NULL, true), &sources);
	dsos_free(&dsos);
	close(fd);
	return 0;
}
