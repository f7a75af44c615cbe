/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a file says about the kernel and the mapped files: build ids, and the release of
 * the kernel.
 */
#ifndef KERMON_BUILD_IDS_H
#define KERMON_BUILD_IDS_H

#include "perfdata/read/read.h"
#include "symbols/symbols.h"

/* Read the header of the file, before its records. Return: 0 or -ENOMEM. */
int build_ids_read(struct dsos *dsos, struct reader *reader,
		   struct damages *damages);

/* Read a PERFDATA_RECORD_HEADER_BUILD_ID, as in pipes. Return: 0 or -ENOMEM. */
int build_ids_take(struct dsos *dsos, const struct record *record);

#endif /* KERMON_BUILD_IDS_H */
