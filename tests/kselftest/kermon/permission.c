// SPDX-License-Identifier: GPL-2.0
/*
 * Who may read whose log and enter the class, and what a set-user-ID program
 * ends. Who may count what of whom is in the matrix.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "credentials.h"
#include "log.h"

TEST(log_of_others)
{
	struct child child;
	int fd, status;
	pid_t pid;

	start_as(&child, SOMEBODY);
	fd = monitor(child.pid);
	ASSERT_LE(0, fd);
	pid = fork();
	if (!pid) {
		become(NOBODY, CAPABILITY(CAP_PERFMON));
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
	const struct kermon_event_set *set;
};

/*
 * 0 or errno of opening the log that the caller itself writes to, and with a set
 * of changing what is counted.
 */
static int open_own_log(void *arg)
{
	const struct opening *opening = arg;
	const struct kermon_event_set *set = opening->set;

	become(opening->uid, opening->capabilities);
	return set_events(0, set, set ? sizeof(*set) : 0, set ?
			  KERMON_SET_CHANGE : KERMON_SET_OPEN_LOG) < 0 ?
	       errno : 0;
}

static int change_as(uid_t uid, __u64 capabilities,
		     const struct kermon_event_set *set)
{
	struct opening opening = { uid, capabilities, set };
	struct child child;
	int fd, status;

	child_start(&child, open_own_log, &opening);
	fd = monitor(child.pid);
	child_go(&child);
	status = child_wait(&child);
	close(fd);
	return fd >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int open_as(uid_t uid, __u64 capabilities)
{
	return change_as(uid, capabilities, NULL);
}

/*
 * A log is about all of the application: a task that has become somebody else
 * may be traced by itself, but not read what the others do.
 */
TEST(log_of_who_was_another)
{
	EXPECT_EQ(0, open_as(getuid(), 0));
	EXPECT_EQ(EPERM, open_as(SOMEBODY, 0));
	EXPECT_EQ(EPERM, open_as(SOMEBODY, CAPABILITY(CAP_SYS_PTRACE)));
	EXPECT_EQ(0, open_as(SOMEBODY, CAPABILITY(CAP_PERFMON)));
}

/* It takes what opening the log does, and what the new set needs. */
TEST(set_of_who_was_another)
{
	struct kermon_event_set user = plain_set(), kernel = plain_set();
	int level = get_sysctl(PARANOID);

	kernel.count |= KERMON_COUNT_KERNEL;
	ASSERT_TRUE(set_sysctl(PARANOID, 2));
	EXPECT_EQ(0, change_as(getuid(), 0, &user));
	EXPECT_EQ(EACCES, change_as(getuid(), 0, &kernel));
	EXPECT_EQ(EPERM, change_as(SOMEBODY, 0, &user));
	EXPECT_EQ(EPERM, change_as(SOMEBODY, CAPABILITY(CAP_SYS_PTRACE),
				   &user));
	EXPECT_EQ(0, change_as(SOMEBODY, CAPABILITY(CAP_PERFMON), &kernel));
	set_sysctl(PARANOID, level);
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
	EXPECT_EQ(0, enter_class(CAPABILITY(CAP_SYS_NICE)));
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
