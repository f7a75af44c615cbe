// SPDX-License-Identifier: GPL-2.0
#include "counter.h"

#include <cpuid.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const names[NR_EVENTS] = {
	[INSTRUCTIONS] = "instructions",
	[CYCLES] = "cycles",
	[REF_CYCLES] = "reference cycles",
	[BRANCHES] = "branches",
	[LOADS] = "loads",
	[STORES] = "stores",
	[X87] = "x87",
	[SCALAR_SINGLE] = "scalar single",
	[SCALAR_DOUBLE] = "scalar double",
	[PACKED_SINGLE] = "packed single",
	[PACKED_DOUBLE] = "packed double",
	[AVX_SINGLE] = "AVX single",
	[AVX_DOUBLE] = "AVX double",
	[ARITH_SCALAR_SINGLE] = "scalar single, arithmetic",
	[ARITH_SCALAR_DOUBLE] = "scalar double, arithmetic",
	[ARITH_PACKED_SINGLE] = "packed single, arithmetic",
	[ARITH_PACKED_DOUBLE] = "packed double, arithmetic",
	[ARITH_AVX_SINGLE] = "AVX single, arithmetic",
	[ARITH_AVX_DOUBLE] = "AVX double, arithmetic",
	[ADD_FLOPS] = "additions",
	[MULTIPLY_FLOPS] = "multiplications",
	[DIVIDE_FLOPS] = "divisions",
	[FUSED_FLOPS] = "fused operations",
};

#define ARCHITECTURAL			\
	[INSTRUCTIONS] = 0x00c0,	\
	[CYCLES] = 0x003c,		\
	[REF_CYCLES] = 0x013c,		\
	[BRANCHES] = 0x00c4

#define INTEL_COMMON			\
	ARCHITECTURAL,			\
	[LOADS] = 0x81d0,		\
	[STORES] = 0x82d0

static const uint64_t core2[NR_EVENTS] = {
	ARCHITECTURAL,
	[LOADS] = 0x0f40,
	[STORES] = 0x0f41,
	[X87] = 0xfec1,
	[SCALAR_SINGLE] = 0x02ca,
	[SCALAR_DOUBLE] = 0x08ca,
	[PACKED_SINGLE] = 0x01ca,
	[PACKED_DOUBLE] = 0x04ca,
};

static const uint64_t ivy_bridge[NR_EVENTS] = {
	INTEL_COMMON,
	[X87] = 0x0110,
	[SCALAR_SINGLE] = 0x2010,
	[SCALAR_DOUBLE] = 0x8010,
	[PACKED_SINGLE] = 0x4010,
	[PACKED_DOUBLE] = 0x1010,
	[AVX_SINGLE] = 0x0111,
	[AVX_DOUBLE] = 0x0211,
};

static const uint64_t ice_lake[NR_EVENTS] = {
	INTEL_COMMON,
	[ARITH_SCALAR_SINGLE] = 0x02c7,
	[ARITH_SCALAR_DOUBLE] = 0x01c7,
	[ARITH_PACKED_SINGLE] = 0x08c7,
	[ARITH_PACKED_DOUBLE] = 0x04c7,
	[ARITH_AVX_SINGLE] = 0x20c7,
	[ARITH_AVX_DOUBLE] = 0x10c7,
};

static const uint64_t zen[NR_EVENTS] = {
	[INSTRUCTIONS] = 0x00c0,
	[CYCLES] = 0x0076,
	[REF_CYCLES] = 0x100000120,
	[BRANCHES] = 0x00c2,
	[LOADS] = 0x0129,
	[STORES] = 0x0229,
	[ADD_FLOPS] = 0x0103,
	[MULTIPLY_FLOPS] = 0x0203,
	[DIVIDE_FLOPS] = 0x0403,
	[FUSED_FLOPS] = 0x0803,
};

const char *event_name(enum event event)
{
	return names[event];
}

/* CPUID.0AH:EAX, or 0 on AMD's CPUs. */
static unsigned int intel_pmu(void)
{
	unsigned int eax, ebx, ecx, edx;

	__cpuid(0, eax, ebx, ecx, edx);
	if (ebx == signature_AMD_ebx)
		return 0;
	__cpuid(0xa, eax, ebx, ecx, edx);
	return eax;
}

/* Version and number of counters distinguish the Intel PMU models. */
uint64_t event_config(enum event event)
{
	unsigned int pmu = intel_pmu();

	if (!pmu)
		return zen[event];
	if ((pmu & 0xff) >= 4)
		return ice_lake[event];
	return (pmu >> 8 & 0xff) == 2 ? core2[event] : ivy_bridge[event];
}

static int group_size(void)
{
	int nr = intel_pmu() >> 8 & 0xff;

	return nr && nr < GROUP_SIZE ? nr : GROUP_SIZE;
}

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

static int group_add(struct group *group, enum event event)
{
	int leader = group->nr ? group->fds[0] : -1;
	struct perf_event_attr attr = event_attr(event_config(event));

	attr.disabled = leader < 0;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING;
	group->events[group->nr] = event;
	group->fds[group->nr] = event_open(&attr, leader);
	return group->fds[group->nr++];
}

/* The first supported event from @event on. */
static enum event next_event(enum event event)
{
	while (event < NR_EVENTS && !event_config(event))
		event++;
	return event;
}

enum event group_open(struct group *group, enum event first)
{
	enum event event = next_event(first);
	const int size = group_size();
	int fd;

	group->nr = 0;
	for (; event < NR_EVENTS && group->nr < size;
	     event = next_event(event + 1)) {
		fd = group_add(group, event);
		if (fd < 0) {
			fprintf(stderr, "cannot count %s: %s\n",
				event_name(event), strerror(-fd));
			exit(1);
		}
	}
	return event;
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

/* Its counts are the overhead of entering, leaving and RET. */
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
