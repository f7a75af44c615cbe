// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "oracle.h"

#define MODE_BITS	0x30000ULL

struct count {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

static int open_counter(uint32_t type, uint64_t config, pid_t pid)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.inherit = 1,
		.pinned = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return syscall(SYS_perf_event_open, &attr, pid, -1, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

static void close_all(struct oracle *oracle)
{
	int error = errno;

	while (oracle->nr)
		close(oracle->fds[--oracle->nr]);
	errno = error;
}

static int add(struct oracle *oracle, int fd)
{
	if (fd < 0) {
		close_all(oracle);
		return -1;
	}
	oracle->fds[oracle->nr++] = fd;
	return 0;
}

int oracle_open(struct oracle *oracle, pid_t pid,
		const struct kermon_event *events, unsigned int nr_events)
{
	unsigned int i;

	memset(oracle, 0, sizeof(*oracle));
	if (add(oracle, open_counter(PERF_TYPE_HARDWARE,
				     PERF_COUNT_HW_INSTRUCTIONS, pid)))
		return -1;
	for (i = 0; i < nr_events; i++)
		if (add(oracle, open_counter(PERF_TYPE_RAW,
					     events[i].config & ~MODE_BITS,
					     pid)))
			return -1;
	return 0;
}

/* A pinned counter that did not fit reads as end of file. */
static int read_counter(int fd, uint64_t *value)
{
	struct count count;

	if (read(fd, &count, sizeof(count)) != sizeof(count) ||
	    count.enabled != count.running) {
		errno = EBUSY;
		return -1;
	}
	*value = count.value;
	return 0;
}

int oracle_close(struct oracle *oracle)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < oracle->nr && !ret; i++)
		ret = read_counter(oracle->fds[i], &oracle->counts[i]);
	close_all(oracle);
	return ret;
}

int oracle_hold_pmu(void)
{
	return open_counter(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0);
}

int oracle_open_taker(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = ONLY_COUNTER_2,
		.disabled = 1,
		.pinned = 1,
		.exclude_kernel = 1,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}
