// SPDX-License-Identifier: GPL-2.0
/*
 * The backend software, for machines without counters: what the kernel itself counts per
 * CPU. Switches, migrations and page faults are software events of perf_event, in one
 * group; how the CPU spent its time is in /proc/stat, which every user can read.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "util/monotonic.h"
#include "util/nearmatch.h"

#define PROC_STAT	"/proc/stat"

/* It has a resolution of 10 ms, and costs more than all other counts together. */
#define STAT_NS		100000000ULL

#define NS_PER_S	1000000000ULL

/* Of /proc/stat: the order of the columns is that of the kernel. */
enum column {
	USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, NR_COLUMNS
};

/* The events that perf_event counts come first. */
enum {
	SWITCHES, MIGRATIONS, FAULTS, NR_PERF,
	USER_TIME = NR_PERF, SYSTEM_TIME, IDLE_TIME, STEAL_TIME, NR_EVENTS
};

#define BIT(n)		(1U << (n))
#define ALL_TIMES	(BIT(USER_TIME) | BIT(SYSTEM_TIME) | BIT(IDLE_TIME) | BIT(STEAL_TIME))

static const struct kermon_spy_event events[NR_EVENTS] = {
	[SWITCHES] = { "context-switches", .type = PERF_TYPE_SOFTWARE,
		       .config = PERF_COUNT_SW_CONTEXT_SWITCHES },
	[MIGRATIONS] = { "cpu-migrations", .type = PERF_TYPE_SOFTWARE,
			 .config = PERF_COUNT_SW_CPU_MIGRATIONS },
	[FAULTS] = { "page-faults", .type = PERF_TYPE_SOFTWARE,
		     .config = PERF_COUNT_SW_PAGE_FAULTS },
	[USER_TIME] = { "user-time", KERMON_SPY_NS, PERF_TYPE_SOFTWARE,
			PERF_COUNT_SW_DUMMY },
	[SYSTEM_TIME] = { "system-time", KERMON_SPY_NS, PERF_TYPE_SOFTWARE,
			  PERF_COUNT_SW_DUMMY },
	[IDLE_TIME] = { "idle-time", KERMON_SPY_NS, PERF_TYPE_SOFTWARE,
			PERF_COUNT_SW_DUMMY },
	[STEAL_TIME] = { "steal-time", KERMON_SPY_NS, PERF_TYPE_SOFTWARE,
			 PERF_COUNT_SW_DUMMY },
};

/**
 * struct tally - what is counted on a CPU: always everything, of which the set is a part
 * @cpu: the CPU
 * @set: what is wanted
 * @fds: of the events of perf_event; -1: not permitted
 * @nr: number of these that are open
 * @stat: /proc/stat; @timed: the set has any of its times
 * @text: buffer for the part of it that has the CPUs
 * @size: of @text
 * @due: when to read it again
 * @values: by event
 */
struct tally {
	unsigned int cpu;
	const struct spy_set *set;
	int fds[NR_PERF];
	unsigned int nr;
	int stat;
	bool timed;
	char *text;
	size_t size;
	uint64_t due;
	uint64_t values[NR_EVENTS];
};

static int software_probe(struct spy_machine *machine, struct kermon_spy_trouble *trouble)
{
	int fd;

	if (access(PROC_STAT, R_OK))
		return spy_fail(trouble, KERMON_SPY_SYSTEM, -errno, -1, PROC_STAT);
	machine->software = ALL_TIMES;
	fd = spy_open_event(&events[SWITCHES], machine->cpu, -1);
	if (fd < 0)
		return 0;
	close(fd);
	machine->software |= BIT(NR_PERF) - 1;
	return 0;
}

static int refuse(const char *word, struct kermon_spy_trouble *trouble)
{
	struct nearmatch match = { .word = word };

	spy_fail(trouble, KERMON_SPY_EVENT, -ENOENT, -1, word);
	for (unsigned int i = 0; i < NR_EVENTS; i++)
		nearmatch_offer(&match, events[i].name);
	memcpy(trouble->event.word, trouble->what, sizeof(trouble->event.word));
	trouble->event.nr_near = match.nr;
	memcpy(trouble->event.near, match.names, sizeof(trouble->event.near));
	return -ENOENT;
}

static int add_all(const struct spy_machine *machine, struct spy_set *set,
		   struct kermon_spy_trouble *trouble)
{
	int err = 0;

	for (unsigned int i = 0; i < NR_EVENTS && !err; i++)
		if (machine->software & BIT(i))
			err = spy_add_event(set, &events[i], i, trouble);
	return err;
}

static bool has(const struct spy_set *set, unsigned int index)
{
	for (unsigned int i = 0; i < set->public.nr; i++)
		if (set->index[i] == index)
			return true;
	return false;
}

static int add_named(const struct spy_machine *machine, struct spy_set *set,
		     const char *word, struct kermon_spy_trouble *trouble)
{
	unsigned int i;

	for (i = 0; i < NR_EVENTS; i++)
		if (!strcasecmp(events[i].name, word))
			break;
	if (i == NR_EVENTS)
		return refuse(word, trouble);
	if (has(set, i)) {
		spy_fail(trouble, KERMON_SPY_EVENT, -EEXIST, -1, word);
		memcpy(trouble->event.word, trouble->what, sizeof(trouble->event.word));
		return -EEXIST;
	}
	if (!(machine->software & BIT(i)))
		return spy_fail(trouble, KERMON_SPY_DENIED, -EACCES, -1, word);
	return spy_add_event(set, &events[i], i, trouble);
}

/* "fixed" is all that can be counted. */
static int software_select(const struct spy_machine *machine, struct spy_set *set,
			   struct kermon_spy_trouble *trouble)
{
	const char *text = set->public.text;
	char word[KERMON_EVENT_NAME];
	size_t length;
	int err;

	if (!strcasecmp(text, "fixed"))
		return add_all(machine, set, trouble);
	do {
		length = strcspn(text, ",");
		snprintf(word, sizeof(word), "%.*s", (int)length, text);
		err = add_named(machine, set, word, trouble);
		text += length;
	} while (!err && *text++);
	return err;
}

static bool is_timed(const struct spy_set *set)
{
	for (unsigned int i = 0; i < set->public.nr; i++)
		if (set->index[i] >= NR_PERF)
			return true;
	return false;
}

static void open_events(struct tally *tally)
{
	for (unsigned int i = 0; i < NR_PERF; i++)
		tally->fds[i] = -1;
	for (unsigned int i = 0; i < NR_PERF; i++) {
		tally->fds[i] = spy_open_event(&events[i], tally->cpu,
					   i ? tally->fds[0] : -1);
		if (tally->fds[i] < 0)
			break;
		tally->nr++;
	}
}

/* The events are needed if the set has any of them; the kernel offers all or none. */
static int check_events(const struct tally *tally, struct kermon_spy_trouble *trouble)
{
	for (unsigned int i = 0; i < tally->set->public.nr; i++)
		if (tally->set->index[i] < NR_PERF && tally->nr < NR_PERF)
			return spy_fail(trouble, tally->fds[tally->nr] == -EACCES ?
					KERMON_SPY_DENIED : KERMON_SPY_SYSTEM,
					tally->fds[tally->nr], tally->cpu,
					tally->set->events[i].name);
	return 0;
}

static void software_close(void *source)
{
	struct tally *tally = source;

	for (unsigned int i = 0; i < tally->nr; i++)
		close(tally->fds[i]);
	if (tally->stat >= 0)
		close(tally->stat);
	free(tally->text);
	free(tally);
}

static int open_stat(struct tally *tally, struct kermon_spy_trouble *trouble)
{
	/* A line has at most 10 columns of 20 digits, and only CPUs come before its own. */
	tally->size = 256 * (tally->cpu + 2);
	tally->text = malloc(tally->size);
	tally->stat = open(PROC_STAT, O_RDONLY | O_CLOEXEC);
	if (!tally->text || tally->stat < 0)
		return spy_fail(trouble, KERMON_SPY_SYSTEM, -errno, tally->cpu, PROC_STAT);
	return 0;
}

static int software_open(void **source, unsigned int cpu, const struct spy_set *set,
			 struct kermon_spy_trouble *trouble)
{
	struct tally *tally = calloc(1, sizeof(*tally));
	int err;

	*source = NULL;
	if (!tally)
		return spy_fail(trouble, KERMON_SPY_SYSTEM, -ENOMEM, cpu, NULL);
	tally->cpu = cpu;
	tally->set = set;
	tally->timed = is_timed(set);
	err = open_stat(tally, trouble);
	if (!err) {
		open_events(tally);
		err = check_events(tally, trouble);
	}
	if (err)
		software_close(tally);
	else
		*source = tally;
	return err;
}

/* The kernel's numbers are not always monotonic. */
static void advance(uint64_t *value, uint64_t now)
{
	if (now > *value)
		*value = now;
}

static void take_columns(struct tally *tally, const char *line)
{
	const uint64_t tick = NS_PER_S / sysconf(_SC_CLK_TCK);
	uint64_t columns[NR_COLUMNS] = { 0 };
	char *end;

	for (unsigned int i = 0; i < NR_COLUMNS && *line == ' '; i++) {
		columns[i] = strtoull(line, &end, 10) * tick;
		line = end;
	}
	advance(&tally->values[USER_TIME], columns[USER] + columns[NICE]);
	advance(&tally->values[SYSTEM_TIME],
		columns[SYSTEM] + columns[IRQ] + columns[SOFTIRQ]);
	advance(&tally->values[IDLE_TIME], columns[IDLE] + columns[IOWAIT]);
	advance(&tally->values[STEAL_TIME], columns[STEAL]);
}

static int read_stat(struct tally *tally)
{
	ssize_t size = pread(tally->stat, tally->text, tally->size - 1, 0);
	char name[24];
	const char *line;

	if (size < 0)
		return -errno;
	tally->text[size] = '\0';
	snprintf(name, sizeof(name), "\ncpu%u ", tally->cpu);
	line = strstr(tally->text, name);
	/* It has no CPUs that are offline: what was read before remains. */
	if (line)
		take_columns(tally, line + strlen(name) - 1);
	return 0;
}

static int read_events(struct tally *tally, struct spy_reading *reading)
{
	struct spy_values group;
	int err;

	if (tally->nr < NR_PERF)
		return 0;
	err = spy_read_group(tally->fds, NR_PERF, &group);
	if (err)
		return err;
	reading->enabled = group.enabled;
	reading->running = group.running;
	memcpy(tally->values, group.values, NR_PERF * sizeof(group.values[0]));
	return 0;
}

static void show(const struct tally *tally, struct spy_reading *reading)
{
	for (unsigned int i = 0; i < tally->set->public.nr; i++)
		reading->values[i] = tally->values[tally->set->index[i]];
}

static int software_read(void *source, struct spy_reading *reading, bool last)
{
	struct tally *tally = source;
	const uint64_t now = monotonic_ns();
	int err = 0;

	reading->enabled = now;
	reading->running = now;
	if (tally->timed && (last || now >= tally->due)) {
		err = read_stat(tally);
		tally->due = now + STAT_NS;
	}
	if (!err)
		err = read_events(tally, reading);
	show(tally, reading);
	return err;
}

/*
 * Everything is counted already: the new set begins with the last reading of the former, which
 * may be one without times.
 */
static int software_change(void *source, const struct spy_set *set,
			   struct spy_reading *base, struct kermon_spy_trouble *trouble)
{
	struct tally *tally = source;
	const bool was_timed = tally->timed;
	int err = 0;

	tally->timed = is_timed(set);
	if (tally->timed && !was_timed)
		err = read_stat(tally);
	if (err) {
		tally->timed = was_timed;
		return spy_fail(trouble, KERMON_SPY_SYSTEM, err, tally->cpu, PROC_STAT);
	}
	tally->set = set;
	show(tally, base);
	return 0;
}

const struct spy_backend spy_software = {
	.name = "software",
	.outlives_cpu = true,
	.probe = software_probe,
	.select = software_select,
	.open = software_open,
	.change = software_change,
	.read = software_read,
	.close = software_close,
};
