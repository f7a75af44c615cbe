/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files jit-PID.dump, in which a program describes the code that it generates at run
 * time, with the time of each function. The format is documented in
 * tools/perf/Documentation/jitdump-specification.txt.
 */
#ifndef KERMON_JITDUMP_H
#define KERMON_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sources.h"
#include "util/cursor.h"

/* Whether the path is that of a dump: programs map it to make perf record its path. */
bool jitdump_is(const char *path);

/**
 * struct jit_load - a function that was placed in memory, new or moved
 * @time: in ns
 * @address: address in memory
 * @size: of its code, in bytes
 * @offset: of its code in the file, if it is new
 * @index: of the function, unique in the program
 * @name: points into the file; NULL: the function was moved, and was named before
 * @lines: contents of its LINES record, if any
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

/* Return: NULL if there is no such file, or out of memory. */
struct jitdump *jitdump_open(const char *path,
			     const struct symbol_sources *sources);
void jitdump_close(struct jitdump *dump);

/* Size of the file in bytes. */
size_t jitdump_size(const struct jitdump *dump);
/* Whether its timestamps come from a clock of the program's own. */
bool jitdump_has_own_clock(const struct jitdump *dump);

/*
 * The next function, valid while @dump is open. Return: false at the end, or if
 * truncated.
 */
bool jitdump_next(struct jitdump *dump, struct jit_load *load);

/*
 * The source lines of a function. @start is the offset of the line in the dump, @end
 * that of the end of the code; a line extends to the next one. Return: 0, or the first
 * non-zero value of @tell.
 */
typedef int (*jitdump_line)(void *context, uint64_t start, uint64_t end,
			    const char *file, uint32_t line);
int jit_load_lines(const struct jit_load *load, jitdump_line tell,
		   void *context);

#endif /* KERMON_JITDUMP_H */
