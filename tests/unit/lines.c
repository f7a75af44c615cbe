// SPDX-License-Identifier: GPL-2.0
/* The source of places in this very program, with what was inlined there. */
#include <stdio.h>

#include "lines.h"
#include "self.h"

#include "kselftest_harness.h"

#define HERE(place)	\
	__asm__ volatile("lea 0(%%rip), %0" : "=r"((place)->code))
#define INLINE		static inline __attribute__((always_inline))
#define OUTLINE		static __attribute__((noinline, noclone))

/* Code behind an instruction, and the lines that it and its callers are in. */
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
	/* what is asked again is not read again */
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
	/* the header of the file is no code */
	EXPECT_EQ(NULL, dso_source(self->dso, &self->sources, 0));
}

TEST_HARNESS_MAIN
