/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code that a program made at run time and told of in a file jit-PID.dump, with
 * the time of each function: what is at an address changes while it runs. The
 * format is that of tools/perf/Documentation/jitdump-specification.txt.
 */
#ifndef KERMON_JITDUMP_H
#define KERMON_JITDUMP_H

#include "process.h"
#include "symbols/symbols.h"

/* Programs map the file to tell perf that it is there. */
bool jitdump_is(const char *path);

struct jitdump;

/**
 * jitdumps_follow - follow one more program
 * @dumps: list of those that are followed
 * @process: whose code it is
 * @dso: that stands for the file
 * @sources: where it is looked for
 * @monotonic: records have times of CLOCK_MONOTONIC, as dumps do. With other ones
 *	nothing is known of what was when: @dso says so, and the dump is not followed
 *
 * Return: 0, also if there is no such file; or -ENOMEM.
 */
int jitdumps_follow(struct jitdump **dumps, struct process *process,
		    struct dso *dso, const struct symbol_sources *sources,
		    bool monotonic);
void jitdumps_free(struct jitdump *dumps);

/**
 * jitdumps_advance - map what was made until then
 * @dumps: of all programs
 * @time: in ns
 * @versions: counts versions of address spaces
 * @due: set to the time of what was made next; UINT64_MAX: there is no more
 *
 * Return: 0 or -ENOMEM.
 */
int jitdumps_advance(struct jitdump *dumps, uint64_t time, uint64_t *versions,
		     uint64_t *due);

/*
 * The lines of the source that a dump tells of: @end is that of the code that the line
 * is in, both in the numbering of the dump, and a line lasts until the next one there.
 * Returns what @tell did, if that was not 0, or 0.
 */
typedef int (*jitdump_line)(void *context, uint64_t start, uint64_t end,
			    const char *file, uint32_t line);
int jitdump_each_line(const struct dso *dso,
		      const struct symbol_sources *sources, jitdump_line tell,
		      void *context);

#endif /* KERMON_JITDUMP_H */
