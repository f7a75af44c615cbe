// SPDX-License-Identifier: GPL-2.0
/* Reads and writes registers through /dev/cpu/N/msr_safe or /dev/cpu/N/msr. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "registers.h"

void registers_init(struct registers *registers, const char *root)
{
	registers->root = root;
	registers->step = 1;
	registers->is_safe = false;
	for (int cpu = 0; cpu < KERMON_MSR_MAX_CPUS; cpu++)
		registers->fds[cpu] = -1;
}

static int open_device(const struct registers *registers, uint32_t cpu,
		       const char *driver, int flags)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/dev/cpu/%u/%s", registers->root, cpu,
		 driver);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int registers_open(struct registers *registers, uint32_t cpu, bool may_write)
{
	const int flags = may_write ? O_RDWR : O_RDONLY;
	struct stat stat;
	int fd = open_device(registers, cpu, "msr_safe", flags);

	registers->is_safe = fd >= 0;
	if (fd < 0)
		fd = open_device(registers, cpu, "msr", flags);
	if (fd < 0)
		return fd;
	/* Registers of a file in a test must not overlap. */
	registers->step = !fstat(fd, &stat) && S_ISREG(stat.st_mode) ?
			  sizeof(uint64_t) : 1;
	registers->fds[cpu] = fd;
	return 0;
}

void registers_close(struct registers *registers, uint32_t cpu)
{
	if (registers_has(registers, cpu))
		close(registers->fds[cpu]);
	registers->fds[cpu] = -1;
}

bool registers_has(const struct registers *registers, uint32_t cpu)
{
	return cpu < KERMON_MSR_MAX_CPUS && registers->fds[cpu] >= 0;
}

static int result_of(ssize_t bytes)
{
	if (bytes < 0)
		return -errno;
	return bytes == sizeof(uint64_t) ? 0 : -EIO;
}

int registers_read(const struct registers *registers, uint32_t cpu,
		   uint32_t reg, uint64_t *value)
{
	return result_of(pread(registers->fds[cpu], value, sizeof(*value),
			       (off_t)reg * registers->step));
}

int registers_write(const struct registers *registers, uint32_t cpu,
		    uint32_t reg, uint64_t value)
{
	return result_of(pwrite(registers->fds[cpu], &value, sizeof(value),
				(off_t)reg * registers->step));
}
