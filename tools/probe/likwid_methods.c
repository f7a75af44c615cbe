// SPDX-License-Identifier: GPL-2.0
/*
 * likwid's marker API, as in a program that likwid-perfctr -m starts: it counts for a CPU,
 * whichever process runs there, and lets counters run all the time. A region has no value
 * before it is stopped, so a read stops it, gets its value and starts it again.
 *
 * Debian's likwid reads registers by itself (access mode 0), which requires /dev/cpu/N/msr,
 * or by a daemon with privilege, which it does not install so; it has no backend for perf.
 * Its library is loaded at run time: not everybody who measures has it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

#define REGION	"read"

/* The functions that are used: see likwid.h of likwid 5. */
static struct {
	void (*Init)(void);
	int (*RegisterRegion)(const char *region);
	int (*StartRegion)(const char *region);
	int (*StopRegion)(const char *region);
	void (*GetRegion)(const char *region, int *nr_events, double *events, double *time,
			  int *count);
	void (*Close)(void);
} likwid;

/* Names of the events of events.c, and counters for them. */
static const char *const intel[] = {
	"INSTR_RETIRED_ANY:FIXC0", "BR_INST_RETIRED_ALL_BRANCHES:PMC0",
	"CPU_CLK_UNHALTED_CORE:FIXC1", "CPU_CLK_UNHALTED_REF:FIXC2",
};

static const char *const amd[] = {
	"RETIRED_INSTRUCTIONS:PMC0", "RETIRED_BRANCH_INSTR:PMC1",
	"RETIRED_MISP_BRANCH_INSTR:PMC2", "CPU_CLOCKS_UNHALTED:PMC3",
};

#define NR_NAMES	(sizeof(intel) / sizeof(intel[0]))

static unsigned int nr;

/* A function of the library; NULL if it has none. */
#define FIND(library, name)	(likwid.name = dlsym(library, "likwid_marker" #name))

static int load(void)
{
	void *library = dlopen("liblikwid.so.5.2", RTLD_NOW | RTLD_GLOBAL);

	if (!library)
		library = dlopen("liblikwid.so.5", RTLD_NOW | RTLD_GLOBAL);
	if (!library)
		return probe_say(-ENOENT, "likwid 5 is not installed (Debian: likwid)");
	if (!FIND(library, Init) || !FIND(library, RegisterRegion) ||
	    !FIND(library, StartRegion) || !FIND(library, StopRegion) ||
	    !FIND(library, GetRegion) || !FIND(library, Close))
		return probe_say(-ENOSYS, "likwid lacks a function: %s", dlerror());
	return 0;
}

static int add_event(char *text, size_t size, unsigned int i)
{
	const char *kernel = probe_kernel ? ":KERNEL" : "";
	const char *comma = i ? "," : "";

	if (probe_events_are_raw())
		return snprintf(text, size, "%sGENERIC_EVENT:PMC%u:CONFIG=0x%x:UMASK=0x%x%s",
				comma, i, (unsigned int)(probe_event(i) & 0xff),
				(unsigned int)(probe_event(i) >> 8 & 0xff), kernel);
	return snprintf(text, size, "%s%s%s", comma, (probe_is_amd() ? amd : intel)[i], kernel);
}

/*
 * What likwid-perfctr -m -M 0 -f tells the program that it starts. Without force it refuses
 * registers that are not 0, as perf leaves them.
 */
static void set_environment(unsigned int nr_events)
{
	char cpu[16], events[512];
	size_t length = 0;

	for (unsigned int i = 0; i < nr_events; i++)
		length += add_event(events + length, sizeof(events) - length, i);
	snprintf(cpu, sizeof(cpu), "%d", probe_cpu);
	setenv("LIKWID_MODE", "0", 1);
	setenv("LIKWID_FORCE", "1", 1);
	setenv("LIKWID_THREADS", cpu, 1);
	setenv("LIKWID_FILEPATH", "/dev/null", 1);
	setenv("LIKWID_EVENTS", events, 1);
	unsetenv("LIKWID_PIN");
}

static int open_likwid(unsigned int nr_events)
{
	char path[32];
	int ret = load();

	if (ret)
		return ret;
	if (probe_software)
		return probe_say(-EINVAL, "likwid counts no software events");
	if (!probe_events_are_raw() && nr_events > NR_NAMES)
		return probe_say(-EINVAL, "likwid: only %zu events are named here", NR_NAMES);
	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", probe_cpu);
	if (access(path, R_OK | W_OK))
		return probe_say(-errno, "likwid reads registers by %s: %s; it requires root and the module msr (modprobe msr)",
				 path, strerror(errno));
	set_environment(nr_events);
	likwid.Init();
	if (likwid.RegisterRegion(REGION))
		return probe_say(-ENODEV, "likwid cannot count on this processor: likwid_markerInit() failed");
	nr = nr_events;
	return 0;
}

/* Errors of likwid are small numbers of either sign; this is none of them. */
#define TOO_FEW		10000

static const char *explain(int error)
{
	static char text[100];

	if (error == TOO_FEW)
		return "likwid_markerGetRegion() has fewer events than were chosen: likwid does not know one of them on this processor";
	snprintf(text, sizeof(text), "likwid cannot start or stop a region: its error is %d",
		 error);
	return text;
}

static int start_likwid(void)
{
	return likwid.StartRegion(REGION);
}

static int get(uint64_t *counts)
{
	double events[PROBE_MAX_EVENTS], time;
	int nr_found = nr, nr_calls;

	likwid.GetRegion(REGION, &nr_found, events, &time, &nr_calls);
	if (nr_found < (int)nr)
		return TOO_FEW;
	for (unsigned int i = 0; i < nr; i++)
		counts[i] = events[i];
	return 0;
}

static int stop_likwid(uint64_t *counts)
{
	int ret = likwid.StopRegion(REGION);

	return ret ? ret : get(counts);
}

static int read_likwid(uint64_t *counts)
{
	int ret = stop_likwid(counts);

	return ret ? ret : start_likwid();
}

/* It sets the registers back, which otherwise count on. */
static void close_likwid(void)
{
	likwid.Close();
}

const struct probe_method likwid_methods[] = {
	{ "likwid", open_likwid, start_likwid, read_likwid, stop_likwid, close_likwid,
	  .explain = explain },
	{}
};
