// SPDX-License-Identifier: GPL-2.0
/*
 * The structures of the user ABI, and every argument that set_events() and
 * read_event_log() must reject.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "layout.h"
#include "log.h"

#define EVENT_USR	(1ULL << 16)
#define EVENT_INSTRUCTIONS	(0x00c0ULL | EVENT_USR)

TEST(layout)
{
#define EXPECT_SIZE(type, bytes)	EXPECT_EQ(bytes, sizeof(struct type));
#define EXPECT_FIELD(type, member, offset) \
	EXPECT_EQ(offset, offsetof(struct type, member));
	KERMON_LAYOUT(EXPECT_SIZE, EXPECT_FIELD)

	EXPECT_EQ(27, SCHED_KERMON);
	EXPECT_EQ(900, KERMON_NR_SET_EVENTS);
	EXPECT_EQ(901, KERMON_NR_READ_EVENT_LOG);
	EXPECT_LE(sizeof(struct kermon_sample) +
		  8 * (4 + KERMON_MAX_EVENTS + KERMON_DOMAIN_COUNT),
		  KERMON_RECORD_MAX);
}

static int idle(void *arg)
{
	(void)arg;
	return 0;
}

FIXTURE(arguments)
{
	struct child child;
	struct kermon_event_set set;
	struct kermon_event events[KERMON_MAX_EVENTS + 1];
};

FIXTURE_SETUP(arguments)
{
	child_start(&self->child, idle, NULL);
	self->set = plain_set();
	self->set.events = (uintptr_t)self->events;
}

FIXTURE_TEARDOWN(arguments)
{
	child_kill(&self->child);
}

/* The result of set_events(), 0 or errno; monitoring ends again. */
static int verdict(FIXTURE_DATA(arguments) *self)
{
	int fd = set_events(self->child.pid, &self->set, sizeof(self->set), 0);

	return fd < 0 ? errno : close(fd);
}

static int verdict_event(FIXTURE_DATA(arguments) *self, __u64 config)
{
	self->set.nr_events = 1;
	self->events[0].config = config;
	return verdict(self);
}

TEST_F(arguments, plain_set_is_accepted)
{
	EXPECT_EQ(0, verdict(self));
	EXPECT_EQ(0, verdict_event(self, EVENT_INSTRUCTIONS));
}

TEST_F(arguments, unknown_flags)
{
	unsigned int bit;

	for (bit = 4; bit < 32; bit++) {
		EXPECT_EQ(-1, set_events(self->child.pid, &self->set,
					 sizeof(self->set), 1U << bit));
		EXPECT_EQ(EINVAL, errno);
	}
	for (bit = 3; bit < 32; bit++) {
		self->set.flags = 1U << bit;
		EXPECT_EQ(EINVAL, verdict(self));
	}
}

TEST_F(arguments, size)
{
	struct {
		struct kermon_event_set set;
		__u64 future;
	} larger = { .set = self->set };
	size_t size;
	int fd;

	for (size = 0; size < KERMON_EVENT_SET_SIZE_VER0; size += 8) {
		EXPECT_EQ(-1, set_events(self->child.pid, &larger.set, size, 0));
		EXPECT_EQ(EINVAL, errno);
	}

	/* an older tool, which does not know the rest, and a newer one that does not use it */
	for (size = KERMON_EVENT_SET_SIZE_VER0; size <= sizeof(larger); size += 8) {
		fd = set_events(self->child.pid, &larger.set, size, 0);
		EXPECT_LE(0, fd);
		close(fd);
	}

	/* a newer one that does */
	larger.future = 1;
	EXPECT_EQ(-1, set_events(self->child.pid, &larger.set, sizeof(larger), 0));
	EXPECT_EQ(E2BIG, errno);
	EXPECT_EQ(-1, set_events(self->child.pid, &larger.set, 1 << 20, 0));
	EXPECT_EQ(E2BIG, errno);
}

TEST_F(arguments, pointers)
{
	void *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	EXPECT_EQ(-1, set_events(self->child.pid, NULL, sizeof(self->set), 0));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-1, set_events(self->child.pid, hole, sizeof(self->set), 0));
	EXPECT_EQ(EFAULT, errno);

	self->set.nr_events = 1;
	self->set.events = (uintptr_t)hole;
	EXPECT_EQ(EFAULT, verdict(self));
}

TEST_F(arguments, modes)
{
	struct kermon_event event = { .config = 0x100c0 };

	self->set.count = 0;
	EXPECT_EQ(0, verdict(self));
	self->set.nr_events = 1;
	self->set.events = (uintptr_t)&event;
	EXPECT_EQ(EINVAL, verdict(self));
	self->set.nr_events = 0;
	self->set.count = 1U << 2;
	EXPECT_EQ(EINVAL, verdict(self));
	self->set.count = KERMON_COUNT_USER | KERMON_COUNT_KERNEL;
	EXPECT_EQ(0, verdict(self));
}

TEST_F(arguments, watermark)
{
	self->set.log_bytes = KERMON_LOG_MIN_BYTES;
	self->set.watermark = KERMON_LOG_MIN_BYTES - KERMON_RECORD_MAX + 1;
	EXPECT_EQ(EINVAL, verdict(self));
	self->set.watermark = UINT32_MAX;
	EXPECT_EQ(EINVAL, verdict(self));
	self->set.watermark = KERMON_LOG_MIN_BYTES - KERMON_RECORD_MAX;
	EXPECT_EQ(0, verdict(self));
	self->set.watermark = 1;
	EXPECT_EQ(0, verdict(self));
}

TEST_F(arguments, interval)
{
	self->set.interval_ns = KERMON_INTERVAL_MIN_NS - 1;
	EXPECT_EQ(EINVAL, verdict(self));
	self->set.interval_ns = KERMON_INTERVAL_MAX_NS + 1;
	EXPECT_EQ(EINVAL, verdict(self));
	self->set.interval_ns = KERMON_INTERVAL_MIN_NS;
	EXPECT_EQ(0, verdict(self));
	self->set.interval_ns = KERMON_INTERVAL_MAX_NS;
	EXPECT_EQ(0, verdict(self));
}

TEST_F(arguments, log_size)
{
	self->set.log_bytes = KERMON_LOG_MIN_BYTES / 2;
	EXPECT_EQ(EINVAL, verdict(self));
	self->set.log_bytes = KERMON_LOG_MAX_BYTES * 2;
	EXPECT_EQ(EINVAL, verdict(self));
	self->set.log_bytes = KERMON_LOG_DEFAULT_BYTES + 4096;
	EXPECT_EQ(EINVAL, verdict(self));
	self->set.log_bytes = KERMON_LOG_MIN_BYTES;
	EXPECT_EQ(0, verdict(self));
}

TEST_F(arguments, number_of_events)
{
	unsigned int i;

	for (i = 0; i < KERMON_MAX_EVENTS + 1; i++)
		self->events[i].config = EVENT_INSTRUCTIONS;
	self->set.nr_events = KERMON_MAX_EVENTS + 1;
	EXPECT_EQ(ENOSPC, verdict(self));
	self->set.nr_events = UINT32_MAX;
	EXPECT_EQ(ENOSPC, verdict(self));
	/* More counters than any x86 CPU has. */
	self->set.nr_events = KERMON_MAX_EVENTS;
	EXPECT_EQ(ENOSPC, verdict(self));
}

/* PC 19, INT 20, ANY 21, EN 22, and all bits above the counter mask. */
TEST_F(arguments, forbidden_event_bits)
{
	unsigned int bit;

	for (bit = 19; bit < 64; bit++) {
		if (bit > 22 && bit < 32)
			continue;
		EXPECT_EQ(EINVAL, verdict_event(self, EVENT_INSTRUCTIONS |
						      1ULL << bit)) {
			TH_LOG("bit %u", bit);
		}
	}
}

TEST_F(arguments, event_of_no_mode)
{
	EXPECT_EQ(EINVAL, verdict_event(self, EVENT_INSTRUCTIONS & ~EVENT_USR));
}

/* The event has no additional register: a value for one is an error. */
TEST_F(arguments, extra_of_an_event_without)
{
	self->events[0].extra = 1;
	EXPECT_EQ(EINVAL, verdict_event(self, EVENT_INSTRUCTIONS));
}

TEST_F(arguments, no_such_task)
{
	pid_t gone = self->child.pid;

	child_kill(&self->child);
	EXPECT_EQ(-1, monitor(gone));
	EXPECT_EQ(ESRCH, errno);
	EXPECT_EQ(-1, monitor(-1));
	EXPECT_EQ(ESRCH, errno);
}

TEST_F(arguments, kernel_thread)
{
	/* kthreadd */
	EXPECT_EQ(-1, monitor(2));
	EXPECT_EQ(EPERM, errno);
}

TEST_F(arguments, monitored_twice)
{
	int fd = monitor(self->child.pid);

	ASSERT_LE(0, fd);
	EXPECT_EQ(EALREADY, verdict(self));
	close(fd);
	EXPECT_EQ(0, verdict(self));
}

TEST_F(arguments, open_log)
{
	int fd, again;

	EXPECT_EQ(-1, set_events(self->child.pid, NULL, 0, KERMON_FLAG_OPEN_LOG));
	EXPECT_EQ(ENOENT, errno);

	fd = monitor(self->child.pid);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, set_events(self->child.pid, &self->set, 0,
				 KERMON_FLAG_OPEN_LOG));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, set_events(self->child.pid, NULL, sizeof(self->set),
				 KERMON_FLAG_OPEN_LOG));
	EXPECT_EQ(EINVAL, errno);

	EXPECT_EQ(-1, set_events(self->child.pid, NULL, 0,
				 KERMON_FLAG_OPEN_LOG | KERMON_FLAG_PROCESS));
	EXPECT_EQ(EINVAL, errno);

	again = set_events(self->child.pid, NULL, 0, KERMON_FLAG_OPEN_LOG);
	EXPECT_LE(0, again);
	close(again);
	close(fd);
}

TEST_F(arguments, read)
{
	char buf[KERMON_RECORD_MAX];
	int fd = monitor(self->child.pid);
	unsigned int bit;

	ASSERT_LE(0, fd);
	for (bit = 1; bit < 32; bit++) {
		EXPECT_EQ(-1, read_event_log(fd, buf, sizeof(buf), 1U << bit));
		EXPECT_EQ(EINVAL, errno);
	}
	EXPECT_EQ(-1, read_event_log(fd, buf, sizeof(buf) - 1, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, read_event_log(STDIN_FILENO, buf, sizeof(buf), 0));
	EXPECT_EQ(EBADF, errno);
	close(fd);
	EXPECT_EQ(-1, read_event_log(fd, buf, sizeof(buf), 0));
	EXPECT_EQ(EBADF, errno);
}

TEST_HARNESS_MAIN
