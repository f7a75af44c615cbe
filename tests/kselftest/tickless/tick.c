// SPDX-License-Identifier: GPL-2.0
/*
 * CPU 1 is isolated and a nohz_full CPU: its tick stops while it has only one task that does
 * not need it. Tasks of the class and monitored tasks do need it.
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "log.h"
#include "tasks.h"

/* Per second, with CONFIG_HZ=250. */
#define TICKS	250

FIXTURE(tick)
{
	struct team team;
};

FIXTURE_SETUP(tick)
{
	ASSERT_TRUE(team_init(&self->team));
	/* The test and housekeeping run on CPU 0. */
	ASSERT_EQ(0, pin(0, 0));
}

FIXTURE_TEARDOWN(tick)
{
	team_free(&self->team);
}

/* Interrupts of the local timer on CPU 1. */
static long timer_interrupts(void)
{
	FILE *file = fopen("/proc/interrupts", "re");
	long count = -1, n;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, " LOC: %*d %ld", &n) == 1)
			count = n;
	}
	if (file)
		fclose(file);
	return count;
}

static long ticks_in_a_second(struct team *team)
{
	long before;

	usleep(500000);
	before = timer_interrupts();
	team_measure(team, 800);
	return timer_interrupts() - before;
}

/* Shows that the machine is set up properly: the tick stops for a fair task. */
TEST_F(tick, stops_for_a_fair_task)
{
	long ticks;

	team_add(&self->team, hog, SCHED_OTHER, 1);
	ticks = ticks_in_a_second(&self->team);
	printf("#   %ld ticks\n", ticks);
	EXPECT_GE(TICKS / 2, ticks);
}

TEST_F(tick, goes_on_for_the_class)
{
	long ticks;

	team_add(&self->team, hog, SCHED_KERMON, 1);
	ticks = ticks_in_a_second(&self->team);
	printf("#   %ld ticks\n", ticks);
	EXPECT_LE(TICKS * 9 / 10, ticks);
	EXPECT_LE(970, self->team.tasks[0].share);
}

/*
 * A monitored task of any class needs the tick: without switches, only the tick
 * samples it.
 */
TEST_F(tick, goes_on_for_the_monitored)
{
	struct log log = {};
	pid_t task = team_add(&self->team, hog, SCHED_OTHER, 1);
	long ticks;
	int fd;

	ASSERT_GE(TICKS / 2, ticks_in_a_second(&self->team));
	/* Its tick has stopped; now attach to it. */
	fd = monitor(task);
	ASSERT_LE(0, fd);
	ticks = ticks_in_a_second(&self->team);
	ASSERT_TRUE(log_read_now(&log, fd));
	close(fd);
	printf("#   %ld ticks, %u samples of ticks\n", ticks,
	       log.reasons[KERMON_REASON_TICK]);
	EXPECT_LE(TICKS * 9 / 10, ticks);
	/* One per 50 ms, over more than a second. */
	EXPECT_LE(20, log.reasons[KERMON_REASON_TICK]);
	EXPECT_GE(TICKS / 2, ticks_in_a_second(&self->team));
}

TEST_F(tick, shares_the_cpu)
{
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, hog, SCHED_KERMON, 1);
	team_add(&self->team, hog, SCHED_OTHER, 1);
	team_measure(&self->team, 2000);
	EXPECT_LE(450, self->team.tasks[0].share);
	EXPECT_LE(450, self->team.tasks[1].share);
	EXPECT_LE(25, self->team.tasks[2].share);
}

TEST_HARNESS_MAIN
