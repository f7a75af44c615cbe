/* SPDX-License-Identifier: GPL-2.0 */
/* What a process maps, by its records. */
#ifndef KERMON_PROCESS_MAP_H
#define KERMON_PROCESS_MAP_H

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
int process_map(struct process *process, const struct mmap_record *mmap,
		struct dsos *dsos);
/* Maps code where it says, which is not empty. Return: 0 or -ENOMEM. */
int process_map_code(struct process *process, const struct mapping *new);
/* Maps in @to, which has nothing mapped, what @from has. Return: 0 or -ENOMEM. */
int process_map_as(struct process *to, const struct process *from);
void process_unmap(struct process *process);

#endif /* KERMON_PROCESS_MAP_H */
