// SPDX-License-Identifier: GPL-2.0
/*
 * CPU 1 is a nohz_full one: its tick stops when it has one task to run, which
 * needs no tick. One of the class needs it, and so does one that is monitored.
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "log.h"
#include "tasks.h"

/* Of CONFIG_HZ=250, in a second. */
#define TICKS	250

FIXTURE(tick)
{
	struct team team;
};

FIXTURE_SETUP(tick)
{
	ASSERT_TRUE(team_init(&self->team));
	/* Housekeeping, and the test, are on CPU 0. */
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

/* That it stops for others shows that the machine is what it should be. */
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

/* Whatever class it is of: it gives the CPU to nobody, who would sample it else? */
TEST_F(tick, goes_on_for_the_monitored)
{
	struct log log = {};
	pid_t task = team_add(&self->team, hog, SCHED_OTHER, 1);
	long ticks;
	int fd;

	ASSERT_GE(TICKS / 2, ticks_in_a_second(&self->team));
	/* Its tick has stopped: now somebody attaches to it. */
	fd = monitor(task);
	ASSERT_LE(0, fd);
	ticks = ticks_in_a_second(&self->team);
	ASSERT_TRUE(log_read_now(&log, fd));
	close(fd);
	printf("#   %ld ticks, %u samples of ticks\n", ticks,
	       log.reasons[KERMON_REASON_TICK]);
	EXPECT_LE(TICKS * 9 / 10, ticks);
	/* Of 50 ms each, in a second and more. */
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
