// SPDX-License-Identifier: GPL-2.0
/* From names of events and sets to counter settings. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kermon/events.h>

#include "machine/eventsets.h"

#include "kselftest_harness.h"

#define USER	KERMON_COUNT_USER
#define BOTH	(KERMON_COUNT_USER | KERMON_COUNT_KERNEL)

FIXTURE(ivy_bridge)
{
	struct kermon_selection selection;
	struct kermon_event_error error;
};

FIXTURE_SETUP(ivy_bridge)
{
	memset(self, 0, sizeof(*self));
	setenv("LIBPFM_FORCE_PMU", "ivb", 1);
}

FIXTURE_TEARDOWN(ivy_bridge)
{
}

/* Table 1 of the paper. */
TEST_F(ivy_bridge, sets)
{
	static const uint64_t expected[] = {
		0x2010, 0x4010, 0x0111, 0x0211,
		0x8010, 0x1010, 0x81d0, 0x82d0,
		0x0151, 0x4f2e, 0x2024, 0x01b7,
	};
	unsigned int i;

	ASSERT_EQ(0, kermon_events_select("set0,set1,set2", USER,
					  &self->selection, &self->error));
	ASSERT_EQ(12, self->selection.nr);
	for (i = 0; i < 12; i++) {
		EXPECT_EQ(expected[i] | 1 << 16,
			  self->selection.events[i].event.config);
		EXPECT_EQ(i == 11 ? 0x3f80408fff : 0,
			  self->selection.events[i].event.extra);
	}
}

TEST_F(ivy_bridge, fixed_is_empty)
{
	EXPECT_EQ(0, kermon_events_select("fixed", USER, &self->selection,
					  &self->error));
	EXPECT_EQ(0, self->selection.nr);
}

TEST_F(ivy_bridge, modes)
{
	static const char text[] = "r01c0,r02c0:u,r03c0:k,r04c0:uk,r05c0:k:u,"
		"MEM_UOPS_RETIRED:ALL_LOADS:k,mem_uops_retired:all_loads";
	static const uint64_t modes[] = { 3, 1, 2, 3, 3, 2, 3 };
	static const char *const names[] = {
		"r01c0", "r02c0:u", "r03c0:k", "r04c0", "r05c0",
		"MEM_UOPS_RETIRED:ALL_LOADS:k", "mem_uops_retired:all_loads",
	};
	unsigned int i;

	ASSERT_EQ(0, kermon_events_select(text, BOTH, &self->selection,
					  &self->error));
	ASSERT_EQ(7, self->selection.nr);
	for (i = 0; i < 7; i++) {
		EXPECT_EQ(modes[i], self->selection.events[i].event.config >>
			  16 & 3);
		EXPECT_STREQ(names[i], self->selection.events[i].name);
	}
}

TEST_F(ivy_bridge, modifiers_reach_the_register)
{
	ASSERT_EQ(0, kermon_events_select("INST_RETIRED:ANY_P:c=2:i:e", USER,
					  &self->selection, &self->error));
	EXPECT_EQ(0x028500c0, self->selection.events[0].event.config);
}

/* Bits that the kernel would reject are rejected here, by name. */
TEST_F(ivy_bridge, refuses)
{
	static const struct {
		const char *text;
		int result;
		const char *word;
	} cases[] = {
		{ "INST_RETIRED:ANY_P:t", -EINVAL, "INST_RETIRED:ANY_P:t" },
		{ "r2000c0", -EINVAL, "r2000c0" },
		{ "", -EINVAL, "" },
		{ "set0,", -EINVAL, "" },
		{ "set0,,set1", -EINVAL, "" },
		{ ":u", -EINVAL, ":u" },
		{ "MEM_UOPS_RETIRED", -EINVAL, "MEM_UOPS_RETIRED" },
		{ "set0,NOTHING", -ENOENT, "NOTHING" },
		{ "MEM_UOPS_RETIRED:NOTHING", -ENOENT,
		  "MEM_UOPS_RETIRED:NOTHING" },
		{ "set3", -ENOENT, "set3" },
		{ "rxyz", -ENOENT, "rxyz" },
		{ "instructions:k", -EALREADY, "instructions:k" },
		{ "set0,cycles:uk", -EALREADY, "cycles:uk" },
		{ "UNHALTED_REFERENCE_CYCLES:k", -EALREADY,
		  "UNHALTED_REFERENCE_CYCLES:k" },
		{ "r0400", -EOPNOTSUPP, "r0400" },
		{ "r0000", -EOPNOTSUPP, "r0000" },
		{ "set1,set1", -EEXIST, "set1" },
		{ "fixed,set1,FIXED", -EEXIST, "FIXED" },
		{ "set1,MEM_UOPS_RETIRED:ALL_LOADS", -EEXIST,
		  "MEM_UOPS_RETIRED:ALL_LOADS" },
		{ "MEM_UOPS_RETIRED:ALL_LOADS,set1", -EEXIST,
		  "MEM_UOPS_RETIRED:ALL_LOADS" },
		{ "r01c0,R01C0", -ENOENT, "R01C0" },
		{ "r01c0,r01C0:u", -EEXIST, "r01C0:u" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		EXPECT_EQ(cases[i].result,
			  kermon_events_select(cases[i].text, USER,
					       &self->selection, &self->error))
			TH_LOG("%s", cases[i].text);
		EXPECT_STREQ(cases[i].word, self->error.word);
	}
}

/* Events of fixed counters do not take a programmable one. */
TEST_F(ivy_bridge, fixed_counters)
{
	ASSERT_EQ(0, kermon_events_select("instructions,set1,CYCLES:u,ref-cycles,"
					  "UNHALTED_REFERENCE_CYCLES,r0100",
					  USER, &self->selection, &self->error));
	EXPECT_EQ(4, self->selection.nr);
	EXPECT_EQ(5, self->selection.nr_fixed);
	EXPECT_EQ(1, self->selection.events[0].list);
	EXPECT_EQ(0, kermon_events_select("cycles:uk", BOTH, &self->selection,
					  &self->error));
	EXPECT_EQ(0, self->selection.nr);
	EXPECT_EQ(-EALREADY, kermon_events_select("cycles:u", BOTH,
						  &self->selection,
						  &self->error));
}

TEST_F(ivy_bridge, sets_in_capitals)
{
	ASSERT_EQ(0, kermon_events_select("SET1,Fixed", USER, &self->selection,
					  &self->error));
	EXPECT_EQ(4, self->selection.nr);
	EXPECT_EQ(0x18010, self->selection.events[0].event.config);
}

/* @nr different raw events, after @begin. */
static const char *many(const char *begin, unsigned int nr)
{
	static char text[1024];
	unsigned int i, n;

	n = snprintf(text, sizeof(text), "%s", begin);
	for (i = 1; i <= nr; i++)
		n += snprintf(text + n, sizeof(text) - n, "%sr%02xc0",
			      n ? "," : "", i);
	return text;
}

TEST_F(ivy_bridge, as_many_as_there_may_be)
{
	EXPECT_EQ(0, kermon_events_select(many("", KERMON_MAX_SELECTED), USER,
					  &self->selection, &self->error));
	EXPECT_EQ(KERMON_MAX_SELECTED, self->selection.nr);
	EXPECT_EQ(-E2BIG, kermon_events_select(many("set0", KERMON_MAX_SELECTED
						    - 3), USER,
					       &self->selection, &self->error));
	EXPECT_STREQ("r3dc0", self->error.word);
}

static int split(FIXTURE_DATA(ivy_bridge) *self, const char *text,
		 unsigned int counters,
		 struct kermon_selection sets[KERMON_MAX_SETS])
{
	if (kermon_events_select(text, USER, &self->selection, &self->error))
		return -EINVAL;
	return kermon_events_split(&self->selection, counters, sets);
}

TEST_F(ivy_bridge, what_fits_is_one_set)
{
	struct kermon_selection sets[KERMON_MAX_SETS];

	ASSERT_EQ(1, split(self, "fixed", 4, sets));
	EXPECT_EQ(0, sets[0].nr);
	ASSERT_EQ(1, split(self, "set0,set1,r01c0", 9, sets));
	EXPECT_EQ(9, sets[0].nr);
	EXPECT_STREQ("r01c0:u", sets[0].events[8].name);
}

TEST_F(ivy_bridge, what_does_not_fit_takes_turns)
{
	struct kermon_selection sets[KERMON_MAX_SETS];
	unsigned int i;

	ASSERT_EQ(3, split(self, "set0,set1,set2", 4, sets));
	for (i = 0; i < 3; i++)
		EXPECT_EQ(4, sets[i].nr);
	EXPECT_STREQ("MEM_UOPS_RETIRED:ALL_LOADS:u", sets[1].events[2].name);

	ASSERT_EQ(3, split(self, "r01c0,set0,r02c0,r03c0,r04c0,r05c0", 4,
			   sets));
	EXPECT_EQ(4, sets[0].nr);
	EXPECT_STREQ("r04c0:u", sets[0].events[3].name);
	EXPECT_EQ(4, sets[1].nr);
	EXPECT_EQ(1, sets[2].nr);
	EXPECT_STREQ("r05c0:u", sets[2].events[0].name);

	ASSERT_EQ(2, split(self, "set0,set1", 4, sets));
	EXPECT_EQ(-ENOSPC, split(self, "set0,r01c0", 3, sets));
	EXPECT_EQ(8, split(self, many("set0,set1", 24), 4, sets));
	EXPECT_EQ(-E2BIG, split(self, many("set0,set1", 25), 4, sets));
}

TEST_F(ivy_bridge, long_name)
{
	char text[4096];

	memset(text, 'A', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	EXPECT_EQ(-EINVAL, kermon_events_select(text, USER, &self->selection,
						&self->error));
}

static bool is_near(const struct kermon_event_error *error, const char *name)
{
	unsigned int i;

	for (i = 0; i < error->nr_near; i++)
		if (!strcmp(error->near[i], name))
			return true;
	return false;
}

TEST_F(ivy_bridge, near)
{
	static const struct {
		const char *text;
		const char *near;
	} cases[] = {
		{ "FP_COMP_OPS_EXE:SSE_SCALR_DOUBLE",
		  "FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE" },
		{ "mem_uops_retired:all_load", "MEM_UOPS_RETIRED:ALL_LOADS" },
		{ "MEM_UOPS_RETIRED", "MEM_UOPS_RETIRED:ALL_STORES" },
		{ "replacement", "L1D:REPLACEMENT" },
		{ "set7", "set2" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ASSERT_NE(0, kermon_events_select(cases[i].text, USER,
						  &self->selection,
						  &self->error));
		EXPECT_TRUE(is_near(&self->error, cases[i].near))
			TH_LOG("%s", cases[i].text);
		EXPECT_LE(self->error.nr_near, KERMON_NEAR_EVENTS);
	}
	ASSERT_EQ(-ENOENT, kermon_events_select("QXZVWK", USER,
						&self->selection,
						&self->error));
	EXPECT_EQ(0, self->error.nr_near);
}

static int count_event(const struct kermon_event_info *info, void *data)
{
	unsigned int *count = data;

	++*count;
	return info->title && *info->name ? 0 : -1;
}

TEST_F(ivy_bridge, each)
{
	unsigned int count = 0;
	struct kermon_pmu_model model;

	ASSERT_EQ(0, kermon_events_model(&model));
	EXPECT_STREQ("ivb", model.name);
	EXPECT_EQ(0, kermon_events_each(count_event, &count));
	EXPECT_GT(count, (unsigned int)model.nr_events);
}

FIXTURE(family) {};

FIXTURE_VARIANT(family)
{
	const char *pmu;
	uint64_t scalar_double;		/* 0: this CPU does not count any */
	uint64_t llc;
};

FIXTURE_SETUP(family)
{
	(void)self;
	setenv("LIBPFM_FORCE_PMU", variant->pmu, 1);
}

FIXTURE_TEARDOWN(family)
{
	(void)self;
}

#define FAMILY(name, fp)					\
	FIXTURE_VARIANT_ADD(family, name)			\
	{							\
		.pmu = #name, .scalar_double = fp, .llc = 0x4f2e,	\
	}

FAMILY(snb, 0x8010);
FAMILY(snb_ep, 0x8010);
FAMILY(ivb, 0x8010);
FAMILY(ivb_ep, 0x8010);
FAMILY(hsw, 0);
FAMILY(hsw_ep, 0);
FAMILY(bdw, 0x01c7);
FAMILY(bdw_ep, 0x01c7);
FAMILY(skl, 0x01c7);
FAMILY(skx, 0x01c7);
FAMILY(clx, 0x01c7);
FAMILY(icl, 0x01c7);
FAMILY(icx, 0x01c7);
FAMILY(spr, 0x01c7);

static bool counts(const struct kermon_selection *selection, uint64_t what)
{
	unsigned int i;

	for (i = 0; i < selection->nr; i++)
		if ((selection->events[i].event.config & 0xffff) == what)
			return true;
	return false;
}

/* Every set of every family is known to libpfm4 and fits four counters. */
TEST_F(family, sets)
{
	const struct kermon_event_list *set;
	struct kermon_selection selection;
	struct kermon_event_error error;
	unsigned int i;

	for (i = 0; (set = kermon_events_list(i)); i++) {
		ASSERT_EQ(0, kermon_events_select(set->name, USER, &selection,
						  &error))
			TH_LOG("%s: %s", set->name, error.word);
		/* Those that stand for several are rotated. */
		if (strcmp(set->name, "roofline"))
			EXPECT_LE(selection.nr, 4);
		if (!strcmp(set->name, "set1") && variant->scalar_double)
			EXPECT_TRUE(counts(&selection, variant->scalar_double));
		if (!strcmp(set->name, "set1")) {
			EXPECT_TRUE(counts(&selection, 0x81d0));
			EXPECT_TRUE(counts(&selection, 0x82d0));
		}
		if (!strcmp(set->name, "set2"))
			EXPECT_TRUE(counts(&selection, variant->llc));
	}
	EXPECT_LE(5, i);
}

TEST(unknown_cpu)
{
	struct kermon_selection selection;
	struct kermon_event_error error;

	setenv("LIBPFM_FORCE_PMU", "none", 1);
	EXPECT_EQ(-ENODEV, kermon_events_select("L1D:REPLACEMENT", USER,
						&selection, &error));
	EXPECT_EQ(0, kermon_events_select("r4f2e", USER, &selection, &error));
	EXPECT_EQ(1, selection.nr);
	EXPECT_EQ(0, kermon_events_select("fixed", USER, &selection, &error));
}

TEST(unknown_amd)
{
	const struct kermon_event_list *set = eventsets_find("amd64", "fixed");

	ASSERT_NE(NULL, set);
	EXPECT_STREQ("r00c0", set->events[0]);
	EXPECT_STREQ("r0076", set->events[1]);
	EXPECT_EQ(NULL, eventsets_find("amd64", "set0"));
}

#define ZEN_EVENTS	14

FIXTURE(zen)
{
	struct kermon_selection selection;
	struct kermon_event_error error;
};

/* All sets, one after another. */
FIXTURE_VARIANT(zen)
{
	const char *pmu;
	uint64_t events[ZEN_EVENTS];
};

FIXTURE_VARIANT_ADD(zen, zen1) {
	.pmu = "amd64_fam17h_zen1",
	.events = { 0x00c0, 0x0076, 0x00c0, 0x0076, 0x0f03, 0x0129, 0x0229,
		    0x00c0, 0x0076, 0xf003, 0x0129, 0x0229,
		    0x00c0, 0x0076 /* and L2 misses */ },
};

FIXTURE_VARIANT_ADD(zen, zen2) {
	.pmu = "amd64_fam17h_zen2",
	.events = { 0x00c0, 0x0076, 0x00c0, 0x0076, 0x0f03, 0x0129, 0x0229,
		    0x0103, 0x0603, 0x0803, 0x00c0, 0x0076, 0x0164, 0x0843 },
};

FIXTURE_VARIANT_ADD(zen, zen4) {
	.pmu = "amd64_fam19h_zen4",
	.events = { 0x00c0, 0x0076, 0x00c0, 0x0076, 0x1f03, 0x0129, 0x0229,
		    0x0103, 0x0603, 0x1803, 0x00c0, 0x0076, 0x0164, 0x0844 },
};

FIXTURE_SETUP(zen)
{
	memset(self, 0, sizeof(*self));
	setenv("LIBPFM_FORCE_PMU", variant->pmu, 1);
}

FIXTURE_TEARDOWN(zen)
{
}

TEST_F(zen, sets)
{
	unsigned int i;

	ASSERT_EQ(0, kermon_events_select("fixed,set0,set1,set2", USER,
					  &self->selection, &self->error));
	ASSERT_LE(ZEN_EVENTS, self->selection.nr);
	for (i = 0; i < ZEN_EVENTS; i++) {
		EXPECT_EQ(variant->events[i] | 1 << 16,
			  self->selection.events[i].event.config);
		EXPECT_FALSE(self->selection.events[i].absent);
	}
}

/* Operations take two of the six counters. */
TEST_F(zen, operations_take_two_counters)
{
	struct kermon_selection sets[KERMON_MAX_SETS];

	ASSERT_EQ(0, kermon_events_select("r0003,r100000103,r0103", USER,
					  &self->selection, &self->error));
	EXPECT_EQ(5, self->selection.counters);
	EXPECT_EQ(1, kermon_events_split(&self->selection, 5, sets));
	EXPECT_EQ(2, kermon_events_split(&self->selection, 4, sets));
	EXPECT_EQ(2, sets[0].nr);
	EXPECT_EQ(-ENOSPC, kermon_events_split(&self->selection, 1, sets));

	ASSERT_EQ(0, kermon_events_select("fixed,set0", USER, &self->selection,
					  &self->error));
	EXPECT_EQ(8, self->selection.counters);
	ASSERT_EQ(2, kermon_events_split(&self->selection, 6, sets));
	EXPECT_EQ(2, sets[0].counters);
	EXPECT_EQ(6, sets[1].counters);
	EXPECT_EQ(-ENOSPC, kermon_events_split(&self->selection, 5, sets));
}

TEST(operations_of_older_amd_take_one)
{
	struct kermon_selection selection;
	struct kermon_event_error error;

	setenv("LIBPFM_FORCE_PMU", "amd64_fam10h_barcelona", 1);
	ASSERT_EQ(0, kermon_events_select("r0003", USER, &selection, &error));
	EXPECT_EQ(1, selection.counters);
}

/*
 * Perf's names of events that are in every recording elsewhere; in the requested modes.
 */
TEST_F(zen, names_of_fixed_counters)
{
	ASSERT_EQ(0, kermon_events_select("instructions,CYCLES:k", USER,
					  &self->selection, &self->error));
	ASSERT_EQ(2, self->selection.nr);
	EXPECT_EQ(0, self->selection.nr_fixed);
	EXPECT_TRUE(self->selection.events[0].translated);
	EXPECT_EQ(0x100c0, self->selection.events[0].event.config);
	EXPECT_STREQ("RETIRED_INSTRUCTIONS:u", self->selection.events[0].name);
	EXPECT_EQ(0x20076, self->selection.events[1].event.config);
	EXPECT_STREQ("CYCLES_NOT_IN_HALT:k", self->selection.events[1].name);
	EXPECT_EQ(-ENXIO, kermon_events_select("cycles,ref-cycles:u", USER,
					       &self->selection, &self->error));
	EXPECT_STREQ("ref-cycles:u", self->error.word);
	EXPECT_EQ(-EEXIST, kermon_events_select("fixed,instructions", USER,
						&self->selection,
						&self->error));
	ASSERT_EQ(0, kermon_events_select("fixed", USER, &self->selection,
					  &self->error));
	EXPECT_FALSE(self->selection.events[0].translated);
}

/* An event select of 12 bits. */
TEST_F(zen, wide_event_select)
{
	ASSERT_EQ(0, kermon_events_select("r100000120", USER,
					  &self->selection, &self->error));
	EXPECT_EQ(0x100010120, self->selection.events[0].event.config);
}

TEST_HARNESS_MAIN
