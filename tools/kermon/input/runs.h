/* SPDX-License-Identifier: GPL-2.0 */
/* The runs that a file is merged of, and how they differ. */
#ifndef KERMON_RUNS_H
#define KERMON_RUNS_H

#include <kermon/merge.h>

#include "ui/table.h"

/* To standard output; nothing for @nr 0. 0 or -ENOMEM. */
int runs_print(const struct kermon_run *runs, size_t nr,
	       const struct table_style *style);

#endif /* KERMON_RUNS_H */
