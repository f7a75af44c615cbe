// SPDX-License-Identifier: GPL-2.0
/*
 * Counts energy with perf's PMU "power", or else with the counters of powercap. Both read
 * the registers of a package (RAPL), which know no tasks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "energy.h"
#include "util/cpulist.h"
#include "util/perfevent.h"
#include "util/sysfile.h"

#define POWER		"/sys/bus/event_source/devices/power"
#define POWERCAP	"/sys/class/powercap"
#define CPU		"/sys/devices/system/cpu"
#define EVENT		"energy-"
#define CONFIG		"event="
#define ZONE		"intel-rapl:"
#define MICROJOULE	1e-6

/* Names of powercap's zones; that of a package has a number. AMD's have the same names. */
static const struct {
	const char *zone;
	const char *domain;
} zones[] = {
	{ "package-", "pkg" }, { "core", "cores" }, { "uncore", "gpu" },
	{ "dram", "ram" },     { "psys", "psys" },
};

/* Index of a domain such as "pkg", or -1 if there are too many. */
static int find_or_add(struct energy_total *total, const char *domain)
{
	char name[ENERGY_NAME];
	unsigned int i;

	snprintf(name, sizeof(name), "power/" EVENT "%s/", domain);
	for (i = 0; i < total->nr; i++)
		if (!strcmp(total->domains[i].name, name))
			return i;
	if (i == ENERGY_DOMAINS)
		return -1;
	memcpy(total->domains[i].name, name, sizeof(name));
	total->nr++;
	return i;
}

/* Some of the energy must not pass for all of it: the first error counts. */
static void fail(struct energy *energy, int error)
{
	if (!energy->total.error)
		energy->total.error = error;
}

/* Takes @fd, which may be -errno. */
static void add(struct energy *energy, unsigned int package, const char *domain, int fd,
		double unit, uint64_t range)
{
	int index = -1;

	if (fd < 0) {
		fail(energy, fd);
		return;
	}
	if (energy->nr < ENERGY_COUNTERS)
		index = find_or_add(&energy->total, domain);
	if (index < 0) {
		close(fd);
		fail(energy, -E2BIG);
		return;
	}
	energy->total.domains[index].packages++;
	energy->counters[energy->nr++] = (struct energy_counter){
		.fd = fd,
		.domain = index,
		.package = package,
		.unit = unit,
		.range = range,
	};
}

static int open_event(uint64_t type, uint64_t config, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = config,
	};

	return perfevent_open(&attr, -1, cpu, -1);
}

/* Denied by perf_event, that would be -EACCES, which has another remedy. */
static int open_zone(const char *zone)
{
	char path[SYSFILE_LINE];
	int fd;

	snprintf(path, sizeof(path), POWERCAP "/%s/energy_uj", zone);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	return errno == EACCES ? -EPERM : -errno;
}

static unsigned int package_of(unsigned long cpu)
{
	uint64_t package;

	return sysfile_number(&package, 10, CPU "/cpu%lu/topology/physical_package_id",
			      cpu) ? package : 0;
}

/* One event per package: the PMU has a CPU of each in a list such as "0,16-17". */
static void add_event(struct energy *energy, uint64_t type, const char *event)
{
	char cpus[SYSFILE_LINE], line[SYSFILE_LINE];
	const char *at = cpus;
	unsigned int cpu, last;
	uint64_t config;
	double unit;

	if (!sysfile_line(line, POWER "/events/%s", event) ||
	    strncmp(line, CONFIG, strlen(CONFIG)))
		return;
	config = strtoull(line + strlen(CONFIG), NULL, 0);
	if (!sysfile_line(line, POWER "/events/%s.scale", event) ||
	    !sysfile_line(cpus, POWER "/cpumask"))
		return;
	unit = strtod(line, NULL);
	while (cpulist_next(&at, &cpu, &last))
		for (; cpu <= last; cpu++)
			add(energy, package_of(cpu), event + strlen(EVENT),
			    open_event(type, config, cpu), unit, 0);
}

/* "energy-pkg", but not "energy-pkg.scale" */
static int is_event(const struct dirent *entry)
{
	return !strncmp(entry->d_name, EVENT, strlen(EVENT)) &&
	       !strchr(entry->d_name, '.');
}

static void open_power(struct energy *energy)
{
	struct dirent **events;
	uint64_t type;
	int nr;

	if (!sysfile_number(&type, 10, POWER "/type"))
		return;
	nr = scandir(POWER "/events", &events, is_event, alphasort);
	for (int i = 0; i < nr; i++)
		add_event(energy, type, events[i]->d_name);
	if (nr >= 0)
		sysfile_free(events, nr);
}

static const char *domain_of_zone(const char *zone)
{
	const char *name;

	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		name = zones[i].zone;
		if (!strncmp(zone, name, strlen(name)) &&
		    (!zone[strlen(name)] || name[strlen(name) - 1] == '-'))
			return zones[i].domain;
	}
	return NULL;
}

/* Zone intel-rapl:1:0 is part of intel-rapl:1, which is called package-1; psys is not. */
static unsigned int package_of_zone(const char *zone)
{
	const int parent = strlen(ZONE) + strspn(zone + strlen(ZONE), "0123456789");
	unsigned int package = 0;
	char name[SYSFILE_LINE];

	if (sysfile_line(name, POWERCAP "/%.*s/name", parent, zone))
		sscanf(name, "package-%u", &package);
	return package;
}

static void add_zone(struct energy *energy, const char *zone)
{
	char line[SYSFILE_LINE];
	const char *domain;
	uint64_t range;

	if (!sysfile_line(line, POWERCAP "/%s/name", zone))
		return;
	domain = domain_of_zone(line);
	if (!domain || !sysfile_number(&range, 10,
				       POWERCAP "/%s/max_energy_range_uj",
				       zone) || !range)
		return;
	add(energy, package_of_zone(zone), domain, open_zone(zone), MICROJOULE, range);
}

/* Zones of other prefixes, such as intel-rapl-mmio, count the same a second time. */
static int is_zone(const struct dirent *entry)
{
	return !strncmp(entry->d_name, ZONE, strlen(ZONE));
}

static void open_powercap(struct energy *energy)
{
	struct dirent **entries;
	int nr = scandir(POWERCAP, &entries, is_zone, alphasort);

	for (int i = 0; i < nr; i++)
		add_zone(energy, entries[i]->d_name);
	if (nr >= 0)
		sysfile_free(entries, nr);
	energy->wraps = energy->nr;
}

/* If neither can be read, the error of perf counts. */
static void fall_back(struct energy *energy)
{
	const int error = energy->total.error;

	energy->total.error = 0;
	open_powercap(energy);
	if (!energy->nr && error)
		energy->total.error = error;
	if (!energy->nr)
		fail(energy, -ENODEV);
}

static bool read_value(const struct energy_counter *counter, uint64_t *value)
{
	char text[32];
	ssize_t size;

	if (!counter->range)
		return read(counter->fd, value, sizeof(*value)) == sizeof(*value);
	size = pread(counter->fd, text, sizeof(text) - 1, 0);
	if (size <= 0)
		return false;
	text[size] = '\0';
	*value = strtoull(text, NULL, 10);
	return true;
}

void energy_open(struct energy *energy)
{
	open_power(energy);
	if (!energy->nr)
		fall_back(energy);
	for (unsigned int i = 0; i < energy->nr; i++)
		if (!read_value(&energy->counters[i], &energy->counters[i].last))
			energy->total.error = -EIO;
}

/* Returns the joules since the last reading, or -1 if it cannot be read. */
static double read_counter(struct energy_counter *counter)
{
	uint64_t value, used;

	if (!read_value(counter, &value))
		return -1;
	used = value - counter->last;
	if (counter->range && value < counter->last)
		used += counter->range;
	counter->last = value;
	return used * counter->unit;
}

void energy_read(struct energy *energy)
{
	double joules;

	for (unsigned int i = 0; i < energy->nr; i++) {
		joules = read_counter(&energy->counters[i]);
		if (joules < 0)
			energy->total.error = -EIO;
		else
			energy->total.domains[energy->counters[i].domain].joules += joules;
	}
}

static void end_window(struct energy *energy, double seconds)
{
	struct energy_domain *domain;
	double watts;

	for (unsigned int i = 0; i < energy->total.nr; i++) {
		domain = &energy->total.domains[i];
		watts = (domain->joules - energy->window_joules[i]) / seconds;
		if (watts > domain->peak)
			domain->peak = watts;
	}
}

void energy_watch(struct energy *energy, uint64_t now_ns)
{
	const uint64_t ns = now_ns - energy->window_ns;

	energy_read(energy);
	if (energy->window_ns && ns < ENERGY_WINDOW_MS * 1000000ULL)
		return;
	if (energy->window_ns)
		end_window(energy, ns / 1e9);
	energy->window_ns = now_ns;
	for (unsigned int i = 0; i < energy->total.nr; i++)
		energy->window_joules[i] = energy->total.domains[i].joules;
}

int energy_read_package(struct energy *energy, unsigned int package,
			double joules[ENERGY_DOMAINS])
{
	double used;
	int err = 0;

	for (unsigned int i = 0; i < energy->nr; i++) {
		if (energy->counters[i].package != package)
			continue;
		used = read_counter(&energy->counters[i]);
		if (used < 0)
			err = -EIO;
		else
			joules[energy->counters[i].domain] += used;
	}
	return err;
}

void energy_close(struct energy *energy)
{
	for (unsigned int i = 0; i < energy->nr; i++)
		close(energy->counters[i].fd);
	energy->nr = 0;
}
