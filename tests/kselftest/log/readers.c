// SPDX-License-Identifier: GPL-2.0
/*
 * Two readers of one log: a non-blocking reader does not wait while the other
 * one is copying, and no record is delivered twice.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "switches.h"
#include "tally.h"
#include "worker.h"

#define NR_SAMPLES	4000
#define LOG_BYTES	(1 << 20)
#define HALF		(1 << 18)	/* about that many bytes of samples */

/**
 * struct slow - a reader that reads half of the log, one page fault at a time
 * @fd: descriptor of the log
 * @room: untouched memory
 * @len: its size
 * @got: result of the read
 * @done: it has finished
 */
struct slow {
	int fd;
	char *room;
	size_t len;
	ssize_t got;
	bool done;
};

static void *read_slowly(void *data)
{
	struct slow *slow = data;

	slow->got = read_event_log(slow->fd, slow->room, slow->len, 0);
	__atomic_store_n(&slow->done, true, __ATOMIC_RELEASE);
	return NULL;
}

/* Fill the ring of one CPU with unread samples of @app. */
static int filled_log(struct __test_metadata *_metadata, struct app_info *app)
{
	struct kermon_event_set set = plain_set();
	unsigned int switches = NR_SAMPLES;
	pid_t pid = worker_start(make_switches, &switches);
	int fd;

	set.log_bytes = LOG_BYTES;
	EXPECT_EQ(pin(pid, 0), 0);
	fd = set_events(pid, &set, sizeof(set), 0);
	EXPECT_GE(fd, 0) TH_LOG("set_events: %s", strerror(errno));
	worker_go(pid);
	EXPECT_EQ(worker_wait(pid), 0);
	EXPECT_EQ(control_get_app(pid, app), 0);
	return fd;
}

/*
 * From here on the caller runs before any thread that it creates on their
 * common CPU: they make progress only while it sleeps.
 */
static int take_precedence(void)
{
	struct sched_param param = { .sched_priority = 1 };

	if (pin(0, 0))
		return -1;
	return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param);
}

/*
 * Returns how often a read would have blocked, until the slow reader is done.
 * It leaves half of the log, so there is always something to read. Sleeps get
 * longer, since no other task makes progress in one that is shorter than two
 * switches.
 */
static unsigned int try_meanwhile(const struct slow *slow,
				  struct records *records)
{
	unsigned int busy = 0, nap_us = 0;

	while (!__atomic_load_n(&slow->done, __ATOMIC_ACQUIRE)) {
		if (records_read(records, slow->fd, KERMON_RECORD_MAX,
				 KERMON_READ_NONBLOCK) < 0) {
			if (errno != EAGAIN)
				break;
			busy++;
		}
		sleep_us(++nap_us);
	}
	return busy;
}

static uint64_t samples_of(const struct records *records)
{
	struct tally tally;

	records_tally(records, 0, &tally);
	return tally.samples;
}

TEST(who_does_not_wait)
{
	struct slow slow = { .len = HALF };
	struct records records = {};
	unsigned int busy;
	struct app_info app;
	pthread_t thread;

	slow.fd = filled_log(_metadata, &app);
	ASSERT_GE(slow.fd, 0);
	slow.room = mmap(NULL, slow.len, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE((void *)slow.room, MAP_FAILED);
	ASSERT_EQ(take_precedence(), 0);
	ASSERT_EQ(pthread_create(&thread, NULL, read_slowly, &slow), 0);
	busy = try_meanwhile(&slow, &records);
	ASSERT_EQ(pthread_join(thread, NULL), 0);
	ASSERT_GT(slow.got, 0);
	EXPECT_GT(busy, 0);
	ASSERT_EQ(records_read_all(&records, slow.fd), 0);
	EXPECT_EQ(app.lost, 0);
	EXPECT_EQ(app.emitted, samples_of(&records) +
		  samples_of(&(struct records){ slow.room, slow.got }));
	close(slow.fd);
	free(records.data);
	munmap(slow.room, slow.len);
}

TEST_HARNESS_MAIN
