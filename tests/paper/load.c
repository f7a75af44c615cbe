// SPDX-License-Identifier: GPL-2.0
/*
 * usage: load SECONDS [FAULTS]
 *
 * Compute for SECONDS, or until FAULTS page faults were taken, one after the other.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define PAGES	1024
#define PAGE	4096

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void take_faults(long nr)
{
	volatile char *pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		exit(1);
	/* one page each, not a huge one for all */
	madvise((void *)pages, PAGES * PAGE, MADV_NOHUGEPAGE);
	for (long i = 0; i < nr; i++) {
		pages[i % PAGES * PAGE] = 1;
		if (i % PAGES == PAGES - 1)
			madvise((void *)pages, PAGES * PAGE, MADV_DONTNEED);
	}
}

int main(int argc, char **argv)
{
	const double end = now() + (argc > 1 ? atof(argv[1]) : 1);
	volatile unsigned long sum = 0;

	if (argc > 2) {
		take_faults(atol(argv[2]));
		return 0;
	}
	while (now() < end)
		for (int i = 0; i < 10000; i++)
			sum += i;
	return 0;
}
