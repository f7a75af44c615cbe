// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <unistd.h>

#include "control.h"
#include "log.h"
#include "monitors.h"
#include "quantities.h"

#define LOG_BYTES	(1 << 24)
#define NR_TASKS	2

static struct {
	pid_t pid;
	int fd;
} monitored[NR_TASKS];
static int nr_monitored;

static void begin(pid_t pid, int set, unsigned int flags)
{
	struct kermon_event_set events = event_set_of(quantity_set(set));
	int fd;

	events.flags = flags;
	events.log_bytes = LOG_BYTES;
	fd = set_events(pid, &events, sizeof(events), 0);
	if (fd < 0)
		die("set_events");
	monitored[nr_monitored].pid = pid;
	monitored[nr_monitored++].fd = fd;
}

static void begin_plain(pid_t pid, int set)
{
	begin(pid, set, 0);
}

static void begin_energy(pid_t pid, int set)
{
	begin(pid, set, KERMON_SET_ENERGY);
}

/* There may be more samples than pairs, since some are taken at ticks. */
static unsigned long long end(unsigned long long pairs)
{
	unsigned long long samples = 0, cycles = 0;
	struct app_info app;

	while (nr_monitored) {
		if (control_get_app(monitored[--nr_monitored].pid, &app))
			die("control_get_app");
		samples += app.emitted - app.lost;
		cycles += app.cost;
		close(monitored[nr_monitored].fd);
	}
	errno = ENODATA;
	if (samples < pairs)
		die("samples are missing");
	return cycles;
}

const struct monitor kermon = { begin_plain, end };
const struct monitor kermon_energy = { begin_energy, end };
