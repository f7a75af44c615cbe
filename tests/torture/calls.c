// SPDX-License-Identifier: GPL-2.0
/*
 * usage: calls [-s SEED] [-t SECONDS] [-n CALLS] [-p CALLERS]
 *
 * Call all that KerMon offers to programs, good and bad, about tasks that come,
 * execute programs, move and go meanwhile: until CALLS calls are done, if that is
 * not 0, and for SECONDS at most. The dice, and so the calls of each of the
 * CALLERS, follow from SEED.
 *
 * Fails when a call returns an error that is not documented for it, when one of
 * a kind never succeeded, and when an application is left at the end.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "dice.h"
#include "hostile.h"
#include "log.h"
#include "passers.h"

#define MAX_CALLERS	16
#define LOGS		3

/* Larger ones are closed at once: the machine is small. */
#define LARGE_LOG	(1 << 20)

/* So many tries of a call cannot all have been bad luck. */
#define ENOUGH		500

#define MAX_ERRORS	16

/**
 * struct call - a way to call
 * @name: for the report
 * @make: does it; 0 or -errno
 * @errors: what it may return, as the user ABI says
 * @weight: how often, among the others
 */
struct call {
	const char *name;
	int (*make)(void);
	int errors[MAX_ERRORS];
	unsigned int weight;
};

static int logs[LOGS] = { -1, -1, -1 };

static int *any_log(void)
{
	return &logs[dice(LOGS)];
}

/* A log, mostly. */
static int any_descriptor(void)
{
	return one_in(16) ? (int)hostile_number() : *any_log();
}

/* 0 or -errno; a descriptor takes the place of another. */
static int keep(int fd, bool large)
{
	int *log = any_log();

	if (fd < 0)
		return -errno;
	if (*log >= 0)
		close(*log);
	*log = fd;
	if (large) {
		close(fd);
		*log = -1;
	}
	return 0;
}

static struct kermon_event any_event(void)
{
	static const unsigned int good[] = { 0xc0, 0x3c, 0xc4, 0x81d0, 0x2010 };
	struct kermon_event event = {
		.config = good[dice(sizeof(good) / sizeof(*good))] |
			  (1ULL + dice(3)) << 16,
	};

	if (one_in(16))
		event.config ^= hostile_number();
	if (one_in(16))
		event.extra = hostile_number();
	return event;
}

/* One that is good, but for nothing or a word of it. */
static struct kermon_event_set any_set(void)
{
	static struct kermon_event events[KERMON_MAX_EVENTS];
	struct kermon_event_set set = plain_set();
	uint32_t words[sizeof(set) / sizeof(uint32_t)];
	unsigned int i;

	set.nr_events = dice(5);
	for (i = 0; i < set.nr_events; i++)
		events[i] = any_event();
	set.events = (uintptr_t)hostile_copy(events, sizeof(events));
	set.log_bytes = KERMON_LOG_MIN_BYTES << dice(4);
	set.count = 1 + dice(3);
	set.flags = dice(2) * KERMON_SET_ENERGY |
		    dice(2) * KERMON_SET_OVERWRITE |
		    dice(2) * KERMON_SET_COALESCE;
	set.watermark = dice(KERMON_LOG_MIN_BYTES / 2);
	if (one_in(3)) {
		memcpy(words, &set, sizeof(set));
		words[dice(sizeof(set) / sizeof(uint32_t))] = hostile_number();
		memcpy(&set, words, sizeof(set));
	}
	return set;
}

static int call_set_events(void)
{
	struct kermon_event_set set = any_set();
	struct kermon_event_set *given = &set;
	size_t size = one_in(16) ? hostile_number() : sizeof(set);
	unsigned int flags = one_in(32) ? hostile_number() : 0;

	/* The page of the events is taken: a bad one shows without a good one. */
	if (one_in(16))
		given = (void *)hostile_number();
	return keep(set_events(passers_any(), given, size, flags),
		    set.log_bytes > LARGE_LOG);
}

static int call_open_log(void)
{
	return keep(set_events(passers_any(), NULL, 0, KERMON_SET_OPEN_LOG),
		    false);
}

static int call_read_event_log(void)
{
	size_t len = one_in(8) ? hostile_number() : HOSTILE_ROOM;
	unsigned int flags = KERMON_READ_NONBLOCK;

	if (one_in(32))
		flags |= hostile_number();
	return read_event_log(any_descriptor(),
			      hostile_copy(NULL, len < HOSTILE_ROOM ?
						 len : HOSTILE_ROOM),
			      len, flags) < 0 ? -errno : 0;
}

static int call_poll(void)
{
	struct pollfd fd = { .fd = *any_log(), .events = hostile_number() };

	return poll(&fd, 1, 0) < 0 ? -errno : 0;
}

static int call_dup(void)
{
	return keep(dup(*any_log()), false);
}

static int call_close(void)
{
	int *log = any_log();
	int ret = close(*log) ? -errno : 0;

	*log = -1;
	return ret;
}

/* What a log cannot do; 0 if it says so. */
static int call_misuse(void)
{
	int fd = *any_log();
	bool refused;

	switch (dice(4)) {
	case 0:
		refused = write(fd, "", 1) < 0;
		break;
	case 1:
		refused = ioctl(fd, hostile_number(), hostile_number()) < 0;
		break;
	case 2:
		refused = pwrite(fd, "", 1, hostile_number()) < 0;
		break;
	default:
		refused = mmap(NULL, HOSTILE_ROOM, PROT_READ, MAP_SHARED, fd,
			       0) == MAP_FAILED;
	}
	return refused ? 0 : -EIO;
}

static int call_netlink(void)
{
	char attributes[64];
	size_t i, len = dice(sizeof(attributes));

	for (i = 0; i < len; i++)
		attributes[i] = one_in(2) ? dice(256) : dice(16);
	return control_send(one_in(4) ? hostile_number() : 1 + dice(3),
			    hostile_number(), attributes, len) ? -errno : 0;
}

static const struct call calls[] = {
	{ "set_events", call_set_events,
	  { E2BIG, EINVAL, ENOSPC, ESRCH, EPERM, EALREADY, ENOENT, EOPNOTSUPP,
	    ENOMEM, EFAULT }, 8 },
	{ "open log", call_open_log, { ESRCH, EPERM, ENOENT }, 4 },
	{ "read_event_log", call_read_event_log,
	  { EAGAIN, EINVAL, EBADF, EFAULT }, 12 },
	{ "poll", call_poll, { 0 }, 2 },
	{ "dup", call_dup, { EBADF }, 1 },
	{ "close", call_close, { EBADF }, 6 },
	{ "misuse", call_misuse, { 0 }, 2 },
	{ "netlink", call_netlink,
	  { EINVAL, EOPNOTSUPP, EPERM, ERANGE, EBADMSG, ENOBUFS }, 2 },
};

#define NR_CALLS	(sizeof(calls) / sizeof(*calls))

/**
 * struct tally - what became of the calls of a kind
 * @tries: how many there were
 * @done: how many succeeded
 * @unknown: errors that are not documented
 * @error: the last of them
 */
struct tally {
	atomic_uint tries;
	atomic_uint done;
	atomic_uint unknown;
	atomic_int error;
};

static struct tally *tallies;	/* of all callers */

static unsigned long long seed = 1;
static unsigned int seconds = 10;
static unsigned int nr_calls;
static unsigned int nr_callers = 2;

static bool is_documented(const struct call *call, int error)
{
	size_t i;

	for (i = 0; i < MAX_ERRORS; i++) {
		if (call->errors[i] == error)
			return true;
	}
	return false;
}

static size_t any_call(void)
{
	unsigned int left, sum = 0;
	size_t i;

	for (i = 0; i < NR_CALLS; i++)
		sum += calls[i].weight;
	left = dice(sum);
	for (i = 0; left >= calls[i].weight; i++)
		left -= calls[i].weight;
	return i;
}

static void make_call(size_t i)
{
	int error = -calls[i].make();

	tallies[i].tries++;
	if (!error) {
		tallies[i].done++;
	} else if (!is_documented(&calls[i], error)) {
		tallies[i].unknown++;
		tallies[i].error = error;
	}
}

static void start_caller(unsigned int nr, time_t end)
{
	unsigned int left = nr_calls / nr_callers;

	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dice_seed(seed * MAX_CALLERS + nr);
	while (time(NULL) < end && (!nr_calls || left--))
		make_call(any_call());
	_exit(0);
}

static void usage(void)
{
	fprintf(stderr, "usage: calls [-s SEED] [-t SECONDS] [-n CALLS] [-p CALLERS]\n");
	exit(2);
}

static void parse(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "s:t:n:p:")) != -1) {
		switch (opt) {
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 't': seconds = strtoul(optarg, NULL, 0); break;
		case 'n': nr_calls = strtoul(optarg, NULL, 0); break;
		case 'p': nr_callers = strtoul(optarg, NULL, 0); break;
		default: usage();
		}
	}
	if (optind != argc || !nr_callers || nr_callers > MAX_CALLERS)
		usage();
	printf("# seed %llu\n", seed);
}

static bool report(void)
{
	unsigned int sum = 0;
	bool good = true;
	size_t i;

	for (i = 0; i < NR_CALLS; i++) {
		const struct tally *tally = &tallies[i];

		printf("# %s: %u of %u", calls[i].name, tally->done,
		       tally->tries);
		if (tally->unknown)
			printf(", %u undocumented errors: %s", tally->unknown,
			       strerror(tally->error));
		putchar('\n');
		sum += tally->tries;
		good &= !tally->unknown &&
			(tally->done || tally->tries < ENOUGH);
	}
	printf("# %u calls\n", sum);
	return good;
}

/* With their callers, all logs are gone. */
static bool nothing_is_left(void)
{
	struct machine_info info;
	int i, apps = -1;

	for (i = 0; i < 200; i++) {
		apps = control_count_apps();
		if (!apps && !control_get_info(&info) &&
		    info.pmu_owner == KERMON_PMU_FREE)
			return true;
		usleep(100000);
	}
	printf("# %d applications are left\n", apps);
	return false;
}

int main(int argc, char **argv)
{
	time_t end;
	unsigned int i;

	if (passers_is_one(argc, argv))
		return 0;
	parse(argc, argv);
	tallies = mmap(NULL, NR_CALLS * sizeof(*tallies),
		       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tallies == MAP_FAILED || hostile_init() || passers_start(seed)) {
		perror("# calls");
		return 1;
	}
	end = time(NULL) + seconds;
	for (i = 0; i < nr_callers; i++)
		start_caller(i, end);
	for (i = 0; i < nr_callers; i++)
		wait(NULL);
	passers_stop();
	return !(report() & nothing_is_left());
}
