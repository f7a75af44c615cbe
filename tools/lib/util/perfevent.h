/* SPDX-License-Identifier: GPL-2.0 */
/* Events of perf_event, which libc has no function for. */
#ifndef KERMON_PERFEVENT_H
#define KERMON_PERFEVENT_H

#include <errno.h>
#include <linux/kermon.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/*
 * Bits of IA32_PERFEVTSEL (SDM vol. 3B, 20.2.1.1) in which raw events say when they count;
 * perf_event wants exclude_user and exclude_kernel instead.
 */
#define PERFEVENT_USER		(1ULL << 16)
#define PERFEVENT_KERNEL	(1ULL << 17)
#define PERFEVENT_MODES		(PERFEVENT_USER | PERFEVENT_KERNEL)

/* These bits of a raw event as KERMON_COUNT_USER and KERMON_COUNT_KERNEL, and back. */
static inline unsigned int perfevent_modes(uint64_t config)
{
	return (config & PERFEVENT_USER ? KERMON_COUNT_USER : 0) |
	       (config & PERFEVENT_KERNEL ? KERMON_COUNT_KERNEL : 0);
}

static inline uint64_t perfevent_bits(unsigned int modes)
{
	return (modes & KERMON_COUNT_USER ? PERFEVENT_USER : 0) |
	       (modes & KERMON_COUNT_KERNEL ? PERFEVENT_KERNEL : 0);
}

/*
 * Open an event for @tid (0: the caller, -1: all tasks) on @cpu (-1: any), in the group of
 * @leader (-1: in none), as perf_event_open(2) describes. Return: a descriptor that is closed
 * at exec, or -errno.
 */
static inline int perfevent_open(const struct perf_event_attr *attr, pid_t tid, int cpu,
				 int leader)
{
	int fd = syscall(SYS_perf_event_open, attr, tid, cpu, leader, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Whether it could be opened, as 0 or -errno. */
static inline int perfevent_try(const struct perf_event_attr *attr, pid_t tid, int cpu)
{
	int fd = perfevent_open(attr, tid, cpu, -1);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

#endif /* KERMON_PERFEVENT_H */
