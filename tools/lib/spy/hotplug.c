// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs that go offline and come online. A spy notices by itself that it has lost its CPU, and
 * ends the interval; the monitor creates another one when the CPU is back.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "monitor.h"
#include "util/cpulist.h"
#include "util/monotonic.h"

#define ONLINE	"/sys/devices/system/cpu/online"

/**
 * struct follow - a look at the CPUs
 * @spy: the monitor
 * @cpus: the CPUs that are online, @nr of them
 * @fn: the caller's function; @data: its argument
 */
struct follow {
	struct kermon_spy *spy;
	unsigned int *cpus;
	int nr;
	kermon_spy_move_fn fn;
	void *data;
};

static void tell(const struct follow *follow, const struct spy *each, bool online,
		 const struct kermon_spy_trouble *trouble)
{
	if (follow->fn)
		follow->fn(each->cpu, online, trouble, follow->data);
}

static bool is_online(const struct follow *follow, const struct spy *each)
{
	return monitor_is_in(each->cpu, follow->cpus, follow->nr);
}

/* Its thread sleeps, on another CPU, and may do so for a minute. */
static void leave(const struct follow *follow, struct spy *each)
{
	if (!is_online(follow, each)) {
		if (!atomic_load(&each->error)) {
			spy_ask(each, SPY_LOOK);
			spy_answer(each, NULL);
		}
		atomic_store(&each->error, -ENODEV);
	}
	if (atomic_load(&each->error) != -ENODEV)
		return;
	each->gone = true;
	tell(follow, each, false, NULL);
}

/* The new thread has neither commands nor CPU time. */
static void end_thread(struct spy *each)
{
	if (!each->started)
		return;
	spy_ask(each, SPY_STOP);
	spy_answer(each, NULL);
	spy_join(each);
	atomic_store(&each->asked, 0);
	atomic_store(&each->answered, 0);
}

/* Its deadlines are those of the other CPUs. */
static int start(struct kermon_spy *spy, struct spy *each, uint64_t cost,
		 struct kermon_spy_trouble *trouble)
{
	const uint64_t since = monotonic_ns() - spy->start_ns;

	each->start_ns = spy->start_ns + since / spy->interval_ns * spy->interval_ns;
	/* What the former thread has cost is added. */
	each->before_ns = spy_cpu_time(each) - cost;
	spy_ask(each, SPY_START);
	return spy_answer(each, trouble);
}

static void come_back(const struct follow *follow, struct spy *each)
{
	struct kermon_spy_trouble trouble;
	uint64_t cost;
	int err;

	end_thread(each);
	cost = each->cpu_ns - each->before_ns;
	atomic_store(&each->error, 0);
	each->gone = false;
	err = monitor_open_spy(follow->spy, each, &trouble);
	if (err && trouble.kind == KERMON_SPY_CPU) {
		/* It is on its way, still in the list or already. */
		atomic_store(&each->error, -ENODEV);
		each->gone = true;
		*follow->spy->online = '\0';
		return;
	}
	if (!err)
		err = start(follow->spy, each, cost, &trouble);
	/* Whatever the reason is, it remains until the CPU goes offline again. */
	if (err)
		atomic_store(&each->error, err);
	tell(follow, each, true, err ? &trouble : NULL);
}

static bool has_lost_cpu(const struct kermon_spy *spy)
{
	for (unsigned int i = 0; i < spy->nr; i++)
		if (!spy->spies[i].gone && atomic_load(&spy->spies[i].error) == -ENODEV)
			return true;
	return false;
}

/* Whether the list of CPUs is another one than before. */
static bool has_changed(struct kermon_spy *spy)
{
	char online[SYSFILE_LINE];

	if (!sysfile_line(online, ONLINE) || !strcmp(online, spy->online))
		return false;
	memcpy(spy->online, online, sizeof(online));
	return true;
}

int kermon_spy_follow(struct kermon_spy *spy, kermon_spy_move_fn fn, void *data)
{
	struct follow follow = { .spy = spy, .fn = fn, .data = data };
	struct spy *each = spy->spies, *end = each + spy->nr;

	if (spy->stopped || !spy->start_ns || (!has_changed(spy) && !has_lost_cpu(spy)))
		return 0;
	follow.nr = cpulist_online(&follow.cpus);
	if (follow.nr < 0)
		return follow.nr;
	for (; each < end; each++) {
		if (!each->gone)
			leave(&follow, each);
		if (each->gone && is_online(&follow, each))
			come_back(&follow, each);
	}
	free(follow.cpus);
	return 0;
}
