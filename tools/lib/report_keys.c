// SPDX-License-Identifier: GPL-2.0
/* What rows can be about: one table of names, places in a row, and orders. */
#include <errno.h>
#include <string.h>

#include "report_private.h"

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* A function is one of its DSO: equal names elsewhere are other functions. */
static int compare_syms(const struct row_key *a, const struct row_key *b)
{
	int order = compare_texts(a->dso, b->dso);

	if (order)
		return order;
	if (a->symbol == b->symbol)
		return compare_texts(a->inlined, b->inlined);
	if (!a->symbol || !b->symbol)
		return a->symbol ? 1 : -1;
	order = compare_numbers(a->symbol->start, b->symbol->start);
	return order ? order : compare_numbers((uintptr_t)a->symbol,
					       (uintptr_t)b->symbol);
}

#define COMPARE(field, by)						\
static int compare_##field(const struct row_key *a,			\
			   const struct row_key *b)			\
{									\
	return by(a->field, b->field);					\
}

COMPARE(comm, compare_texts)
COMPARE(pid, compare_numbers)
COMPARE(tid, compare_numbers)
COMPARE(cpu, compare_numbers)
COMPARE(dso, compare_texts)
COMPARE(event, compare_numbers)
COMPARE(srcline, compare_texts)
COMPARE(srcfile, compare_texts)
COMPARE(cgroup, compare_numbers)

/* @alias: what perf also calls it; @at: place in struct kermon_row. */
static const struct {
	const char *name;
	const char *alias;
	bool is_number;
	size_t at;
	int (*compare)(const struct row_key *a, const struct row_key *b);
} keys[KERMON_KEY_COUNT] = {
	[KERMON_KEY_COMM] = {
		"comm", "comm", false, offsetof(struct kermon_row, comm),
		compare_comm },
	[KERMON_KEY_PID] = {
		"pid", "pid", true, offsetof(struct kermon_row, pid),
		compare_pid },
	[KERMON_KEY_TID] = {
		"tid", "tid", true, offsetof(struct kermon_row, tid),
		compare_tid },
	[KERMON_KEY_CPU] = {
		"cpu", "cpu", true, offsetof(struct kermon_row, cpu),
		compare_cpu },
	[KERMON_KEY_DSO] = {
		"dso", "dso", false, offsetof(struct kermon_row, dso),
		compare_dso },
	[KERMON_KEY_SYM] = {
		"sym", "symbol", false, offsetof(struct kermon_row, sym),
		compare_syms },
	[KERMON_KEY_EVENT] = {
		"event", "event", false, offsetof(struct kermon_row, event),
		compare_event },
	[KERMON_KEY_SRCLINE] = {
		"srcline", "srcline", false,
		offsetof(struct kermon_row, srcline), compare_srcline },
	[KERMON_KEY_SRCFILE] = {
		"srcfile", "srcfile", false,
		offsetof(struct kermon_row, srcfile), compare_srcfile },
	[KERMON_KEY_CGROUP] = {
		"cgroup", "cgroup", false,
		offsetof(struct kermon_row, cgroup), compare_cgroup },
};

const char *kermon_key_name(enum kermon_key key)
{
	return key < KERMON_KEY_COUNT ? keys[key].name : NULL;
}

bool kermon_key_is_number(enum kermon_key key)
{
	return keys[key].is_number;
}

const char *kermon_row_text(const struct kermon_row *row, enum kermon_key key)
{
	const char *text;

	if (keys[key].is_number)
		return NULL;
	memcpy(&text, (const char *)row + keys[key].at, sizeof(text));
	return text;
}

uint32_t kermon_row_number(const struct kermon_row *row, enum kermon_key key)
{
	uint32_t number;

	if (!keys[key].is_number)
		return 0;
	memcpy(&number, (const char *)row + keys[key].at, sizeof(number));
	return number;
}

static bool is_called(const char *name, size_t len, const char *known)
{
	return strlen(known) == len && !strncmp(known, name, len);
}

static int parse_key(struct report_keys *to, const char *name, size_t len)
{
	for (enum kermon_key key = 0; key < KERMON_KEY_COUNT; key++) {
		if (!is_called(name, len, keys[key].name) &&
		    !is_called(name, len, keys[key].alias))
			continue;
		if (report_has_key(to, key))
			return -EINVAL;
		to->mask |= 1U << key;
		to->all[to->nr++] = key;
		return 0;
	}
	return -EINVAL;
}

int report_parse_keys(struct report_keys *to, const char *names)
{
	size_t len;

	*to = (struct report_keys){ .nr = 0 };
	for (;; names += len + 1) {
		len = strcspn(names, ",");
		if (parse_key(to, names, len))
			return -EINVAL;
		if (!names[len])
			return 0;
	}
}

bool kermon_keys_valid(const char *names)
{
	struct report_keys parsed;

	return !report_parse_keys(&parsed, names);
}

int report_compare_rows(const struct report_keys *by, const struct row_key *a,
			const struct row_key *b)
{
	int order = 0;

	for (size_t i = 0; i < by->nr && !order; i++)
		order = keys[by->all[i]].compare(a, b);
	return order;
}
