// SPDX-License-Identifier: GPL-2.0
/* A parallel loop of OpenMP; with an argument it then waits for a signal. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned long sum = 0;
	unsigned int i;

	omp_set_num_threads(2);
#pragma omp parallel for reduction(+ : sum)
	for (i = 0; i < 500000; i++)
		sum += i % 7;
	printf("%lu\n", sum);
	if (argc > 1) {
		puts(argv[1]);
		fflush(stdout);
		pause();
	}
	return 0;
}
