/* SPDX-License-Identifier: GPL-2.0 */
/* Wrappers for sched_setattr(2) and sched_getattr(2), which glibc lacks. */
#ifndef KERMON_TEST_ATTRIBUTES_H
#define KERMON_TEST_ATTRIBUTES_H

#include <linux/sched.h>
#include <linux/types.h>
#include <sched.h>
#include <sys/types.h>

struct attributes {
	__u32 size;
	__u32 policy;
	__u64 flags;
	__s32 nice;
	__u32 priority;
	__u64 runtime;
	__u64 deadline;
	__u64 period;
	__u32 util_min;
	__u32 util_max;
};

/* 0, or -1 with errno; @attr->size is filled in. */
int set_attributes(pid_t pid, struct attributes *attr);
int get_attributes(pid_t pid, struct attributes *attr);

#endif /* KERMON_TEST_ATTRIBUTES_H */
