// SPDX-License-Identifier: GPL-2.0
/*
 * A program whose stacks differ: recursion, leaf functions, calls of libraries, frames of
 * variable size or alignment, a signal handler on its own stack, code without unwind
 * information, the vDSO, and another thread. usage: stacks_load MILLISECONDS
 */
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

#define OUTLINE	__attribute__((noinline, noclone))
#define ROUNDS	20000
#define JIT	4096

static volatile unsigned int sink;
static char handler_stack[1 << 16];

OUTLINE static unsigned int leaf(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		sink += i;
	return sink;
}

OUTLINE static unsigned int recurse(int depth)
{
	unsigned int n = depth ? recurse(depth - 1) : leaf(ROUNDS);

	return n + sink + depth;
}

/* Keeps more values than there are registers that calls do not preserve. */
OUTLINE static unsigned int wide(unsigned int a, unsigned int b, unsigned int c,
				 unsigned int d)
{
	unsigned int e = leaf(a), f = leaf(b), g = leaf(c);

	return leaf(d + ROUNDS / 4) + a + b + c + d + e + f + g;
}

OUTLINE static unsigned int variable(size_t size)
{
	volatile char *room = alloca(size);

	room[size - 1] = 1;
	return leaf(ROUNDS / 4) + room[size - 1];
}

OUTLINE static unsigned int aligned(unsigned int n)
{
	volatile unsigned int values[16] __attribute__((aligned(128)));

	values[n & 15] = n;
	return leaf(ROUNDS / 4) + values[n & 15] + variable(256 + n % 64);
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

OUTLINE static unsigned int library(void)
{
	int values[512];
	char text[512];

	for (int i = 0; i < 512; i++)
		values[i] = i * 7919 % 512;
	qsort(values, 512, sizeof(*values), compare);
	for (int i = 0; i < ROUNDS / 100; i++) {
		memset(text, 'a' + i % 26, sizeof(text) - 1);
		text[sizeof(text) - 1] = '\0';
		sink += atoi("12") + strlen(text);
	}
	return values[3];
}

OUTLINE static unsigned int clocks(void)
{
	struct timespec now = {};

	for (int i = 0; i < ROUNDS / 20; i++)
		clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_nsec;
}

/* A loop without a frame: mov $ROUNDS, %ecx; dec %ecx; jnz; ret. */
static unsigned int (*make_code(void))(void)
{
	static const unsigned char code[] = {
		0xb9, ROUNDS & 255, ROUNDS >> 8, 0, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3,
	};
	void *at = mmap(NULL, JIT, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		exit(1);
	memcpy(at, code, sizeof(code));
	return (unsigned int (*)(void))at;
}

static void handle(int number)
{
	sink += recurse(3) + number;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void *work(void *end)
{
	unsigned int (*code)(void) = make_code();

	for (unsigned int n = 0; seconds() < *(double *)end; n++)
		sink += recurse(n % 200) + wide(n, 1, 2, n & 255) + aligned(n) +
			library() + clocks() + code();
	return NULL;
}

int main(int argc, char **argv)
{
	stack_t stack = {
		.ss_sp = handler_stack, .ss_size = sizeof(handler_stack),
	};
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_ONSTACK };
	struct itimerval timer = { .it_interval.tv_usec = 2000,
				   .it_value.tv_usec = 2000 };
	double end = seconds() + (argc > 1 ? atoi(argv[1]) : 300) / 1e3;
	pthread_t thread;

	sigaltstack(&stack, NULL);
	sigaction(SIGPROF, &action, NULL);
	if (pthread_create(&thread, NULL, work, &end))
		return 1;
	setitimer(ITIMER_PROF, &timer, NULL);
	work(&end);
	return pthread_join(thread, NULL);
}
