/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface to keeper.c: decides on each request, executes it, and restores what was
 * written. It trusts neither requests nor the file of saved values.
 */
#ifndef KERMON_HELPER_KEEPER_H
#define KERMON_HELPER_KEEPER_H

#include <stddef.h>
#include <stdint.h>

#include "allowlist.h"
#include "msr/protocol.h"
#include "registers.h"
#include "state.h"

/**
 * struct keeper - what a client may do
 * @list: the allow-list
 * @registers: devices that are open for the client
 * @state: saved values
 * @flags: enum kermon_msr_flags, of the client
 */
struct keeper {
	struct allowlist list;
	struct registers registers;
	struct state state;
	uint32_t flags;
};

/*
 * Execute the request of @size bytes in @packet, and replace it by the reply. Return: size
 * of the reply; 0: the request is not valid, and the client not worth listening to.
 */
size_t keeper_answer(struct keeper *keeper, struct msr_packet *packet,
		     size_t size);

/*
 * Restore what a helper that was killed has left of a CPU whose device is open, unless
 * another helper has the CPU. Return: number of registers.
 */
unsigned int keeper_recover(struct keeper *keeper, uint32_t cpu);

/* The client has ended: restore what it has written, unless it is to be kept. */
void keeper_end(struct keeper *keeper);

#endif /* KERMON_HELPER_KEEPER_H */
