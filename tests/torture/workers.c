// SPDX-License-Identifier: GPL-2.0
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/kermon.h>

#include "attributes.h"
#include "log.h"
#include "victims.h"
#include "workers.h"

#define MAX_WORKERS	64

/* Maximum time a worker may run without sleeping in a real-time class. */
#define REALTIME_US	100000

unsigned int commands_ended, commands_failed;

static pid_t workers[MAX_WORKERS];
static unsigned int nr_workers;
static bool forgotten;
static char **command;

static void hog(void)
{
	spin_ms(50);
}

static void sleep_and_run(void)
{
	usleep(500);
	spin_ms(1);
}

static void yield(void)
{
	sched_yield();
}

static void touch_memory(void)
{
	size_t size = 1 << 20;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return;
	memset(memory, 1, size);
	munmap(memory, size);
}

static void fork_and_wait(void)
{
	if (!fork()) {
		spin_ms(1);
		_exit(0);
	}
	wait(NULL);
}

static void execute(void)
{
	static char *const argv[] = { "true", NULL };
	pid_t pid;

	if (!posix_spawn(&pid, "/bin/true", NULL, NULL, argv, NULL))
		waitpid(pid, NULL, 0);
}

/* Two threads that wake each other until the other end is closed. */
struct ends {
	int in, out;
};

static void *echo(void *arg)
{
	struct ends *ends = arg;
	char byte = 0;
	int left = 500;

	while (left-- && write(ends->out, &byte, 1) == 1 &&
	       read(ends->in, &byte, 1) == 1)
		;
	return NULL;
}

static void ping_pong(void)
{
	pthread_t thread;
	struct ends here, there;
	int one[2], two[2];

	if (pipe(one) || pipe(two))
		_exit(1);
	here = (struct ends){ one[0], two[1] };
	there = (struct ends){ two[0], one[1] };
	if (!pthread_create(&thread, NULL, echo, &there)) {
		echo(&here);
		pthread_join(thread, NULL);
	}
	close(one[0]);
	close(one[1]);
	close(two[0]);
	close(two[1]);
}

/* Each thread holds one mutex and waits for the next, so boosts propagate. */
#define LINKS	4

static pthread_mutex_t chain[LINKS + 1];

static void *hold_link(void *arg)
{
	pthread_mutex_t *link = arg;
	int round;

	for (round = 0; round < 50; round++) {
		pthread_mutex_lock(&link[0]);
		pthread_mutex_lock(&link[1]);
		spin_ms(1);
		pthread_mutex_unlock(&link[1]);
		pthread_mutex_unlock(&link[0]);
	}
	return NULL;
}

static void inherit_priority(void)
{
	pthread_mutexattr_t attributes;
	pthread_t threads[LINKS];
	int i;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	for (i = 0; i <= LINKS; i++)
		pthread_mutex_init(&chain[i], &attributes);
	for (i = 0; i < LINKS; i++) {
		if (pthread_create(&threads[i], NULL, hold_link, &chain[i]))
			_exit(1);
	}
	for (i = 0; i < LINKS; i++)
		pthread_join(threads[i], NULL);
}

static void (*const kinds[])(void) = {
	hog, sleep_and_run, yield, touch_memory, fork_and_wait, execute,
	ping_pong, inherit_priority,
};

#define NR_KINDS	(sizeof(kinds) / sizeof(*kinds))

/*
 * A real-time task that never sleeps would starve lock holders that others wait
 * for; it is killed instead.
 */
static void bound_realtime(void)
{
	struct rlimit limit = { REALTIME_US, REALTIME_US };

	setrlimit(RLIMIT_RTTIME, &limit);
}

static void run_worker(unsigned int number)
{
	struct attributes attr = {
		.policy = SCHED_KERMON,
	};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	victims_join();
	set_attributes(0, &attr);
	if (command) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	bound_realtime();
	for (;;)
		kinds[number % NR_KINDS]();
}

static void start(unsigned int number)
{
	fflush(stdout);
	workers[number] = fork();
	if (!workers[number])
		run_worker(number);
}

void workers_start(unsigned int nr, char **argv)
{
	unsigned int i;

	command = argv;
	nr_workers = nr < MAX_WORKERS ? nr : MAX_WORKERS;
	for (i = 0; i < nr_workers; i++)
		start(i);
}

void workers_forget(void)
{
	forgotten = true;
}

unsigned int workers_left(void)
{
	unsigned int i, left = 0;

	for (i = 0; i < nr_workers; i++)
		left += workers[i] > 0;
	return left;
}

static void note_end(int status)
{
	if (!command || WIFSIGNALED(status))
		return;
	commands_ended++;
	if (WEXITSTATUS(status))
		commands_failed++;
}

void workers_reap(void)
{
	unsigned int i;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
		for (i = 0; i < nr_workers; i++) {
			if (workers[i] != pid)
				continue;
			note_end(status);
			workers[i] = 0;
			if (!forgotten)
				start(i);
		}
	}
}
