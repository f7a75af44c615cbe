// SPDX-License-Identifier: GPL-2.0
/* Read the symbols of run-time generated code from its jitdump file. */
#include "jitdump.h"
#include "loaders.h"
#include "util/cancel.h"

int symbols_load_jitdump(struct symbols *symbols, const struct dso *dso,
			 const struct symbol_sources *sources)
{
	struct jitdump *dump = jitdump_open(dso->path, sources);
	struct jit_load load;
	int err = 0;

	symbols->state = SYMBOLS_NO_FILE;
	if (!dump)
		return 0;
	while (!err && jitdump_next(dump, &load)) {
		err = cancel_check(sources->cancel);
		if (load.name && !err)
			err = symbols_add(symbols, load.offset,
					  load.offset + load.size, load.name,
					  SYMBOL_RANK_SIZED);
	}
	jitdump_close(dump);
	symbols->state = symbols->nr ? SYMBOLS_FOUND : SYMBOLS_NONE;
	return err;
}
