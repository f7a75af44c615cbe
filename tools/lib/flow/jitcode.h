/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code that programs make at run time, followed by their dumps: what is at an address
 * changes while they run.
 */
#ifndef KERMON_JITCODE_H
#define KERMON_JITCODE_H

#include "process_map.h"
#include "symbols/symbols.h"

struct jitcode;

/**
 * jitcode_follow - follow one more program
 * @followed: list of those that are followed
 * @process: whose code it is
 * @dso: that stands for its dump
 * @sources: where it is looked for
 * @monotonic: records have times of CLOCK_MONOTONIC, as dumps do. With other ones
 *	nothing is known of what was when: @dso says so, and the dump is not followed
 *
 * Return: 0, also if there is no such file; or -ENOMEM.
 */
int jitcode_follow(struct jitcode **followed, struct process *process,
		   struct dso *dso, const struct symbol_sources *sources,
		   bool monotonic);
void jitcode_free(struct jitcode *followed);

/**
 * jitcode_advance - map what was made until then
 * @followed: all programs
 * @time: in ns
 * @versions: counts versions of address spaces
 * @due: set to the time of what was made next; UINT64_MAX: there is no more
 *
 * Return: 0 or -ENOMEM.
 */
int jitcode_advance(struct jitcode *followed, uint64_t time, uint64_t *versions,
		    uint64_t *due);

#endif /* KERMON_JITCODE_H */
