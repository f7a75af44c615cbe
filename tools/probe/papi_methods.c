// SPDX-License-Identifier: GPL-2.0
/*
 * PAPI, whose perf_event component reads by RDPMC if perf permits it. Its library is loaded
 * at run time: not everybody who measures has it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>

#include "probe.h"

/*
 * The functions that are used: see papi.h of PAPI 7. They return PAPI_OK, which is 0, or a
 * negative number that PAPI_strerror() explains.
 */
static struct {
	int (*library_init)(int version);
	int (*create_eventset)(int *set);
	int (*set_domain)(int domain);
	int (*add_named_event)(int set, const char *name);
	int (*start)(int set);
	int (*read)(int set, long long *values);
	int (*stop)(int set, long long *values);
	char *(*strerror)(int error);
} papi;

/* PAPI_DOM_USER and PAPI_DOM_KERNEL. */
#define DOMAIN_USER	1
#define DOMAIN_KERNEL	2

/* PAPI_NULL: no set yet. */
static int set = -1;

/* As in events.c; and what PAPI calls them on processors that it has no names for. */
static const char *const intel[][2] = {
	{ "PAPI_TOT_INS", "perf::INSTRUCTIONS" },
	{ "PAPI_BR_INS", "perf::BRANCHES" },
	{ "PAPI_TOT_CYC", "perf::CYCLES" },
	{ "PAPI_REF_CYC", "perf::REF-CYCLES" },
};

static const char *const amd[][2] = {
	{ "PAPI_TOT_INS", "perf::INSTRUCTIONS" },
	{ "PAPI_BR_INS", "perf::BRANCHES" },
	{ "PAPI_BR_MSP", "perf::BRANCH-MISSES" },
	{ "PAPI_TOT_CYC", "perf::CYCLES" },
};

static const char *const software[] = {
	"perf::PAGE-FAULTS", "perf::TASK-CLOCK", "perf::CONTEXT-SWITCHES",
	"perf::CPU-MIGRATIONS",
};

/* The library, and what PAPI_library_init() wants to be told: PAPI_VER_CURRENT. */
static const struct {
	const char *file;
	int version;
} libraries[] = {
	{ "libpapi.so.7.1", 7 << 24 | 1 << 16 },
	{ "libpapi.so.7.0", 7 << 24 },
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* A function of the library; NULL if it has none. */
#define FIND(library, name)	(papi.name = dlsym(library, "PAPI_" #name))

static bool find_all(void *library)
{
	return FIND(library, library_init) && FIND(library, create_eventset) &&
	       FIND(library, set_domain) && FIND(library, add_named_event) &&
	       FIND(library, start) && FIND(library, read) && FIND(library, stop) &&
	       FIND(library, strerror);
}

static int load(void)
{
	void *library = NULL;
	size_t i;
	int ret;

	for (i = 0; i < COUNT(libraries); i++) {
		library = dlopen(libraries[i].file, RTLD_NOW | RTLD_GLOBAL);
		if (library)
			break;
	}
	if (!library)
		return probe_say(-ENOENT, "neither PAPI 7.0 nor 7.1 is installed (Debian: libpapi7.0)");
	if (!find_all(library))
		return probe_say(-ENOSYS, "%s lacks a function: %s", libraries[i].file, dlerror());
	ret = papi.library_init(libraries[i].version);
	if (ret != libraries[i].version)
		return probe_say(-ENODEV, "PAPI cannot be used here: PAPI_library_init(): %s",
				 ret < 0 ? papi.strerror(ret) : "it is of another version");
	return 0;
}

static int add_preset(unsigned int i)
{
	const char *const *names = (probe_is_amd() ? amd : intel)[i % COUNT(intel)];
	int ret = papi.add_named_event(set, names[0]);

	return ret ? papi.add_named_event(set, names[1]) : 0;
}

static int add_event(unsigned int i)
{
	char name[32];

	if (probe_software)
		return papi.add_named_event(set, software[i % COUNT(software)]);
	if (!probe_events_are_raw())
		return add_preset(i);
	snprintf(name, sizeof(name), "perf_raw::r%04llx",
		 (unsigned long long)probe_event(i));
	return papi.add_named_event(set, name);
}

/* PAPI_ENOEVNT: also of an event that perf has no counter for. */
#define NO_EVENT	-7

/* Its errors do not tell a machine without a PMU from one that lacks an event. */
static int say_event(int error, unsigned int i)
{
	const bool is_without = error == NO_EVENT && !probe_software;

	return probe_say(-EINVAL, "PAPI: event %u: %s%s", i + 1, papi.strerror(error), is_without ?
			 "; this processor may have no counter for it, software events need none (--software)" : "");
}

static int create_set(void)
{
	const int domain = probe_kernel ? DOMAIN_USER | DOMAIN_KERNEL : DOMAIN_USER;
	int ret = papi.set_domain(domain);

	if (ret)
		return probe_say(-EINVAL, "PAPI_set_domain(): %s", papi.strerror(ret));
	ret = papi.create_eventset(&set);
	if (ret)
		return probe_say(-EINVAL, "PAPI_create_eventset(): %s", papi.strerror(ret));
	return 0;
}

static int open_papi(unsigned int nr_events)
{
	int ret = load();

	if (!ret)
		ret = create_set();
	for (unsigned int i = 0; !ret && i < nr_events; i++) {
		ret = add_event(i);
		if (ret)
			ret = say_event(ret, i);
	}
	return ret;
}

static int start_papi(void)
{
	return papi.start(set);
}

static int read_papi(uint64_t *counts)
{
	return papi.read(set, (long long *)counts);
}

static int stop_papi(uint64_t *counts)
{
	return papi.stop(set, (long long *)counts);
}

static const char *explain(int error)
{
	const char *text = papi.strerror(error);

	return text ? text : "PAPI has failed, with an error that it does not know";
}

const struct probe_method papi_methods[] = {
	{ "papi", open_papi, start_papi, read_papi, stop_papi, .explain = explain },
	{}
};
