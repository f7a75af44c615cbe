// SPDX-License-Identifier: GPL-2.0
/* All event files: reads them when first needed, and looks up events and CPUs. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables.h"
#include "util/array.h"
#include "util/fileio.h"
#include "util/location.h"

#define SUFFIX		".events"
#define MAX_FILES	64
#define MAX_SIZE	(256 * 1024)

/**
 * all - the files
 * @first, @end: in the order of their precedence
 * @problems: why files are not used
 */
static struct {
	struct event_table *first;
	struct event_table **end;
	char **problems;
	size_t nr_problems, room_problems;
} all;

/* @message: allocated, and kept; NULL: out of memory. */
static void add_problem(char *message)
{
	if (!message ||
	    array_room(all.problems, all.room_problems, all.nr_problems + 1)) {
		free(message);
		return;
	}
	all.problems[all.nr_problems++] = message;
}

static void add_file_problem(const char *path, const char *what)
{
	char *message;

	add_problem(asprintf(&message, "%s: %s", path, what) < 0 ? NULL : message);
}

static bool add_table(const char *path, const char *text, size_t size, bool is_users)
{
	char message[TABLES_MESSAGE];
	struct event_table *table = event_table_parse(path, text, size, message);

	if (!table) {
		add_problem(strdup(*message ? message : strerror(ENOMEM)));
		return false;
	}
	table->is_users = is_users;
	*all.end = table;
	all.end = &table->next;
	return true;
}

static const char *reason(int error)
{
	switch (error) {
	case EINVAL:
		return "not a regular file";
	case EFBIG:
		return "larger than 256 KiB";
	default:
		return strerror(error);
	}
}

static bool read_file(const char *path, bool is_users)
{
	char *text = malloc(MAX_SIZE + 1);
	ssize_t size = text ? read_small(path, text, MAX_SIZE) : -ENOMEM;
	bool added = false;

	if (size < 0)
		add_file_problem(path, reason(-size));
	else
		added = add_table(path, text, size, is_users);
	free(text);
	return added;
}

static int is_event_file(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);

	return *entry->d_name != '.' && length > strlen(SUFFIX) &&
	       !strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX);
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/*
 * Files of the user. There need not be any, and HOME may still be that of another user, whose
 * files are none of this one's business.
 */
static void read_users(void)
{
	struct dirent **entries;
	char folder[PATH_MAX], path[2 * PATH_MAX];
	int nr;

	if (xdg_folder(folder, sizeof(folder), "XDG_CONFIG_HOME", ".config", "events") < 0)
		return;
	nr = scandir(folder, &entries, is_event_file, compare_names);
	for (int i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		if (i < MAX_FILES)
			read_file(path, true);
		free(entries[i]);
	}
	if (nr > MAX_FILES)
		add_file_problem(folder, "more than 64 files; the others are not read");
	if (nr >= 0)
		free(entries);
	else if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
		add_file_problem(folder, strerror(errno));
}

/* A file of KerMon: as it is installed, otherwise as it was built. */
static void read_shipped(const struct table_builtin *builtin, const char *folder)
{
	char path[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder ? folder : "built-in", builtin->name);
	if (!folder || access(path, F_OK) || !read_file(path, false))
		add_table(builtin->name, builtin->text, strlen(builtin->text), false);
}

static void read_all(void)
{
	const struct table_builtin *builtin;
	char folder[PATH_MAX];
	const bool installed = !tables_shipped_folder(folder, sizeof(folder));

	all.end = &all.first;
	read_users();
	for (builtin = tables_builtin; builtin->name; builtin++)
		read_shipped(builtin, installed ? folder : NULL);
	meanings_collect(all.first);
}

static void read_once(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_all);
}

int tables_shipped_folder(char *path, size_t size)
{
	char folder[PATH_MAX];

	if (!location_folder(folder) ||
	    snprintf(path, size, "%s/../share/kermon/events", folder) >= (int)size)
		return -ENOENT;
	return access(path, F_OK) ? -ENOENT : 0;
}

const struct event_table *tables_all(void)
{
	read_once();
	return all.first;
}

const char *tables_problem(size_t index)
{
	return index < all.nr_problems ? all.problems[index] : NULL;
}

bool event_table_is_of(const struct event_table *table, const char *cpu, bool any)
{
	for (size_t i = 0; i < table->nr_cpus; i++)
		if (!strcmp(table->cpus[i].name, cpu) ||
		    (any && !strcmp(table->cpus[i].name, TABLES_ANY_CPU)))
			return true;
	return false;
}

bool tables_cpu_known(const char *cpu)
{
	for (const struct event_table *table = tables_all(); table; table = table->next)
		if (event_table_is_of(table, cpu, false))
			return true;
	return false;
}

/* "0xad,0xc0-0xcf": as in the index of the allow-lists. */
static bool is_model(const char *models, unsigned int model)
{
	unsigned long first, last;
	char *end;

	if (!strcmp(models, "*"))
		return true;
	for (;; models = end + 1) {
		first = last = strtoul(models, &end, 16);
		if (*end == '-')
			last = strtoul(end + 1, &end, 16);
		if (model >= first && model <= last && end != models)
			return true;
		if (*end != ',')
			return false;
	}
}

const char *tables_cpu_find(const char *vendor, unsigned int family, unsigned int model)
{
	const struct event_table *table;
	const struct table_cpu *cpu;

	for (table = tables_all(); table; table = table->next) {
		for (size_t i = 0; i < table->nr_cpus; i++) {
			cpu = &table->cpus[i];
			if (cpu->vendor && !strcmp(cpu->vendor, vendor) &&
			    cpu->family == family && is_model(cpu->models, model))
				return cpu->name;
		}
	}
	return NULL;
}

const struct table_event *tables_code_of(const char *cpu, const char *name)
{
	const struct event_table *table;

	for (table = tables_all(); table; table = table->next) {
		if (!event_table_is_of(table, cpu, true))
			continue;
		for (size_t i = 0; i < table->nr_events; i++)
			if (table->events[i].has_code &&
			    !strcasecmp(table->events[i].name, name))
				return &table->events[i];
	}
	return NULL;
}

const struct table_event *tables_meaning_of(const char *name)
{
	read_once();
	return meanings_find(name);
}
