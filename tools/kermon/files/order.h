/* SPDX-License-Identifier: GPL-2.0 */
/* The order of the records of a file: shared by kermon check --order and its picture. */
#ifndef KERMON_FILES_ORDER_H
#define KERMON_FILES_ORDER_H

#include <kermon/file.h>
#include <stdio.h>

#include "plot/columns.h"

#define ORDER_FACTS	3
#define ORDER_FACT	132

/**
 * struct order_cpu - the records of a CPU, compared with each other only
 * @records: their number
 * @unordered: those that are older than one before them
 * @step: largest difference in ns
 * @newest: time of the newest one so far
 */
struct order_cpu {
	uint64_t records;
	uint64_t unordered;
	uint64_t step;
	uint64_t newest;
};

/**
 * struct order_view - what is shown
 * @path: of the file
 * @sum: numbers of the file as a whole
 * @first: time of the first record in ns, from which others are counted; they can be older
 * @times: time of each record, over its number in the file
 * @behind: ns by which each is older than the newest one up to there
 * @lower: by the rounds, the time that no later record is older than
 * @allowed: ns by which a record may be older than the newest one, by the rounds
 * @cpus: of the CPUs that are known, by number
 * @facts: lines about the recording and its machine
 */
struct order_view {
	const char *path;
	const struct kermon_file_order *sum;
	uint64_t first;
	struct columns times;
	struct columns behind;
	struct columns lower;
	struct columns allowed;
	struct order_cpu *cpus;
	size_t nr_cpus;
	size_t room_cpus;
	char facts[ORDER_FACTS][ORDER_FACT];
};

/* Read the file into @view, which is all zeros but for its path. Returns 0 or -errno. */
int order_read(struct order_view *view, struct kermon_file *file);
void order_print(const struct order_view *view);
void order_view_free(struct order_view *view);

/* Writes the picture as SVG. Returns 0 or -ENOMEM. */
int order_picture(const void *view, FILE *out);

#endif /* KERMON_FILES_ORDER_H */
