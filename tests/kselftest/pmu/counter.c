// SPDX-License-Identifier: GPL-2.0
#include "counter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

const struct event_type event_types[NR_EVENTS] = {
	[INSTRUCTIONS] = { "instructions", 0x00c0 },
	[CYCLES] = { "cycles", 0x003c },
	[REF_CYCLES] = { "reference cycles", 0x013c },
	[BRANCHES] = { "branches", 0x00c4 },
	[LOADS] = { "loads", 0x81d0 },
	[STORES] = { "stores", 0x82d0 },
	[X87] = { "x87", 0x0110 },
	[SCALAR_SINGLE] = { "scalar single", 0x2010 },
	[SCALAR_DOUBLE] = { "scalar double", 0x8010 },
	[PACKED_SINGLE] = { "packed single", 0x4010 },
	[PACKED_DOUBLE] = { "packed double", 0x1010 },
	[AVX_SINGLE] = { "AVX single", 0x0111 },
	[AVX_DOUBLE] = { "AVX double", 0x0211 },
};

/* What read() returns for PERF_FORMAT_GROUP and both times. */
struct reading {
	uint64_t nr;
	uint64_t enabled;
	uint64_t running;
	uint64_t counts[GROUP_SIZE];
};

struct perf_event_attr event_attr(uint64_t config)
{
	return (struct perf_event_attr) {
		.type = PERF_TYPE_RAW,
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

int event_open(struct perf_event_attr *attr, int group_fd)
{
	int fd = syscall(SYS_perf_event_open, attr, 0, -1, group_fd,
			 PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

void group_open(struct group *group, enum event first)
{
	int i, leader = -1;

	group->nr = NR_EVENTS - first < GROUP_SIZE ? NR_EVENTS - first :
						     GROUP_SIZE;
	for (i = 0; i < group->nr; i++) {
		struct perf_event_attr attr =
			event_attr(event_types[first + i].config);

		attr.disabled = leader < 0;
		attr.read_format = PERF_FORMAT_GROUP |
				   PERF_FORMAT_TOTAL_TIME_ENABLED |
				   PERF_FORMAT_TOTAL_TIME_RUNNING;
		group->fds[i] = event_open(&attr, leader);
		if (group->fds[i] < 0) {
			fprintf(stderr, "cannot count %s: %s\n",
				event_types[first + i].name,
				strerror(-group->fds[i]));
			exit(1);
		}
		leader = group->fds[0];
	}
}

void group_close(struct group *group)
{
	while (group->nr)
		close(group->fds[--group->nr]);
}

static bool count_once(struct group *group, void (*fn)(void *), void *arg,
		       struct reading *reading)
{
	int leader = group->fds[0];

	ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
	ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	fn(arg);
	ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	return read(leader, reading, sizeof(*reading)) > 0 &&
	       reading->nr == (uint64_t)group->nr && reading->running &&
	       reading->enabled == reading->running;
}

/* The counts of this are what entering, leaving and RET take. */
__asm__(".text\n"
	"nothing:	ret\n");
void nothing(void *arg);

bool group_count(struct group *group, void (*fn)(void *), void *arg,
		 uint64_t counts[GROUP_SIZE])
{
	struct reading with, without;
	int i;

	if (!count_once(group, nothing, arg, &without) ||
	    !count_once(group, fn, arg, &with))
		return false;
	for (i = 0; i < group->nr; i++)
		counts[i] = with.counts[i] - without.counts[i];
	return true;
}
