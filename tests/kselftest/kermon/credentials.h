/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who asks, and how strict the machine is.
 */
#ifndef KERMON_TEST_CREDENTIALS_H
#define KERMON_TEST_CREDENTIALS_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>

#include "log.h"

#define NOBODY		65534
#define SOMEBODY	1000

#define CAPABILITY(number)	(1ULL << (number))

/* kernel.perf_event_paranoid; -100: it cannot be read. */
bool set_paranoid(int level);
int get_paranoid(void);

/* The caller keeps the capabilities of @mask only, as an ordinary user. */
void become(uid_t uid, __u64 mask);

/* A child that has become @uid by the time this returns, and waits. */
void start_as(struct child *child, uid_t uid);

#endif /* KERMON_TEST_CREDENTIALS_H */
