// SPDX-License-Identifier: GPL-2.0
/* LLVM's OpenMP, which marks parallel regions by ITT. */
int main(void)
{
	long sum = 0;

	for (int round = 0; round < 3; round++) {
#pragma omp parallel for reduction(+ : sum)
		for (int i = 0; i < 1000; i++)
			sum += i;
	}
	return sum != 3 * 499500;
}
