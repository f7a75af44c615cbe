// SPDX-License-Identifier: GPL-2.0
/*
 * Every sequence has its expected counts for every event, even if its code or
 * data is not yet in memory.
 */
#include "kselftest_harness.h"

#include <sys/mman.h>

#include "sequence.h"

#define PAGE	4096

FIXTURE(sequences)
{
	struct program program;
	struct scratch *scratch;
};

FIXTURE_SETUP(sequences)
{
	program_open(&self->program, 4 * PAGE);
	self->scratch = mmap(NULL, sizeof(*self->scratch),
			     PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(self->scratch, MAP_FAILED);
	scratch_reset(self->scratch);
}

FIXTURE_TEARDOWN(sequences)
{
	program_close(&self->program);
	munmap(self->scratch, sizeof(*self->scratch));
}

/*
 * Compare the counts of @program with the expected ones for a group of events;
 * @first is the first event of the group and then of the next one. Returns the
 * number of mismatches.
 */
static int compare(struct __test_metadata *_metadata, struct program *program,
		   struct scratch *scratch, enum event *first, const char *name)
{
	uint64_t counts[GROUP_SIZE];
	struct group group;
	int i, wrong = 0;

	*first = group_open(&group, *first);
	ASSERT_TRUE(group_count(&group, (void (*)(void *))program->start,
				scratch, counts));
	for (i = 0; i < group.nr; i++) {
		enum event event = group.events[i];

		if (counts[i] == program->counts[event])
			continue;
		TH_LOG("%s: %llu %s instead of %llu", name,
		       (unsigned long long)counts[i], event_name(event),
		       (unsigned long long)program->counts[event]);
		wrong++;
	}
	group_close(&group);
	return wrong;
}

TEST_F(sequences, count_what_they_say)
{
	const struct sequence *seq;
	int wrong = 0, nr = 0;
	enum event event;

	for (seq = sequence_from(sequences); seq->name;
	     seq = sequence_from(seq + 1), nr++) {
		program_reset(&self->program, 0);
		program_sequence(&self->program, seq);
		program_return(&self->program);
		for (event = 0; event < NR_EVENTS;)
			wrong += compare(_metadata, &self->program,
					 self->scratch, &event, seq->name);
	}
	TH_LOG("%d sequences", nr);
	EXPECT_GT(nr, 0);
	EXPECT_EQ(wrong, 0);
}

/*
 * Page faults on instruction fetches, loads and stores in the middle of a
 * block.
 */
TEST_F(sequences, cross_pages)
{
	const struct sequence *seq;
	int offset, len, wrong = 0;
	enum event event;

	for (seq = sequence_from(sequences); seq->name;
	     seq = sequence_from(seq + 1)) {
		len = seq[1].code - seq->code;
		for (offset = 1; offset < len; offset += 3) {
			program_reset(&self->program, PAGE - offset);
			program_sequence(&self->program, seq);
			program_return(&self->program);
			event = INSTRUCTIONS;
			wrong += compare(_metadata, &self->program,
					 self->scratch, &event, seq->name);
		}
	}
	EXPECT_EQ(wrong, 0);
}

/* The same instructions on @nr pages that are not present. */
static void touch_pages(struct program *program, int nr)
{
	/* add $PAGE, %rdi, after a load, a store and a scalar addition */
	static const uint8_t touch[] = {
		0x8b, 0x07,				/* mov (%rdi), %eax */
		0xf2, 0x0f, 0x58, 0x87, 0x80, 0, 0, 0,	/* addsd 128(%rdi) */
		0x01, 0x47, 0x08,			/* add %eax, 8(%rdi) */
		0x48, 0x81, 0xc7, 0, 0x10, 0, 0,	/* add $4096, %rdi */
	};

	while (nr--) {
		program_bytes(program, touch, sizeof(touch));
		program->counts[INSTRUCTIONS] += 4;
		program->counts[CYCLES] += 4;
		program->counts[REF_CYCLES] += 4;
		program->counts[LOADS] += 3;
		program->counts[STORES] += 1;
		program->counts[SCALAR_DOUBLE] += 1;
		program->counts[ARITH_SCALAR_DOUBLE] += 1;
		program->counts[ADD_FLOPS] += 1;
	}
}

TEST_F(sequences, fault_in_the_middle)
{
	const int nr = 500;
	struct program program;
	enum event event;
	int wrong = 0;
	void *pages;

	program_open(&program, 16 * PAGE);
	touch_pages(&program, nr);
	program_return(&program);
	for (event = 0; event < NR_EVENTS;) {
		pages = mmap(NULL, nr * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		ASSERT_NE(pages, MAP_FAILED);
		wrong += compare(_metadata, &program, pages, &event,
				 "page faults");
		munmap(pages, nr * PAGE);
	}
	EXPECT_EQ(wrong, 0);
	program_close(&program);
}

TEST_HARNESS_MAIN
