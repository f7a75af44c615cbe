// SPDX-License-Identifier: GPL-2.0
/*
 * usage: calls [-s SEED] [-t SECONDS] [-n CALLS] [-p CALLERS]
 *
 * Call every interface that KerMon offers to programs, with valid and invalid arguments,
 * for tasks that start, execute programs, migrate and exit meanwhile, for SECONDS; or
 * until CALLS calls are done, within SECONDS. SEED determines the random choices, and
 * so the calls of each of the CALLERS.
 *
 * Fails if a call returns an error that is not documented for it, if a kind of call never
 * succeeded, if CALLS were not done, or if an application remains at the end.
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
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

#include <kermon/self.h>

#include "control.h"
#include "credentials.h"
#include "dice.h"
#include "hostile.h"
#include "log.h"
#include "passers.h"
#include "sets.h"

static_assert(PASSERS_USER == SOMEBODY);

#define MAX_CALLERS	64
#define LOGS		3

/* Larger logs are closed immediately, since the machine has little memory. */
#define LARGE_LOG	(1 << 20)

/* After this many attempts, a call should have succeeded at least once. */
#define ENOUGH		1000

#define MAX_ERRORS	16

/* Above the largest errno that programs know. */
#define NR_ERRORS	134

/**
 * struct call - a kind of call
 * @name: for the report
 * @make: makes the call; 0 or -errno
 * @errors: errors documented in the user ABI
 * @weight: relative frequency
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

/* A descriptor, usually of a log. */
static int any_descriptor(void)
{
	return one_in(16) ? (int)hostile_number() : *any_log();
}

/* Keep a descriptor, replacing another one; 0 or -errno. */
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

static size_t any_size(void)
{
	static const size_t versions[] = {
		KERMON_EVENT_SET_SIZE_VER0, KERMON_EVENT_SET_SIZE_VER1,
	};

	return one_in(16) ? hostile_number() : versions[!one_in(4)];
}

/*
 * With other flags, set_events() may become another call. The page for events
 * is in use: invalid sets are tested without valid events.
 */
static int give(const struct kermon_event_set *set, unsigned int flags)
{
	if (one_in(32))
		flags = hostile_number();
	if (one_in(16))
		set = (void *)hostile_number();
	return set_events(passers_any(), set, any_size(), flags);
}

static int call_set_events(void)
{
	struct kermon_event_set set = hostile_set();

	if (one_in(2))
		set.flags = 0;
	return keep(give(&set, dice(2) * KERMON_FLAG_PROCESS |
			       dice(2) * KERMON_FLAG_LEND_CLASS),
		    set.log_bytes > LARGE_LOG);
}

/* Change the set of an existing log. */
static int call_change(void)
{
	struct kermon_event_set set = hostile_set();

	if (!one_in(16))
		set.log_bytes = 0;
	if (!one_in(16))
		set.watermark = 0;
	/* The flags must be the same as before. */
	if (!one_in(4))
		set.flags = 0;
	return keep(give(&set, KERMON_FLAG_CHANGE), false);
}

static int call_open_log(void)
{
	return keep(set_events(passers_any(), NULL, 0, KERMON_FLAG_OPEN_LOG),
		    false);
}

static struct kermon_self own = { .fd = -1 };

/* The caller itself may be monitored by another one. */
static int call_open_self(void)
{
	kermon_self_close(&own);
	return kermon_self_open(&own);
}

static int call_read_self(void)
{
	struct kermon_counts counts;

	if (own.fd < 0)
		return -ENOENT;
	return one_in(2) ? kermon_read_all(&own, &counts) :
			   kermon_read_call(&own, &counts);
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

/* Operations that a log does not support; 0 if they fail as they should. */
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
	size_t i, len = one_in(2) ? dice(sizeof(attributes)) : 0;

	for (i = 0; i < len; i++)
		attributes[i] = one_in(2) ? dice(256) : dice(16);
	return control_send(one_in(4) ? hostile_number() : 1 + dice(KERMON_CMD_MAX),
			    one_in(2) ? hostile_number() : 0, attributes,
			    len) ? -errno : 0;
}

static int call_revoke(void)
{
	return control_revoke_any(dice(1 << 16)) ? -errno : 0;
}

/*
 * Weights chosen for many calls in a short time: creating a log serves many
 * other calls.
 */
static const struct call calls[] = {
	{ "set_events", call_set_events,
	  { E2BIG, EINVAL, ENOSPC, ESRCH, EPERM, EACCES, EALREADY, ENOENT,
	    EBUSY, EOPNOTSUPP, ENOMEM, EFAULT }, 10 },
	{ "change set", call_change,
	  { E2BIG, EINVAL, ENOSPC, ESRCH, EPERM, EACCES, EALREADY, ENOENT,
	    EBUSY, EOPNOTSUPP, ENOMEM, EFAULT }, 6 },
	{ "open log", call_open_log, { ESRCH, EPERM, EACCES, ENOENT }, 6 },
	{ "read_event_log", call_read_event_log,
	  { EAGAIN, EINVAL, EBADF, EFAULT }, 40 },
	{ "open own counts", call_open_self, { ENOENT, EACCES, EBUSY }, 1 },
	{ "read own counts", call_read_self, { ENOENT, EIO }, 10 },
	{ "poll", call_poll, { 0 }, 10 },
	{ "dup", call_dup, { EBADF }, 3 },
	{ "close", call_close, { EBADF }, 2 },
	{ "misuse", call_misuse, { 0 }, 10 },
	{ "netlink", call_netlink,
	  { EINVAL, EOPNOTSUPP, EPERM, ERANGE, EBADMSG, ENOBUFS, ENOENT, EALREADY,
	    EAGAIN, EBUSY, ENODEV }, 1 },
	{ "revoke", call_revoke,
	  { EPERM, ENOENT, EALREADY, EAGAIN, ENOBUFS }, 2 },
};

#define NR_CALLS	(sizeof(calls) / sizeof(*calls))

/**
 * struct tally - results of the calls of a kind
 * @tries: number of attempts
 * @done: number of successes
 * @unknown: number of undocumented errors
 * @error: the last of them
 * @errors: how often each error was returned
 */
struct tally {
	atomic_uint tries;
	atomic_uint done;
	atomic_uint unknown;
	atomic_int error;
	atomic_uint errors[NR_ERRORS];
};

static struct tally *tallies;	/* shared by all callers */

static pid_t callers[MAX_CALLERS];

static unsigned long long seed = 1;
static unsigned int seconds = 10;
static unsigned int nr_calls;
static unsigned int nr_callers = 16;

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
		return;
	}
	/* Not the kernel's own numbers, which are never documented. */
	if (error < NR_ERRORS)
		tallies[i].errors[error]++;
	if (!is_documented(&calls[i], error)) {
		tallies[i].unknown++;
		tallies[i].error = error;
	}
}

/*
 * Half of the callers are root, the others an ordinary user, half of them in a
 * user namespace. All are in the class; otherwise the passers would leave them
 * little time.
 */
static void become_caller(unsigned int nr)
{
	struct sched_param param = { 0 };

	if (sched_setscheduler(0, SCHED_KERMON, &param))
		_exit(1);
	if (nr % 2 && (setresgid(PASSERS_USER, PASSERS_USER, PASSERS_USER) ||
		       setresuid(PASSERS_USER, PASSERS_USER, PASSERS_USER)))
		_exit(1);
	if (nr % 4 == 3 && unshare(CLONE_NEWUSER))
		_exit(1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/*
 * Make calls until @end, or until @left calls are done if it is not 0; returns
 * whether they were done.
 */
static bool make_calls(unsigned int left, time_t end)
{
	for (; !nr_calls || left; left--) {
		if (time(NULL) >= end)
			return !nr_calls;
		make_call(any_call());
	}
	return true;
}

static void start_caller(unsigned int nr, time_t end)
{
	unsigned int share = nr_calls / nr_callers +
			     (nr < nr_calls % nr_callers);

	callers[nr] = fork();
	if (callers[nr])
		return;
	become_caller(nr);
	dice_seed(seed * MAX_CALLERS + nr);
	_exit(!make_calls(share, end));
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

/* What the calls were refused for shows whether the others mean much. */
static void print_errors(const struct tally *tally)
{
	const char *before = " (";
	int error;

	for (error = 1; error < NR_ERRORS; error++) {
		if (!tally->errors[error])
			continue;
		printf("%s%u %s", before, tally->errors[error], strerrorname_np(error));
		before = ", ";
	}
	if (*before == ',')
		putchar(')');
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
		print_errors(tally);
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

/* When the callers have exited, no log must remain. */
static bool nothing_is_left(void)
{
	struct machine_info info;
	int i, apps = -1;

	for (i = 0; i < 1200; i++) {
		apps = control_count_apps();
		if (!apps && !control_get_info(&info) &&
		    info.pmu_owner == KERMON_PMU_FREE)
			return true;
		usleep(100000);
	}
	printf("# %d applications remain\n", apps);
	return false;
}

/*
 * Taking the counters for the first application and releasing them after the
 * last one takes as long as hundreds of calls. So keep another application most
 * of the time.
 */
static pid_t start_keeper(void)
{
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		fd = monitor(0);
		sleep(2);
		close(fd);
		usleep(100000);
	}
}

/*
 * Whether all callers have made their calls, or called until the end of the
 * time.
 */
static bool wait_for_callers(void)
{
	unsigned int i, failed = 0;
	int status;

	for (i = 0; i < nr_callers; i++)
		failed += waitpid(callers[i], &status, 0) < 0 || status;
	if (failed)
		printf("# %u callers failed or did not finish in time\n", failed);
	return !failed;
}

int main(int argc, char **argv)
{
	unsigned int i;
	pid_t keeper;
	time_t end;
	bool good;

	if (passers_is_one(argc, argv))
		return 0;
	parse(argc, argv);
	tallies = mmap(NULL, NR_CALLS * sizeof(*tallies),
		       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	/* Otherwise ordinary users could only sample times. */
	if (tallies == MAP_FAILED || hostile_init() || passers_start(seed) ||
	    !set_counters_group(GROUP_OF_SOMEBODY)) {
		perror("# calls");
		return 1;
	}
	keeper = start_keeper();
	end = time(NULL) + seconds;
	for (i = 0; i < nr_callers; i++)
		start_caller(i, end);
	good = wait_for_callers();
	kill(keeper, SIGKILL);
	waitpid(keeper, NULL, 0);
	passers_stop();
	set_counters_group("1 0");
	return !(good & report() & nothing_is_left());
}
