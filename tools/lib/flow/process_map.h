/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An address space: what a process has mapped, by its records.
 */
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
 * @code: what may be executed. What the program before an exec had mapped stays until
 *	something else takes its place: a sample taken while the kernel executes the new
 *	program has the address at which the old one asked for it.
 * @data: what may not, if anybody asks for it; and code that came after the first of it,
 *	so that what is newer is found
 * @version: of @code: no other ever has the same, but for that of a child that is as it
 *	was born; 0: there is none
 * @alive: threads that have not exited
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
 * @path: in the record
 * @build_id: size 0 if the record has none
 * @is_data: not executable
 * @is_kernel: of the kernel or one of its modules
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

/* Maps it over whatever was there. Return: 0 or -ENOMEM. */
int process_map(struct process *process, const struct mmap_record *mmap,
		struct dsos *dsos);
/* Maps code where it says, which is not empty. Return: 0 or -ENOMEM. */
int process_map_code(struct process *process, const struct mapping *new);
/* Maps in @to, which has nothing mapped, what @from has. Return: 0 or -ENOMEM. */
int process_map_as(struct process *to, const struct process *from);
void process_unmap(struct process *process);

#endif /* KERMON_PROCESS_MAP_H */
