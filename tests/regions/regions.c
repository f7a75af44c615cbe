// SPDX-License-Identifier: GPL-2.0
/* A program with regions, for each case that the collector has to get right. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <kermon/region.h>

static struct kermon_region *a, *b, *c;
static char **arguments;

static void nest(void)
{
	kermon_region_begin(a);
	kermon_region_begin(b);
	kermon_region_begin(c);
	kermon_region_end(c);
	kermon_region_end(b);
	kermon_region_begin(b);
	kermon_region_end(b);
	kermon_region_end(a);
}

static void recurse(int depth)
{
	kermon_region_begin(a);
	if (depth > 1)
		recurse(depth - 1);
	kermon_region_end(a);
}

static void recursion(void)
{
	recurse(3);
}

static void deep(void)
{
	recurse(atoi(arguments[2]));
}

static void missing_end(void)
{
	kermon_region_begin(a);
	kermon_region_begin(b);
	kermon_region_begin(c);
	kermon_region_end(a);
	kermon_region_begin(b);
	kermon_region_end(b);
}

/* If ends were kept for what is never ended, there would be no room any more. */
static void missing_ends(void)
{
	for (int i = 0; i < 100000; i++) {
		kermon_region_begin(a);
		kermon_region_begin(b);
		kermon_region_end(a);
	}
}

static void missing_begin(void)
{
	kermon_region_end(c);
	kermon_region_begin(a);
	kermon_region_end(b);
	kermon_region_end(a);
	kermon_region_end(a);
}

static void values(void)
{
	kermon_region_begin(a);
	kermon_region_value(kermon_region("hits"), 42);
	kermon_region_value_double(kermon_region("mass"), 0.25);
	kermon_region_end(a);
}

static void *in_thread(void *name)
{
	kermon_region_thread(name);
	nest();
	return NULL;
}

static void threads(void)
{
	pthread_t other;

	kermon_region_begin(a);
	pthread_create(&other, NULL, in_thread, "worker");
	pthread_join(other, NULL);
	kermon_region_end(a);
}

static void *exits(void *unused)
{
	(void)unused;
	kermon_region_begin(a);
	kermon_region_begin(b);
	pthread_exit(NULL);
}

static void *waits(void *ready)
{
	kermon_region_begin(a);
	__atomic_store_n((int *)ready, 1, __ATOMIC_SEQ_CST);
	while (ready)
		pause();
	return NULL;
}

static void thread_exit(void)
{
	pthread_t other;

	pthread_create(&other, NULL, exits, NULL);
	pthread_join(other, NULL);
}

static void cancel(void)
{
	pthread_t other;
	int ready = 0;

	pthread_create(&other, NULL, waits, &ready);
	while (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST))
		usleep(1000);
	pthread_cancel(other);
	pthread_join(other, NULL);
}

static pthread_key_t late;

static void destroy(void *value)
{
	(void)value;
	kermon_region_begin(b);
	kermon_region_end(b);
}

static void *with_destructor(void *unused)
{
	(void)unused;
	pthread_setspecific(late, &late);
	nest();
	return NULL;
}

/* The destructor of a key that is younger than the collector's. */
static void destructor(void)
{
	pthread_t other;

	pthread_key_create(&late, destroy);
	pthread_create(&other, NULL, with_destructor, NULL);
	pthread_join(other, NULL);
}

static jmp_buf target;

static void jump(void)
{
	kermon_region_begin(a);
	if (!setjmp(target)) {
		kermon_region_begin(b);
		kermon_region_begin(c);
		longjmp(target, 1);
	}
	kermon_region_end(a);
	nest();
}

static void forks(void)
{
	kermon_region_begin(a);
	if (!fork()) {
		kermon_region_end(a);
		kermon_region_begin(kermon_region("child"));
		nest();
		kermon_region_end(kermon_region("child"));
		kermon_region_end(kermon_region("again"));
		_exit(0);
	}
	wait(NULL);
	kermon_region_end(a);
}

/* Others take the lock of names at any time, also while this one forks. */
static bool enough;

static void *names(void *unused)
{
	char name[32];

	for (int i = 0; !__atomic_load_n(&enough, __ATOMIC_RELAXED); i++) {
		snprintf(name, sizeof(name), "name %d", i % 20000);
		kermon_region(name);
	}
	return unused;
}

static void fork_threads(void)
{
	pthread_t other;
	int failed = 0, status;
	pid_t child;

	pthread_create(&other, NULL, names, NULL);
	for (int i = 0; i < 50; i++) {
		child = fork();
		if (!child) {
			alarm(60);
			kermon_region_begin(kermon_region("child"));
			kermon_region_end(kermon_region("child"));
			_exit(0);
		}
		waitpid(child, &status, 0);
		failed += !!status;
	}
	__atomic_store_n(&enough, true, __ATOMIC_RELAXED);
	pthread_join(other, NULL);
	if (failed)
		printf("%d children failed\n", failed);
}

static void exec(void)
{
	kermon_region_begin(a);
	kermon_region_begin(b);
	execl("/proc/self/exe", "regions", "nest", NULL);
}

static void killed(void)
{
	kermon_region_begin(a);
	kermon_region_begin(b);
	kermon_region_end(b);
	kermon_region_begin(c);
	kill(getpid(), SIGKILL);
}

static void pausing(void)
{
	kermon_region_begin(a);
	kermon_pause();
	kermon_pause();
	kermon_region_begin(b);
	kermon_region_end(b);
	kermon_region_end(a);
	kermon_region_begin(c);
	kermon_resume();
	kermon_region_begin(b);
	kermon_region_end(b);
	kermon_region_end(c);
}

static void iterations(void)
{
	for (int i = 0; i < 5; i++) {
		kermon_region_begin(a);
		kermon_region_begin(b);
		kermon_region_end(b);
		kermon_region_end(a);
		kermon_region_begin(c);
		kermon_region_end(c);
	}
}

/* COUNT regions in each of THREADS threads. */
static void *many_regions(void *count)
{
	const long nr = *(long *)count;

	for (long i = 0; i < nr / 10; i++) {
		kermon_region_begin(a);
		for (int j = 0; j < 9; j++) {
			kermon_region_begin(b);
			kermon_region_end(b);
		}
		kermon_region_end(a);
	}
	return NULL;
}

static void many(void)
{
	const int threads = atoi(arguments[2]);
	long count = atol(arguments[3]);
	pthread_t *others = calloc(threads, sizeof(*others));

	for (int i = 0; i < threads; i++)
		pthread_create(&others[i], NULL, many_regions, &count);
	for (int i = 0; i < threads; i++)
		pthread_join(others[i], NULL);
	free(others);
}

/* Slow enough for a tool that reads now and then. */
static void slowly(void)
{
	for (int i = 0; i < 300; i++) {
		nest();
		usleep(1000);
	}
}

/* errno stays what it is, also at the first mark. */
static void errors(void)
{
	errno = EXDEV;
	kermon_region("new");
	nest();
	kermon_pause();
	kermon_resume();
	if (errno != EXDEV)
		printf("errno is %d\n", errno);
}

static void descriptors(void)
{
	int before = dup(0), after;

	close(before);
	nest();
	after = dup(0);
	if (before != after)
		printf("descriptor %d is not closed\n", before);
}

/* No descriptor is left when the thread marks first. */
static void without_ring(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_NOFILE, &none);
	nest();
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

/* The best of several rounds, in ns per mark. */
static void cost(void)
{
	double best = 1e9, begin;

	for (int round = 0; round < 50; round++) {
		begin = now();
		for (int i = 0; i < 5000; i++) {
			kermon_region_begin(a);
			__asm__ volatile("" : : : "memory");
			kermon_region_end(a);
			__asm__ volatile("" : : : "memory");
		}
		begin = (now() - begin) / 10000 * 1e9;
		best = begin < best ? begin : best;
		usleep(3000);
	}
	printf("%.1f ns per mark\n", best);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "nest", nest }, { "recursion", recursion }, { "deep", deep },
	{ "missing-end", missing_end }, { "missing-ends", missing_ends },
	{ "missing-begin", missing_begin }, { "values", values }, { "threads", threads },
	{ "thread-exit", thread_exit }, { "cancel", cancel }, { "destructor", destructor },
	{ "jump", jump }, { "fork", forks }, { "fork-threads", fork_threads },
	{ "exec", exec }, { "killed", killed }, { "pause", pausing },
	{ "iterations", iterations }, { "many", many }, { "slowly", slowly },
	{ "errno", errors }, { "descriptors", descriptors },
	{ "without-ring", without_ring }, { "cost", cost },
};

int main(int argc, char **argv)
{
	arguments = argv;
	a = kermon_region("A");
	b = kermon_region("B");
	c = kermon_region("C");
	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases); i++) {
		if (!strcmp(cases[i].name, argv[1])) {
			cases[i].run();
			return 0;
		}
	}
	fprintf(stderr, "regions: no such case\n");
	return 1;
}
