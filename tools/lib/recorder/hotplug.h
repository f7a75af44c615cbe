/* SPDX-License-Identifier: GPL-2.0 */
/* CPUs that go offline and come online during a recording, as the kernel announces it. */
#ifndef KERMON_HOTPLUG_H
#define KERMON_HOTPLUG_H

#include <stddef.h>
#include <stdint.h>

#include "watch.h"

/* Of a CPU that was not watched until the end. */
#define HOTPLUG_FOR_EVER	UINT64_MAX

/**
 * struct hotplug - what has happened to CPUs
 * @fd: socket of the announcements; -1: they cannot be received
 * @nr: length of @missed
 * @missed: by CPU: ns for which it was online, but not watched
 * @checked_ns: when announcements were read last
 */
struct hotplug {
	int fd;
	size_t nr;
	uint64_t *missed;
	uint64_t checked_ns;
};

/* Before any event is opened. Return: 0 or -ENOMEM; without a socket, nothing is noticed. */
int hotplug_open(struct hotplug *hotplug);

/*
 * Watch CPUs that have come online since the last call, with empty rings. Return: 0 or
 * -ENOMEM.
 */
int hotplug_check(struct hotplug *hotplug, struct watch *watch);

void hotplug_close(struct hotplug *hotplug);

#endif /* KERMON_HOTPLUG_H */
