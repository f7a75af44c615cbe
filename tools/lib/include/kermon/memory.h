/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory accesses as text in perf's words: the contents of PERF_SAMPLE_DATA_SRC and
 * PERF_SAMPLE_DATA_PAGE_SIZE.
 */
#ifndef KERMON_MEMORY_H
#define KERMON_MEMORY_H

#include <stdint.h>
#include <stdio.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

/* The parts of PERF_SAMPLE_DATA_SRC. */
enum kermon_memory {
	KERMON_MEMORY_OPERATION,	/* "LOAD" */
	KERMON_MEMORY_LEVEL,		/* where the data was found: "L1 hit" */
	KERMON_MEMORY_SNOOP,		/* state in other caches: "HitM" */
	KERMON_MEMORY_TRANSLATION,	/* of the address: "L1 or L2 hit" */
	KERMON_MEMORY_LOCK,		/* "Yes" */
	KERMON_MEMORY_BLOCKED,		/* reason for waiting: "Data" */
};

/* Print a part in perf's words; "N/A" if the hardware does not report it. */
void kermon_memory_print(FILE *out, enum kermon_memory part, uint64_t data_src);

#define KERMON_PAGE_SIZE_TEXT	24

/* Format a page size like perf: "4K", but "1024M"; "N/A" if it is 0. */
void kermon_page_size_text(uint64_t size, char text[KERMON_PAGE_SIZE_TEXT]);

KERMON_END_DECLS

#endif /* KERMON_MEMORY_H */
