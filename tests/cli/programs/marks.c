// SPDX-License-Identifier: GPL-2.0
/*
 * usage: marks THREADS REGIONS [US [HOW]]
 *
 * Marks as a collector does, without one: each thread enters "outer", and in it REGIONS times
 * "inner", at least US microseconds apart. Then it has ended; with HOW "kill" the process
 * kills itself instead, with "exec" it executes itself without HOW. Where a thread finds no room, it
 * loses marks, or waits if the tool says so. Writes what the tool has answered.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sched.h>
#include <time.h>

#include "../../unit/produced.h"

#define OUTER	1
#define INNER	2

static const char *name_of_socket;
static unsigned long regions, pace_us;
static struct ring_config config;
static bool keeps_open;

static void hand_over(struct produced *ring, enum ring_kind kind, uint64_t bytes)
{
	const struct ring_hello hello = produced_hello(kind, gettid());
	char answer[RING_CONFIG_MAX];
	ssize_t size;

	if (produced_make(ring, bytes, F_SEAL_SHRINK))
		exit(3);
	size = produced_give(name_of_socket, &hello, ring->fd, answer, sizeof(answer));
	if (size < (ssize_t)sizeof(config)) {
		printf("refused: %zd\n", size);
		exit(4);
	}
	memcpy(&config, answer, sizeof(config));
	if (kind == RING_NAMES)
		printf("%" PRIu64 " bytes, flags %u, iterations %" PRIu64 " to %" PRIu64 " of '%s', with '%s', without '%s'\n",
		       config.ring_bytes, config.flags, config.first, config.last,
		       answer + sizeof(config),
		       strchr(answer + sizeof(config), 0) + 1,
		       strchr(strchr(answer + sizeof(config), 0) + 1, 0) + 1);
}

static void mark(struct produced *ring, enum mark kind, uint32_t id)
{
	const size_t size = sizeof(struct mark_record);

	while (!produced_has_room(ring, size)) {
		if (!(config.flags & RING_WAIT)) {
			ring->head->lost++;
			return;
		}
		sched_yield();
	}
	produced_mark(ring, kind, id);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void *run(void *unused)
{
	struct produced ring;
	uint64_t next = 0;

	hand_over(&ring, RING_MARKS, config.ring_bytes);
	mark(&ring, MARK_BEGIN, OUTER);
	for (unsigned long i = 0; i < regions; i++) {
		while (pace_us && now_ns() < next)
			;
		next = pace_us ? now_ns() + pace_us * 1000 : 0;
		mark(&ring, MARK_BEGIN, INNER);
		mark(&ring, MARK_END, INNER);
	}
	if (keeps_open)
		return unused;
	mark(&ring, MARK_END, OUTER);
	mark(&ring, MARK_CLOSED, 0);
	ring.head->closed = 1;
	return unused;
}

int main(int argc, char **argv)
{
	const int threads = argc > 2 ? atoi(argv[1]) : 0;
	const char *how = argc > 4 ? argv[4] : "";
	struct produced names;
	pthread_t others[threads ? threads : 1];

	name_of_socket = getenv(RING_ENVIRONMENT);
	if (threads < 1)
		return 2;
	if (!name_of_socket)
		return printf("no tool\n") < 0;
	regions = strtoul(argv[2], NULL, 10);
	pace_us = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	keeps_open = *how;
	hand_over(&names, RING_NAMES, RING_NAMES_BYTES);
	produced_name(&names, OUTER, strcmp(how, "exec") ? "outer" : "before");
	produced_name(&names, INNER, "in\ner");
	produced_name_of(&names, MARK_NAME_THREAD, 0, getpid(), "first");
	fflush(stdout);
	for (int i = 1; i < threads; i++)
		if (pthread_create(&others[i], NULL, run, NULL))
			return 1;
	run(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "exec"))
		execl(argv[0], argv[0], argv[1], argv[2], argv[3], NULL);
	names.head->closed = 1;
	return 0;
}
