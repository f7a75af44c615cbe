// SPDX-License-Identifier: GPL-2.0
/* CPU hotplug, and reading the kernel's statistics. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "actions.h"
#include "dice.h"
#include "files.h"
#include "victims.h"

static int switch_cpu(int cpu, const char *online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	return write_file(path, online) ? 0 : -errno;
}

int switch_any_cpu(void)
{
	int cpu = 1 + dice(sysconf(_SC_NPROCESSORS_CONF) - 1);

	return switch_cpu(cpu, one_in(2) ? "1" : "0");
}

void all_cpus_online(void)
{
	int cpu, nr = sysconf(_SC_NPROCESSORS_CONF);

	for (cpu = 1; cpu < nr; cpu++)
		switch_cpu(cpu, "1");
}

static int look_at(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char buf[4096];
	ssize_t len;

	if (fd < 0)
		return -errno;
	do
		len = read(fd, buf, sizeof(buf));
	while (len > 0);
	close(fd);
	return len < 0 ? -errno : 0;
}

int look_at_any(void)
{
	static const char *const files[] = { "sched", "stat", "schedstat",
					     "status", "wchan" };
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", any_thread(), files[dice(5)]);
	return look_at(path);
}

int look_at_all(void)
{
	static const char *const files[] = { "/sys/kernel/debug/sched/debug",
					     "/proc/schedstat",
					     "/proc/pressure/cpu" };

	return look_at(files[dice(3)]);
}
