/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files jit-PID.dump, in which a program tells of the code that it makes at run time,
 * with the time of each function. The format is that of
 * tools/perf/Documentation/jitdump-specification.txt.
 */
#ifndef KERMON_JITDUMP_H
#define KERMON_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sources.h"
#include "util/cursor.h"

/* Programs map the file to tell perf that it is there. */
bool jitdump_is(const char *path);

/**
 * struct jit_load - a function that was put somewhere, new or moved
 * @time: in ns
 * @address: where it was put
 * @size: of its code, in bytes
 * @offset: of its code in the file, of a new one
 * @index: of the function, for the life of the program
 * @name: in the file; NULL: it was moved, and had its name before
 * @lines: what a record of type LINES says of it, if any
 */
struct jit_load {
	uint64_t time;
	uint64_t address;
	uint64_t size;
	uint64_t offset;
	uint64_t index;
	const char *name;
	struct cursor lines;
};

struct jitdump;

/* NULL: there is no such file, or no memory. */
struct jitdump *jitdump_open(const char *path,
			     const struct symbol_sources *sources);
void jitdump_close(struct jitdump *dump);

/* Bytes of the file. */
size_t jitdump_size(const struct jitdump *dump);
/* Whether its times are of a clock of the program's own. */
bool jitdump_has_own_clock(const struct jitdump *dump);

/* The next one, as long as @dump is open; false: there is none, or it is cut off. */
bool jitdump_next(struct jitdump *dump, struct jit_load *load);

/*
 * The lines of the source of a function: @end is that of the code that the line is in,
 * both in the numbering of the dump, and a line lasts until the next one there. Returns
 * what @tell did, if that was not 0, or 0.
 */
typedef int (*jitdump_line)(void *context, uint64_t start, uint64_t end,
			    const char *file, uint32_t line);
int jit_load_lines(const struct jit_load *load, jitdump_line tell,
		   void *context);

#endif /* KERMON_JITDUMP_H */
