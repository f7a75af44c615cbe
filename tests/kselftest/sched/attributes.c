// SPDX-License-Identifier: GPL-2.0
#include <sys/syscall.h>
#include <unistd.h>

#include "attributes.h"

int set_attributes(pid_t pid, struct attributes *attr)
{
	attr->size = sizeof(*attr);
	return syscall(SYS_sched_setattr, pid, attr, 0);
}

int get_attributes(pid_t pid, struct attributes *attr)
{
	return syscall(SYS_sched_getattr, pid, attr, sizeof(*attr), 0);
}
