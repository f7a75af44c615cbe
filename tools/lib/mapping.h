/* SPDX-License-Identifier: GPL-2.0 */
/* The address space of one process. */
#ifndef KERMON_MAPPING_H
#define KERMON_MAPPING_H

#include "process.h"

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
int mappings_add(struct process *process, const struct mmap_record *mmap,
		 struct dsos *dsos);
/* Maps code where it says. Return: 0 or -ENOMEM. */
int mappings_put_code(struct process *process, const struct mapping *new);
/* What starts at @start, if anything does, is no longer there. */
void mappings_remove(struct mappings *mappings, uint64_t start);
/* Maps in @to what @from has mapped, and nothing else. Return: 0 or -ENOMEM. */
int mappings_copy(struct process *to, const struct process *from);
void mappings_free(struct process *process);
const struct mapping *mappings_find(struct mappings *mappings, uint64_t address);
/* The last one that ends there or before; NULL: there is none. */
const struct mapping *mappings_below(const struct mappings *mappings,
				     uint64_t address);

#endif /* KERMON_MAPPING_H */
