// SPDX-License-Identifier: GPL-2.0
/*
 * usage: readers [-s SEED] [-t SECONDS]
 *
 * Processes that read their own counts all the time, while others on their CPUs count the
 * same, perf moves counters, and they are moved themselves. Each difference must be that of
 * the code between the two reads, unless the read says that the counters were taken by
 * others. SEED determines the random choices.
 *
 * Fails if a difference is wrong, if a read fails otherwise, or if nothing was read.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include <kermon/self.h>

#include "dice.h"
#include "log.h"
#include "subject.h"
#include "worker.h"

#define READERS	4
#define BATCH	1000

static time_t now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* Whoever takes the counters meanwhile makes counts end; new ones begin once they are back. */
static int begin_anew(struct kermon_self *self, time_t end)
{
	int error;

	do {
		kermon_self_close(self);
		error = kermon_self_open(self);
	} while (error == -EBUSY && now() < end);
	return error == -EBUSY ? 0 : error;
}

/*
 * Until the time in @data, but once at least, as others may have the CPUs until then. Leaves
 * in the first reading how often counts ended.
 */
static void read_on(struct kermon_self *self, struct readings *readings, void *data)
{
	const time_t *end = data;

	do {
		subject_check_pairs(self, readings, BATCH);
		if (readings->error != -EIO)
			continue;
		readings->counts[0].values[0]++;
		readings->error = begin_anew(self, *end);
	} while (now() < *end && !readings->error);
}

/* Half of them count something else, too. */
static struct kermon_event_set any_set(unsigned int reader)
{
	struct kermon_event_set set = subject_set(0);

	set.flags = KERMON_SET_OVERWRITE;
	/* Leave counters to perf. */
	set.nr_events = subject_lone_event() + 1 + reader % 2;
	return set;
}

static bool start_all(struct subject *readers, time_t *end)
{
	struct kermon_event_set set;
	unsigned int i;

	for (i = 0; i < READERS; i++) {
		set = any_set(i);
		if (subject_start(&readers[i], &set, read_on, end)) {
			perror("# readers");
			return false;
		}
		subject_go(&readers[i]);
	}
	return true;
}

/* perf gives an event with a period a counter, and may move others for it. */
static int perf_event(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = one_in(2) ? PERF_COUNT_HW_INSTRUCTIONS :
				      PERF_COUNT_HW_CACHE_MISSES,
		.sample_period = 1000003,
		.pinned = 1,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static void disturb_once(const struct subject *readers)
{
	int fd = perf_event(dice(cpus_online()));

	pin(readers[dice(READERS)].pid, dice(cpus_online()));
	sleep_us(dice(1000));
	if (fd >= 0)
		close(fd);
}

/* Whether all that a reader has read is right. */
static bool report(const struct subject *reader)
{
	const struct readings *readings = reader->readings;
	const struct pairs *pairs = &readings->pairs;
	const int status = subject_wait(reader);

	printf("# %llu pairs of reads, %llu wrong, %llu reads without the page, %llu times lost",
	       pairs->nr, pairs->wrong, pairs->slow,
	       (unsigned long long)readings->counts[0].values[0]);
	if (readings->error)
		printf(", then %s", strerror(-readings->error));
	if (status)
		printf(", status %#x", status);
	putchar('\n');
	return !pairs->wrong && !readings->error && !status;
}

static void usage(void)
{
	fprintf(stderr, "usage: readers [-s SEED] [-t SECONDS]\n");
	exit(2);
}

int main(int argc, char **argv)
{
	struct subject readers[READERS];
	unsigned long long nr_pairs = 0;
	unsigned int seconds = 10, i;
	bool good = true;
	time_t end;
	int opt;

	while ((opt = getopt(argc, argv, "s:t:")) != -1) {
		switch (opt) {
		case 's': dice_seed(strtoull(optarg, NULL, 0)); break;
		case 't': seconds = strtoul(optarg, NULL, 0); break;
		default: usage();
		}
	}
	if (optind < argc)
		usage();
	end = now() + seconds;
	if (!start_all(readers, &end))
		return 1;
	while (now() < end)
		disturb_once(readers);
	for (i = 0; i < READERS; i++) {
		good &= report(&readers[i]);
		nr_pairs += readers[i].readings->pairs.nr;
		subject_end(&readers[i]);
	}
	return !good || !nr_pairs;
}
