/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to state.c: the values that registers had before they were written, in a file
 * that all helpers share and that outlives them. It is in /run, so that it lasts as long as
 * the registers keep their values.
 */
#ifndef KERMON_HELPER_STATE_H
#define KERMON_HELPER_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <kermon/msr.h>

/* A value to restore: when the client ends, or, if it is @kept, when a user asks for it. */
struct saved {
	uint32_t reg;
	uint32_t kept;
	uint64_t value;
};

#define STATE_SAVED	255

/**
 * struct slot - what is saved of a CPU, oldest first
 * @nr: number of values
 * @pid: the helper that holds the lock
 * @client: the process that it serves
 * @reserved: 0
 */
struct slot {
	uint32_t nr;
	uint32_t pid;
	uint32_t client;
	uint32_t reserved;
	struct saved saved[STATE_SAVED];
};

/**
 * struct state - the file
 * @fd: its descriptor; -1: there is no file, so that nothing can be locked
 * @slots: its contents, one for each CPU
 * @client: the process that this helper serves
 * @locked: a bit for each CPU that this helper may write to
 */
struct state {
	int fd;
	struct slot *slots;
	uint32_t client;
	uint64_t locked[KERMON_MSR_MAX_CPUS / 64];
};

/* Use the file @fd, which state_close() closes. Return: 0 or -errno. */
int state_open(struct state *state, int fd);
void state_close(struct state *state);

/*
 * Lock a CPU. Return: 0; -EBUSY: another helper has locked it; -ENOENT: no file; -ENOSPC: no
 * memory for its values.
 */
int state_lock(struct state *state, uint32_t cpu);
void state_unlock(struct state *state, uint32_t cpu);
bool state_is_locked(const struct state *state, uint32_t cpu);

/* The client of the helper that holds the lock of a CPU. */
uint32_t state_holder(const struct state *state, uint32_t cpu);

/* Save a value in the slot of a locked CPU. Return: 0 or -ENOSPC. */
int state_save(struct state *state, uint32_t cpu, const struct saved *saved);

/* Remove the values that were saved since the slot of a locked CPU had @nr of them. */
void state_cut(struct state *state, uint32_t cpu, uint32_t nr);

/* Remove all values from the slot of a locked CPU whose @kept is this. */
void state_forget(struct state *state, uint32_t cpu, bool kept);

/* Whether a slot has a value whose @kept is this. */
bool state_has_any(const struct state *state, uint32_t cpu, bool kept);

/* The saved value of a register, or NULL. */
const struct saved *state_find(const struct state *state, uint32_t cpu,
			       uint32_t reg, bool kept);

/* Number of values in a slot. */
uint32_t state_nr(const struct state *state, uint32_t cpu);

#endif /* KERMON_HELPER_STATE_H */
