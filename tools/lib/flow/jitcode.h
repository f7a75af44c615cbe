/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Run-time generated code, followed through jitdump files: what is at an address
 * changes while the program runs.
 */
#ifndef KERMON_JITCODE_H
#define KERMON_JITCODE_H

#include "process_map.h"
#include "symbols/symbols.h"

struct jitcode;

/**
 * jitcode_follow - follow the dump of another program
 * @followed: list of the programs that are followed
 * @process: owner of the code
 * @dso: represents the dump
 * @sources: where to look for the dump
 * @monotonic: records have times of CLOCK_MONOTONIC, as dumps do. Otherwise the times
 *	cannot be compared: @dso reports that, and the dump is not followed
 *
 * Return: 0, also if there is no such file; or -ENOMEM.
 */
int jitcode_follow(struct jitcode **followed, struct process *process,
		   struct dso *dso, const struct symbol_sources *sources,
		   bool monotonic);
void jitcode_free(struct jitcode *followed);

/**
 * jitcode_advance - map the functions that were generated up to a time
 * @followed: all programs
 * @time: in ns
 * @versions: counts versions of address spaces
 * @due: set to the time of the next function; UINT64_MAX if there is none
 *
 * Return: 0 or -ENOMEM.
 */
int jitcode_advance(struct jitcode *followed, uint64_t time, uint64_t *versions,
		    uint64_t *due);

#endif /* KERMON_JITCODE_H */
