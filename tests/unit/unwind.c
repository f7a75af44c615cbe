// SPDX-License-Identifier: GPL-2.0
/* From a copy of the stack of this very program to the functions on it. */
#include <asm/perf_regs.h>
#include <stdio.h>
#include <valgrind/memcheck.h>

#include "calls/callchain.h"
#include "both_ways.h"
#include "self.h"
#include "synthetic.h"

#include "kselftest_harness.h"

#define OUTLINE		__attribute__((noinline, noclone))
#define PLAIN		__attribute__((no_sanitize("address", "undefined")))
#define STACK_SIZE	4096
#define FRAMES_MAX	32
/* Each stack is also unwound with random damage, this many times. */
#define DAMAGED		200
#define BASE		0x400000000000ULL
#define REGISTERS	(((1ULL << PERF_REG_X86_64_MAX) - 1) & \
			 ~(1ULL << PERF_REG_X86_DS | 1ULL << PERF_REG_X86_ES | \
			   1ULL << PERF_REG_X86_FS | 1ULL << PERF_REG_X86_GS))
#define NR_REGISTERS	20
#define BIT_OF(name)	(1ULL << PERF_REG_X86_##name)

/* Fields that the kernel adds after the usual ones of a sample. */
struct tail {
	uint64_t nr_chain;
	uint64_t abi, registers[NR_REGISTERS];
	uint64_t size;
	unsigned char stack[STACK_SIZE];
	uint64_t true_size;
};

static struct tail tail;

/*
 * What unwinding starts from: the registers that calls preserve, and the stack.
 * Where they are among those with a bit in REGISTERS: BX 1, BP 6, SP 7, IP 8, ...
 */
#define CAPTURE()	do {						\
	uint64_t sp;							\
	__asm__ volatile("mov %%rsp, %0" : "=r"(sp));			\
	__asm__ volatile("mov %%rbx, 8(%0)\n\t"				\
			 "mov %%rbp, 48(%0)\n\t"			\
			 "mov %%rsp, 56(%0)\n\t"			\
			 "mov %%r12, 128(%0)\n\t"			\
			 "mov %%r13, 136(%0)\n\t"			\
			 "mov %%r14, 144(%0)\n\t"			\
			 "mov %%r15, 152(%0)\n\t"			\
			 "lea 0(%%rip), %%rcx\n\t"			\
			 "mov %%rcx, 64(%0)\n\t"			\
			 : : "r"(tail.registers) : "rcx", "memory");	\
	for (size_t i = 0; i < STACK_SIZE; i++)				\
		tail.stack[i] = ((volatile unsigned char *)sp)[i];	\
} while (0)

/* Each does something after the call, so that it does not become a jump. */
PLAIN OUTLINE static int innermost(int x)
{
	CAPTURE();
	return x + 1;
}

PLAIN OUTLINE static int middle(int x)
{
	int y = innermost(x + 1);

	__asm__ volatile("" : "+r"(y));
	return y + x;
}

PLAIN OUTLINE static int outermost(int x)
{
	int y = middle(x + 1);

	__asm__ volatile("" : "+r"(y));
	return y * x;
}

/*
 * One without unwind information, one that was called by itself, as that has it, one that
 * saves no register, and one whose frame is found by rbx, like that of the dynamic
 * loader's _dl_runtime_resolve_xsavec().
 */
void without_rules(void);
void own_caller(void);
void leaf(void);
void frame_by_rbx(void);

__asm__(".pushsection .text\n"
	"without_rules:\n"
	"	nop\n"
	"	ret\n"
	"own_caller:\n"
	"	.cfi_startproc\n"
	"	.cfi_same_value rip\n"
	"	nop\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"leaf:\n"
	"	.cfi_startproc\n"
	"	nop\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"frame_by_rbx:\n"
	"	.cfi_startproc\n"
	"	.cfi_def_cfa rbx, 32\n"
	"	nop\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".popsection\n");

FIXTURE(unwind)
{
	struct synthetic file;
	struct pipeline pipeline;
	struct callchain *resolver;
	struct both_ways both;
	struct frame frames[FRAMES_MAX];
	size_t nr;
};

static int keep_frames(void *context, const struct pipeline_sample *sample)
{
	FIXTURE_DATA(unwind) *self = context;
	const struct frame *frames;
	ssize_t nr = callchain_resolve(self->resolver, sample, &frames);

	if (nr < 0)
		return nr;
	both_unwind(&self->both, sample);
	for (int i = 0; i < DAMAGED; i++)
		both_unwind_damaged(&self->both, sample);
	self->nr = nr < FRAMES_MAX ? nr : FRAMES_MAX;
	memcpy(self->frames, frames, self->nr * sizeof(*frames));
	return 0;
}

static const struct pipeline_consumer keeper = { .sample = keep_frames };
static const char *const events[] = { "cycles", NULL };

/* A file whose samples have these registers, and the program's mappings. */
static void begin_file(struct synthetic *file, uint64_t registers)
{
	synthetic_start_with(file, events, ~0U, &(struct perf_event_attr){
		.sample_type = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
			       PERF_SAMPLE_STACK_USER,
		.sample_regs_user = registers,
		.sample_stack_user = STACK_SIZE,
	});
	synthetic_mmap(file, 5, BASE, 1 << 28, 0, SELF_PATH, 1);
}

FIXTURE_SETUP(unwind)
{
	ASSERT_EQ(0, pipeline_init(&self->pipeline, &keeper, self, NULL));
	self->resolver = callchain_new(&self->pipeline);
	ASSERT_NE(NULL, self->resolver);
	ASSERT_TRUE(both_begin(&self->both, &self->pipeline));
	tail = (struct tail){
		.abi = PERF_SAMPLE_REGS_ABI_64,
		.size = STACK_SIZE,
		.true_size = STACK_SIZE,
	};
	outermost(1);
	/* part of the stack has never been written to */
	VALGRIND_MAKE_MEM_DEFINED(&tail, sizeof(tail));
	/* the program was at the address in this file, not at the current one */
	tail.registers[8] = BASE + self_offset((void *)tail.registers[8]);
	begin_file(&self->file, REGISTERS);
}

FIXTURE_TEARDOWN(unwind)
{
	EXPECT_LT(0, self->both.stacks);
	EXPECT_EQ(0, self->both.differ);
	both_end(&self->both);
	callchain_free(self->resolver);
	pipeline_end(&self->pipeline);
	synthetic_end(&self->file);
}

/* Return addresses on the stack are current ones: mapped there, too. */
static void put_where_it_is(struct synthetic *file)
{
	uint64_t here = (uintptr_t)innermost - self_offset(innermost);

	synthetic_mmap(file, 5, here, 1 << 28, 0, SELF_PATH, 2);
	tail.registers[8] += here - BASE;
}

/* @tail with those of its registers that the file has. Returns its size in bytes. */
static size_t pack(const struct synthetic *file, unsigned char *packed)
{
	uint64_t all = REGISTERS, has = file->more.sample_regs_user;
	size_t used = offsetof(struct tail, registers);
	size_t rest = offsetof(struct tail, size);

	memcpy(packed, &tail, used);
	for (size_t i = 0; i < NR_REGISTERS; i++, all &= all - 1) {
		if (!(has & all & -all))
			continue;
		memcpy(packed + used, &tail.registers[i], sizeof(uint64_t));
		used += sizeof(uint64_t);
	}
	memcpy(packed + used, &tail.size, sizeof(tail) - rest);
	return used + sizeof(tail) - rest;
}

static void put_sample(struct synthetic *file)
{
	unsigned char packed[sizeof(tail)];
	size_t size = pack(file, packed);

	synthetic_sample_with(file, &(struct synthetic_sample){
		.pid = 5, .tid = 5, .time = 10, .ip = tail.registers[8],
		.period = 1,
	}, PERF_RECORD_MISC_USER, packed, size);
	synthetic_finish(file);
}

static const char *name_of(const struct frame *frame)
{
	if (!frame->place.symbol)
		return "";
	return symbol_name(frame->place.dso, frame->place.symbol);
}

/* How many of the one stack are counted; -1: a stack was counted twice, or as two. */
static int ended(const struct pipeline *pipeline, enum kermon_unwind_end end)
{
	const struct kermon_unwinding *unwinding = &pipeline->unwinding;
	uint64_t all = 0;

	for (size_t i = 0; i < KERMON_UNWIND_ENDS; i++)
		all += unwinding->ended[i];
	return unwinding->stacks == 1 && all <= 1 ? (int)unwinding->ended[end] :
						    -1;
}

TEST_F(unwind, functions_on_the_stack)
{
	put_where_it_is(&self->file);
	put_sample(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_EQ(0, self->pipeline.damages.nr);
	ASSERT_LE(4, self->nr);
	EXPECT_EQ(tail.registers[8], self->frames[0].address);
	EXPECT_STREQ("innermost", name_of(&self->frames[0]));
	EXPECT_STREQ("middle", name_of(&self->frames[1]));
	EXPECT_STREQ("outermost", name_of(&self->frames[2]));
	EXPECT_STREQ("unwind_setup", name_of(&self->frames[3]));
}

/* The chain ends with the copy of the stack. */
TEST_F(unwind, short_copy)
{
	put_where_it_is(&self->file);
	tail.true_size = 16;
	put_sample(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_LE(1, self->nr);
	EXPECT_GE(2, self->nr);
	EXPECT_STREQ("innermost", name_of(&self->frames[0]));
	EXPECT_EQ(1, ended(&self->pipeline, KERMON_UNWIND_STACK));
}

/* Nothing is mapped where calls return to: only the first frame is known. */
TEST_F(unwind, unknown_code)
{
	put_sample(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_EQ(2, self->nr);
	EXPECT_STREQ("innermost", name_of(&self->frames[0]));
	EXPECT_EQ(NULL, self->frames[1].place.dso);
	EXPECT_EQ(1, ended(&self->pipeline, KERMON_UNWIND_FILE));
}

/* The same file at two addresses, with one call from one to the other. */
TEST_F(unwind, mapped_twice)
{
	uint64_t here = (uintptr_t)innermost - self_offset(innermost);

	synthetic_mmap(&self->file, 5, here, 1 << 28, 0, SELF_PATH, 2);
	put_sample(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_LE(4, self->nr);
	EXPECT_EQ(tail.registers[8], self->frames[0].address);
	EXPECT_STREQ("innermost", name_of(&self->frames[0]));
	EXPECT_STREQ("middle", name_of(&self->frames[1]));
	EXPECT_EQ(0, ended(&self->pipeline, KERMON_UNWIND_REGISTERS));
}

/* Registers that functions on the stack do not need may be missing. */
TEST_F(unwind, some_registers)
{
	begin_file(&self->file, BIT_OF(IP) | BIT_OF(SP) | BIT_OF(BP) |
				BIT_OF(R12));
	put_where_it_is(&self->file);
	put_sample(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_LE(3, self->nr);
	EXPECT_STREQ("innermost", name_of(&self->frames[0]));
	EXPECT_STREQ("middle", name_of(&self->frames[1]));
	EXPECT_STREQ("outermost", name_of(&self->frames[2]));
}

TEST_F(unwind, no_register_that_leads_on)
{
	begin_file(&self->file, BIT_OF(IP) | BIT_OF(R12));
	put_where_it_is(&self->file);
	put_sample(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_EQ(1, self->nr);
	EXPECT_STREQ("innermost", name_of(&self->frames[0]));
	EXPECT_EQ(1, ended(&self->pipeline, KERMON_UNWIND_REGISTERS));
}

/* The sample itself has its address. */
TEST_F(unwind, no_instruction_pointer)
{
	begin_file(&self->file, BIT_OF(SP) | BIT_OF(BP));
	put_where_it_is(&self->file);
	put_sample(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_LE(2, self->nr);
	EXPECT_STREQ("innermost", name_of(&self->frames[0]));
	EXPECT_STREQ("middle", name_of(&self->frames[1]));
}

/* Where the process was instead. */
static void move_to(struct synthetic *file, void (*function)(void))
{
	tail.registers[8] = (uintptr_t)function + 1;
	tail.registers[8] -= (uintptr_t)innermost - self_offset(innermost);
	tail.registers[8] += BASE;
	put_where_it_is(file);
}

static void read_without_rules(FIXTURE_DATA(unwind) *self, uint64_t frame_pointer,
			       struct __test_metadata *_metadata)
{
	move_to(&self->file, without_rules);
	tail.registers[6] = frame_pointer;
	put_sample(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	EXPECT_EQ(1, self->nr);
}

/* Neither unwind information nor a valid frame pointer. */
TEST_F(unwind, no_rules)
{
	read_without_rules(self, 1, _metadata);
	EXPECT_EQ(1, ended(&self->pipeline, KERMON_UNWIND_RULES));
}

/* As in the entry point of the dynamic loader. */
TEST_F(unwind, outermost_has_no_rules)
{
	read_without_rules(self, 0, _metadata);
	for (int end = 0; end < KERMON_UNWIND_ENDS; end++)
		EXPECT_EQ(0, ended(&self->pipeline, end));
}

static void put_on_stack(size_t at, void (*function)(void))
{
	uint64_t address = (uintptr_t)function + 1;

	memcpy(tail.stack + at, &address, sizeof(address));
}

/* libdw 0.188 forgets that rbx is a callee-saved register. */
TEST_F(unwind, frame_by_rbx)
{
	move_to(&self->file, leaf);
	tail.registers[1] = tail.registers[7] + 512;
	put_on_stack(0, frame_by_rbx);
	put_on_stack(512 + 24, without_rules);
	put_sample(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_LE(3, self->nr);
	EXPECT_STREQ("leaf", name_of(&self->frames[0]));
	EXPECT_STREQ("frame_by_rbx", name_of(&self->frames[1]));
	EXPECT_STREQ("without_rules", name_of(&self->frames[2]));
}

/* Valgrind takes long. */
TEST_F_TIMEOUT(unwind, too_deep, 300)
{
	move_to(&self->file, own_caller);
	put_sample(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	EXPECT_EQ(1, ended(&self->pipeline, KERMON_UNWIND_DEPTH));
}

TEST_F(unwind, program_of_32_bits)
{
	tail.abi = PERF_SAMPLE_REGS_ABI_32;
	put_sample(&self->file);
	ASSERT_EQ(0, pipeline_read(&self->pipeline, self->file.path));
	ASSERT_EQ(1, self->nr);
	EXPECT_STREQ("innermost", name_of(&self->frames[0]));
	EXPECT_EQ(1, ended(&self->pipeline, KERMON_UNWIND_FOREIGN));
}

TEST_HARNESS_MAIN
