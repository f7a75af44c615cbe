/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that is physically contiguous modulo the size of the caches. Caches
 * are indexed by physical address, and the kernel places pages anywhere, so
 * pages are selected by colour.
 */
#ifndef KERMON_TEST_AREA_H
#define KERMON_TEST_AREA_H

#include <stdint.h>

#define PAGE		4096

/*
 * Number of page colours in the last level: consecutive pages fill its sets of
 * 64-byte lines in turn.
 */
#define L3_PAGES	(8192 * 64 / PAGE)

/* One page of each colour more than the 16 ways of the last level. */
#define AREA_PAGES	(17 * L3_PAGES)
#define AREA_SIZE	((uint64_t)AREA_PAGES * PAGE)

/*
 * AREA_SIZE bytes that are readable, writable and executable; page n maps to
 * the same sets as page n of contiguous memory would. Set up before main(), and
 * identical for all children of the process. Requires root.
 */
extern uint8_t *area;

#endif
