// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "monitors.h"
#include "quantities.h"

#define NR_FIXED	3
#define NR_TASKS	2
#define PERIOD		1000000000
#define PAGE		4096
#define RING_BYTES	(1 << 23)

/* Sample fields used by perf record, and with a group :S. */
#define SAMPLE_TYPE	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
			 PERF_SAMPLE_ID | PERF_SAMPLE_PERIOD)
#define GROUP_FORMAT	(PERF_FORMAT_GROUP | PERF_FORMAT_ID | \
			 PERF_FORMAT_TOTAL_TIME_ENABLED | \
			 PERF_FORMAT_TOTAL_TIME_RUNNING)

static int opened[NR_TASKS * (MONITOR_EVENTS + 1)];
static int nr_opened;
static struct perf_event_mmap_page *rings[NR_TASKS];
static int nr_rings;

static_assert(MONITOR_EVENTS == NR_FIXED + SET_SIZE);

/* perf sets USR itself. */
struct perf_event_attr perf_attr_of(int set, int i)
{
	static const int fixed[NR_FIXED] = {
		PERF_COUNT_HW_INSTRUCTIONS,
		PERF_COUNT_HW_CPU_CYCLES,
		PERF_COUNT_HW_REF_CPU_CYCLES,
	};
	struct perf_event_attr attr = {
		.type = i < NR_FIXED ? PERF_TYPE_HARDWARE : PERF_TYPE_RAW,
		.size = sizeof(attr),
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	attr.config = i < NR_FIXED ? (unsigned long long)fixed[i] :
		quantity_set(set)->events[i - NR_FIXED].config & 0xffff;
	return attr;
}

static int open_event(struct perf_event_attr *attr, pid_t pid, int leader)
{
	int fd = syscall(SYS_perf_event_open, attr, pid, -1, leader,
			 PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		die("perf_event_open");
	opened[nr_opened++] = fd;
	return fd;
}

static void open_ring(int fd)
{
	void *ring = mmap(NULL, PAGE + RING_BYTES, PROT_READ | PROT_WRITE,
			  MAP_SHARED, fd, 0);

	if (ring == MAP_FAILED)
		die("mmap of a ring");
	rings[nr_rings++] = ring;
}

static void begin_stat(pid_t pid, int set)
{
	struct perf_event_attr attr;
	int i;

	for (i = 0; i < MONITOR_EVENTS; i++) {
		attr = perf_attr_of(set, i);
		open_event(&attr, pid, -1);
	}
}

static void begin_switches(pid_t pid, int set)
{
	struct perf_event_attr attr;
	int i, fd, first = -1;

	for (i = 0; i < MONITOR_EVENTS; i++) {
		attr = perf_attr_of(set, i);
		attr.sample_period = PERIOD;
		attr.sample_type = SAMPLE_TYPE;
		attr.sample_id_all = 1;
		attr.context_switch = !i;
		fd = open_event(&attr, pid, -1);
		if (i) {
			if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, first))
				die("PERF_EVENT_IOC_SET_OUTPUT");
			continue;
		}
		first = fd;
		open_ring(fd);
	}
}

static void begin_samples(pid_t pid, int set)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		.sample_period = 1,
		.sample_type = SAMPLE_TYPE | PERF_SAMPLE_READ,
		.read_format = GROUP_FORMAT,
		.sample_id_all = 1,
	};
	int i, leader = open_event(&attr, pid, -1);

	open_ring(leader);
	for (i = 0; i < MONITOR_EVENTS; i++) {
		attr = perf_attr_of(set, i);
		attr.read_format = GROUP_FORMAT;
		open_event(&attr, pid, leader);
	}
}

static void close_all(void)
{
	while (nr_opened)
		close(opened[--nr_opened]);
}

static unsigned long long end_stat(unsigned long long pairs)
{
	(void)pairs;
	close_all();
	return 0;
}

/* Number of records of @type with all bits of @misc set. */
static unsigned long long count(const struct perf_event_mmap_page *ring,
				unsigned int type, unsigned int misc)
{
	const char *data = (const char *)ring + ring->data_offset;
	const struct perf_event_header *record;
	unsigned long long at, nr = 0;

	/* Nothing was read meanwhile, so the records start at 0. */
	for (at = 0; at < ring->data_head; at += record->size) {
		record = (const void *)(data + at);
		nr += record->type == type && (record->misc & misc) == misc;
	}
	return nr;
}

static unsigned long long end_record(unsigned long long pairs,
				     unsigned int type, unsigned int misc)
{
	unsigned long long records = 0;

	while (nr_rings) {
		records += count(rings[--nr_rings], type, misc);
		munmap(rings[nr_rings], PAGE + RING_BYTES);
	}
	close_all();
	errno = ENODATA;
	if (records < pairs)
		die("records are missing");
	return 0;
}

static unsigned long long end_switches(unsigned long long pairs)
{
	return end_record(pairs, PERF_RECORD_SWITCH,
			  PERF_RECORD_MISC_SWITCH_OUT);
}

static unsigned long long end_samples(unsigned long long pairs)
{
	return end_record(pairs, PERF_RECORD_SAMPLE, 0);
}

const struct monitor perf_stat = { begin_stat, end_stat };
const struct monitor perf_switches = { begin_switches, end_switches };
const struct monitor perf_samples = { begin_samples, end_samples };
