// SPDX-License-Identifier: GPL-2.0
/* Reads and writes registers through /dev/cpu/N/msr_safe or /dev/cpu/N/msr. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch.h"
#include "registers.h"

void registers_init(struct registers *registers, const char *root)
{
	registers->root = root;
	registers->batch = -1;
	registers->step = 1;
	registers->is_safe = false;
	for (int cpu = 0; cpu < KERMON_MSR_MAX_CPUS; cpu++)
		registers->fds[cpu] = -1;
}

static int open_file(const char *path, int flags)
{
	const int fd = open(path, flags | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int open_device(const struct registers *registers, uint32_t cpu,
		       const char *driver, int flags)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/dev/cpu/%u/%s", registers->root, cpu,
		 driver);
	return open_file(path, flags);
}

/* A client that only reads does not get it: it writes, however it was opened. */
static bool open_batch(struct registers *registers)
{
	char path[PATH_MAX];

	if (registers->batch < 0) {
		snprintf(path, sizeof(path), "%s/dev/cpu/msr_batch",
			 registers->root);
		registers->batch = open_file(path, O_RDONLY);
	}
	return registers->batch >= 0;
}

static int open_safe(struct registers *registers, uint32_t cpu, int flags)
{
	const int fd = open_device(registers, cpu, "msr_safe", flags);

	if (fd < 0 || flags == O_RDONLY || open_batch(registers))
		return fd;
	close(fd);
	return -ENODEV;
}

int registers_open(struct registers *registers, uint32_t cpu, bool may_write)
{
	const int flags = may_write ? O_RDWR : O_RDONLY;
	struct stat stat;
	int fd = open_safe(registers, cpu, flags);

	registers->is_safe |= fd >= 0;
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

void registers_close_batch(struct registers *registers)
{
	if (registers->batch >= 0)
		close(registers->batch);
	registers->batch = -1;
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

int registers_read_mask(const struct registers *registers, uint32_t cpu,
			uint32_t reg, uint64_t *value, uint64_t *mask)
{
	if (registers->is_safe)
		return batch_read_mask(registers->batch, cpu, reg, value, mask);
	*mask = UINT64_MAX;
	return registers_read(registers, cpu, reg, value);
}

bool registers_read_all(const struct registers *registers,
			struct kermon_msr_op *ops, uint32_t nr)
{
	return registers->batch >= 0 && nr > 1 &&
	       !batch_read(registers->batch, ops, nr);
}

int registers_write(const struct registers *registers, uint32_t cpu,
		    uint32_t reg, uint64_t value)
{
	return result_of(pwrite(registers->fds[cpu], &value, sizeof(value),
				(off_t)reg * registers->step));
}
