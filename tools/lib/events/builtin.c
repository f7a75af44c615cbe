// SPDX-License-Identifier: GPL-2.0
/*
 * The event files as they were when KerMon was built, so that the tool works from anywhere,
 * and reads recordings of any machine.
 */
#include "tables.h"

const struct table_builtin tables_builtin[] = {
#include <generated/event_files.h>
	{}
};
