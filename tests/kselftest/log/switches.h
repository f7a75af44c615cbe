/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work that does little but make way: two processes that wake each other.
 */
#ifndef KERMON_TEST_SWITCHES_H
#define KERMON_TEST_SWITCHES_H

/*
 * For worker_start(): the caller and a child of it leave the CPU *(unsigned int
 * *)@nr times together, and a few times more to begin and to end.
 */
void make_switches(void *nr);

#endif /* KERMON_TEST_SWITCHES_H */
