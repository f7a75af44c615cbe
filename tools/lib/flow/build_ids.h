/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a file says of the kernel and of the files that were mapped: build ids, and the
 * release of the kernel.
 */
#ifndef KERMON_BUILD_IDS_H
#define KERMON_BUILD_IDS_H

#include "perfdata/read/read.h"
#include "symbols/symbols.h"

/* From the header of the file, before its records. Return: 0 or -ENOMEM. */
int build_ids_read(struct dsos *dsos, struct reader *reader,
		   struct damages *damages);

/* From PERFDATA_RECORD_HEADER_BUILD_ID, which a pipe has. Return: 0 or -ENOMEM. */
int build_ids_take(struct dsos *dsos, const struct record *record);

#endif /* KERMON_BUILD_IDS_H */
