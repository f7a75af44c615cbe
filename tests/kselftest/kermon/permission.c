// SPDX-License-Identifier: GPL-2.0
/*
 * Who may monitor whom, count what, and enter the class.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "log.h"

#define NOBODY		65534
#define SOMEBODY	1000

#define EVENT_USR	(1ULL << 16)
#define EVENT_OS	(1ULL << 17)
#define EVENT_INSTRUCTIONS	0xc0ULL

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

static bool set_paranoid(int level)
{
	FILE *file = fopen(PARANOID, "w");

	if (!file)
		return false;
	fprintf(file, "%d\n", level);
	return !fclose(file);
}

static int get_paranoid(void)
{
	FILE *file = fopen(PARANOID, "r");
	int level = -100;

	if (file) {
		if (fscanf(file, "%d", &level) != 1)
			level = -100;
		fclose(file);
	}
	return level;
}

/* Keep the capabilities of @mask only, as an ordinary user. */
static void become(uid_t uid, __u64 mask)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = {
		{ .effective = mask, .permitted = mask },
		{ .effective = mask >> 32, .permitted = mask >> 32 },
	};

	prctl(PR_SET_KEEPCAPS, 1);
	if (setgroups(0, NULL) || setresgid(uid, uid, uid) ||
	    setresuid(uid, uid, uid) || syscall(SYS_capset, &header, data))
		_exit(100);
	/* A change of ids makes a process undumpable: nobody may trace it. */
	prctl(PR_SET_DUMPABLE, 1);
}

/* What one process wants, and what it gets: 0 or errno, as its exit status. */
struct request {
	uid_t uid;
	__u64 capabilities;
	pid_t pid;
	struct kermon_event_set set;
	struct kermon_event event;
};

static int ask_as(struct request *request)
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		become(request->uid, request->capabilities);
		_exit(set_events(request->pid, &request->set,
				 sizeof(request->set), 0) < 0 ? errno : 0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

FIXTURE(permission)
{
	struct request request;
	int paranoid;
};

FIXTURE_SETUP(permission)
{
	self->paranoid = get_paranoid();
	ASSERT_NE(-100, self->paranoid);
	ASSERT_TRUE(set_paranoid(2));
	self->request.uid = SOMEBODY;
	self->request.set = plain_set();
	self->request.set.events = (uintptr_t)&self->request.event;
}

FIXTURE_TEARDOWN(permission)
{
	set_paranoid(self->paranoid);
}

TEST_F(permission, own_user_mode)
{
	EXPECT_EQ(0, ask_as(&self->request));
	self->request.event.config = EVENT_INSTRUCTIONS | EVENT_USR;
	self->request.set.nr_events = 1;
	EXPECT_EQ(0, ask_as(&self->request));
}

TEST_F(permission, kernel_mode)
{
	self->request.set.count |= KERMON_COUNT_KERNEL;
	EXPECT_EQ(EACCES, ask_as(&self->request));
	self->request.capabilities = 1ULL << CAP_PERFMON;
	EXPECT_EQ(0, ask_as(&self->request));
	self->request.capabilities = 0;
	set_paranoid(1);
	EXPECT_EQ(0, ask_as(&self->request));
}

TEST_F(permission, event_in_kernel_mode)
{
	self->request.event.config = EVENT_INSTRUCTIONS | EVENT_OS;
	self->request.set.nr_events = 1;
	EXPECT_EQ(EACCES, ask_as(&self->request));
	self->request.capabilities = 1ULL << CAP_PERFMON;
	EXPECT_EQ(0, ask_as(&self->request));
}

TEST_F(permission, energy)
{
	self->request.set.flags = KERMON_SET_ENERGY;
	set_paranoid(-1);
	EXPECT_EQ(EACCES, ask_as(&self->request));
	self->request.capabilities = 1ULL << CAP_PERFMON;
	EXPECT_EQ(0, ask_as(&self->request));
}

TEST_F(permission, paranoid_level_3)
{
	set_paranoid(3);
	EXPECT_EQ(EACCES, ask_as(&self->request));
	self->request.capabilities = 1ULL << CAP_PERFMON;
	EXPECT_EQ(0, ask_as(&self->request));
}

static int wait_as(void *arg)
{
	become(*(uid_t *)arg, 0);
	for (;;)
		pause();
	return 0;
}

/* A child that has become @uid by the time this returns. */
static void start_as(struct child *child, uid_t uid)
{
	char path[64];
	struct stat st;

	child_start(child, wait_as, &uid);
	child_go(child);
	snprintf(path, sizeof(path), "/proc/%d", child->pid);
	do
		usleep(1000);
	while (stat(path, &st) || st.st_uid != uid);
}

TEST_F(permission, tasks_of_others)
{
	struct child child;

	start_as(&child, SOMEBODY);
	self->request.pid = child.pid;
	EXPECT_EQ(0, ask_as(&self->request));

	self->request.uid = NOBODY;
	EXPECT_EQ(EPERM, ask_as(&self->request));
	self->request.capabilities = 1ULL << CAP_PERFMON;
	EXPECT_EQ(EPERM, ask_as(&self->request));
	self->request.capabilities = 1ULL << CAP_SYS_PTRACE;
	EXPECT_EQ(0, ask_as(&self->request));
	child_kill(&child);
}

TEST_F(permission, log_of_others)
{
	struct child child;
	int fd, status;
	pid_t pid;

	start_as(&child, SOMEBODY);
	fd = monitor(child.pid);
	ASSERT_LE(0, fd);
	pid = fork();
	if (!pid) {
		become(NOBODY, 1ULL << CAP_PERFMON);
		_exit(set_events(child.pid, NULL, 0, KERMON_SET_OPEN_LOG) < 0 ?
		      errno : 0);
	}
	waitpid(pid, &status, 0);
	EXPECT_EQ(EPERM, WEXITSTATUS(status));
	child_kill(&child);
	close(fd);
}

struct opening {
	uid_t uid;
	__u64 capabilities;
};

/* 0 or errno of opening the log that the caller itself writes to. */
static int open_own_log(void *arg)
{
	const struct opening *opening = arg;

	become(opening->uid, opening->capabilities);
	return set_events(0, NULL, 0, KERMON_SET_OPEN_LOG) < 0 ? errno : 0;
}

static int open_as(uid_t uid, __u64 capabilities)
{
	struct opening opening = { uid, capabilities };
	struct child child;
	int fd, status;

	child_start(&child, open_own_log, &opening);
	fd = monitor(child.pid);
	child_go(&child);
	status = child_wait(&child);
	close(fd);
	return fd >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/*
 * A log is about all of the application: a task that has become somebody else
 * may be traced by itself, but not read what the others do.
 */
TEST_F(permission, log_of_who_was_another)
{
	EXPECT_EQ(0, open_as(getuid(), 0));
	EXPECT_EQ(EPERM, open_as(SOMEBODY, 0));
	EXPECT_EQ(EPERM, open_as(SOMEBODY, 1ULL << CAP_SYS_PTRACE));
	EXPECT_EQ(0, open_as(SOMEBODY, 1ULL << CAP_PERFMON));
}

static int enter_class(__u64 capabilities)
{
	struct sched_param param = { 0 };
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		become(SOMEBODY, capabilities);
		_exit(sched_setscheduler(0, SCHED_KERMON, &param) ? errno : 0);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

TEST(entering_the_class)
{
	EXPECT_EQ(EPERM, enter_class(0));
	EXPECT_EQ(0, enter_class(1ULL << CAP_SYS_NICE));
}

#define PRIVILEGED	"/tmp/kermon-privileged"

static bool copy_self(const char *path, mode_t mode)
{
	int in = open("/proc/self/exe", O_RDONLY);
	int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);
	struct stat st;
	bool ok;

	ok = !fstat(in, &st) &&
	     sendfile(out, in, NULL, st.st_size) == st.st_size &&
	     !fchmod(out, mode);
	close(in);
	close(out);
	return ok;
}

static int run_privileged(void *arg)
{
	char *argv[] = { PRIVILEGED, "--spin", NULL };

	become(SOMEBODY, 0);
	execve(arg, argv, NULL);
	return 127;
}

/* The reason of the last sample, and how many there were. */
static void run_monitored(struct log *log, mode_t mode)
{
	struct child child;
	int fd;

	if (!copy_self(PRIVILEGED, mode))
		return;
	child_start(&child, run_privileged, PRIVILEGED);
	fd = monitor(child.pid);
	child_go(&child);
	log_read_all(log, fd);
	/* 55: it ran with the privileges that it should have. */
	if (WEXITSTATUS(child_wait(&child)) != 55)
		log->samples = 0;
	close(fd);
	unlink(PRIVILEGED);
}

/* Of 300 ms, ticks sample every 50 ms. */
TEST(raising_privileges_ends_monitoring)
{
	struct log plain = { 0 }, raised = { 0 };

	run_monitored(&plain, 0755);
	EXPECT_EQ(1, plain.reasons[KERMON_REASON_EXEC]);
	EXPECT_EQ(1, plain.reasons[KERMON_REASON_EXIT]);
	EXPECT_LT(plain.exec, plain.last_tick);

	run_monitored(&raised, 04755);
	EXPECT_LT(0, raised.samples);
	EXPECT_EQ(1, raised.reasons[KERMON_REASON_EXIT]);
	EXPECT_EQ(1, raised.reasons[KERMON_REASON_EXEC]);
	EXPECT_GE(raised.exec, raised.last_tick);
}

static int spin_privileged(void)
{
	struct stat st;

	stat("/proc/self/exe", &st);
	spin_ms(300);
	return geteuid() == (st.st_mode & S_ISUID ? 0 : SOMEBODY) ? 55 : 1;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--spin"))
		return spin_privileged();
	return test_harness_run(argc, argv);
}
