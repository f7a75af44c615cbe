// SPDX-License-Identifier: GPL-2.0
/* <kermon/msr.h> with a real helper, on registers that are files. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include <kermon/msr.h>

#include "helper/state.h"
#include "msr/private.h"
#include "msr_root.h"

#include "kselftest_harness.h"

#define TSC	0x10
#define SELECT	0x186
#define ANY	0x187
#define OTHER	0x188

#define ALLOW_WRITES	"sys/module/msr/parameters/allow_writes"
#define LOCKDOWN	"sys/kernel/security/lockdown"
#define SECURE_BOOT	"sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

static const uint32_t cpus[] = { 0, 1 };

FIXTURE(msr)
{
	struct root root;
	struct kermon_msr *msr;
	struct kermon_msr_error error;
};

static int open_msr(struct kermon_msr **msr, uint32_t flags,
		    struct kermon_msr_error *error)
{
	const struct kermon_msr_options options = {
		.size = sizeof(options),
		.flags = flags,
		.nr_cpus = 2,
		.cpus = cpus,
	};

	return kermon_msr_open(msr, &options, error);
}

FIXTURE_SETUP(msr)
{
	root_make(&self->root);
	ASSERT_EQ(0, open_msr(&self->msr, KERMON_MSR_WRITE, &self->error))
		TH_LOG("%s", self->error.text);
}

FIXTURE_TEARDOWN(msr)
{
	kermon_msr_close(self->msr);
	root_free(&self->root);
}

/* The helper that writes to CPU 0. */
static pid_t helper_of(const struct root *root)
{
	struct slot slot = { .pid = 0 };
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/run/kermon/msr", root->path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (read(fd, &slot, sizeof(slot)) != sizeof(slot))
		slot.pid = 0;
	close(fd);
	return slot.pid;
}

TEST_F(msr, reads_and_writes)
{
	struct kermon_msr_info info;
	uint64_t value;

	root_set(&self->root, 1, TSC, 1234);
	EXPECT_EQ(0, kermon_msr_read(self->msr, 1, TSC, &value));
	EXPECT_EQ(1234, value);
	EXPECT_EQ(0, kermon_msr_write(self->msr, 1, ANY, 77));
	EXPECT_EQ(77, root_get(&self->root, 1, ANY));
	EXPECT_EQ(1, kermon_msr_restore(self->msr));
	EXPECT_EQ(0, root_get(&self->root, 1, ANY));
	kermon_msr_info(self->msr, &info);
	EXPECT_EQ(2, info.nr_cpus);
	EXPECT_EQ(0, info.is_msr_safe);
	EXPECT_NE(NULL, strstr(info.list, "/share/test.list"));
	EXPECT_EQ(1, kermon_msr_cpu(self->msr, 1));
	EXPECT_EQ(-ENOENT, kermon_msr_cpu(self->msr, 2));
}

TEST_F(msr, closing_restores)
{
	root_set(&self->root, 0, ANY, 5);
	EXPECT_EQ(0, kermon_msr_write(self->msr, 0, ANY, 6));
	kermon_msr_close(self->msr);
	self->msr = NULL;
	EXPECT_EQ(5, root_get(&self->root, 0, ANY));
}

/* More operations than one round trip takes. */
TEST_F(msr, long_batch)
{
	enum { NR = 2 * KERMON_MSR_BATCH + 10 };
	struct kermon_msr_op ops[NR] = {};

	root_set(&self->root, 0, TSC, 42);
	for (int i = 0; i < NR; i++)
		ops[i].reg = TSC;
	EXPECT_EQ(0, kermon_msr_batch(self->msr, ops, NR));
	for (int i = 0; i < NR; i++)
		EXPECT_EQ(42, ops[i].value);
	EXPECT_EQ(0, kermon_msr_batch(self->msr, ops, 0));
	ops[KERMON_MSR_BATCH].reg = 1;
	EXPECT_EQ(-EACCES, kermon_msr_batch(self->msr, ops, NR));
	EXPECT_EQ(0, ops[0].error);
	EXPECT_EQ(-ECANCELED, ops[KERMON_MSR_BATCH + 1].error);
	EXPECT_EQ(0, ops[2 * KERMON_MSR_BATCH].error);
	EXPECT_EQ(KERMON_MSR_NOT_LISTED,
		  kermon_msr_error(self->msr)->reason);
}

TEST_F(msr, list)
{
	const struct kermon_msr_entry *entry;

	EXPECT_EQ(TSC, kermon_msr_entry(self->msr, 0)->reg);
	EXPECT_EQ(NULL, kermon_msr_entry(self->msr, 6));
	entry = kermon_msr_find(self->msr, "select");
	ASSERT_NE(NULL, entry);
	EXPECT_EQ(SELECT, entry->reg);
	EXPECT_EQ(0xff, entry->mask);
	EXPECT_STREQ("an event", entry->about);
	EXPECT_EQ(NULL, kermon_msr_find(self->msr, "none"));
}

TEST_F(msr, list_only)
{
	struct kermon_msr *list;
	uint64_t value;

	kermon_msr_close(self->msr);
	self->msr = NULL;
	unlinkat(AT_FDCWD, strcat(strcpy((char[128]){}, self->root.path),
				  "/dev/cpu/0/msr"), 0);
	EXPECT_EQ(-ENOENT, open_msr(&list, 0, &self->error));
	ASSERT_EQ(0, open_msr(&list, KERMON_MSR_LIST_ONLY, &self->error));
	EXPECT_EQ(TSC, kermon_msr_entry(list, 0)->reg);
	EXPECT_EQ(-EBADF, kermon_msr_read(list, 0, TSC, &value));
	kermon_msr_close(list);
}

TEST_F(msr, errors)
{
	const struct kermon_msr_error *error;

	EXPECT_EQ(-EACCES, kermon_msr_write(self->msr, 0, SELECT, 0x100));
	error = kermon_msr_error(self->msr);
	EXPECT_EQ(KERMON_MSR_BITS, error->reason);
	EXPECT_EQ(SELECT, error->reg);
	EXPECT_NE(NULL, strstr(error->text, "0x100 would change or set bits of register 0x186"));
	EXPECT_EQ(-EACCES, kermon_msr_write(self->msr, 0, TSC, 1));
	error = kermon_msr_error(self->msr);
	EXPECT_NE(NULL, strstr(error->remedy, "/share/test.list"));
	EXPECT_EQ(-EIO, kermon_msr_write(self->msr, 1, 0x2000, 1));
	EXPECT_NE(NULL, strstr(kermon_msr_error(self->msr)->text,
			       "CPU 1 does not have register 0x2000"));
	EXPECT_EQ(-EBADF, kermon_msr_write(self->msr, 7, ANY, 1));
}

static int open_other(struct kermon_msr_error *error)
{
	struct kermon_msr *msr;
	const int err = open_msr(&msr, KERMON_MSR_WRITE, error);

	kermon_msr_close(msr);
	return err;
}

TEST_F(msr, errors_of_installation)
{
	struct kermon_msr_error *error = &self->error;

	setenv("KERMON_MSR_HELPER", "/nonexistent", 1);
	EXPECT_EQ(-ENOENT, open_other(error));
	EXPECT_EQ(KERMON_MSR_NO_HELPER, error->reason);
	EXPECT_NE(NULL, strstr(error->remedy, "make install"));
	setenv("KERMON_MSR_HELPER", "/etc/passwd", 1);
	EXPECT_EQ(-EACCES, open_other(error));
	EXPECT_EQ(KERMON_MSR_NO_GROUP, error->reason);
	setenv("KERMON_MSR_HELPER", "/bin/true", 1);
	EXPECT_EQ(-EPIPE, open_other(error));
	EXPECT_EQ(KERMON_MSR_HELPER_DIED, error->reason);
	unsetenv("KERMON_MSR_HELPER");
	root_file(&self->root, "share/test.list", "0x10 0x0\nnonsense\n");
	EXPECT_EQ(-EINVAL, open_other(error));
	EXPECT_EQ(KERMON_MSR_BAD_LIST, error->reason);
	EXPECT_NE(NULL, strstr(error->text, "line 2 of"));
	root_file(&self->root, "share/index", "None 0x6 * test.list\n");
	EXPECT_EQ(-ENOENT, open_other(error));
	EXPECT_EQ(KERMON_MSR_NO_LIST, error->reason);
	EXPECT_NE(NULL, strstr(error->remedy, "/share/index"));
	root_index(&self->root);
	root_file(&self->root, "share/test.list", ROOT_LIST);
	chmod(strcat(strcpy((char[128]){}, self->root.path), "/run/kermon"),
	      0755);
	EXPECT_EQ(-EPERM, open_other(error));
	EXPECT_EQ(KERMON_MSR_NO_STATE, error->reason);
}

/* Explain that the driver has rejected a write. */
static void explain_rejected(struct kermon_msr_error *error, int err)
{
	const struct msr_cause cause = {
		.error = err,
		.reason = KERMON_MSR_DENIED,
		.reg = ANY,
	};

	msr_explain(error, &cause);
}

static void make_secure_boot(const struct root *root, char value)
{
	const char content[5] = { 6, 0, 0, 0, value };
	char path[192];
	FILE *file;

	snprintf(path, sizeof(path), "%s/" SECURE_BOOT, root->path);
	file = fopen(path, "we");
	if (!file || fwrite(content, 1, 5, file) != 5 || fclose(file))
		abort();
}

/* Lockdown, Secure Boot and msr.allow_writes, with files that stand for the kernel's. */
TEST_F(msr, rejected_by_the_kernel)
{
	static const char *const folders[] = {
		"sys", "sys/kernel", "sys/kernel/security", "sys/module",
		"sys/module/msr", "sys/module/msr/parameters", "sys/firmware",
		"sys/firmware/efi", "sys/firmware/efi/efivars",
	};
	struct kermon_msr_error *error = &self->error;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		root_folder(&self->root, folders[i]);
	explain_rejected(error, -EPERM);
	EXPECT_EQ(KERMON_MSR_DENIED, error->reason);
	EXPECT_NE(NULL, strstr(error->text, "locked down, or msr.allow_writes"));
	root_file(&self->root, ALLOW_WRITES, "off\n");
	explain_rejected(error, -EPERM);
	EXPECT_EQ(KERMON_MSR_WRITES_OFF, error->reason);
	EXPECT_NE(NULL, strstr(error->remedy, "echo default >/sys/module/msr/"));
	root_file(&self->root, ALLOW_WRITES, "default\n");
	root_file(&self->root, LOCKDOWN, "none [integrity] confidentiality\n");
	explain_rejected(error, -EPERM);
	EXPECT_EQ(KERMON_MSR_LOCKDOWN, error->reason);
	EXPECT_NE(NULL, strstr(error->remedy, "remove lockdown="));
	make_secure_boot(&self->root, 0);
	explain_rejected(error, -EPERM);
	EXPECT_EQ(NULL, strstr(error->text, "Secure Boot"));
	make_secure_boot(&self->root, 1);
	explain_rejected(error, -EPERM);
	EXPECT_NE(NULL, strstr(error->text, "because of Secure Boot"));
	EXPECT_NE(NULL, strstr(error->remedy, "disable Secure Boot"));
	/* not locked down, so that the other cause remains, which a user cannot read */
	root_file(&self->root, LOCKDOWN, "[none] integrity confidentiality\n");
	explain_rejected(error, -EPERM);
	EXPECT_EQ(KERMON_MSR_WRITES_OFF, error->reason);
	explain_rejected(error, -EACCES);
	EXPECT_EQ(KERMON_MSR_DENIED, error->reason);
	EXPECT_NE(NULL, strstr(error->remedy, "/dev/cpu/msr_allowlist"));
}

TEST_F(msr, busy)
{
	struct kermon_msr *other;
	char text[64];

	ASSERT_EQ(0, kermon_msr_write(self->msr, 0, ANY, 1));
	ASSERT_EQ(0, open_msr(&other, KERMON_MSR_WRITE | KERMON_MSR_KEEP, NULL));
	EXPECT_EQ(-EBUSY, kermon_msr_write(other, 0, OTHER, 1));
	EXPECT_EQ(KERMON_MSR_BUSY, kermon_msr_error(other)->reason);
	snprintf(text, sizeof(text), "in use by process %d (", getpid());
	EXPECT_NE(NULL, strstr(kermon_msr_error(other)->text, text));
	EXPECT_EQ(-EBUSY, kermon_msr_restore(other));
	EXPECT_NE(NULL, strstr(kermon_msr_error(other)->text, text));
	EXPECT_EQ(0, kermon_msr_write(other, 1, OTHER, 1));
	EXPECT_EQ(-EBUSY, kermon_msr_restore(other));
	EXPECT_EQ(0, root_get(&self->root, 1, OTHER));
	kermon_msr_close(other);
}

static void make_safe(const struct root *root)
{
	char path[128];

	root_file(root, "dev/cpu/0/msr_safe", "");
	root_file(root, "dev/cpu/1/msr_safe", "");
	snprintf(path, sizeof(path), "%s/dev/cpu/1/msr_safe", root->path);
	if (truncate(path, 8 * ROOT_REGISTERS))
		abort();
}

/* The driver msr_safe is preferred; to write, its batch device is needed. */
TEST_F(msr, msr_safe)
{
	struct kermon_msr_info info;
	struct kermon_msr *safe;
	uint64_t value;

	make_safe(&self->root);
	root_set(&self->root, 1, TSC, 5);
	ASSERT_EQ(0, open_msr(&safe, 0, &self->error));
	kermon_msr_info(safe, &info);
	EXPECT_EQ(1, info.is_msr_safe);
	EXPECT_EQ(0, kermon_msr_read(safe, 1, TSC, &value));
	EXPECT_EQ(0, value);
	kermon_msr_close(safe);
	ASSERT_EQ(0, open_msr(&safe, KERMON_MSR_WRITE, &self->error));
	kermon_msr_info(safe, &info);
	EXPECT_EQ(0, info.is_msr_safe);
	EXPECT_EQ(0, kermon_msr_read(safe, 1, TSC, &value));
	EXPECT_EQ(5, value);
	kermon_msr_close(safe);
}

/* Of a batch device that is not what it should be, reads are executed one by one. */
TEST_F(msr, msr_safe_without_batches)
{
	struct kermon_msr_op ops[] = {
		{ .cpu = 1, .reg = TSC }, { .cpu = 1, .reg = SELECT },
		{ .cpu = 1, .reg = ANY, .kind = KERMON_MSR_OP_WRITE },
	};
	struct kermon_msr *safe;

	make_safe(&self->root);
	root_file(&self->root, "dev/cpu/msr_batch", "");
	ASSERT_EQ(0, open_msr(&safe, KERMON_MSR_WRITE, &self->error));
	EXPECT_EQ(0, kermon_msr_batch(safe, ops, 2));
	EXPECT_EQ(-ENOTTY, kermon_msr_batch(safe, ops, 3));
	EXPECT_EQ(0, ops[1].error);
	EXPECT_EQ(KERMON_MSR_OTHER, ops[2].reason);
	kermon_msr_close(safe);
}

/* The client is killed, and with it nothing but the client. */
TEST_F(msr, killed_client)
{
	struct kermon_msr *msr;
	pid_t client;
	int ready[2];
	char byte;

	kermon_msr_close(self->msr);
	self->msr = NULL;
	root_set(&self->root, 0, ANY, 5);
	ASSERT_EQ(0, pipe(ready));
	client = fork();
	if (!client) {
		if (open_msr(&msr, KERMON_MSR_WRITE, NULL) ||
		    kermon_msr_write(msr, 0, ANY, 6))
			_exit(1);
		byte = write(ready[1], "", 1);
		pause();
	}
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	EXPECT_EQ(6, root_get(&self->root, 0, ANY));
	kill(client, SIGKILL);
	waitpid(client, NULL, 0);
	for (int i = 0; i < 500 && root_get(&self->root, 0, ANY) != 5; i++)
		usleep(10000);
	EXPECT_EQ(5, root_get(&self->root, 0, ANY));
	close(ready[0]);
	close(ready[1]);
}

/* Only SIGKILL ends a helper, and the next one restores what it has left. */
TEST_F(msr, killed_helper)
{
	const int harmless[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGALRM,
		SIGSEGV, SIGABRT, SIGXFSZ, SIGRTMIN, SIGRTMAX,
	};
	struct kermon_msr_info info;
	struct kermon_msr *next;
	uint64_t value;
	pid_t helper;

	root_set(&self->root, 0, ANY, 5);
	ASSERT_EQ(0, kermon_msr_write(self->msr, 0, ANY, 6));
	helper = helper_of(&self->root);
	ASSERT_LT(1, helper);
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		ASSERT_EQ(0, kill(helper, harmless[i]));
	ASSERT_EQ(0, kermon_msr_write(self->msr, 0, ANY, 6));
	ASSERT_EQ(0, kill(helper, SIGKILL));
	EXPECT_EQ(-EPIPE, kermon_msr_read(self->msr, 0, ANY, &value));
	EXPECT_EQ(KERMON_MSR_HELPER_DIED, kermon_msr_error(self->msr)->reason);
	EXPECT_EQ(6, root_get(&self->root, 0, ANY));
	ASSERT_EQ(0, open_msr(&next, 0, NULL));
	kermon_msr_info(next, &info);
	EXPECT_EQ(1, info.recovered);
	EXPECT_EQ(5, root_get(&self->root, 0, ANY));
	kermon_msr_close(next);
}

TEST_HARNESS_MAIN
