// SPDX-License-Identifier: GPL-2.0
/*
 * A program that executes its own text at other addresses than the one it was loaded to,
 * or from other memory: remap MODE.
 *
 *	twice	at a second address, as Node.js does with its built-in functions
 *	behind	the same, right behind its last segment
 *	huge	from memory for huge pages that takes the place of the text: nothing tells
 *		perf, which has the file there still
 *	told	the same, and mprotect() tells: what is there has no file
 *	gone	from the text, when its file has been deleted
 *	memory	from a copy in memory of no file, and from a memfd
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE	(2UL << 20)
#define ROUNDS		40

/* Where a mapping is, and its contents. */
struct text {
	uintptr_t start, end;
	uint64_t offset;
};

__attribute__((noinline)) int inner(int n)
{
	volatile int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

/* Something is done after the call, so that it does not become a jump. */
__attribute__((noinline)) int outer(int n)
{
	int sum = inner(n);

	__asm__ volatile("" : "+r"(sum));
	return sum + 1;
}

/* The mapping that @code is in. */
static struct text text_of(uintptr_t code)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	struct text text = { 0 };
	char line[4096];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*s %lx", &text.start, &text.end,
			   &text.offset) == 3 && code - text.start <
		    text.end - text.start)
			break;
	if (maps)
		fclose(maps);
	return text;
}

/* The text again, from @fd, at @at or anywhere. Returns outer() there. */
static int (*map_again(const struct text *text, int fd, uint64_t offset,
		       void *at))(int)
{
	char *again = mmap(at, text->end - text->start, PROT_READ | PROT_EXEC,
			   MAP_PRIVATE | (at ? MAP_FIXED_NOREPLACE : 0), fd,
			   offset);

	if (again == MAP_FAILED)
		err(1, "mmap");
	return (int (*)(int))(uintptr_t)(again +
					 ((uintptr_t)outer - text->start));
}

/* A copy of the text in anonymous memory. */
static char *copy(const struct text *text)
{
	size_t size = text->end - text->start;
	char *memory = mmap(NULL, size + HUGE_PAGE,
			    PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		err(1, "mmap");
	memory += -(uintptr_t)memory % HUGE_PAGE;
	madvise(memory, size, MADV_HUGEPAGE);
	memcpy(memory, (const void *)text->start, size);
	return memory;
}

/* The copy replaces the text, from one instruction to the next. */
static void replace(const struct text *text, bool tell)
{
	size_t size = text->end - text->start;

	if (mremap(copy(text), size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
		   (void *)text->start) == MAP_FAILED)
		err(1, "mremap");
	if (tell && mprotect((void *)text->start, size, PROT_READ | PROT_EXEC))
		err(1, "mprotect");
}

static int (*map_memfd(const struct text *text))(int)
{
	size_t size = text->end - text->start;
	int fd = memfd_create("text", MFD_CLOEXEC);

	if (fd < 0 ||
	    write(fd, (const void *)text->start, size) != (ssize_t)size)
		err(1, "memfd");
	return map_again(text, fd, 0, NULL);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	struct text text = text_of((uintptr_t)outer);
	struct text data = text_of((uintptr_t)&environ);
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int (*second)(int) = outer, (*third)(int) = outer;

	if (!strcmp(mode, "twice"))
		second = map_again(&text, fd, text.offset, NULL);
	else if (!strcmp(mode, "behind"))
		second = map_again(&text, fd, text.offset, (void *)data.end);
	else if (!strcmp(mode, "huge") || !strcmp(mode, "told"))
		replace(&text, *mode == 't');
	else if (!strcmp(mode, "gone"))
		unlink(argv[0]);
	else if (!strcmp(mode, "memory"))
		second = (int (*)(int))(uintptr_t)(copy(&text) +
					((uintptr_t)outer - text.start)),
		third = map_memfd(&text);
	else
		errx(2, "usage: remap twice|behind|huge|told|gone|memory");
	for (int i = 0; i < ROUNDS; i++) {
		outer(500000);
		second(500000);
		third(500000);
	}
	return 0;
}
