// SPDX-License-Identifier: GPL-2.0
/* The state of the process; that of a child of fork() is zero. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "arena.h"
#include "connection.h"
#include "filter.h"
#include "names.h"
#include "process.h"

/* Other rings are not used: the tool would have to be broken. */
#define RING_BYTES_MIN	4096
#define RING_BYTES_MAX	(1ULL << 32)

struct settings settings;
int process_paused;

/* Zero is a lock that nobody holds: a child of fork() has only the thread that called it. */
static struct process {
	pthread_mutex_t lock;
	bool tried;
	bool has_threads;
} *process;

/* Whether the answer to this process or to one before fork() has been taken over. */
static bool configured;

/* Whether this thread holds the lock. */
static __thread bool is_inside __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void process_prepare(void)
{
	process = arena_wiped(sizeof(*process));
}

bool process_lock(void)
{
	if (!process || is_inside)
		return false;
	is_inside = true;
	pthread_mutex_lock(&process->lock);
	return true;
}

void process_unlock(void)
{
	pthread_mutex_unlock(&process->lock);
	is_inside = false;
}

static int configure(const struct ring_config *config, size_t size)
{
	const uint64_t bytes = config->ring_bytes;
	int ret;

	if (configured)
		return 0;
	if (bytes < RING_BYTES_MIN || bytes > RING_BYTES_MAX || bytes & (bytes - 1))
		return -EPROTO;
	ret = filter_set(config, size);
	if (ret)
		return ret;
	settings.counts = config->flags & RING_COUNTS;
	settings.waits = config->flags & RING_WAIT;
	settings.ring_bytes = bytes;
	process_paused = !!(config->flags & RING_PAUSED);
	configured = true;
	return 0;
}

static bool process_find_tool(void)
{
	/* Not on the stack: a thread may have little. */
	static _Alignas(struct ring_config) char answer[RING_CONFIG_MAX];
	struct ring_config *config = (struct ring_config *)answer;
	struct memory memory = {};
	long size;

	size = connection_offer(RING_NAMES, &memory, RING_NAMES_BYTES, config, sizeof(answer));
	if (size < 0)
		return false;
	if (configure(config, size)) {
		memory_close(&memory);
		return false;
	}
	names_announce(&memory);
	return true;
}

bool process_open(void)
{
	if (!process->tried) {
		process->tried = true;
		if (!process_find_tool())
			names_announce(NULL);
	}
	return names_are_announced();
}

bool process_first(void)
{
	return !__atomic_exchange_n(&process->has_threads, true, __ATOMIC_RELAXED);
}
