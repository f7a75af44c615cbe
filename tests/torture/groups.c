// SPDX-License-Identifier: GPL-2.0
/* Control groups: membership, limits, freezing and thawing. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "actions.h"
#include "dice.h"
#include "victims.h"

static int group_write_number(int group, const char *file, int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", number);
	return group_write(group, file, text);
}

int move_to_any_group(void)
{
	pid_t pid = any_process();

	return pid < 0 ? -ESRCH :
		group_write_number(dice(GROUPS), "cgroup.procs", pid);
}

int freeze_any_group(void)
{
	int group = dice(GROUPS);
	int ret = group_write(group, "cgroup.freeze", "1");

	usleep(dice(20000));
	group_write(group, "cgroup.freeze", "0");
	return ret;
}

/* Restrict a group to one CPU, or allow all. */
static int set_cpus(int group)
{
	int nr = sysconf(_SC_NPROCESSORS_CONF);

	if (one_in(2))
		return group_write(group, "cpuset.cpus", "");
	return group_write_number(group, "cpuset.cpus", dice(nr));
}

int set_any_limits(void)
{
	int group = dice(GROUPS);

	switch (dice(3)) {
	case 0:
		return group_write_number(group, "cpu.weight", dice_between(1, 10000));
	case 1:
		return group_write_number(group, "cpu.uclamp.min", dice(100));
	default:
		return set_cpus(group);
	}
}
