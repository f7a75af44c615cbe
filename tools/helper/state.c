// SPDX-License-Identifier: GPL-2.0
/* The file of saved values, and a lock for each CPU. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "state.h"

#define STATE_SIZE	(KERMON_MSR_MAX_CPUS * sizeof(struct slot))

static uint64_t bit_of(uint32_t cpu)
{
	return 1ULL << cpu % 64;
}

/*
 * Allocate the memory of @nr slots: if /run is full, this is an error, and a later access
 * would be fatal (SIGBUS).
 */
static int reserve(int fd, uint32_t cpu, uint32_t nr)
{
	if (fallocate(fd, 0, cpu * sizeof(struct slot), nr * sizeof(struct slot)))
		return errno == EOPNOTSUPP ? 0 : -errno;
	return 0;
}

int state_open(struct state *state, int fd)
{
	const long nr = sysconf(_SC_NPROCESSORS_CONF);
	int err;

	*state = (struct state){ .fd = -1 };
	if (ftruncate(fd, STATE_SIZE))
		return -errno;
	err = reserve(fd, 0, nr < KERMON_MSR_MAX_CPUS ? nr : KERMON_MSR_MAX_CPUS);
	if (err)
		return err;
	state->slots = mmap(NULL, STATE_SIZE, PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, 0);
	if (state->slots == MAP_FAILED)
		return -errno;
	state->fd = fd;
	return 0;
}

void state_close(struct state *state)
{
	if (state->fd < 0)
		return;
	munmap(state->slots, STATE_SIZE);
	close(state->fd);
	state->fd = -1;
}

/* The lock of a CPU is one of a byte of the file; it ends with the process. */
static int set_lock(const struct state *state, uint32_t cpu, short type)
{
	struct flock lock = {
		.l_type = type,
		.l_whence = SEEK_SET,
		.l_start = cpu,
		.l_len = 1,
	};

	return fcntl(state->fd, F_OFD_SETLK, &lock) ? -EBUSY : 0;
}

int state_lock(struct state *state, uint32_t cpu)
{
	int err;

	if (state->fd < 0)
		return -ENOENT;
	err = set_lock(state, cpu, F_WRLCK);
	if (err)
		return err;
	err = reserve(state->fd, cpu, 1);
	if (err) {
		set_lock(state, cpu, F_UNLCK);
		return err;
	}
	state->locked[cpu / 64] |= bit_of(cpu);
	state->slots[cpu].pid = getpid();
	state->slots[cpu].client = state->client;
	return 0;
}

void state_unlock(struct state *state, uint32_t cpu)
{
	state->slots[cpu].pid = 0;
	state->locked[cpu / 64] &= ~bit_of(cpu);
	set_lock(state, cpu, F_UNLCK);
}

uint32_t state_holder(const struct state *state, uint32_t cpu)
{
	return state->slots[cpu].client;
}

bool state_is_locked(const struct state *state, uint32_t cpu)
{
	return state->locked[cpu / 64] & bit_of(cpu);
}

uint32_t state_nr(const struct state *state, uint32_t cpu)
{
	const uint32_t nr = state->fd < 0 ? 0 : state->slots[cpu].nr;

	return nr <= STATE_SAVED ? nr : STATE_SAVED;
}

int state_save(struct state *state, uint32_t cpu, const struct saved *saved)
{
	const uint32_t nr = state_nr(state, cpu);

	if (nr == STATE_SAVED)
		return -ENOSPC;
	state->slots[cpu].saved[nr] = *saved;
	/* The helper may be killed here: a value counts once it is complete. */
	__atomic_store_n(&state->slots[cpu].nr, nr + 1, __ATOMIC_RELEASE);
	return 0;
}

void state_cut(struct state *state, uint32_t cpu, uint32_t nr)
{
	__atomic_store_n(&state->slots[cpu].nr, nr, __ATOMIC_RELEASE);
}

void state_forget(struct state *state, uint32_t cpu, bool kept)
{
	struct slot *slot = &state->slots[cpu];
	const uint32_t nr = state_nr(state, cpu);
	uint32_t remaining = 0;

	for (uint32_t i = 0; i < nr; i++)
		if (!slot->saved[i].kept == kept)
			slot->saved[remaining++] = slot->saved[i];
	__atomic_store_n(&slot->nr, remaining, __ATOMIC_RELEASE);
}

bool state_has_any(const struct state *state, uint32_t cpu, bool kept)
{
	const uint32_t nr = state_nr(state, cpu);

	for (uint32_t i = 0; i < nr; i++)
		if (!state->slots[cpu].saved[i].kept == !kept)
			return true;
	return false;
}

const struct saved *state_find(const struct state *state, uint32_t cpu,
			       uint32_t reg, bool kept)
{
	const uint32_t nr = state_nr(state, cpu);
	const struct saved *saved;

	for (uint32_t i = 0; i < nr; i++) {
		saved = &state->slots[cpu].saved[i];
		if (saved->reg == reg && !saved->kept == !kept)
			return saved;
	}
	return NULL;
}
