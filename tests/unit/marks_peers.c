// SPDX-License-Identifier: GPL-2.0
/*
 * Who hands over rings of marks, and what is answered: who lies, or is another user, is
 * refused and counted; what processes have written until they end arrives.
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "received.h"

TEST_F(marks, answer_is_what_was_asked_for)
{
	const struct ring_hello hello = produced_hello(RING_MARKS, gettid());
	const int connection = produced_connect(kermon_marks_socket(self->marks));
	struct {
		struct ring_config config;
		char strings[64];
	} answer = { 0 };
	struct produced ring;

	ASSERT_EQ(0, produced_make(&ring, RING, F_SEAL_SHRINK));
	ASSERT_EQ(0, produced_send(connection, &hello, sizeof(hello), ring.fd));
	marks_serve(self->marks);
	ASSERT_EQ((ssize_t)(sizeof(answer.config) + sizeof("Event\0A,B*\0")),
		  recv(connection, &answer, sizeof(answer), MSG_DONTWAIT));
	EXPECT_EQ(RING_MAGIC, answer.config.magic);
	EXPECT_EQ(RING_VERSION, answer.config.version);
	EXPECT_EQ(RING_WAIT, answer.config.flags);
	EXPECT_EQ(RING, answer.config.ring_bytes);
	EXPECT_EQ(3, answer.config.first);
	EXPECT_EQ(7, answer.config.last);
	EXPECT_EQ(0, memcmp(answer.config.strings, "Event\0A,B*\0", sizeof("Event\0A,B*\0")));
	close(connection);
	produced_free(&ring);
}

TEST_F(marks, hello_that_lies_is_refused)
{
	const struct ring_hello right = produced_hello(RING_MARKS, gettid());
	struct ring_hello hello = right;
	struct produced ring;

	ASSERT_EQ(0, produced_make(&ring, RING, F_SEAL_SHRINK));
	hello.magic++;
	EXPECT_EQ(0, say(self, &hello, sizeof(hello), ring.fd));
	hello = right;
	hello.version++;
	EXPECT_EQ(0, say(self, &hello, sizeof(hello), ring.fd));
	hello = right;
	hello.kind = 2;
	EXPECT_EQ(0, say(self, &hello, sizeof(hello), ring.fd));
	EXPECT_EQ(0, say(self, &right, sizeof(hello) - 1, ring.fd));
	EXPECT_EQ(0, say(self, &right, 1, ring.fd));
	EXPECT_EQ(0, say(self, (char [1000]){ 0 }, 1000, ring.fd));
	EXPECT_EQ(0, say(self, &right, sizeof(hello), -1));
	EXPECT_EQ(7, self->totals.refused_form);
	hello = right;
	hello.pid = 1;
	EXPECT_EQ(0, say(self, &hello, sizeof(hello), ring.fd));
	hello = right;
	hello.tid = 1;
	EXPECT_EQ(0, say(self, &hello, sizeof(hello), ring.fd));
	hello.tid = -1;
	EXPECT_EQ(0, say(self, &hello, sizeof(hello), ring.fd));
	hello.tid = 0;
	EXPECT_EQ(0, say(self, &hello, sizeof(hello), ring.fd));
	EXPECT_EQ(4, self->totals.refused_task);
	EXPECT_EQ(2, marks_rings(self->marks));
	EXPECT_LT(0, say(self, &right, sizeof(hello), ring.fd));
	EXPECT_EQ(3, marks_rings(self->marks));
	produced_free(&ring);
}

static ssize_t give_fd(FIXTURE_DATA(marks) *self, int fd)
{
	const struct ring_hello hello = produced_hello(RING_MARKS, gettid());

	return say(self, &hello, sizeof(hello), fd);
}

TEST_F(marks, memory_that_could_fail_is_refused)
{
	char path[] = "/tmp/kermon-marks-XXXXXX";
	struct produced ring;
	int fd;

	/* It could shrink; it has another size; it cannot be written. */
	ASSERT_EQ(0, produced_make(&ring, RING, F_SEAL_GROW));
	EXPECT_EQ(0, give_fd(self, ring.fd));
	produced_free(&ring);
	ASSERT_EQ(0, produced_make(&ring, RING / 2, F_SEAL_SHRINK));
	EXPECT_EQ(0, give_fd(self, ring.fd));
	produced_free(&ring);
	ASSERT_EQ(0, produced_make(&ring, 2 * RING, F_SEAL_SHRINK));
	EXPECT_EQ(0, give_fd(self, ring.fd));
	produced_free(&ring);
	ASSERT_EQ(0, produced_make(&ring, RING, F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE));
	EXPECT_EQ(0, give_fd(self, ring.fd));
	produced_free(&ring);

	fd = mkstemp(path);
	ASSERT_EQ(0, ftruncate(fd, RING_HEAD_SIZE + RING));
	EXPECT_EQ(0, give_fd(self, fd));
	close(fd);
	unlink(path);
	EXPECT_EQ(0, give_fd(self, STDIN_FILENO));
	EXPECT_EQ(6, self->totals.refused_form);
	EXPECT_EQ(2, marks_rings(self->marks));
}

TEST_F(marks, limits)
{
	struct produced rings[8];

	for (int i = 0; i < 6; i++)
		ASSERT_LT(0, give(self, &rings[i], RING_MARKS));
	EXPECT_EQ(0, give(self, &rings[6], RING_MARKS));
	EXPECT_EQ(1, self->totals.refused_limit);
	rings[0].head->closed = 1;
	drain(self);
	EXPECT_LT(0, give(self, &rings[7], RING_MARKS));
	for (int i = 0; i < 8; i++)
		produced_free(&rings[i]);
}

TEST(limit_of_memory)
{
	struct kermon_marks_options options = usual;
	FIXTURE_DATA(marks) self = { 0 };
	struct produced rings[3];

	options.max_bytes = 2 * RING + 1;
	ASSERT_EQ(0, kermon_marks_open(&self.marks, &options));
	EXPECT_LT(0, give(&self, &rings[0], RING_MARKS));
	EXPECT_LT(0, give(&self, &rings[1], RING_MARKS));
	EXPECT_EQ(0, give(&self, &rings[2], RING_MARKS));
	EXPECT_EQ(1, self.totals.refused_limit);
	for (int i = 0; i < 3; i++)
		produced_free(&rings[i]);
	kermon_marks_close(self.marks);
}

TEST_F(marks, silent_connections_do_not_keep_others_out)
{
	struct produced ring;
	int silent[100];

	for (int i = 0; i < 100; i++) {
		silent[i] = produced_connect(kermon_marks_socket(self->marks));
		ASSERT_LE(0, silent[i]);
		marks_serve(self->marks);
	}
	EXPECT_LT(0, give(self, &ring, RING_MARKS));
	EXPECT_EQ(36, self->totals.refused_limit);
	for (int i = 0; i < 100; i++)
		close(silent[i]);
	produced_free(&ring);
}

TEST_F(marks, hello_may_come_later)
{
	const struct ring_hello hello = produced_hello(RING_MARKS, gettid());
	const int connection = produced_connect(kermon_marks_socket(self->marks));
	struct produced ring;
	char answer[256];

	marks_serve(self->marks);
	ASSERT_EQ(0, produced_make(&ring, RING, F_SEAL_SHRINK));
	ASSERT_EQ(0, produced_send(connection, &hello, sizeof(hello), ring.fd));
	marks_serve(self->marks);
	EXPECT_LT(0, recv(connection, answer, sizeof(answer), MSG_DONTWAIT));
	close(connection);
	produced_free(&ring);
}

TEST_F(marks, another_program_of_the_process)
{
	struct produced names, ring;

	produced_mark(&self->ring, MARK_BEGIN, 1);
	produced_name(&self->names, 1, "before");
	ASSERT_LT(0, give(self, &names, RING_NAMES));
	ASSERT_LT(0, give(self, &ring, RING_MARKS));
	produced_name(&names, 1, "after");
	produced_mark(&ring, MARK_BEGIN, 1);
	ASSERT_EQ(4, drain(self));
	EXPECT_STREQ("before", self->arrived[0].text);
	EXPECT_EQ(MARK_BEGIN, self->arrived[1].kind);
	EXPECT_STREQ("after", self->arrived[2].text);
	EXPECT_LT(self->arrived[1].tsc, self->arrived[2].tsc);
	EXPECT_LT(self->arrived[2].tsc, self->arrived[3].tsc);
	EXPECT_EQ(2, marks_rings(self->marks));
	EXPECT_EQ(2, self->totals.processes);
	produced_free(&names);
	produced_free(&ring);
}

/* A child hands a ring over as thread @tid of process @pid, marks, and kills itself. */
static void be_child(const char *name, pid_t pid, pid_t tid)
{
	struct ring_hello hello = produced_hello(RING_MARKS, tid);
	struct produced ring;
	char answer[256];

	hello.pid = pid;
	if (produced_make(&ring, RING, F_SEAL_SHRINK) ||
	    produced_give(name, &hello, ring.fd, answer, sizeof(answer)) <= 0)
		_exit(1);
	produced_mark(&ring, MARK_BEGIN, 9);
	kill(getpid(), SIGKILL);
	_exit(2);
}

/* Serve until the child has ended. Return: its status. */
static int serve_child(FIXTURE_DATA(marks) *self, pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, WNOHANG) == 0)
		marks_serve(self->marks);
	return status;
}

TEST_F(marks, process_that_was_killed)
{
	const pid_t pid = fork();

	if (!pid)
		be_child(kermon_marks_socket(self->marks), getpid(), gettid());
	EXPECT_EQ(SIGKILL, serve_child(self, pid));
	EXPECT_EQ(3, marks_rings(self->marks));
	ASSERT_EQ(1, drain(self));
	EXPECT_EQ(9, self->arrived[0].id);
	EXPECT_EQ(pid, self->arrived[0].pid);
	EXPECT_EQ(pid, self->arrived[0].tid);
	EXPECT_EQ(2, marks_rings(self->marks));
}

TEST_F(marks, process_in_another_namespace)
{
	pid_t pid;

	if (unshare(CLONE_NEWPID))
		SKIP(return, "no namespaces for this user");
	pid = fork();
	if (!pid)
		be_child(kermon_marks_socket(self->marks), 1, 1);
	/* The first process of a namespace cannot kill itself. */
	EXPECT_EQ(2, WEXITSTATUS(serve_child(self, pid)));
	ASSERT_EQ(1, drain(self));
	EXPECT_EQ(pid, self->arrived[0].pid);
	EXPECT_EQ(pid, self->arrived[0].tid);
}

TEST_F(marks, process_of_another_user)
{
	pid_t pid;

	if (geteuid())
		SKIP(return, "not root");
	pid = fork();
	if (!pid) {
		if (setuid(65534))
			_exit(3);
		be_child(kermon_marks_socket(self->marks), getpid(), gettid());
	}
	EXPECT_EQ(1, WEXITSTATUS(serve_child(self, pid)));
	drain(self);
	EXPECT_EQ(1, self->totals.refused_user);
}

TEST(options_are_checked)
{
	struct kermon_marks_options options = usual;
	char text[RING_CONFIG_MAX] = "";
	struct kermon_marks *marks;

	options.ring_bytes = 5000;
	EXPECT_EQ(-EINVAL, kermon_marks_open(&marks, &options));
	options.ring_bytes = 2048;
	EXPECT_EQ(-EINVAL, kermon_marks_open(&marks, &options));
	options.ring_bytes = 1ULL << 40;
	EXPECT_EQ(-EINVAL, kermon_marks_open(&marks, &options));
	options.ring_bytes = 0;
	memset(text, 'x', sizeof(text) - 1);
	options.exclude = text;
	EXPECT_EQ(-E2BIG, kermon_marks_open(&marks, &options));
	EXPECT_EQ(NULL, marks);
	kermon_marks_close(NULL);
}

TEST_HARNESS_MAIN
