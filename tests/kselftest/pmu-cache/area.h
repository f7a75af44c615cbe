/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that caches see as if its pages were neighbours: they index by physical
 * addresses, and pages of a process are where the kernel finds some.
 */
#ifndef KERMON_TEST_AREA_H
#define KERMON_TEST_AREA_H

#include <stdint.h>

#define PAGE		4096

/* The last level: sets of 64-byte lines that consecutive pages fill in turn. */
#define L3_PAGES	(8192 * 64 / PAGE)

/* Beyond the 16 ways of the last level, in every set. */
#define AREA_PAGES	(17 * L3_PAGES)
#define AREA_SIZE	((uint64_t)AREA_PAGES * PAGE)

/*
 * AREA_SIZE bytes that can be read, written and executed; page n is in the sets
 * in which it would be if they followed each other from the first set on. It is
 * there when main() starts, the same for all children of the process. Needs root.
 */
extern uint8_t *area;

#endif
