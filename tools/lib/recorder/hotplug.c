// SPDX-License-Identifier: GPL-2.0
/*
 * Listens to the kernel's announcements: "online@/devices/system/cpu/cpu1". The events of a
 * CPU end when it goes offline, and others have to be opened when it returns.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hotplug.h"
#include "util/monotonic.h"

#define CPU	"@/devices/system/cpu/cpu"

/* The kernel's group of announcements. */
#define KERNEL_GROUP	1

int hotplug_open(struct hotplug *hotplug)
{
	const struct sockaddr_nl address = {
		.nl_family = AF_NETLINK,
		.nl_groups = KERNEL_GROUP,
	};

	hotplug->nr = sysconf(_SC_NPROCESSORS_CONF);
	hotplug->missed = calloc(hotplug->nr, sizeof(*hotplug->missed));
	hotplug->checked_ns = monotonic_ns();
	hotplug->fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			     NETLINK_KOBJECT_UEVENT);
	if (hotplug->fd >= 0 &&
	    bind(hotplug->fd, (const struct sockaddr *)&address, sizeof(address))) {
		close(hotplug->fd);
		hotplug->fd = -1;
	}
	return hotplug->missed ? 0 : -ENOMEM;
}

void hotplug_close(struct hotplug *hotplug)
{
	if (hotplug->fd >= 0)
		close(hotplug->fd);
	free(hotplug->missed);
	*hotplug = (struct hotplug){ .fd = -1 };
}

/* The CPU that @text says has come online; -1: it says something else. */
static long returned_cpu(const char *text)
{
	static const char online[] = "online" CPU;
	char *end;
	long cpu;

	if (strncmp(text, online, strlen(online)))
		return -1;
	cpu = strtol(text + strlen(online), &end, 10);
	return *end || end == text + strlen(online) ? -1 : cpu;
}

static int take(struct hotplug *hotplug, struct watch *watch, const char *text,
		uint64_t now)
{
	const long cpu = returned_cpu(text);
	int result;

	if (cpu < 0 || (size_t)cpu >= hotplug->nr || !watch_needs(watch, cpu))
		return 0;
	result = watch_return(watch, cpu);
	if (result == -ENOMEM)
		return result;
	if (result)
		hotplug->missed[cpu] = HOTPLUG_FOR_EVER;
	else if (hotplug->missed[cpu] != HOTPLUG_FOR_EVER)
		hotplug->missed[cpu] += now - hotplug->checked_ns;
	return 0;
}

int hotplug_check(struct hotplug *hotplug, struct watch *watch)
{
	const uint64_t now = monotonic_ns();
	char text[4096];
	ssize_t size;
	int result = 0;

	while (!result && hotplug->fd >= 0 &&
	       (size = recv(hotplug->fd, text, sizeof(text) - 1, 0)) > 0) {
		text[size] = '\0';
		result = take(hotplug, watch, text, now);
	}
	hotplug->checked_ns = now;
	return result;
}
