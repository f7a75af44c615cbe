// SPDX-License-Identifier: GPL-2.0
/* Source lines of addresses in this very program, with inlined functions. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lines/lines.h"
#include "self.h"

#include "kselftest_harness.h"

#define HERE(place)	\
	__asm__ volatile("lea 0(%%rip), %0" : "=r"((place)->code))
#define INLINE		static inline __attribute__((always_inline))
#define OUTLINE		static __attribute__((noinline, noclone))

/* Code after an instruction, and the lines of it and its callers. */
struct spot {
	const void *code;
	unsigned int lines[3];
};

INLINE void innermost(struct spot *spot)
{
	HERE(spot); spot->lines[0] = __LINE__;
}

INLINE void middle(struct spot *spot)
{
	spot->lines[1] = __LINE__; innermost(spot);
}

OUTLINE void outermost(struct spot *spot)
{
	spot->lines[2] = __LINE__; middle(spot);
}

OUTLINE void alone(struct spot *spot)
{
	HERE(spot); spot->lines[0] = __LINE__;
}

FIXTURE(lines)
{
	struct dsos dsos;
	struct symbol_sources sources;
	struct dso *dso;
};

FIXTURE_SETUP(lines)
{
	self->dso = dsos_get(&self->dsos, SELF_PATH, NULL, false);
	ASSERT_NE(NULL, self->dso);
}

FIXTURE_TEARDOWN(lines)
{
	dsos_free(&self->dsos);
}

TEST_F(lines, of_inlined_functions)
{
	static const char *const names[] = { "innermost", "middle", "outermost" };
	const struct source *source;
	struct spot spot;

	outermost(&spot);
	source = dso_source(self->dso, &self->sources,
			    self_offset(spot.code) - 1);
	ASSERT_NE(NULL, source);
	ASSERT_EQ(3, source->nr);
	for (size_t i = 0; i < source->nr; i++) {
		EXPECT_STREQ(names[i], source->lines[i].function);
		EXPECT_EQ(spot.lines[i], source->lines[i].line);
		ASSERT_NE(NULL, source->lines[i].file);
		EXPECT_EQ('/', source->lines[i].file[0]);
		EXPECT_NE(NULL, strstr(source->lines[i].file, "lines.c"));
	}
	/* a second lookup does not read again */
	EXPECT_EQ(source, dso_source(self->dso, &self->sources,
				     self_offset(spot.code) - 1));
}

TEST_F(lines, of_a_function)
{
	const struct source *source;
	struct spot spot;

	alone(&spot);
	source = dso_source(self->dso, &self->sources,
			    self_offset(spot.code) - 1);
	ASSERT_NE(NULL, source);
	ASSERT_EQ(1, source->nr);
	EXPECT_STREQ("alone", source->lines[0].function);
	EXPECT_EQ(spot.lines[0], source->lines[0].line);
}

TEST_F(lines, of_nothing)
{
	struct dso *gone = dsos_get(&self->dsos, "/no/such/file", NULL, false);
	struct dso *kernel = dsos_get(&self->dsos, "[kernel.kallsyms]_text",
				      NULL, true);

	ASSERT_NE(NULL, gone);
	ASSERT_NE(NULL, kernel);
	EXPECT_EQ(NULL, dso_source(gone, &self->sources, 0x1000));
	EXPECT_EQ(NULL, dso_source(kernel, &self->sources, 0x1000));
	/* the header of the file is not code */
	EXPECT_EQ(NULL, dso_source(self->dso, &self->sources, 0));
}

TEST_F(lines, of_the_line_table)
{
	const struct source_line *line;
	struct spot spot;

	outermost(&spot);
	line = dso_line(self->dso, &self->sources, self_offset(spot.code) - 1);
	ASSERT_NE(NULL, line);
	EXPECT_EQ(spot.lines[0], line->line);
	EXPECT_NE(NULL, strstr(line->file, "lines.c"));
	EXPECT_EQ(line, dso_line(self->dso, &self->sources,
				 self_offset(spot.code) - 1));
	EXPECT_EQ(NULL, dso_line(self->dso, &self->sources, 0));
}

#define CODE_MAX	0x4000

static const char *const sources[] = {
	"part.h",
	"static inline int square(int x)\n{\n\treturn x * x;\n}\n",
	"one.c",
	"#include \"part.h\"\n"
	"__attribute__((cold, noinline)) int seldom(int x)\n{\n"
	"\treturn x ? square(x) : x / 3;\n}\n"
	"__attribute__((noinline)) int often(int x)\n{\n"
	"\treturn square(x) + 1;\n}\n",
	"two.c",
	"#include \"part.h\"\n"
	"int seldom(int x);\nint often(int x);\n"
	"int main(int argc, char **argv)\n{\n"
	"\tfor (int i = 0; i < argc; i++)\n"
	"\t\tif (argv[i][0])\n"
	"\t\t\targc += square(often(argc)) + seldom(argc);\n"
	"\treturn argc;\n}\n",
};

/* Ways to build a program with line information in other forms. */
static const char *const ways[] = {
	"gcc -O2 -gdwarf-5 -o program one.c two.c",
	"gcc -O2 -gdwarf-4 -o program one.c two.c",
	"gcc -O2 -gdwarf-3 -gstrict-dwarf -o program one.c two.c",
	"gcc -O2 -gdwarf-5 -gno-as-loc-support -o program one.c two.c",
	"gcc -O0 -g -gdwarf64 -gno-as-loc-support -o program one.c two.c",
	"gcc -O2 -g -gz -o program one.c two.c",
	"gcc -O2 -g -no-pie -ffunction-sections -Wl,--gc-sections -o program "
	"one.c two.c",
	"gcc -O2 -g -Wl,--build-id -o whole one.c two.c && "
	"objcopy --only-keep-debug --compress-debug-sections whole kept.debug && "
	"objcopy -S --add-gnu-debuglink=kept.debug whole program",
};

static void write_sources(const char *folder)
{
	char path[64];
	FILE *file;

	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i += 2) {
		snprintf(path, sizeof(path), "%s/%s", folder, sources[i]);
		file = fopen(path, "w");
		if (!file)
			abort();
		fputs(sources[i + 1], file);
		fclose(file);
	}
}

static bool is_end_of(const char *end, const char *path)
{
	size_t size = strlen(end), whole = strlen(path);

	return size && size <= whole && !strcmp(path + whole - size, end);
}

/*
 * The line table has the same as libdw at each address, except that only units know the
 * folder of old versions. Returns the number of addresses, or -1.
 */
static int compare_lines(const char *path)
{
	const struct symbol_sources everywhere = {};
	const struct source_line *line;
	const struct source *source;
	struct dsos dsos = {};
	struct dso *dso = dsos_get(&dsos, path, NULL, false);
	int same = 0;

	for (uint64_t at = 0; dso && same >= 0 && at < CODE_MAX; at++) {
		source = dso_source(dso, &everywhere, at);
		line = dso_line(dso, &everywhere, at);
		if (!source && !line)
			continue;
		if (source && line && line->line == source->lines[0].line &&
		    is_end_of(line->file, source->lines[0].file))
			same++;
		else
			same = -1;
	}
	dsos_free(&dsos);
	return same;
}

TEST(lines_in_all_versions)
{
	char folder[] = "/tmp/kermon-unit-XXXXXX", command[512], path[64];

	ASSERT_NE(NULL, mkdtemp(folder));
	write_sources(folder);
	snprintf(path, sizeof(path), "%s/program", folder);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		TH_LOG("%s", ways[i]);
		snprintf(command, sizeof(command), "cd %s && %s", folder,
			 ways[i]);
		ASSERT_EQ(0, system(command));
		EXPECT_LT(60, compare_lines(path));
	}
	snprintf(command, sizeof(command), "rm -r %s", folder);
	ASSERT_EQ(0, system(command));
}

TEST_HARNESS_MAIN
