// SPDX-License-Identifier: GPL-2.0
/*
 * usage: faults COUNT [DEPTH]
 *
 * Take COUNT page faults, each at the end of a chain of DEPTH calls (default:
 * 14) through 27 functions, the same in every run. "perf record -e
 * page-faults:u -c 1" takes a sample of each, which produces a large file in a
 * short time.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGES		1024
#define PAGE_BYTES	4096

static volatile unsigned char *pages;
static size_t next_page;
static unsigned int deepest = 14;

/* Touch a page that is not present, to cause a fault. */
static uint64_t touch(void)
{
	if (next_page == PAGES) {
		madvise((void *)pages, PAGES * PAGE_BYTES, MADV_DONTNEED);
		next_page = 0;
	}
	return pages[next_page++ * PAGE_BYTES];
}

typedef uint64_t function(uint64_t dice, unsigned int depth);

#define THREE(m, n)	m(n##a) m(n##b) m(n##c)
#define NINE(m, n)	THREE(m, n##a) THREE(m, n##b) THREE(m, n##c)
#define ALL(m, n)	NINE(m, n##a) NINE(m, n##b) NINE(m, n##c)

#define DECLARE(name)	static function name;
#define LIST(name)	name,
ALL(DECLARE, f_)
static function *const functions[] = { ALL(LIST, f_) };
#define FUNCTIONS	(sizeof(functions) / sizeof(functions[0]))

/*
 * Most calls have the same target; one in eight has a random one. Never a tail
 * call.
 */
#define DEFINE(name)							\
static __attribute__((noinline)) uint64_t name(uint64_t dice,		\
					       unsigned int depth)	\
{									\
	uint64_t next = dice % 8 ? depth % FUNCTIONS :			\
				   dice / 8 % FUNCTIONS;		\
									\
	if (depth == deepest)						\
		return touch();						\
	return functions[next](dice / 8, depth + 1) + 1;		\
}
ALL(DEFINE, f_)

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t dice = 1, sum = 0;

	if (argc > 2)
		deepest = strtoul(argv[2], NULL, 10);
	pages = mmap(NULL, PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!count || pages == MAP_FAILED)
		return 1;
	while (count--) {
		dice = dice * 6364136223846793005ULL + 1442695040888963407ULL;
		sum += functions[0](dice >> 8, 0);
	}
	return sum == 0;
}
