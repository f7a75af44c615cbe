// SPDX-License-Identifier: GPL-2.0
#include "overhead.h"

const char *const step_names[NR_STEPS] = {
	[STEP_START] = "start",
	[STEP_FIRST] = "first read",
	[STEP_LATER] = "later read",
	[STEP_STOP] = "stop",
	[STEP_TOTAL] = "total",
};

const struct method methods[] = {
	{ "kermon-page", "kermon-page", "static",
	  "KerMon, from the page of the thread" },
	{ "kermon-call", "kermon-call", "dynamic",
	  "KerMon, read() of a shared C library" },
	{ "kermon-call-static", "kermon-call", "static",
	  "KerMon, read() of a C library that is linked statically" },
	{ "perf-read", "perf-read", "dynamic",
	  "perf, read() of a shared C library" },
	{ "perf-read-static", "perf-read", "static",
	  "perf, read() of a C library that is linked statically" },
	{ "perf-syscall", "perf-syscall", "dynamic",
	  "perf, read by a system call without the C library" },
	{ "perf-syscall-static", "perf-syscall", "static",
	  "perf, the same, linked statically" },
	{ "perf-rdpmc", "perf-rdpmc", "dynamic",
	  "perf, RDPMC; the first read finds no page" },
	{ "perf-rdpmc-populated", "perf-rdpmc-populated", "dynamic",
	  "perf, RDPMC, with MAP_POPULATE" },
	{ "perf-rdpmc-touched", "perf-rdpmc-touched", "dynamic",
	  "perf, RDPMC, the page having been read before" },
	{ "perf-rdpmc-touched-static", "perf-rdpmc-touched", "static",
	  "perf, the same, linked statically" },
	{ "perf-rdpmc-running", "perf-rdpmc-running", "static",
	  "perf, RDPMC, of events that run all the time" },
	{ "papi", "papi", "dynamic", "PAPI" },
	{ "likwid", "likwid", "dynamic", "the marker API of likwid" },
	{}
};
