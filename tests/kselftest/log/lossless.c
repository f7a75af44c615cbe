// SPDX-License-Identifier: GPL-2.0
/*
 * Whatever readers do, samples read plus samples reported lost equal samples
 * taken; with coalescing, nothing is lost at all.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "control.h"
#include "log.h"
#include "switches.h"
#include "tally.h"
#include "worker.h"

/* Enough for a million switches on a slow host. */
#define TIMEOUT_S	600

#define CHUNK		(1 << 15)
#define NR_CHUNKS	10
#define MS		1000
#define PER_SECOND	100000

/* The read interval of kermon run. */
#define NAP_MS		20

FIXTURE(lossless) {
	unsigned int switches;
	struct tally *tally;		/* shared with the readers */
	struct app_info app;
	pid_t pid;
	int fd;
};

FIXTURE_SETUP(lossless)
{
	self->switches = NR_SWITCHES;
	self->tally = mmap(NULL, sizeof(*self->tally), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(self->tally, MAP_FAILED);
}

FIXTURE_TEARDOWN(lossless)
{
	close(self->fd);
}

/* Run the worker on the first CPU, readers on the second. */
static void begin(struct __test_metadata *_metadata,
		  FIXTURE_DATA(lossless) *self,
		  const struct kermon_event_set *set)
{
	self->pid = worker_start(make_switches, &self->switches);
	ASSERT_GT(self->pid, 0);
	ASSERT_EQ(pin(self->pid, 0), 0);
	ASSERT_EQ(pin(0, 1), 0);
	self->fd = set_events(self->pid, set, sizeof(*set), 0);
	ASSERT_GE(self->fd, 0) TH_LOG("set_events: %s", strerror(errno));
	worker_go(self->pid);
}

/*
 * Returns bytes, or -1 with errno. What was read is added to the tally
 * immediately.
 */
static ssize_t take(struct tally *tally, int fd, size_t len, unsigned int flags)
{
	static _Alignas(8) char chunk[CHUNK];
	ssize_t n = read_event_log(fd, chunk, len, flags);
	const struct records records = { chunk, n > 0 ? n : 0 };

	tally_add(tally, &records, 0);
	return n;
}

static void expect_balance(struct __test_metadata *_metadata,
			   FIXTURE_DATA(lossless) *self)
{
	ASSERT_EQ(worker_wait(self->pid), 0);
	while (take(self->tally, self->fd, CHUNK, 0) > 0)
		;
	ASSERT_EQ(control_get_app(self->pid, &self->app), 0);
	EXPECT_EQ(self->tally->broken, 0);
	EXPECT_EQ(self->app.emitted, self->app.read + self->app.lost);
	EXPECT_EQ(self->app.read, self->tally->samples);
	EXPECT_EQ(self->app.lost, self->tally->reported_lost);
}

/* A reader that reads as fast as possible and is killed. */
static void die(FIXTURE_DATA(lossless) *self, int fd)
{
	int i;

	for (i = 0; i < NR_CHUNKS; i++)
		take(self->tally, fd, CHUNK, 0);
	kill(getpid(), SIGKILL);
}

/*
 * A reader that does not read for a while, and then as little as possible at a
 * time.
 */
static void stall(FIXTURE_DATA(lossless) *self, int fd)
{
	int i;

	sleep_us(10 * MS);
	for (i = 0; i < NR_CHUNKS; i++)
		take(self->tally, fd, KERMON_RECORD_MAX, KERMON_READ_NONBLOCK);
}

/* A reader that reopens the log each time. */
static void come_back(FIXTURE_DATA(lossless) *self, int fd)
{
	int i;

	for (i = 0; i < NR_CHUNKS && fd >= 0; i++) {
		take(self->tally, fd, CHUNK / 8, KERMON_READ_NONBLOCK);
		close(fd);
		sleep_us(MS);
		fd = set_events(self->pid, NULL, 0, KERMON_FLAG_OPEN_LOG);
	}
}

static void (*const ways[])(FIXTURE_DATA(lossless) *self, int fd) = {
	die, stall, come_back,
};

static void send_reader(FIXTURE_DATA(lossless) *self, unsigned int way)
{
	pid_t pid = fork();
	int fd;

	if (!pid) {
		close(self->fd);
		fd = set_events(self->pid, NULL, 0, KERMON_FLAG_OPEN_LOG);
		if (fd >= 0)
			ways[way](self, fd);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void read_in_turns(struct __test_metadata *_metadata,
			  FIXTURE_DATA(lossless) *self, uint32_t flags)
{
	struct kermon_event_set set = plain_set();
	unsigned int turn;

	set.flags = flags;
	set.log_bytes = KERMON_LOG_MIN_BYTES << 3;
	begin(_metadata, self, &set);
	for (turn = 0; !worker_ended(self->pid); turn++)
		send_reader(self, turn % ARRAY_SIZE(ways));
	expect_balance(_metadata, self);
	TH_LOG("%llu switches, %u readers: %llu samples read, %llu lost",
	       (unsigned long long)self->app.emitted, turn,
	       (unsigned long long)self->app.read,
	       (unsigned long long)self->app.lost);
	EXPECT_GE(self->app.emitted, self->switches);
	EXPECT_GT(self->app.lost, 0);
	EXPECT_GE(turn, ARRAY_SIZE(ways));
}

TEST_F_TIMEOUT(lossless, dropping, TIMEOUT_S)
{
	read_in_turns(_metadata, self, 0);
}

TEST_F_TIMEOUT(lossless, overwriting, TIMEOUT_S)
{
	read_in_turns(_metadata, self, KERMON_SET_OVERWRITE);
}

/* As kermon run --coalesce does: the default log, read periodically. */
TEST_F_TIMEOUT(lossless, coalescing, TIMEOUT_S)
{
	struct kermon_event_set set = plain_set();
	struct machine_info info;
	uint64_t ms;

	ASSERT_EQ(control_get_info(&info), 0);
	set.flags = KERMON_SET_COALESCE;
	begin(_metadata, self, &set);
	while (!worker_ended(self->pid)) {
		take(self->tally, self->fd, CHUNK, KERMON_READ_NONBLOCK);
		sleep_us(NAP_MS * MS);
	}
	expect_balance(_metadata, self);
	ms = (self->tally->last_tsc - self->tally->first_tsc) / info.tsc_khz;
	TH_LOG("%llu switches in %llu ms: %llu samples",
	       (unsigned long long)self->tally->intervals,
	       (unsigned long long)ms, (unsigned long long)self->app.emitted);
	EXPECT_EQ(self->app.lost, 0);
	EXPECT_GE(self->tally->intervals, self->switches);
	EXPECT_GE(self->tally->intervals * 1000, ms * PER_SECOND);
	EXPECT_LT(self->app.emitted, self->switches / 100);
}

TEST_HARNESS_MAIN
