// SPDX-License-Identifier: GPL-2.0
#include "area.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Enough that each of L3_PAGES colours occurs often enough. */
#define POOL_PAGES	(AREA_PAGES + 4 * L3_PAGES)

/* Documentation/admin-guide/mm/pagemap.rst: page frame number. */
#define PAGEMAP_PFN	((1ull << 55) - 1)

uint8_t *area;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static uint8_t *map(size_t pages, int flags)
{
	uint8_t *start = mmap(NULL, pages * PAGE,
			      PROT_READ | PROT_WRITE | PROT_EXEC,
			      MAP_SHARED | MAP_ANONYMOUS | flags, -1, 0);

	if (start == MAP_FAILED)
		die("cannot map memory");
	return start;
}

static void read_pagemap(const uint8_t *start, uint64_t entries[POOL_PAGES])
{
	const size_t size = POOL_PAGES * sizeof(*entries);
	int fd = open("/proc/self/pagemap", O_RDONLY);

	if (fd < 0 || pread(fd, entries, size, (uintptr_t)start / PAGE *
			    sizeof(*entries)) != (ssize_t)size)
		die("cannot read /proc/self/pagemap");
	close(fd);
}

/* Number of pages of each colour found for the area. */
static size_t found[L3_PAGES];

/*
 * Move @page, with frame number @pfn, to the next place of its colour, if one
 * is free.
 */
static void place(uint8_t *page, uint64_t pfn)
{
	size_t kind = pfn % L3_PAGES;
	size_t nr = found[kind] * L3_PAGES + kind;

	if (nr >= AREA_PAGES)
		return;
	if (mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
		   area + nr * PAGE) == MAP_FAILED)
		die("cannot move a page");
	found[kind]++;
}

static void expect_complete(void)
{
	size_t kind;

	for (kind = 0; kind < L3_PAGES; kind++) {
		if (found[kind] == AREA_PAGES / L3_PAGES)
			continue;
		fprintf(stderr, "only %zu pages have colour %zu\n", found[kind],
			kind);
		exit(1);
	}
}

__attribute__((constructor)) static void area_open(void)
{
	static uint64_t entries[POOL_PAGES];
	uint8_t *pool = map(POOL_PAGES, MAP_POPULATE);
	size_t i;

	area = map(AREA_PAGES, 0);
	read_pagemap(pool, entries);
	for (i = 0; i < POOL_PAGES; i++)
		place(pool + i * PAGE, entries[i] & PAGEMAP_PFN);
	expect_complete();
	munmap(pool, POOL_PAGES * PAGE);
}
