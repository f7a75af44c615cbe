// SPDX-License-Identifier: GPL-2.0
/* From the call chain of a sample to the functions that were active. */
#include <linux/perf_event.h>
#include <stdio.h>

#include "calls/callchain.h"
#include "self.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define FRAMES_MAX	16
#define SAMPLES_MAX	8
#define PROGRAM_BASE	0x400000000000ULL
#define KERNEL_TEXT	0xffffffff81000000ULL

/* Output of the pipeline; names are owned by the pipeline. */
struct chain {
	size_t nr;
	struct frame frames[FRAMES_MAX];
};

FIXTURE(callchain)
{
	struct synthetic file;
	struct pipeline pipeline;
	struct callchain *resolver;
	struct chain chains[SAMPLES_MAX];
	size_t nr;
	char kallsyms[32];
};

static int keep_chain(void *context, const struct pipeline_sample *sample)
{
	FIXTURE_DATA(callchain) *self = context;
	struct chain *chain = &self->chains[self->nr++];
	const struct frame *frames;
	ssize_t nr = callchain_resolve(self->resolver, sample, &frames);

	if (nr < 0 || nr > FRAMES_MAX || self->nr > SAMPLES_MAX)
		return -E2BIG;
	chain->nr = nr;
	memcpy(chain->frames, frames, nr * sizeof(*frames));
	return 0;
}

static const struct pipeline_consumer keeper = { .sample = keep_chain };
static const char *const events[] = { "cycles", NULL };

static void write_kallsyms(char path[32])
{
	static const char text[] =
		"ffffffff81000000 T _text\n"
		"ffffffff81000100 T do_work\n"
		"ffffffff81000200 t entry\n"
		"ffffffff81000300 T behind\n"
		"ffffffff81200000 T _sinittext\n"
		"ffffffff81200000 T initialise\n"
		"ffffffff81200400 T _einittext\n";
	int fd;

	strcpy(path, "/tmp/kermon-unit-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
}

static void begin_file(struct synthetic *file, const struct perf_event_attr *more)
{
	struct perf_event_attr attr = *more;

	attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	synthetic_start_with(file, events, ~0U, &attr);
	synthetic_kernel(file, KERNEL_TEXT);
}

FIXTURE_SETUP(callchain)
{
	ASSERT_EQ(0, pipeline_init(&self->pipeline, &keeper, self, NULL));
	self->resolver = callchain_new(&self->pipeline);
	ASSERT_NE(NULL, self->resolver);
	write_kallsyms(self->kallsyms);
	self->pipeline.sources.kallsyms = self->kallsyms;
	begin_file(&self->file, &(struct perf_event_attr){});
}

FIXTURE_TEARDOWN(callchain)
{
	callchain_free(self->resolver);
	pipeline_end(&self->pipeline);
	synthetic_end(&self->file);
	unlink(self->kallsyms);
}

/* The address of a function of this program, when that is mapped at PROGRAM_BASE. */
static uint64_t address_of(const void *function)
{
	return PROGRAM_BASE + self_offset(function);
}

static void put_program(struct synthetic *file, uint32_t pid, uint64_t time)
{
	synthetic_mmap(file, pid, PROGRAM_BASE, 1 << 28, 0, SELF_PATH, time);
}

/* A sample of process 5; @addresses end with 0. */
static void put_chain(struct synthetic *file, uint64_t time,
		      const uint64_t *addresses)
{
	struct {
		uint64_t nr, addresses[FRAMES_MAX];
	} tail = {};

	while (addresses[tail.nr]) {
		tail.addresses[tail.nr] = addresses[tail.nr];
		tail.nr++;
	}
	synthetic_sample_with(file, &(struct synthetic_sample){
		.pid = 5, .tid = 5, .time = time, .ip = 0x1234, .period = 1,
	}, PERF_RECORD_MISC_KERNEL, &tail, 8 + 8 * tail.nr);
}

static const char *name_of(const struct frame *frame)
{
	if (!frame->place.symbol)
		return "";
	return symbol_name(frame->place.dso, frame->place.symbol);
}

/* A function with a known size, right before another one. */
__asm__(".pushsection .text\n"
	".globl kermon_first\n"
	".type kermon_first, @function\n"
	"kermon_first: .skip 16, 0x90\n"
	".size kermon_first, 16\n"
	".globl kermon_second\n"
	".type kermon_second, @function\n"
	"kermon_second: .skip 16, 0x90\n"
	".size kermon_second, 16\n"
	".popsection\n");
void kermon_first(void);
void kermon_second(void);

/* Outside of perf's mapping, but known by its bounds, wherever the kernel was loaded. */
TEST_F(callchain, initialisation_of_the_kernel)
{
	const struct frame *frames = self->chains[0].frames;
	const uint64_t text = KERNEL_TEXT + 0x2000000;

	synthetic_kernel(&self->file, text);
	put_chain(&self->file, 10, (uint64_t[]){
		PERF_CONTEXT_KERNEL, text + 0x108, text + 0x200010,
		text + 0x200400, text + 0x200401, text + 0x1fffff, 0 });
	synthetic_finish(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_EQ(5, self->chains[0].nr);
	EXPECT_STREQ("do_work", name_of(&frames[0]));
	EXPECT_STREQ("initialise", name_of(&frames[1]));
	EXPECT_EQ(frames[0].place.dso, frames[1].place.dso);
	EXPECT_EQ(text + 0x200010, frames[1].place.offset);
	EXPECT_STREQ("initialise", name_of(&frames[2]));
	EXPECT_EQ(NULL, frames[3].place.dso);
	EXPECT_EQ(NULL, frames[4].place.dso);
}

TEST_F(callchain, modes_and_functions)
{
	uint64_t first = address_of(kermon_first);
	uint64_t second = address_of(kermon_second);
	const struct frame *frames = self->chains[0].frames;

	put_program(&self->file, 5, 1);
	put_chain(&self->file, 10, (uint64_t[]){
		PERF_CONTEXT_KERNEL, KERNEL_TEXT + 0x108, KERNEL_TEXT + 0x300,
		PERF_CONTEXT_USER, second, second, first + 4, 0x77, 0 });
	synthetic_finish(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_EQ(0, self->pipeline.damages.nr);
	ASSERT_EQ(1, self->nr);
	ASSERT_EQ(6, self->chains[0].nr);

	EXPECT_EQ(PERF_RECORD_MISC_KERNEL, frames[0].mode);
	EXPECT_FALSE(frames[0].is_return);
	EXPECT_STREQ("do_work", name_of(&frames[0]));
	/* returns to the end of entry, which never returns: not to the next function */
	EXPECT_TRUE(frames[1].is_return);
	EXPECT_STREQ("entry", name_of(&frames[1]));
	/* interrupted at the first instruction */
	EXPECT_EQ(PERF_RECORD_MISC_USER, frames[2].mode);
	EXPECT_FALSE(frames[2].is_return);
	EXPECT_STREQ("kermon_second", name_of(&frames[2]));
	/* returns to the same address: the call is the last instruction before */
	EXPECT_TRUE(frames[3].is_return);
	EXPECT_STREQ("kermon_first", name_of(&frames[3]));
	EXPECT_EQ(second, frames[3].address);
	EXPECT_STREQ("kermon_first", name_of(&frames[4]));
	/* nothing is mapped there */
	EXPECT_EQ(NULL, frames[5].place.dso);
	EXPECT_EQ(0x77, frames[5].address);
}

/* An unknown marker: no name is better than a wrong one. */
TEST_F(callchain, other_modes)
{
	const struct chain *chain = self->chains;

	put_program(&self->file, 5, 1);
	put_chain(&self->file, 10, (uint64_t[]){
		address_of(kermon_first), 0 });
	put_chain(&self->file, 11, (uint64_t[]){
		(uint64_t)PERF_CONTEXT_MAX, address_of(kermon_first),
		PERF_CONTEXT_GUEST_KERNEL, KERNEL_TEXT + 0x108, 0 });
	put_chain(&self->file, 12, (uint64_t[]){ PERF_CONTEXT_USER, 0 });
	synthetic_finish(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_EQ(3, self->nr);
	ASSERT_EQ(1, chain[0].nr);
	EXPECT_EQ(PERF_RECORD_MISC_USER, chain[0].frames[0].mode);
	EXPECT_STREQ("kermon_first", name_of(&chain[0].frames[0]));
	ASSERT_EQ(2, chain[1].nr);
	EXPECT_EQ(NULL, chain[1].frames[0].place.dso);
	EXPECT_EQ(PERF_RECORD_MISC_GUEST_KERNEL, chain[1].frames[1].mode);
	EXPECT_EQ(NULL, chain[1].frames[1].place.dso);
	EXPECT_EQ(0, chain[2].nr);
}

/* What is cached for an address is valid while the address space is the same. */
TEST_F(callchain, address_spaces_change)
{
	uint64_t address = address_of(kermon_first);
	const struct chain *chain = self->chains;
	const uint64_t addresses[] = { address, 0 };

	put_program(&self->file, 5, 1);
	put_chain(&self->file, 10, addresses);
	synthetic_mmap(&self->file, 5, address & ~0xfffULL, 0x1000, 0,
		       "//anon", 20);
	put_chain(&self->file, 21, addresses);
	/* forks inherit, and do not affect others */
	synthetic_task(&self->file, PERF_RECORD_FORK, 7, 7, 5, 5, 30);
	put_program(&self->file, 7, 31);
	put_chain(&self->file, 32, addresses);
	synthetic_finish(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_EQ(3, self->nr);
	EXPECT_STREQ("kermon_first", name_of(&chain[0].frames[0]));
	EXPECT_STREQ("[JIT] tid 5", chain[1].frames[0].place.dso->name);
	EXPECT_STREQ("", name_of(&chain[1].frames[0]));
	EXPECT_STREQ("[JIT] tid 5", chain[2].frames[0].place.dso->name);
}

/*
 * In kernel mode the chain is that of the stack, in user mode that of the branch stack.
 */
TEST_F(callchain, last_branches)
{
	uint64_t first = address_of(kermon_first);
	uint64_t second = address_of(kermon_second);
	const struct {
		uint64_t nr_chain, chain[4];
		uint64_t nr_branches, branches[2][3];
	} tail = {
		.nr_chain = 4,
		.chain = { PERF_CONTEXT_KERNEL, KERNEL_TEXT + 0x108,
			   PERF_CONTEXT_USER, 0x77 },
		.nr_branches = 2,
		.branches = { { first + 4, second }, { 0x88, first } },
	};
	const struct frame *frames = self->chains[0].frames;

	begin_file(&self->file, &(struct perf_event_attr){
		.sample_type = PERF_SAMPLE_BRANCH_STACK,
		.branch_sample_type = PERF_SAMPLE_BRANCH_USER |
				      PERF_SAMPLE_BRANCH_CALL_STACK,
	});
	put_program(&self->file, 5, 1);
	synthetic_sample_with(&self->file, &(struct synthetic_sample){
		.pid = 5, .tid = 5, .time = 10, .period = 1,
	}, PERF_RECORD_MISC_KERNEL, &tail, sizeof(tail));
	synthetic_finish(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_EQ(0, self->pipeline.damages.nr);
	ASSERT_EQ(1, self->nr);
	ASSERT_EQ(4, self->chains[0].nr);
	EXPECT_STREQ("do_work", name_of(&frames[0]));
	EXPECT_STREQ("kermon_second", name_of(&frames[1]));
	EXPECT_STREQ("kermon_first", name_of(&frames[2]));
	EXPECT_FALSE(frames[2].is_return);
	EXPECT_EQ(0x88, frames[3].address);
}

TEST_HARNESS_MAIN
