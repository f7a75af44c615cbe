/* SPDX-License-Identifier: GPL-2.0 */
/* The tool that records, as the application sees it. */
#ifndef KERMON_PRELOAD_CONNECTION_H
#define KERMON_PRELOAD_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "memory.h"

/**
 * connection_offer() - create a ring and hand it to the tool
 * @kind: of the ring
 * @memory: the ring, open on success
 * @bytes: of its records
 * @config: what the tool has answered
 * @room: bytes for it, RING_CONFIG_MAX is enough
 *
 * It takes at most a few seconds, and is no cancellation point.
 *
 * Return: bytes of the answer or a negative error: -ENOENT if there is no tool in the
 * environment, -EPROTO if it speaks another language, an error of memory_open(), connect(),
 * sendmsg() or recv().
 */
long connection_offer(enum ring_kind kind, struct memory *memory, uint64_t bytes,
		      struct ring_config *config, size_t room);

/**
 * struct patience - of a thread that waits for room in a ring; begins as {}
 * @rounds: how often it has waited
 */
struct patience {
	unsigned int rounds;
};

/**
 * connection_wait() - wait a little for the tool to read
 * @patience: of this wait
 *
 * Return: whether to look again; false if the tool is gone, which it then is for all.
 */
bool connection_wait(struct patience *patience);

#endif /* KERMON_PRELOAD_CONNECTION_H */
