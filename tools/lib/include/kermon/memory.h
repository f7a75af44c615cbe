/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Accesses to memory in the words of perf: what PERF_SAMPLE_DATA_SRC and
 * PERF_SAMPLE_DATA_PAGE_SIZE say of a sample.
 */
#ifndef KERMON_MEMORY_H
#define KERMON_MEMORY_H

#include <stdint.h>
#include <stdio.h>

#include <kermon/abi.h>

KERMON_BEGIN_DECLS

/* What PERF_SAMPLE_DATA_SRC tells of an access to memory. */
enum kermon_memory {
	KERMON_MEMORY_OPERATION,	/* "LOAD" */
	KERMON_MEMORY_LEVEL,		/* where it was found: "L1 hit" */
	KERMON_MEMORY_SNOOP,		/* what other caches had: "HitM" */
	KERMON_MEMORY_TRANSLATION,	/* of its address: "L1 or L2 hit" */
	KERMON_MEMORY_LOCK,		/* "Yes" */
	KERMON_MEMORY_BLOCKED,		/* by what it had to wait for: "Data" */
};

/* In the words of perf; "N/A" if the hardware does not tell. */
void kermon_memory_print(FILE *out, enum kermon_memory part, uint64_t data_src);

#define KERMON_PAGE_SIZE_TEXT	24

/* A size of pages as perf writes it: "4K", but "1024M"; "N/A" if it is 0. */
void kermon_page_size_text(uint64_t size, char text[KERMON_PAGE_SIZE_TEXT]);

KERMON_END_DECLS

#endif /* KERMON_MEMORY_H */
