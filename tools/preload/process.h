/* SPDX-License-Identifier: GPL-2.0 */
/* What the threads of a process share: the tool's answer, the lock, whether it is paused. */
#ifndef KERMON_PRELOAD_PROCESS_H
#define KERMON_PRELOAD_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct settings - what the tool has asked for
 * @counts: marks carry counts where a thread can read its own
 * @waits: a thread waits for room in its ring
 * @ring_bytes: of the records of a thread's ring
 */
extern struct settings {
	bool counts;
	bool waits;
	uint64_t ring_bytes;
} settings;

/* Nothing is collected, in no thread: see kermon_pause(). */
extern int process_paused __attribute__((visibility("hidden")));

/**
 * process_open() - find the tool, unless this process has done so
 *
 * A child of fork() does so anew, and announces all names. The caller holds process_lock().
 *
 * Return: whether there is a tool.
 */
bool process_open(void);

/* Protects the names and the arena. Recursion is an error: see names_find(). */
bool process_lock(void);
void process_unlock(void);

/**
 * process_first() - whether this is the first call in this process
 *
 * The ring of its first thread says that nothing is collected from the begin.
 */
bool process_first(void);

#endif /* KERMON_PRELOAD_PROCESS_H */
