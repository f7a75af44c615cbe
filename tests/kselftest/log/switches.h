/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work that consists mainly of context switches: two processes wake each other.
 */
#ifndef KERMON_TEST_SWITCHES_H
#define KERMON_TEST_SWITCHES_H

/*
 * For worker_start(): the caller and a child are switched out *(unsigned int
 * *)@nr times in total, and a few more times at start and end.
 */
void make_switches(void *nr);

#endif /* KERMON_TEST_SWITCHES_H */
