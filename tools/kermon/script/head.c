// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the beginning of a line: thread, CPU and time. Since most samples belong to few
 * threads, the text of each thread is cached.
 */
#include <kermon/text.h>

#include "script.h"

#define NSEC	1000000000ULL

/* Size of names that are cached; those of the kernel have at most 15 characters. */
#define COMM_ROOM	32

static void put_task(struct line *line, const struct script_head *head)
{
	uint64_t mask = head->mask;

	if (mask & FIELD_BIT(COMM)) {
		line_name(line, head->comm, head->has_frames ? 0 : 16);
		line_char(line, ' ');
	}
	if (mask & FIELD_BIT(PID) && mask & FIELD_BIT(TID)) {
		line_signed(line, head->pid, 5);
		line_char(line, '/');
		line_signed_left(line, head->tid, 5);
		line_char(line, ' ');
	} else if (mask & (FIELD_BIT(PID) | FIELD_BIT(TID))) {
		line_signed(line, mask & FIELD_BIT(PID) ? head->pid : head->tid,
			    5);
		line_char(line, ' ');
	}
}

static void keep_task(struct script_task *task, struct line *line,
		      const struct script_head *head,
		      const struct script_task_key *key)
{
	const char *begin = line_together(line, sizeof(task->text));

	put_task(line, head);
	task->size = line->bytes + line->used - begin;
	task->key = *key;
	memcpy(task->text, begin, task->size);
}

static void print_task(struct script *script, const struct script_head *head)
{
	struct script_task *task = &script->tasks[head->tid % SCRIPT_TASKS];
	const struct script_task_key key = {
		.comm = head->comm,
		.mask = head->mask,
		.pid = head->pid,
		.tid = head->tid,
		.has_frames = head->has_frames,
	};

	if (task->size && !memcmp(&task->key, &key, sizeof(key)))
		line_bytes(&script->line, task->text, task->size);
	else if (strlen(head->comm) < COMM_ROOM &&
		 kermon_text_is_plain(head->comm))
		keep_task(task, &script->line, head, &key);
	else
		put_task(&script->line, head);
}

/* Letters for flags that depend on the type of the record; returns their number. */
static size_t put_more_flags(char *letters, const struct script_head *head)
{
	size_t nr = 0;

	switch (head->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (head->misc & PERF_RECORD_MISC_MMAP_DATA)
			letters[nr++] = 'M';
		break;
	case PERF_RECORD_COMM:
		if (head->misc & PERF_RECORD_MISC_COMM_EXEC)
			letters[nr++] = 'E';
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (!(head->misc & PERF_RECORD_MISC_SWITCH_OUT))
			break;
		letters[nr++] = 'S';
		if (head->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
			letters[nr++] = 'p';
		break;
	}
	return nr;
}

/* Letters for the flags of a record. Like perf, test the mode, an enumeration, as flags. */
static void print_misc(struct line *line, const struct script_head *head)
{
	static const struct {
		uint16_t bits;
		char letter;
	} modes[] = {
		{ PERF_RECORD_MISC_KERNEL, 'K' },
		{ PERF_RECORD_MISC_USER, 'U' },
		{ PERF_RECORD_MISC_HYPERVISOR, 'H' },
		{ PERF_RECORD_MISC_GUEST_KERNEL, 'G' },
		{ PERF_RECORD_MISC_GUEST_USER, 'g' },
	};
	char letters[16];
	size_t nr = 0;

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if ((head->misc & modes[i].bits) == modes[i].bits)
			letters[nr++] = modes[i].letter;
	nr += put_more_flags(letters + nr, head);
	letters[nr] = '\0';
	line_left(line, letters, 6);
}

/* Date and time of day, in the local time zone, as perf script prints them. */
static void print_day(struct script *script, uint64_t time)
{
	const uint64_t wall = script->day.at_zero + time;
	const time_t second = wall / NSEC;
	struct script_day *day = &script->day;
	struct tm tm = { 0 };

	if (!day->size || day->second != second) {
		localtime_r(&second, &tm);
		day->second = second;
		day->size = strftime(day->text, sizeof(day->text), "%F %T.",
				     &tm);
	}
	line_bytes(&script->line, day->text, day->size);
	if (script->ns)
		line_decimal(&script->line, wall % NSEC, 9, '0');
	else
		line_decimal(&script->line, wall % NSEC / 1000, 6, '0');
	line_char(&script->line, ' ');
}

/* The time to print, relative to the first or the previous sample if requested. */
static uint64_t shown_time(struct script *script, uint64_t time)
{
	uint64_t since = script->since;

	if (script->clock == CLOCK_OF_FILE)
		return time;
	if (!since || script->clock == CLOCK_SINCE_LAST)
		script->since = time;
	return since && since < time ? time - since : 0;
}

static void print_time(struct script *script, uint64_t time)
{
	struct line *line = &script->line;
	uint64_t shown = shown_time(script, time);
	uint32_t ns = shown % NSEC;

	line_decimal(line, shown / NSEC, 5, ' ');
	line_char(line, '.');
	if (script->ns)
		line_decimal(line, ns, 9, '0');
	else
		line_decimal(line, ns / 1000, 6, '0');
	line_bytes(line, ": ", 2);
}

void script_head(struct script *script, const struct script_head *head)
{
	struct line *line = &script->line;

	print_task(script, head);
	if (head->mask & FIELD_BIT(CPU)) {
		line_char(line, '[');
		line_decimal(line, head->cpu, 3, '0');
		line_bytes(line, "] ", 2);
	}
	if (head->mask & FIELD_BIT(MISC))
		print_misc(line, head);
	if (head->mask & FIELD_BIT(TOD))
		print_day(script, head->time);
	if (head->mask & FIELD_BIT(TIME))
		print_time(script, head->time);
}
