// SPDX-License-Identifier: GPL-2.0
/* A parallel loop of OpenMP. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	unsigned long sum = 0;
	unsigned int i;

	omp_set_num_threads(2);
#pragma omp parallel for reduction(+ : sum)
	for (i = 0; i < 500000; i++)
		sum += i % 7;
	printf("%lu\n", sum);
	return 0;
}
