// SPDX-License-Identifier: GPL-2.0
/*
 * usage: fuzz [-s SEED] [-t SECONDS] [-n WORKERS] [-x ACTION]... [COMMAND...]
 *
 * Continuously do everything that may happen to tasks to tasks of the class: to WORKERS
 * of its own, or to COMMAND, which is restarted when it exits, and all its descendants.
 * SEED determines the random choices, and so the sequence of actions of each hand. -x
 * excludes an ACTION.
 *
 * Fails if an action never succeeded, if COMMAND never succeeded or failed without being
 * killed, or if a task could not be killed at the end.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "actions.h"
#include "dice.h"
#include "victims.h"
#include "workers.h"

/* Slow actions are done by separate processes. */
enum { QUICK, GROUPWISE, MONITORING, MACHINE, HANDS };

static struct action actions[] = {
	{ "policy", set_any_policy, 30, QUICK },
	{ "realtime", set_realtime_policy, 8, QUICK },
	{ "affinity", set_any_affinity, 20, QUICK },
	{ "nice", set_any_nice, 20, QUICK },
	{ "cookie", set_any_cookie, 6, QUICK },
	{ "stop", stop_any, 6, QUICK },
	{ "continue", continue_all, 6, QUICK },
	{ "trace", trace_any, 4, QUICK },
	{ "kill", kill_any, 4, QUICK },
	{ "look", look_at_any, 4, QUICK },
	{ "group", move_to_any_group, 10, GROUPWISE },
	{ "freeze", freeze_any_group, 3, GROUPWISE },
	{ "limits", set_any_limits, 6, GROUPWISE },
	{ "storm", kill_group, 1, GROUPWISE },
	{ "monitor", monitor_any, 6, MONITORING },
	{ "read", read_any_log, 4, MONITORING },
	{ "close", close_any_log, 2, MONITORING },
	{ "revoke", revoke_any, 2, MONITORING },
	{ "module", replace_module, 2, MONITORING },
	{ "hotplug", switch_any_cpu, 2, MACHINE },
	{ "look-all", look_at_all, 1, MACHINE },
};

#define NR_ACTIONS	(sizeof(actions) / sizeof(*actions))

/**
 * struct tally - results of an action
 * @tries: number of attempts with an existing target
 * @missed: number of attempts without a target, or whose target has exited
 * @done: number of successes
 * @error: error of the last failure
 */
struct tally {
	unsigned int tries;
	unsigned int missed;
	unsigned int done;
	int error;
};

/* Shared by all hands: each has its own actions. */
static struct board {
	struct tally tallies[NR_ACTIONS];
	atomic_int busy;
} *board;

/* After this many attempts, an action should have succeeded at least once. */
#define ENOUGH	20

static unsigned long long seed = 1;
static unsigned int seconds = 10;
static unsigned int nr_workers = 16;

static void usage(void)
{
	fprintf(stderr, "usage: fuzz [-s SEED] [-t SECONDS] [-n WORKERS] [-x ACTION]... [COMMAND...]\n");
	exit(2);
}

static void except(const char *name)
{
	size_t i;

	for (i = 0; i < NR_ACTIONS; i++) {
		if (!strcmp(actions[i].name, name)) {
			actions[i].weight = 0;
			return;
		}
	}
	fprintf(stderr, "fuzz: no action '%s'\n", name);
	exit(2);
}

static unsigned long long number(const char *text)
{
	char *end;
	unsigned long long value = strtoull(text, &end, 0);

	if (end == text || *end)
		usage();
	return value;
}

static void parse(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "+s:t:n:x:")) != -1) {
		switch (opt) {
		case 's': seed = number(optarg); break;
		case 't': seconds = number(optarg); break;
		case 'n': nr_workers = number(optarg); break;
		case 'x': except(optarg); break;
		default: usage();
		}
	}
	printf("# seed %llu\n", seed);
}

static unsigned int sum_of_weights(unsigned int hand)
{
	unsigned int sum = 0;
	size_t i;

	for (i = 0; i < NR_ACTIONS; i++)
		sum += actions[i].hand == hand ? actions[i].weight : 0;
	return sum;
}

static size_t any_action(unsigned int hand)
{
	unsigned int left = dice(sum_of_weights(hand));
	size_t i;

	for (i = 0; ; i++) {
		if (actions[i].hand != hand)
			continue;
		if (left < actions[i].weight)
			return i;
		left -= actions[i].weight;
	}
}

/*
 * Whether an error means that a victim, its resource or a log no longer exists.
 */
static bool nobody_there(int ret)
{
	return ret == -ESRCH || ret == -ENOENT || ret == -EBADF;
}

static void act(size_t i)
{
	struct tally *tally = &board->tallies[i];
	int ret = actions[i].act();

	if (nobody_there(ret)) {
		tally->missed++;
		return;
	}
	tally->tries++;
	if (ret)
		tally->error = -ret;
	else
		tally->done++;
}

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Highest priority, so that tasks that it has stopped do not stay stopped. */
static bool go_first(void)
{
	struct sched_param param = { .sched_priority = 60 };

	return !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param);
}

static void torture(unsigned int hand, long long end)
{
	dice_seed(seed * HANDS + hand);
	while (now_ms() < end) {
		if (sum_of_weights(hand))
			act(any_action(hand));
		workers_reap();
		usleep(dice(3000));
	}
}

static void start_hand(unsigned int hand, long long end)
{
	board->busy++;
	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	workers_forget();
	if (go_first() && sum_of_weights(hand))
		torture(hand, end);
	board->busy--;
	_exit(0);
}

/*
 * Hands may wait for a resource held by a real-time victim, until that is
 * killed.
 */
static bool hands_end(void)
{
	long long end = now_ms() + 240000;

	while (board->busy && now_ms() < end) {
		victims_kill();
		workers_reap();
		usleep(10000);
	}
	if (board->busy)
		printf("# %d hands hang\n", board->busy);
	return !board->busy;
}

/* No longer disturbed, the command must exit by itself. */
static bool command_ends(char **command)
{
	long long end = now_ms() + 480000;

	while (workers_left() && now_ms() < end) {
		workers_reap();
		usleep(10000);
	}
	printf("# %s: %u runs, %u failed\n", command[0], commands_ended,
	       commands_failed);
	return commands_ended && !commands_failed;
}

static bool prepare(void)
{
	board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (board == MAP_FAILED || !go_first() ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1)) {
		perror("# fuzz");
		return false;
	}
	signal(SIGPIPE, SIG_IGN);
	return victims_prepare();
}

/* An action that never succeeds tests nothing. */
static bool report(void)
{
	const struct tally *tally;
	bool good = true;
	size_t i;

	for (i = 0; i < NR_ACTIONS; i++) {
		tally = &board->tallies[i];
		if (!actions[i].weight)
			continue;
		printf("# %s: %u of %u, %u missed", actions[i].name, tally->done,
		       tally->tries, tally->missed);
		if (tally->done < tally->tries)
			printf(", else %s", strerror(tally->error));
		putchar('\n');
		good &= tally->done || tally->tries < ENOUGH;
	}
	return good;
}

int main(int argc, char **argv)
{
	unsigned int hand;
	bool good = true;
	long long end;

	parse(argc, argv);
	argv += optind;
	if (!prepare())
		return 1;
	end = now_ms() + seconds * 1000LL;
	workers_start(*argv ? 1 : nr_workers, *argv ? argv : NULL);
	for (hand = 1; hand < HANDS; hand++)
		start_hand(hand, end);
	torture(0, end);
	workers_forget();
	if (*argv)
		good = command_ends(argv);
	good &= hands_end();
	all_cpus_online();
	good &= victims_end();
	good &= report();
	return !good;
}
