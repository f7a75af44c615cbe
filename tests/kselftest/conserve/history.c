// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "history.h"
#include "tracing.h"

#define TRACEFS		"/sys/kernel/tracing"
/* Buffer size per CPU. */
#define BUFFER_KB	"8192"

const struct topic energy_topic = {
	.system = "msr", .name = "read_msr",
	.filter = "msr == 0x611 || msr == 0xc001029b",
	.to = ", value ", .base = 16,
};

const struct topic switch_topic = {
	.system = "sched", .name = "sched_switch", .filter = "0",
	.from = " prev_pid=", .to = " next_pid=", .base = 10,
};

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	ssize_t n = write(fd, text, strlen(text));

	close(fd);
	return n < 0 ? -1 : 0;
}

static int set(const struct topic *topic, const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), TRACEFS "/events/%s/%s/%s", topic->system,
		 topic->name, file);
	return put(path, text);
}

int history_begin(const struct topic *topic)
{
	if (!tracing_available()) {
		errno = EOPNOTSUPP;
		return -1;
	}
	if (put(TRACEFS "/buffer_size_kb", BUFFER_KB) ||
	    put(TRACEFS "/trace_clock", "x86-tsc") ||
	    put(TRACEFS "/trace", "") ||
	    set(topic, "filter", topic->filter))
		return -1;
	return set(topic, "enable", "1");
}

static uint64_t number_after(const char *line, const char *text, int base)
{
	const char *place = text ? strstr(line, text) : NULL;

	return place ? strtoull(place + strlen(text), NULL, base) : 0;
}

/* "comm-pid [cpu] flags tsc: name: ..." */
static bool parse(const struct topic *topic, const char *line,
		  struct happening *happening)
{
	const char *cpu = strchr(line, '[');
	char mark[64];
	const char *colon;

	snprintf(mark, sizeof(mark), ": %s: ", topic->name);
	colon = strstr(line, mark);
	if (!cpu || !colon)
		return false;
	happening->cpu = strtoul(cpu + 1, NULL, 10);
	happening->from = number_after(colon, topic->from, topic->base);
	happening->to = number_after(colon, topic->to, topic->base);
	while (colon[-1] != ' ')
		colon--;
	happening->tsc = strtoull(colon, NULL, 10);
	return true;
}

static int append(struct history *history, const struct happening *happening)
{
	struct happening *all = history->all;

	/* Grow at each power of two. */
	if (!(history->nr & (history->nr - 1)))
		all = realloc(all, (2 * history->nr + 1) * sizeof(*all));
	if (!all)
		return -1;
	history->all = all;
	all[history->nr++] = *happening;
	return 0;
}

int history_end(const struct topic *topic, struct history *history)
{
	struct happening happening;
	char line[512];
	FILE *file;
	int ret = 0;

	memset(history, 0, sizeof(*history));
	if (set(topic, "enable", "0") || set(topic, "filter", "0"))
		return -1;
	file = fopen(TRACEFS "/trace", "re");
	if (!file)
		return -1;
	while (!ret && fgets(line, sizeof(line), file))
		if (parse(topic, line, &happening))
			ret = append(history, &happening);
	fclose(file);
	put(TRACEFS "/trace", "");
	return ret;
}
