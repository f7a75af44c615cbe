// SPDX-License-Identifier: GPL-2.0
/* Map memory, and see which pages the kernel has given. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "memory.h"

#define HUGE_PAGE	(2ULL << 20)

/* The value of "AnonHugePages:" of the mapping at @address, in bytes. */
static uint64_t huge_bytes_at(const char *address)
{
	FILE *file = fopen("/proc/self/smaps", "re");
	uintptr_t begin, end, wanted = (uintptr_t)address;
	uint64_t kilobytes = 0;
	bool inside = false;
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2)
			inside = wanted >= begin && wanted < end;
		else if (inside &&
			 sscanf(line, "AnonHugePages: %" SCNu64, &kilobytes) == 1)
			break;
	}
	if (file)
		fclose(file);
	return kilobytes << 10;
}

/* Normal numbers other than 0, whether they are read as double or as single precision. */
static void fill(struct memory *memory)
{
	static const double values[] = { 1.25000001, 0.7500003, 1.375004, 0.6250005 };
	const size_t nr = memory->bytes / sizeof(double);
	double *data = (double *)memory->data;

	for (size_t i = 0; i < nr; i++)
		data[i] = values[i % 4];
}

int memory_map(struct memory *memory, uint64_t bytes, bool huge)
{
	const uint64_t whole = (bytes + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
	char *data = mmap(NULL, whole + HUGE_PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before;

	memset(memory, 0, sizeof(*memory));
	if (data == MAP_FAILED)
		return -errno;
	before = -(uintptr_t)data & (HUGE_PAGE - 1);
	if (before)
		munmap(data, before);
	if (HUGE_PAGE - before)
		munmap(data + before + whole, HUGE_PAGE - before);
	memory->data = data + before;
	memory->bytes = whole;
	/* fails on kernels without huge pages, which is seen below */
	madvise(memory->data, whole, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	fill(memory);
	memory->huge_bytes = huge_bytes_at(memory->data);
	if (memory->huge_bytes > whole)
		memory->huge_bytes = whole;
	return 0;
}

void memory_unmap(struct memory *memory)
{
	if (memory->data)
		munmap(memory->data, memory->bytes);
	memory->data = NULL;
}

bool memory_is_huge(const struct memory *memory)
{
	return memory->huge_bytes >= memory->bytes / 10 * 9 && memory->bytes;
}

uint64_t memory_available(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	uint64_t kilobytes = 0;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1)
			break;
	if (file)
		fclose(file);
	return kilobytes << 10;
}
