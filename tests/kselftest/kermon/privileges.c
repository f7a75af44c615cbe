// SPDX-License-Identifier: GPL-2.0
/*
 * Whether monitoring continues across exec: not if the new program has more
 * privileges, or holds data, that the caller must not see. Every cell of a
 * table.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "credentials.h"
#include "log.h"
#include "tally.h"

/* A copy of this program, with the mode and owner that a test sets. */
#define PROGRAM		"/tmp/kermon-program"

/* Its exit status if it has the expected privileges. */
#define AS_EXPECTED	55

/* The result of getuid() for unmapped users. */
#define OVERFLOW	65534

FIXTURE(program)
{
	struct child child;
	struct records records;
	int dumpable;
	int fd;
};

/*
 * The user who executes it, the file, the resulting privileges, and whether
 * monitoring ends. No user has CAP_SYS_NICE beforehand unless it has all
 * capabilities.
 */
FIXTURE_VARIANT(program)
{
	uid_t uid;
	__u64 capabilities;
	bool no_new_privileges;
	bool contained;
	int dumpable;		/* fs.suid_dumpable */

	uid_t owner;
	gid_t group;
	mode_t mode;
	bool capable;

	uid_t euid;
	gid_t egid;
	bool nice;
	bool ends;
};

FIXTURE_VARIANT_ADD(program, plain) {
	.uid = SOMEBODY, .mode = 0755,
	.euid = SOMEBODY, .egid = SOMEBODY,
};

FIXTURE_VARIANT_ADD(program, set_user_id) {
	.uid = SOMEBODY, .mode = 04755,
	.euid = 0, .egid = SOMEBODY, .nice = true, .ends = true,
};

/* Whether it may dump core is irrelevant. */
FIXTURE_VARIANT_ADD(program, set_user_id_and_dumpable) {
	.uid = SOMEBODY, .dumpable = 1, .mode = 04755,
	.euid = 0, .egid = SOMEBODY, .nice = true, .ends = true,
};

FIXTURE_VARIANT_ADD(program, set_group_id) {
	.uid = SOMEBODY, .mode = 02755,
	.euid = SOMEBODY, .egid = 0, .ends = true,
};

FIXTURE_VARIANT_ADD(program, of_another_user) {
	.uid = SOMEBODY, .owner = NOBODY, .mode = 04755,
	.euid = NOBODY, .egid = SOMEBODY, .ends = true,
};

FIXTURE_VARIANT_ADD(program, of_the_same_user) {
	.uid = SOMEBODY, .owner = SOMEBODY, .mode = 04755,
	.euid = SOMEBODY, .egid = SOMEBODY,
};

FIXTURE_VARIANT_ADD(program, with_a_capability) {
	.uid = SOMEBODY, .mode = 0755, .capable = true,
	.euid = SOMEBODY, .egid = SOMEBODY, .nice = true, .ends = true,
};

FIXTURE_VARIANT_ADD(program, no_new_privileges) {
	.uid = SOMEBODY, .no_new_privileges = true, .mode = 04755,
	.euid = SOMEBODY, .egid = SOMEBODY,
};

/* Its owner is not mapped there. */
FIXTURE_VARIANT_ADD(program, in_a_user_namespace) {
	.uid = SOMEBODY, .contained = true, .mode = 04755,
	.euid = OVERFLOW, .egid = OVERFLOW,
};

/* The user may not see its contents, nor where its instructions go. */
FIXTURE_VARIANT_ADD(program, that_may_not_be_read) {
	.uid = SOMEBODY, .mode = 0711,
	.euid = SOMEBODY, .egid = SOMEBODY, .ends = true,
};

FIXTURE_VARIANT_ADD(program, of_root) {
	.uid = 0, .capabilities = ~0ULL, .mode = 04755,
	.euid = 0, .egid = 0, .nice = true,
};

/* It regains them. */
FIXTURE_VARIANT_ADD(program, of_root_without_capabilities) {
	.uid = 0, .mode = 0755,
	.euid = 0, .egid = 0, .nice = true, .ends = true,
};

static bool copy_self(const char *path)
{
	int in = open("/proc/self/exe", O_RDONLY);
	int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0700);
	struct stat st;
	bool ok;

	ok = !fstat(in, &st) &&
	     sendfile(out, in, NULL, st.st_size) == st.st_size;
	close(in);
	close(out);
	return ok;
}

static bool make_capable(const char *path)
{
	const struct vfs_cap_data data = {
		.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
		.data[0].permitted = CAPABILITY(CAP_SYS_NICE),
	};

	return !setxattr(path, "security.capability", &data, sizeof(data), 0);
}

static void become_executer(const FIXTURE_VARIANT(program) *variant)
{
	become(variant->uid, variant->capabilities);
	if (variant->no_new_privileges)
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (variant->contained && unshare(CLONE_NEWUSER))
		_exit(101);
}

/* The program gets its expected privileges as arguments. */
static int execute(void *arg)
{
	const FIXTURE_VARIANT(program) *variant = arg;
	char euid[16], egid[16];
	char *argv[] = { PROGRAM, euid, egid, variant->nice ? "1" : "0", NULL };

	snprintf(euid, sizeof(euid), "%u", variant->euid);
	snprintf(egid, sizeof(egid), "%u", variant->egid);
	become_executer(variant);
	execv(PROGRAM, argv);
	return 127;
}

FIXTURE_SETUP(program)
{
	self->dumpable = get_sysctl(SUID_DUMPABLE);
	ASSERT_TRUE(set_sysctl(SUID_DUMPABLE, variant->dumpable));
	ASSERT_TRUE(copy_self(PROGRAM));
	ASSERT_EQ(0, chown(PROGRAM, variant->owner, variant->group));
	ASSERT_EQ(0, chmod(PROGRAM, variant->mode));
	if (variant->capable)
		ASSERT_TRUE(make_capable(PROGRAM));
	child_start(&self->child, execute, (void *)variant);
	self->fd = monitor(self->child.pid);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(program)
{
	child_kill(&self->child);
	close(self->fd);
	unlink(PROGRAM);
	set_sysctl(SUID_DUMPABLE, self->dumpable);
	free(self->records.data);
}

/* The exec sample; only those of the new program follow it in time. */
static uint64_t end_of_first_program(const struct records *records)
{
	const struct kermon_record *record = NULL;

	while ((record = records_next(records, record))) {
		const struct kermon_sample *sample = (const void *)record;

		if (record->type == KERMON_RECORD_SAMPLE &&
		    sample->reason == KERMON_REASON_EXEC)
			return sample->tsc_end;
	}
	return UINT64_MAX;
}

/* Instructions of the executed program in user mode. */
static uint64_t instructions_since(const struct records *records, uint64_t tsc)
{
	const struct kermon_record *record = NULL;
	uint64_t sum = 0;

	while ((record = records_next(records, record))) {
		const struct kermon_sample *sample = (const void *)record;

		if (record->type == KERMON_RECORD_SAMPLE && sample->nr_fixed &&
		    sample->tsc_begin >= tsc)
			sum += sample->values[KERMON_FIXED_INSTRUCTIONS];
	}
	return sum;
}

TEST_F(program, is_executed)
{
	struct tally tally;
	uint64_t instructions;
	int status;

	child_go(&self->child);
	ASSERT_EQ(0, records_read_all(&self->records, self->fd));
	status = child_wait(&self->child);
	ASSERT_TRUE(WIFEXITED(status));
	EXPECT_EQ(AS_EXPECTED, WEXITSTATUS(status));

	records_tally(&self->records, 0, &tally);
	EXPECT_EQ(0, tally.broken);
	EXPECT_EQ(1, tally.by_reason[KERMON_REASON_EXEC]);
	EXPECT_EQ(1, tally.by_reason[KERMON_REASON_EXIT]);
	EXPECT_EQ(KERMON_REASON_EXIT, tally.last_reason);
	if (!tally.fixed[KERMON_FIXED_INSTRUCTIONS])
		SKIP(return, "this CPU has no fixed counters");

	instructions = instructions_since(&self->records,
					  end_of_first_program(&self->records));
	EXPECT_EQ(variant->ends, !instructions);
}

static bool may_nice(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = {};

	return !syscall(SYS_capget, &header, data) &&
	       data[0].effective & CAPABILITY(CAP_SYS_NICE);
}

/* The executed program: check that it has the expected privileges. */
static int program(char **argv)
{
	return geteuid() == strtoul(argv[1], NULL, 10) &&
	       getegid() == strtoul(argv[2], NULL, 10) &&
	       may_nice() == !strcmp(argv[3], "1") ? AS_EXPECTED : 1;
}

int main(int argc, char **argv)
{
	if (!strcmp(argv[0], PROGRAM))
		return program(argv);
	return test_harness_run(argc, argv);
}
