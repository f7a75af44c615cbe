/* SPDX-License-Identifier: GPL-2.0 */
/* The address space of a process, according to the records of its mappings. */
#ifndef KERMON_PROCESS_MAP_H
#define KERMON_PROCESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mappings.h"
#include "perfdata/format/format.h"
#include "symbols/symbols.h"

/**
 * struct process - an address space
 * @code: executable mappings. Those from before an exec remain until they are replaced: a
 *	sample taken while the kernel executes the new program has the address at which the
 *	old one called exec.
 * @data: other mappings, if data is looked up; and code mapped after the first of them, so
 *	that the newest mapping is found
 * @version: of @code: unique, except that an unchanged child has that of its parent;
 *	0: nothing is mapped
 * @alive: number of threads that have not exited
 */
struct process {
	uint32_t pid;
	struct mappings code;
	struct mappings data;
	uint64_t version;
	size_t alive;
	struct process *next;	/* of all */
};

/**
 * struct mmap_record - PERF_RECORD_MMAP and PERF_RECORD_MMAP2
 * @path: points into the record
 * @build_id: size 0 if the record has none
 * @is_data: not executable
 * @is_kernel: mapping of the kernel or a module
 */
struct mmap_record {
	uint32_t pid;
	uint32_t tid;
	uint64_t address;
	uint64_t length;
	uint64_t offset;
	const char *path;
	struct build_id build_id;
	bool is_data;
	bool is_kernel;
};

/* Return: false if the record is too short. */
bool mmap_parse(const struct record *record, struct mmap_record *mmap);

/* Add a mapping and replace what it overlaps. Return: 0 or -ENOMEM. */
int process_map(struct process *process, const struct mmap_record *mmap,
		struct dsos *dsos);
/* Add a mapping of code, which is not empty. Return: 0 or -ENOMEM. */
int process_map_code(struct process *process, const struct mapping *new);
/* Copy the mappings of @from to @to, which is empty. Return: 0 or -ENOMEM. */
int process_map_as(struct process *to, const struct process *from);
void process_unmap(struct process *process);

#endif /* KERMON_PROCESS_MAP_H */
