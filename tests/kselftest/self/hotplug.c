// SPDX-License-Identifier: GPL-2.0
/*
 * A thread reads its own counts while CPUs go offline under it and come back: each count
 * is right, and the page is shown again.
 */
#include <errno.h>
#include <string.h>

#include "kselftest_harness.h"

#include <kermon/self.h>

#include "log.h"
#include "quantities.h"
#include "registers.h"
#include "subject.h"
#include "worker.h"

#define PAIRS	30000

/* Most reads that are system calls, where there is a page. */
#define SLOW	(PAIRS / 10)

static void read_often(struct kermon_self *self, struct readings *readings, void *data)
{
	subject_check_pairs(self, readings, PAIRS);
	(void)data;
}

TEST(none_is_wrong)
{
	struct kermon_event_set set;
	const struct pairs *pairs;
	struct subject subject;

	if (!quantity_set(0))
		SKIP(return, "the counts of this CPU are not known");
	if (set_online(1, true))
		SKIP(return, "hotplug needs a second CPU that can go offline");
	set = subject_set(0);
	set.flags = KERMON_SET_OVERWRITE;
	ASSERT_EQ(subject_start(&subject, &set, read_often, NULL), 0)
		TH_LOG("%s", strerror(errno));
	subject_go(&subject);
	hotplug_until_end(subject.pid);
	EXPECT_EQ(subject_wait(&subject), 0);
	EXPECT_EQ(subject.readings->error, 0);
	pairs = &subject.readings->pairs;
	TH_LOG("%llu reads, %llu wrong differences, %llu without a page", 2 * pairs->nr,
	       pairs->wrong, pairs->slow);
	EXPECT_EQ(pairs->nr, PAIRS);
	EXPECT_EQ(pairs->wrong, 0);
	EXPECT_EQ(pairs->slow < SLOW, pages_are_shown());
	subject_end(&subject);
}

TEST_HARNESS_MAIN
