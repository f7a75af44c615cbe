// SPDX-License-Identifier: GPL-2.0
/*
 * usage: kinds KIND [stay]
 *
 * Programs of many kinds that are recorded for Documentation/programs.rst. Each does some
 * work, and repeats it if it creates others, so that counts are well above 0. With "stay"
 * it then prints "ready" and waits until a signal ends it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS		4
#define CHURNED		50
#define CHILDREN	20
#define LINKS		5
#define NAPS		30

static char *self;
static bool stays;

static void fail(const char *what)
{
	perror(what);
	exit(99);
}

static void work(void)
{
	volatile unsigned int i;

	for (i = 0; i < 200000; i++)
		;
}

static void stay(void)
{
	if (!stays)
		return;
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}

static int plain(void)
{
	work();
	return 0;
}

static int exits(void)
{
	work();
	return 7;
}

static void *work_in_thread(void *arg)
{
	work();
	return arg;
}

static void start_thread(pthread_t *thread)
{
	if (pthread_create(thread, NULL, work_in_thread, NULL))
		fail("pthread_create");
}

static int threads(void)
{
	pthread_t all[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		start_thread(&all[i]);
	for (i = 0; i < THREADS; i++)
		pthread_join(all[i], NULL);
	return 0;
}

static int churn(void)
{
	pthread_t thread;
	int i;

	for (i = 0; i < CHURNED; i++) {
		start_thread(&thread);
		pthread_join(thread, NULL);
	}
	return 0;
}

static void *work_and_stay(void *arg)
{
	work();
	stay();
	return arg;
}

/* Other threads continue when the main thread has exited. */
static int leaderless(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work_and_stay, NULL))
		fail("pthread_create");
	pthread_exit(NULL);
}

static pid_t make_child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("fork");
	return pid;
}

static int forks(void)
{
	int i;

	for (i = 0; i < CHILDREN; i++) {
		if (make_child())
			continue;
		work();
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	return errno == ECHILD ? 0 : 99;
}

static int spawns(void)
{
	char *argv[] = { self, "plain", NULL };
	pid_t pid;
	int i;

	for (i = 0; i < LINKS; i++) {
		if (posix_spawn(&pid, self, NULL, NULL, argv, environ))
			fail("posix_spawn");
		waitpid(pid, NULL, 0);
	}
	return 0;
}

/* A program that executes another one, and so on. */
static int chain(void)
{
	const char *left = getenv("KINDS_LINKS");
	int links = left ? atoi(left) : LINKS;
	char text[16];

	work();
	if (!links)
		return 5;
	snprintf(text, sizeof(text), "%d", links - 1);
	setenv("KINDS_LINKS", text, 1);
	execl(self, self, "chain", stays ? "stay" : NULL, NULL);
	fail("exec");
	return 99;
}

/* Continues alone, for longer than its parent. */
static int daemonized(void)
{
	if (daemon(1, 0))
		fail("daemon");
	sleep(1);
	work();
	return 0;
}

static int background(void)
{
	if (make_child()) {
		work();
		return 0;
	}
	sleep(1);
	work();
	_exit(0);
}

static int crash(void)
{
	work();
	*(volatile int *)8 = 1;
	return 99;
}

static int aborts(void)
{
	work();
	abort();
}

static int killed(void)
{
	work();
	raise(SIGKILL);
	return 99;
}

static volatile sig_atomic_t told;

static void take_signal(int number)
{
	told = number;
}

/* Until it is asked to exit, which it handles itself. */
static int handler(void)
{
	signal(SIGTERM, take_signal);
	puts("ready");
	fflush(stdout);
	while (!told)
		work();
	return 3;
}

static int naps(void)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	int i;

	for (i = 0; i < NAPS; i++) {
		work();
		nanosleep(&nap, NULL);
	}
	return 0;
}

/* Changes its scheduling class to real-time, which is above KerMon's. */
static int realtime(void)
{
	const struct sched_param param = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		fail("sched_setscheduler");
	work();
	return 0;
}

/* A loop that the program writes before it runs it: mov $n,%ecx; dec %ecx; jnz; ret */
static int jit(void)
{
	static const uint8_t code[] = {
		0xb9, 0x40, 0x42, 0x0f, 0x00, 0xff, 0xc9, 0x75, 0xfc, 0xc3,
	};
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		fail("mmap");
	memcpy(page, code, sizeof(code));
	if (mprotect(page, 4096, PROT_READ | PROT_EXEC))
		fail("mprotect");
	((void (*)(void))(uintptr_t)page)();
	return 0;
}

/* Loads a library while it runs. */
static int plugin(void)
{
	void *library = dlopen("libm.so.6", RTLD_NOW);
	double (*cosine)(double);
	volatile double sum = 0;
	int i;

	if (!library)
		return 99;
	cosine = (double (*)(double))(uintptr_t)dlsym(library, "cos");
	for (i = 0; i < 10000; i++)
		sum += cosine(i);
	return 0;
}

static int setuser(void)
{
	work();
	return geteuid() == getuid() ? 98 : 6;
}

static int terminal(void)
{
	work();
	return isatty(0) && isatty(1) && tcgetpgrp(0) == getpgrp() ? 4 : 99;
}

static const struct {
	const char *name;
	int (*run)(void);
} kinds[] = {
	{ "plain", plain },	{ "exits", exits },
	{ "threads", threads },	{ "churn", churn },
	{ "leaderless", leaderless }, { "forks", forks },
	{ "spawns", spawns },	{ "chain", chain },
	{ "daemon", daemonized }, { "background", background },
	{ "crash", crash },	{ "abort", aborts },
	{ "killed", killed },	{ "handler", handler },
	{ "naps", naps },	{ "realtime", realtime },
	{ "jit", jit },		{ "plugin", plugin },
	{ "setuser", setuser },	{ "terminal", terminal },
};

int main(int argc, char **argv)
{
	size_t i;
	int status;

	self = argv[0];
	stays = argc == 3 && !strcmp(argv[2], "stay");
	for (i = 0; argc == 2 + stays && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(argv[1], kinds[i].name))
			continue;
		status = kinds[i].run();
		stay();
		return status;
	}
	fprintf(stderr, "usage: kinds KIND [stay]\n");
	return 2;
}
