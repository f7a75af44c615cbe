// SPDX-License-Identifier: GPL-2.0
/*
 * Permission to read counters in user mode. The kernel gives it to a process that has mapped
 * an event of perf_event which a counter could count. The event is one of a thread that has
 * exited: it never counts, belongs to no task that is switched, and cannot be enabled.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rdpmc.h"
#include "util/sysfile.h"

/* 0: nobody; 1: processes with such an event; 2: all */
#define PERMISSION	"/sys/bus/event_source/devices/cpu/rdpmc"
#define FOR_ALL		2

static bool is_given(const void *page)
{
	const struct perf_event_mmap_page *info = page;

	return info->cap_user_rdpmc;
}

/* In a thread of its own, which then exits. */
static void *open_event(void *data)
{
	struct rdpmc *rdpmc = data;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	rdpmc->fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (rdpmc->fd >= 0)
		rdpmc->page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED,
				   rdpmc->fd, 0);
	return NULL;
}

static bool is_for_all(void)
{
	uint64_t permission;

	return sysfile_number(&permission, 10, PERMISSION) && permission == FOR_ALL;
}

bool rdpmc_open(struct rdpmc *rdpmc)
{
	pthread_t thread;

	*rdpmc = (struct rdpmc){ .fd = -1, .page = MAP_FAILED };
	if (!pthread_create(&thread, NULL, open_event, rdpmc))
		pthread_join(thread, NULL);
	if (rdpmc->page != MAP_FAILED && is_given(rdpmc->page))
		return true;
	rdpmc_close(rdpmc);
	return is_for_all();
}

void rdpmc_close(struct rdpmc *rdpmc)
{
	if (rdpmc->page != MAP_FAILED)
		munmap(rdpmc->page, sysconf(_SC_PAGESIZE));
	if (rdpmc->fd >= 0)
		close(rdpmc->fd);
	*rdpmc = (struct rdpmc){ .fd = -1, .page = MAP_FAILED };
}
