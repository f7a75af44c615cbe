/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to runs.c: a table of the runs in a merged file.
 */
#ifndef KERMON_RUNS_H
#define KERMON_RUNS_H

#include <kermon/merge.h>

#include "ui/table.h"

/*
 * Print @nr runs to standard output, nothing if @nr is 0. @of_cpus: by kermon spy. Returns 0 or
 * -ENOMEM.
 */
int runs_print(const struct kermon_run *runs, size_t nr, bool of_cpus,
	       const struct table_style *style);

#endif /* KERMON_RUNS_H */
