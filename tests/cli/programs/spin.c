// SPDX-License-Identifier: GPL-2.0
/*
 * usage: spin MILLISECONDS [THREADS [CHILDREN]]
 *
 * Each thread of each process computes for so much CPU time, in leaf(), which middle() calls,
 * and writes how much it was, in ms. The threads are called "thread", the children "child".
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double limit;

__attribute__((noinline)) void leaf(volatile unsigned long *sum)
{
	for (int i = 0; i < 100000; i++)
		*sum += i;
}

__attribute__((noinline)) void middle(volatile unsigned long *sum)
{
	leaf(sum);
	++*sum;
}

static double used_ms(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return used.tv_sec * 1e3 + used.tv_nsec / 1e6;
}

static void spin(void)
{
	volatile unsigned long sum = 0;
	const double begin = used_ms();

	while (used_ms() - begin < limit)
		middle(&sum);
	printf("%.1f\n", used_ms());
	fflush(stdout);
}

static void *run_thread(void *unused)
{
	prctl(PR_SET_NAME, "thread");
	spin();
	return unused;
}

static void run_process(int threads)
{
	pthread_t others[threads];

	for (int i = 1; i < threads; i++)
		if (pthread_create(&others[i], NULL, run_thread, NULL))
			exit(1);
	spin();
	for (int i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
}

int main(int argc, char **argv)
{
	const int threads = argc > 2 ? atoi(argv[2]) : 1;
	const int children = argc > 3 ? atoi(argv[3]) : 0;

	if (argc < 2 || threads < 1)
		return 2;
	limit = atof(argv[1]);
	for (int i = 0; i < children; i++) {
		if (fork())
			continue;
		prctl(PR_SET_NAME, "child");
		run_process(threads);
		return 0;
	}
	run_process(threads);
	while (wait(NULL) > 0)
		;
	return 0;
}
