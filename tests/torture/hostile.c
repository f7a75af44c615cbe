// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dice.h"
#include "hostile.h"

/* A writable page, a read-only page, and an unmapped one. */
static char *pages;
static size_t page_size;

int hostile_init(void)
{
	page_size = sysconf(_SC_PAGESIZE);
	pages = mmap(NULL, 3 * page_size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED ||
	    mprotect(pages + page_size, page_size, PROT_READ) ||
	    munmap(pages + 2 * page_size, page_size))
		return -1;
	return 0;
}

uint64_t hostile_number(void)
{
	static const uint64_t bounds[] = {
		8, 16, 40, 64, 72, 512, 4096, 1 << 20, 1 << 26,
		1000000, 50000000, 10000000000, INT32_MAX, UINT32_MAX,
		INT64_MAX,
	};
	uint64_t bound = bounds[dice(sizeof(bounds) / sizeof(*bounds))];

	switch (dice(6)) {
	case 0: return 0;
	case 1: return UINT64_MAX;
	case 2: return 1ULL << dice(64);
	case 3: return bound;
	case 4: return bound + (one_in(2) ? 1 : -1);
	default: return (uint64_t)dice(0x80000000) * dice(0x80000000);
	}
}

static void *bad_address(size_t size)
{
	switch (dice(6)) {
	case 0: return NULL;
	case 1: return (void *)0xffff888000000000;	/* the direct mapping */
	case 2: return (void *)0x8000000000000000;	/* not canonical */
	case 3: return pages + page_size;		/* read only */
	case 4: return pages + 2 * page_size - size / 2;
	default: return (void *)hostile_number();
	}
}

void *hostile_copy(const void *data, size_t size)
{
	if (one_in(8))
		return bad_address(size);
	/* Unaligned, and ending exactly at the end of the page. */
	if (data)
		return memcpy(pages + page_size - size, data, size);
	return pages + page_size - size;
}
