// SPDX-License-Identifier: GPL-2.0
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "credentials.h"

static FILE *open_sysctl(const char *name, const char *mode)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	return fopen(path, mode);
}

bool set_sysctl(const char *name, int value)
{
	FILE *file = open_sysctl(name, "w");

	if (!file)
		return false;
	fprintf(file, "%d\n", value);
	return !fclose(file);
}

int get_sysctl(const char *name)
{
	FILE *file = open_sysctl(name, "r");
	int value = -100;

	if (file) {
		if (fscanf(file, "%d", &value) != 1)
			value = -100;
		fclose(file);
	}
	return value;
}

void become(uid_t uid, __u64 mask)
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

static int wait_as(void *arg)
{
	become(*(uid_t *)arg, 0);
	for (;;)
		pause();
	return 0;
}

void start_as(struct child *child, uid_t uid)
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
