// SPDX-License-Identifier: GPL-2.0
/* Every field of a sample is where the kernel puts it. */
#include <string.h>

#include "perfdata/format/format.h"
#include "perfdata/read/swap.h"

#include "kselftest_harness.h"

#define ROOM	1024

/* A record that is built word by word, as the kernel does. */
struct built {
	struct perf_event_attr attr;
	unsigned char bytes[ROOM];
	size_t size;
	struct record record;
	bool swapped;		/* as a big-endian machine has it */
};

static void put(struct built *built, const void *data, size_t size)
{
	memcpy(built->bytes + built->size, data, size);
	built->size += size;
}

static void put_u64(struct built *built, uint64_t value)
{
	if (built->swapped)
		value = __builtin_bswap64(value);
	put(built, &value, sizeof(value));
}

static void put_u32(struct built *built, uint32_t value)
{
	if (built->swapped)
		value = __builtin_bswap32(value);
	put(built, &value, sizeof(value));
}

static void begin(struct built *built, uint64_t sample_type)
{
	*built = (struct built){
		.attr.sample_type = sample_type,
		.attr.sample_period = 4000,
		.size = sizeof(struct perf_event_header),
	};
}

static bool parse(struct built *built, size_t size, struct sample *sample)
{
	built->record = (struct record){
		.type = PERF_RECORD_SAMPLE, .data = built->bytes, .size = size,
		.event = 3,
	};
	return sample_parse(&built->attr, &built->record, sample);
}

/* All that PERF_SAMPLE_* knows, with PERF_SAMPLE_WEIGHT_STRUCT of the weights. */
#define ALL_FIELDS	((PERF_SAMPLE_MAX - 1) & ~PERF_SAMPLE_WEIGHT)

static void put_branches(struct built *built)
{
	built->attr.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX |
					 SAMPLE_BRANCH_COUNTERS;
	put_u64(built, 2);
	put_u64(built, 5);			/* hw_index */
	put_u64(built, 0xb0);
	put_u64(built, 0xb1);
	put_u64(built, 0);
	put_u64(built, 0xb3);
	put_u64(built, 0xb4);
	/* mispredicted, 300 cycles, type 5: bit fields from either end */
	put_u64(built, built->swapped ? 1ULL << 63 | 300ULL << 44 | 5ULL << 40 :
					1 | 300 << 4 | 5 << 20);
	put_u64(built, 0xbc);
	put_u64(built, 0xbd);
}

static void build_all_of(struct built *built, bool swapped)
{
	begin(built, ALL_FIELDS);
	built->swapped = swapped;
	built->attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED;
	built->attr.sample_regs_user = 0x8001;
	built->attr.sample_regs_intr = 0x4;
	put_u64(built, 0x1d);			/* IDENTIFIER */
	put_u64(built, 0x1900);			/* IP */
	put_u32(built, 11);			/* TID */
	put_u32(built, 12);
	put_u64(built, 777);			/* TIME */
	put_u64(built, 0xadd);			/* ADDR */
	put_u64(built, 0x1d);			/* ID */
	put_u64(built, 0x57);			/* STREAM_ID */
	put_u32(built, 7);			/* CPU */
	put_u32(built, 99);
	put_u64(built, 123);			/* PERIOD */
	put_u64(built, 1001);			/* READ */
	put_u64(built, 2002);
	put_u64(built, 3);			/* CALLCHAIN */
	for (uint64_t i = 0; i < 3; i++)
		put_u64(built, 0xc0 + i);
	put_u32(built, 4);			/* RAW */
	put(built, "raw!", 4);
	put_branches(built);
	put_u64(built, PERF_SAMPLE_REGS_ABI_64); /* REGS_USER */
	put_u64(built, 0xa0);
	put_u64(built, 0xa1);
	put_u64(built, 16);			/* STACK_USER */
	put(built, "sixteen bytes...", 16);
	put_u64(built, 7);
	put_u64(built, 33ULL << 48 | 32ULL << 32 | 31);	/* WEIGHT_STRUCT */
	put_u64(built, 0xd5);			/* DATA_SRC */
	put_u64(built, 0x77);			/* TRANSACTION */
	put_u64(built, PERF_SAMPLE_REGS_ABI_32); /* REGS_INTR */
	put_u64(built, 0x1717);
	put_u64(built, 0x9a);			/* PHYS_ADDR */
	put_u64(built, 0xc9);			/* CGROUP */
	put_u64(built, 4096);			/* DATA_PAGE_SIZE */
	put_u64(built, 8192);			/* CODE_PAGE_SIZE */
	put_u64(built, 8);			/* AUX */
	put(built, "auxiliar", 8);
}

static void build_all(struct built *built)
{
	build_all_of(built, false);
}

TEST(who_and_when)
{
	struct built built;
	struct sample sample;

	build_all(&built);
	ASSERT_TRUE(parse(&built, built.size, &sample));
	EXPECT_EQ(3, sample.event);
	EXPECT_EQ(0x1d, sample.id);
	EXPECT_EQ(0x1900, sample.ip);
	EXPECT_EQ(11, sample.pid);
	EXPECT_EQ(12, sample.tid);
	EXPECT_EQ(777, sample.time);
	EXPECT_EQ(0xadd, sample.addr);
	EXPECT_EQ(0x57, sample.stream_id);
	EXPECT_EQ(7, sample.cpu);
	EXPECT_EQ(123, sample.period);
}

TEST(what_was_under_way)
{
	struct built built;
	struct sample_value value;
	struct sample sample;

	build_all(&built);
	ASSERT_TRUE(parse(&built, built.size, &sample));
	ASSERT_TRUE(sample_value(&sample.read, 0, &value));
	EXPECT_EQ(1001, value.value);
	EXPECT_EQ(2002, sample.read.enabled);
	EXPECT_EQ(3, sample.nr_callchain);
	EXPECT_EQ(0xc2, sample_word(sample.callchain, 2));
	EXPECT_EQ(4, sample.raw_size);
	EXPECT_EQ(0, memcmp(sample.raw, "raw!", 4));
	EXPECT_EQ(2, sample.branches.nr);
	EXPECT_EQ(5, sample.branches.hw_index);
	EXPECT_EQ(0xb4, sample_word(sample.branches.entries, 4));
	EXPECT_EQ(1 | 300 << 4 | 5 << 20,
		  sample_word(sample.branches.entries, 5));
	EXPECT_EQ(0xbd, sample_word(sample.branches.counters, 1));
	EXPECT_EQ(PERF_SAMPLE_REGS_ABI_64, sample.user_regs.abi);
	EXPECT_EQ(0x8001, sample.user_regs.mask);
	EXPECT_EQ(0xa1, sample_word(sample.user_regs.values, 1));
	EXPECT_EQ(7, sample.user_stack.size);
	EXPECT_EQ(0, memcmp(sample.user_stack.data, "sixteen", 7));
}

TEST(memory_access)
{
	struct built built;
	struct sample sample;

	build_all(&built);
	ASSERT_TRUE(parse(&built, built.size, &sample));
	EXPECT_EQ(31, sample.weight);
	EXPECT_EQ(32, sample.weight2[0]);
	EXPECT_EQ(33, sample.weight2[1]);
	EXPECT_EQ(0xd5, sample.data_src);
	EXPECT_EQ(0x77, sample.transaction);
	EXPECT_EQ(PERF_SAMPLE_REGS_ABI_32, sample.intr_regs.abi);
	EXPECT_EQ(0x1717, sample_word(sample.intr_regs.values, 0));
	EXPECT_EQ(0x9a, sample.phys_addr);
	EXPECT_EQ(0xc9, sample.cgroup);
	EXPECT_EQ(4096, sample.data_page_size);
	EXPECT_EQ(8192, sample.code_page_size);
	EXPECT_EQ(8, sample.aux.size);
	EXPECT_EQ(0, memcmp(sample.aux.data, "auxiliar", 8));
}

static void put_header(struct built *built, uint32_t type)
{
	struct perf_event_header header = { .type = type,
					    .size = built->size };

	if (built->swapped) {
		header.type = __builtin_bswap32(header.type);
		header.size = __builtin_bswap16(header.size);
	}
	memcpy(built->bytes, &header, sizeof(header));
}

/* A record of a big-endian machine is the same after conversion. */
TEST(other_byte_order)
{
	struct built here, there;

	build_all(&here);
	build_all_of(&there, true);
	ASSERT_EQ(here.size, there.size);
	put_header(&here, PERF_RECORD_SAMPLE);
	put_header(&there, PERF_RECORD_SAMPLE);
	swap_record(there.bytes, there.size, &here.attr);
	EXPECT_EQ(0, memcmp(here.bytes, there.bytes, here.size));
}

/* Whatever its lengths are: nothing beyond it is accessed. */
TEST(turned_within_its_bounds)
{
	struct built there;

	for (size_t size = 8; size < ROOM / 2; size++) {
		build_all_of(&there, true);
		there.size = size;
		put_header(&there, PERF_RECORD_SAMPLE);
		memset(there.bytes + size, 0x5a, ROOM - size);
		swap_record(there.bytes, size, &there.attr);
		for (size_t i = size; i < ROOM; i++)
			ASSERT_EQ(0x5a, there.bytes[i]);
	}
}

/* Numbers, text and lists, each by the table of records. */
TEST(turned_by_the_table)
{
	struct built here, there, *each[] = { &here, &there };

	for (int i = 0; i < 2; i++) {
		begin(each[i], PERF_SAMPLE_TID | PERF_SAMPLE_TIME);
		each[i]->swapped = i;
		put_u32(each[i], 1);
		put_u32(each[i], 2);
		put_u64(each[i], 2);
		for (uint64_t word = 0; word < 4; word++)
			put_u64(each[i], 0x123456789 + word);
		put_u32(each[i], 5);		/* the trailer */
		put_u32(each[i], 6);
		put_u64(each[i], 7);
		each[i]->attr.sample_id_all = 1;
		put_header(each[i], PERF_RECORD_NAMESPACES);
	}
	swap_record(there.bytes, there.size, &here.attr);
	EXPECT_EQ(0, memcmp(here.bytes, there.bytes, here.size));
}

TEST(attr_of_the_other_byte_order)
{
	const struct perf_event_attr here = {
		.type = 4, .size = sizeof(here), .config = 0x1c2,
		.sample_period = 3, .sample_type = 0x107, .disabled = 1,
		.precise_ip = 2, .sample_id_all = 1, .comm_exec = 1,
		.wakeup_events = 9, .config2 = 8, .sample_stack_user = 4096,
		.clockid = -1, .sample_max_stack = 127, .sig_data = 12,
	};
	struct perf_event_attr there = {
		.type = __builtin_bswap32(4),
		.size = __builtin_bswap32(sizeof(here)),
		.config = __builtin_bswap64(0x1c2),
		.sample_period = __builtin_bswap64(3),
		.sample_type = __builtin_bswap64(0x107),
		.wakeup_events = __builtin_bswap32(9),
		.config2 = __builtin_bswap64(8),
		.sample_stack_user = __builtin_bswap32(4096),
		.clockid = -1,
		.sample_max_stack = __builtin_bswap16(127),
		.sig_data = __builtin_bswap64(12),
	};
	/* disabled, the higher bit of precise_ip, sample_id_all, comm_exec */
	uint64_t flags = __builtin_bswap64(1ULL << 63 | 1ULL << 48 |
					   1ULL << 45 | 1ULL << 39);

	memcpy((char *)&there + 40, &flags, sizeof(flags));
	swap_attr((unsigned char *)&there, sizeof(there));
	EXPECT_EQ(0, memcmp(&here, &there, sizeof(here)));
}

/* Exactly as long as its fields: one byte less is too short. */
TEST(truncated_at_every_byte)
{
	struct built built;
	struct sample sample;

	build_all(&built);
	for (size_t size = sizeof(struct perf_event_header); size < built.size;
	     size++)
		EXPECT_FALSE(parse(&built, size, &sample));
}

/* A field whose size exceeds the record, or any memory. */
TEST(lengths_are_not_trusted)
{
	static const uint64_t lengths[] = { 3, 1ULL << 32, 1ULL << 61, ~0ULL };
	static const uint64_t fields[] = {
		PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_BRANCH_STACK,
		PERF_SAMPLE_STACK_USER, PERF_SAMPLE_AUX, PERF_SAMPLE_READ,
	};
	struct built built;
	struct sample sample;

	for (size_t i = 0; i < 5; i++) {
		for (size_t j = 0; j < 4; j++) {
			begin(&built, fields[i]);
			built.attr.read_format = PERF_FORMAT_GROUP;
			put_u64(&built, lengths[j]);
			put_u32(&built, 0);	/* but half a word remains */
			EXPECT_FALSE(parse(&built, built.size - 2, &sample));
		}
	}
}

TEST(nothing_recorded)
{
	struct built built;
	struct sample sample;
	struct sample_value value;

	begin(&built, 0);
	ASSERT_TRUE(parse(&built, built.size, &sample));
	EXPECT_EQ(4000, sample.period);
	EXPECT_EQ(NULL, sample.callchain);
	EXPECT_FALSE(sample_value(&sample.read, 0, &value));
}

/* No registers and no stack, as a kernel thread has it. */
TEST(without_user_mode)
{
	struct built built;
	struct sample sample;

	begin(&built, PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
		      PERF_SAMPLE_WEIGHT);
	built.attr.sample_regs_user = ~0ULL;
	put_u64(&built, PERF_SAMPLE_REGS_ABI_NONE);
	put_u64(&built, 0);
	put_u64(&built, 0x123456789abcdefULL);
	ASSERT_TRUE(parse(&built, built.size, &sample));
	EXPECT_EQ(NULL, sample.user_regs.values);
	EXPECT_EQ(0, sample.user_regs.mask);
	EXPECT_EQ(0, sample.user_stack.size);
	EXPECT_EQ(0x123456789abcdefULL, sample.weight);
}

#define NR_VALUES	3

/* The result of PERF_SAMPLE_READ with @format; value i is 100 + i, and so on. */
static void put_reading(struct built *built, uint64_t format)
{
	bool group = format & PERF_FORMAT_GROUP;

	built->attr.read_format = format;
	put_u64(built, group ? NR_VALUES : 100);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put_u64(built, 11);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put_u64(built, 10);
	for (uint64_t i = 0; i < (group ? NR_VALUES : 1); i++) {
		if (group)
			put_u64(built, 100 + i);
		if (format & PERF_FORMAT_ID)
			put_u64(built, 200 + i);
		if (format & PERF_FORMAT_LOST)
			put_u64(built, 300 + i);
	}
}

TEST(every_read_format)
{
	struct built built;
	struct sample sample;
	struct sample_value value;
	size_t nr;

	for (uint64_t format = 0; format < 32; format++) {
		begin(&built, PERF_SAMPLE_READ);
		put_reading(&built, format);
		ASSERT_TRUE(parse(&built, built.size, &sample));
		EXPECT_FALSE(parse(&built, built.size - 1, &sample));
		ASSERT_TRUE(parse(&built, built.size, &sample));
		EXPECT_EQ(format & PERF_FORMAT_TOTAL_TIME_ENABLED ? 11 : 0,
			  sample.read.enabled);
		EXPECT_EQ(format & PERF_FORMAT_TOTAL_TIME_RUNNING ? 10 : 0,
			  sample.read.running);
		for (nr = 0; sample_value(&sample.read, nr, &value); nr++) {
			EXPECT_EQ(100 + nr, value.value);
			EXPECT_EQ(format & PERF_FORMAT_ID ? 200 + nr : 0,
				  value.id);
			EXPECT_EQ(format & PERF_FORMAT_LOST ? 300 + nr : 0,
				  value.lost);
		}
		EXPECT_EQ(format & PERF_FORMAT_GROUP ? NR_VALUES : 1, nr);
	}
}

TEST_HARNESS_MAIN
