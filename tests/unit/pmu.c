// SPDX-License-Identifier: GPL-2.0
/* Which counters events get, and what their registers have then, without any register. */
#include <errno.h>

#include "spy/pmu.h"

#include "kselftest_harness.h"

#define BOTH		0x30000ULL	/* user and kernel mode */
#define FLOPS		(0x0f03ULL | BOTH)
#define MERGE		(0xf000000ffULL | PMU_EVENT_ENABLE)

FIXTURE(pmu)
{
	struct pmu pmu;
	struct spy_set set;
	struct pmu_image image;
	struct kermon_spy_trouble trouble;
};

FIXTURE_SETUP(pmu)
{
	memset(self, 0, sizeof(*self));
	/* As Zen 3, but for instructions and cycles, whose encodings are those of this CPU. */
	self->pmu = (struct pmu){
		.amd = true, .counters = 6, .mask = (1ULL << 48) - 1,
		.selector = 0xc0010200, .counter = 0xc0010201, .stride = 2,
	};
}

FIXTURE_TEARDOWN(pmu)
{
}

static void name(FIXTURE_DATA(pmu) *self, const char *name, uint64_t config)
{
	struct kermon_spy_event event = { .type = 4, .config = config };

	snprintf(event.name, sizeof(event.name), "%s", name);
	spy_add_event(&self->set, &event, 0, &self->trouble);
}

static uint64_t value_of(const struct pmu_image *image, uint32_t reg)
{
	for (unsigned int i = 0; i < image->nr_controls; i++)
		if (image->controls[i].reg == reg)
			return image->controls[i].value;
	return UINT64_MAX;
}

/* An event of operations takes an even counter and the next; perf has the first ones. */
TEST_F(pmu, pairs)
{
	name(self, "flops", FLOPS);
	name(self, "loads", 0x0129 | BOTH);
	name(self, "stores", 0x0229 | BOTH);
	ASSERT_EQ(0, pmu_assign(&self->pmu, &self->set, &self->trouble));
	EXPECT_EQ(4, self->set.index[0]);
	EXPECT_EQ(3, self->set.index[1]);
	EXPECT_EQ(2, self->set.index[2]);
	pmu_make_image(&self->pmu, &self->set, &self->image);
	EXPECT_EQ(4, self->image.nr_controls);
	EXPECT_EQ(FLOPS | PMU_EVENT_ENABLE, value_of(&self->image, 0xc0010208));
	EXPECT_EQ(MERGE, value_of(&self->image, 0xc001020a));
	EXPECT_EQ(0x0129 | BOTH | PMU_EVENT_ENABLE, value_of(&self->image, 0xc0010206));
	EXPECT_EQ(UINT64_MAX, value_of(&self->image, 0xc0010200));
	EXPECT_EQ(0xc0010209, self->image.values[0].reg);
	EXPECT_EQ(4, self->image.values[0].rdpmc);
}

/* With a register that enables all counters, those that are not needed are stopped. */
TEST_F(pmu, global)
{
	self->pmu.global = 0xc0000301;
	name(self, "loads", 0x0129 | BOTH);
	ASSERT_EQ(0, pmu_assign(&self->pmu, &self->set, &self->trouble));
	pmu_make_image(&self->pmu, &self->set, &self->image);
	EXPECT_EQ(7, self->image.nr_controls);
	EXPECT_EQ(0, value_of(&self->image, 0xc0010200));
	EXPECT_EQ(0x3f, self->image.controls[6].value);
	EXPECT_EQ(0x3f, self->image.controls[6].owned);
}

TEST_F(pmu, excess)
{
	name(self, "a", FLOPS);
	name(self, "b", FLOPS | 0x40000);
	name(self, "c", FLOPS | 0x800000);
	ASSERT_EQ(0, pmu_assign(&self->pmu, &self->set, &self->trouble));
	name(self, "d", 0x0129 | BOTH);
	EXPECT_EQ(-ENOSPC, pmu_assign(&self->pmu, &self->set, &self->trouble));
	EXPECT_EQ(KERMON_SPY_EXCESS, self->trouble.kind);
}

/* The merge event alone, or a second register, is not for users. */
TEST_F(pmu, refused)
{
	name(self, "merge", 0xf000000ffULL | BOTH);
	EXPECT_EQ(-EOPNOTSUPP, pmu_assign(&self->pmu, &self->set, &self->trouble));
	EXPECT_EQ(KERMON_SPY_REFUSED, self->trouble.kind);
	EXPECT_STREQ("merge", self->trouble.what);
}

/* Fixed counters need no event select. */
TEST_F(pmu, intel)
{
	self->pmu = (struct pmu){
		.fixed = 3, .counters = 4, .fixed_mask = (1ULL << 48) - 1,
		.mask = (1ULL << 48) - 1, .selector = 0x186, .counter = 0xc1, .stride = 1,
		.global = 0x38f,
	};
	name(self, "instructions", 1);
	name(self, "cycles", 0);
	name(self, "ref-cycles", 9);
	self->set.kept = 3;
	name(self, "branches", 0x00c4 | BOTH);
	ASSERT_EQ(0, pmu_assign(&self->pmu, &self->set, &self->trouble));
	pmu_make_image(&self->pmu, &self->set, &self->image);
	EXPECT_EQ(0x333, value_of(&self->image, 0x38d));
	EXPECT_EQ(0x70000000fULL, value_of(&self->image, 0x38f));
	EXPECT_EQ(0x00c4 | BOTH | PMU_EVENT_ENABLE,
		  value_of(&self->image, 0x186 + self->set.index[3]));
	EXPECT_EQ(0x30b, self->image.values[2].reg);
	EXPECT_EQ(1U << 30 | 2, self->image.values[2].rdpmc);
	EXPECT_EQ(0xc1 + self->set.index[3], self->image.values[3].reg);
	EXPECT_EQ(self->set.index[3], self->image.values[3].rdpmc);
	/* Bits that interrupt or count other hyperthreads. */
	self->set.events[3].config |= 1 << 20;
	EXPECT_EQ(-EOPNOTSUPP, pmu_assign(&self->pmu, &self->set, &self->trouble));
}

TEST_HARNESS_MAIN
