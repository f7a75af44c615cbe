// SPDX-License-Identifier: GPL-2.0
/* Text of tracepoints, by valid and by damaged descriptions. */
#include <stdio.h>
#include <string.h>

#include "views/tracepoints.h"

#include "kselftest_harness.h"

#define ID	7

/* A description of one tracepoint, as the feature has it. */
struct description {
	unsigned char bytes[4096];
	size_t size;
};

static void put(struct description *to, const void *bytes, size_t size)
{
	memcpy(to->bytes + to->size, bytes, size);
	to->size += size;
}

static void put_number(struct description *to, uint64_t number, size_t size)
{
	put(to, &number, size);
}

static const char fields[] =
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char name[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u32 flags;\toffset:16;\tsize:4;\tsigned:0;\n";

static void describe(struct description *to, const char *printed)
{
	char text[2048];
	size_t size = snprintf(text, sizeof(text),
			       "name: example\nID: %d\nformat:\n%s\nprint fmt: %s\n",
			       ID, fields, printed);

	to->size = 0;
	put(to, "\x17\x08\x44tracing0.6", 14);
	put_number(to, 0, 1);		/* little endian, */
	put_number(to, 8, 1);		/* with longs of 8 bytes, */
	put_number(to, 4096, 4);	/* and pages of 4096 */
	put(to, "header_page", 12);
	put_number(to, 0, 8);
	put(to, "header_event", 13);
	put_number(to, 0, 8);
	put_number(to, 0, 4);
	put_number(to, 1, 4);
	put(to, "system", 7);
	put_number(to, 1, 4);
	put_number(to, size, 8);
	put(to, text, size);
}

static const struct {
	uint16_t type;
	uint8_t unused[2];
	int32_t pid;
	char name[8];
	uint32_t flags;
} data = { .type = ID, .pid = 42, .name = "task", .flags = 3 };

FIXTURE(described)
{
	struct description description;
	struct tracepoints *tracepoints;
	struct sample sample;
};

FIXTURE_SETUP(described)
{
	self->tracepoints = NULL;
	self->sample = (struct sample){
		.raw = (const unsigned char *)&data,
		.raw_size = sizeof(data),
	};
}

FIXTURE_TEARDOWN(described)
{
	tracepoints_free(self->tracepoints);
}

static struct tracepoints *read_back(struct description *description,
				     const char *printed)
{
	describe(description, printed);
	return tracepoints_new(description->bytes, description->size);
}

TEST_F(described, text)
{
	const char *text;

	self->tracepoints = read_back(&self->description,
		"\"name=%s flags=%s\", REC->name, __print_flags(REC->flags, \"|\", { 1UL, \"a\" }, { 2UL, \"b\" })");
	ASSERT_NE(NULL, self->tracepoints);
	EXPECT_TRUE(tracepoints_are_known(self->tracepoints));
	ASSERT_LT(0, tracepoints_text(self->tracepoints, ID, &self->sample,
				      &text));
	EXPECT_STREQ("name=task flags=a|b", text);
}

TEST_F(described, too_few_data_or_another_one)
{
	const char *text;

	self->tracepoints = read_back(&self->description,
				      "\"%s\", REC->name");
	EXPECT_EQ(0, tracepoints_text(self->tracepoints, ID + 1, &self->sample,
				      &text));
	self->sample.raw_size = 16;
	EXPECT_EQ(0, tracepoints_text(self->tracepoints, ID, &self->sample,
				      &text));
}

/* Division by zero, endless nesting: these are not even tried. */
TEST_F(described, unsound)
{
	char nested[600] = "\"%d\", ";
	const char *text;

	memset(nested + 6, '(', 500);
	self->tracepoints = read_back(&self->description, nested);
	EXPECT_EQ(0, tracepoints_text(self->tracepoints, ID, &self->sample,
				      &text));
	tracepoints_free(self->tracepoints);
	self->tracepoints = read_back(&self->description,
				      "\"%d\", REC->flags / REC->flags");
	EXPECT_EQ(0, tracepoints_text(self->tracepoints, ID, &self->sample,
				      &text));
}

/* Wherever a description is truncated, and whatever value a byte of it has. */
TEST_F(described, damaged)
{
	const char *text;

	describe(&self->description, "\"%s\", REC->name");
	for (size_t at = 0; at < self->description.size; at += 7) {
		self->description.bytes[at] ^= 0x15;
		self->tracepoints = tracepoints_new(self->description.bytes,
						    self->description.size);
		ASSERT_NE(NULL, self->tracepoints);
		tracepoints_text(self->tracepoints, ID, &self->sample, &text);
		tracepoints_free(self->tracepoints);
		self->description.bytes[at] ^= 0x15;
		self->tracepoints = tracepoints_new(self->description.bytes, at);
		ASSERT_NE(NULL, self->tracepoints);
		tracepoints_free(self->tracepoints);
	}
	self->tracepoints = NULL;
}

TEST_HARNESS_MAIN
