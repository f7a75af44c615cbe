// SPDX-License-Identifier: GPL-2.0
/* Arguments that make no sense, or should do harm. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include <kermon/self.h>

#include "log.h"
#include "worker.h"

static int open_self(pid_t pid, const void *set, size_t size, unsigned int flags)
{
	return syscall(KERMON_NR_SET_EVENTS, pid, set, size, flags);
}

FIXTURE(hostile) {
	int log;
	struct kermon_self own;
};

FIXTURE_SETUP(hostile)
{
	ASSERT_EQ(pin(0, 0), 0);
	self->log = monitor(0);
	ASSERT_GE(self->log, 0) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(kermon_self_open(&self->own), 0);
}

FIXTURE_TEARDOWN(hostile)
{
	kermon_self_close(&self->own);
	close(self->log);
}

static void expect_no_map(struct __test_metadata *_metadata, int fd, size_t size,
			  int prot, int flags, off_t offset, int error)
{
	void *page = mmap(NULL, size, prot, flags, fd, offset);

	EXPECT_EQ(page, MAP_FAILED) {
		munmap(page, size);
		return;
	}
	EXPECT_EQ(errno, error);
}

TEST_F(hostile, maps)
{
	const int fd = self->own.fd, size = KERMON_PAGE_SIZE;

	expect_no_map(_metadata, fd, size, PROT_READ | PROT_WRITE, MAP_SHARED, 0,
		      EACCES);
	expect_no_map(_metadata, fd, size, PROT_WRITE, MAP_SHARED, 0, EACCES);
	expect_no_map(_metadata, fd, size, PROT_READ | PROT_EXEC, MAP_SHARED, 0,
		      EACCES);
	expect_no_map(_metadata, fd, size, PROT_READ, MAP_PRIVATE, 0, EINVAL);
	expect_no_map(_metadata, fd, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0,
		      EINVAL);
	expect_no_map(_metadata, fd, 2 * size, PROT_READ, MAP_SHARED, 0, EINVAL);
	expect_no_map(_metadata, fd, size, PROT_READ, MAP_SHARED, size, EINVAL);
}

TEST_F(hostile, mappings)
{
	void *page = (void *)(uintptr_t)self->own.page;

	EXPECT_EQ(mprotect(page, KERMON_PAGE_SIZE, PROT_READ | PROT_WRITE), -1);
	EXPECT_EQ(errno, EACCES);
	EXPECT_EQ(mprotect(page, KERMON_PAGE_SIZE, PROT_READ | PROT_EXEC), -1);
	EXPECT_EQ(errno, EACCES);
	EXPECT_EQ(mremap(page, KERMON_PAGE_SIZE, 2 * KERMON_PAGE_SIZE, MREMAP_MAYMOVE),
		  MAP_FAILED);
}

/* Thrown away by the thread itself: then there are no counts in it, but they go on. */
TEST_F(hostile, discards_the_page)
{
	struct kermon_counts before, after;

	ASSERT_EQ(kermon_read_all(&self->own, &before), 0);
	ASSERT_EQ(madvise((void *)(uintptr_t)self->own.page, KERMON_PAGE_SIZE,
			  MADV_DONTNEED), 0);
	EXPECT_FALSE(kermon_self_is_fast(&self->own));
	EXPECT_EQ(self->own.page->nr_values, 0);
	ASSERT_EQ(kermon_read_all(&self->own, &after), 0);
	EXPECT_EQ(after.nr_values, before.nr_values);
	EXPECT_GT(after.oncpu, before.oncpu);
}

TEST_F(hostile, reads)
{
	char small[KERMON_COUNTS_SIZE_VER0 - 1];
	char large[4096];

	EXPECT_EQ(read(self->own.fd, small, sizeof(small)), -1);
	EXPECT_EQ(errno, EINVAL);
	EXPECT_EQ(read(self->own.fd, (void *)KERMON_PAGE_SIZE, 4096), -1);
	EXPECT_EQ(errno, EFAULT);
	EXPECT_EQ(read(self->own.fd, large, sizeof(large)),
		  (ssize_t)sizeof(struct kermon_counts));
	EXPECT_EQ(write(self->own.fd, large, 1), -1);
	EXPECT_EQ(syscall(KERMON_NR_READ_EVENT_LOG, self->own.fd, large, sizeof(large),
			  0), -1);
	EXPECT_EQ(errno, EBADF);
}

TEST_F(hostile, flags)
{
	const unsigned int others[] = { KERMON_FLAG_OPEN_LOG, KERMON_FLAG_PROCESS,
					KERMON_FLAG_CHANGE, KERMON_FLAG_LEND_CLASS };
	struct kermon_event_set set = plain_set();
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		EXPECT_EQ(open_self(0, NULL, 0, KERMON_FLAG_SELF | others[i]), -1);
		EXPECT_EQ(errno, EINVAL);
	}
	EXPECT_EQ(open_self(getpid(), NULL, 0, KERMON_FLAG_SELF), -1);
	EXPECT_EQ(errno, EINVAL);
	EXPECT_EQ(open_self(0, &set, sizeof(set), KERMON_FLAG_SELF), -1);
	EXPECT_EQ(errno, EINVAL);
	EXPECT_EQ(open_self(0, NULL, sizeof(set), KERMON_FLAG_SELF), -1);
	EXPECT_EQ(errno, EINVAL);
}

TEST_HARNESS_MAIN
