// SPDX-License-Identifier: GPL-2.0
/* Monitoring, reading, closing and revoking logs; and unloading the module meanwhile. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "actions.h"
#include "control.h"
#include "dice.h"
#include "log.h"
#include "sets.h"
#include "victims.h"

#define LOGS	8

static int logs[LOGS] = { -1, -1, -1, -1, -1, -1, -1, -1 };

static int close_log(int *fd)
{
	int ret = close(*fd) ? -errno : 0;

	*fd = -1;
	return ret;
}

int monitor_any(void)
{
	struct kermon_event_set set = good_set();
	int *fd = &logs[dice(LOGS)];

	if (*fd >= 0)
		close_log(fd);
	*fd = set_events(any_process(), &set, sizeof(set),
			 dice(2) * KERMON_FLAG_PROCESS |
			 dice(2) * KERMON_FLAG_LEND_CLASS);
	return *fd < 0 ? -errno : 0;
}

int read_any_log(void)
{
	struct log log = { 0 };

	return log_read_now(&log, logs[dice(LOGS)]) ? 0 : -errno;
}

int close_any_log(void)
{
	return close_log(&logs[dice(LOGS)]);
}

int revoke_any(void)
{
	return control_revoke_any(dice(1 << 16)) ? -errno : 0;
}

static int load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return ret;
}

/*
 * The module is busy while a task is monitored, so close all logs now and then.
 */
int replace_module(void)
{
	const char *path = getenv("KERMON_KO");
	int i;

	for (i = 0; i < LOGS && one_in(2) + i; i++)
		close_log(&logs[i]);
	if (!path)
		return -EINVAL;
	if (syscall(SYS_delete_module, "kermon", O_NONBLOCK))
		return -errno;
	usleep(dice(20000));
	return load_module(path);
}
