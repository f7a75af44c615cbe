// SPDX-License-Identifier: GPL-2.0
/* Programs that were damaged at random: whatever they contain, reading goes on. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lines/lines.h"

#include "kselftest_harness.h"

#define MUTATIONS	1000
#define PROGRAM_MAX	(1 << 20)
#define CODE_MAX	0x4000
#define STEP		29

static unsigned char whole[PROGRAM_MAX], damaged[PROGRAM_MAX];

static const char source[] =
	"static inline int inner(int x) { return x * 3; }\n"
	"__attribute__((noinline)) int outer(int x) { return inner(x) + 1; }\n"
	"int puts(const char *);\n"
	"int main(int argc, char **argv) { return outer(argc) + puts(*argv); }\n";

/* A small program with symbols, stubs and lines. */
static size_t build_program(void)
{
	char folder[] = "/tmp/kermon-unit-XXXXXX", command[256], path[64];
	size_t size;
	FILE *file;

	if (!mkdtemp(folder))
		abort();
	snprintf(path, sizeof(path), "%s/a.c", folder);
	file = fopen(path, "w");
	fputs(source, file);
	fclose(file);
	snprintf(command, sizeof(command), "cd %s && gcc -O1 -g a.c", folder);
	if (system(command))
		abort();
	snprintf(path, sizeof(path), "%s/a.out", folder);
	file = fopen(path, "r");
	size = fread(whole, 1, sizeof(whole), file);
	fclose(file);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command) ? 0 : size;
}

/* Anywhere, and more often where a small change has large effects. */
static size_t place(size_t size)
{
	uint64_t sections;

	memcpy(&sections, whole + 40, sizeof(sections));
	switch (random() % 4) {
	case 0:
		return random() % 64;
	case 1:
		return sections + random() % (size - sections);
	default:
		return random() % size;
	}
}

static void damage(size_t size)
{
	static const unsigned char bytes[8] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f
	};
	size_t at, nr;

	memcpy(damaged, whole, size);
	for (int i = random() % 8; i >= 0; i--) {
		at = place(size);
		nr = random() % sizeof(bytes) + 1;
		if (at + nr > size)
			continue;
		if (random() % 2)
			memcpy(damaged + at, bytes, nr);
		else
			damaged[at] = random();
	}
}

/* Makes every query. Returns how often there was an answer. */
static size_t ask(const char *path)
{
	struct symbol_sources sources = {};
	struct dsos dsos = {};
	struct dso *dso = dsos_get(&dsos, path, NULL, false);
	size_t answers = 0;

	for (uint64_t at = 0; dso && at < CODE_MAX; at += STEP) {
		answers += !!dso_symbol(dso, &sources, at);
		answers += !!dso_source(dso, &sources, at);
		answers += !!dso_line(dso, &sources, at);
	}
	dsos_free(&dsos);
	return answers;
}

FIXTURE(damaged)
{
	char path[32];
	int fd;
	size_t size;
};

FIXTURE_SETUP(damaged)
{
	self->size = build_program();
	ASSERT_LT(0, self->size);
	strcpy(self->path, "/tmp/kermon-unit-XXXXXX");
	self->fd = mkstemp(self->path);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(damaged)
{
	close(self->fd);
	unlink(self->path);
}

static size_t ask_damaged(FIXTURE_DATA(damaged) *self)
{
	if (ftruncate(self->fd, 0) ||
	    pwrite(self->fd, damaged, self->size, 0) != (ssize_t)self->size)
		abort();
	return ask(self->path);
}

TEST_F(damaged, at_random)
{
	size_t answers = 0;

	srandom(1);
	for (int i = 0; i < MUTATIONS; i++) {
		damage(self->size);
		answers += ask_damaged(self);
	}
	/* most of them are as good as before */
	EXPECT_LT(MUTATIONS, answers);
}

/* Each field of each section, one after the other. */
TEST_F(damaged, in_sections)
{
	size_t answers = 0;
	Elf64_Ehdr header;
	size_t at, nr;

	memcpy(&header, whole, sizeof(header));
	nr = header.e_shnum * sizeof(Elf64_Shdr) / sizeof(uint64_t);
	for (size_t i = 0; i < nr; i++) {
		memcpy(damaged, whole, self->size);
		at = header.e_shoff + i * sizeof(uint64_t);
		memset(damaged + at, 0xff, 7);
		answers += ask_damaged(self);
	}
	EXPECT_LT(nr, answers);
}

TEST_HARNESS_MAIN
