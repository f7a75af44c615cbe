// SPDX-License-Identifier: GPL-2.0
/*
 * The keys that rows can be grouped by: one table of names, places in a row, and orders
 * of sorting.
 */
#include <errno.h>
#include <string.h>

#include "details.h"
#include "report_private.h"

#define KEY(key, name, alias, field)					\
	[KERMON_KEY_##key] = { name, alias, offsetof(struct kermon_row, field) }
#define DETAIL(key, name)	[KERMON_KEY_##key] = { name, name, 0 }

/* @alias: what perf also calls it; @at: place in struct kermon_row. */
static const struct {
	const char *name;
	const char *alias;
	size_t at;
} keys[KERMON_KEY_COUNT] = {
	KEY(COMM, "comm", "comm", comm),
	KEY(PID, "pid", "pid", pid),
	KEY(TID, "tid", "tid", tid),
	KEY(CPU, "cpu", "cpu", cpu),
	KEY(DSO, "dso", "dso", dso),
	KEY(SYM, "sym", "symbol", sym),
	KEY(EVENT, "event", "event", event),
	KEY(SRCLINE, "srcline", "srcline", srcline),
	KEY(SRCFILE, "srcfile", "srcfile", srcfile),
	KEY(CGROUP, "cgroup", "cgroup", cgroup),
	DETAIL(SYMBOL_FROM, "symbol_from"),
	DETAIL(SYMBOL_TO, "symbol_to"),
	DETAIL(DSO_FROM, "dso_from"),
	DETAIL(DSO_TO, "dso_to"),
	DETAIL(SRCLINE_FROM, "srcline_from"),
	DETAIL(SRCLINE_TO, "srcline_to"),
	DETAIL(ADDR_FROM, "addr_from"),
	DETAIL(ADDR_TO, "addr_to"),
	DETAIL(MISPREDICT, "mispredict"),
	DETAIL(IN_TX, "in_tx"),
	DETAIL(ABORT, "abort"),
	DETAIL(CYCLES, "cycles"),
	DETAIL(MEM, "mem"),
	DETAIL(TLB, "tlb"),
	DETAIL(LOCKED, "locked"),
	DETAIL(SNOOP, "snoop"),
	DETAIL(BLOCKED, "blocked"),
	DETAIL(LOCAL_WEIGHT, "local_weight"),
	DETAIL(WEIGHT, "weight"),
	DETAIL(LOCAL_INS_LAT, "local_ins_lat"),
	DETAIL(INS_LAT, "ins_lat"),
	DETAIL(LOCAL_P_STAGE_CYC, "local_p_stage_cyc"),
	DETAIL(P_STAGE_CYC, "p_stage_cyc"),
	DETAIL(SYMBOL_DADDR, "symbol_daddr"),
	DETAIL(DSO_DADDR, "dso_daddr"),
	DETAIL(SYMBOL_IADDR, "symbol_iaddr"),
	DETAIL(PHYS_DADDR, "phys_daddr"),
	DETAIL(DCACHELINE, "dcacheline"),
	DETAIL(DATA_PAGE_SIZE, "data_page_size"),
	DETAIL(CODE_PAGE_SIZE, "code_page_size"),
	DETAIL(TRANSACTION, "transaction"),
	DETAIL(TIME, "time"),
	DETAIL(ADDR, "addr"),
	DETAIL(SYMBOL_SIZE, "symbol_size"),
	DETAIL(DSO_SIZE, "dso_size"),
};

const char *kermon_key_name(enum kermon_key key)
{
	return (unsigned int)key < KERMON_KEY_COUNT ? keys[key].name : NULL;
}

bool kermon_key_is_number(enum kermon_key key)
{
	return key == KERMON_KEY_PID || key == KERMON_KEY_TID ||
	       key == KERMON_KEY_CPU ||
	       (kermon_key_name(key) && key >= FIRST_DETAIL &&
		detail_is_number(key));
}

/* What stands behind the last detail says that there is none. */
static const struct kermon_detail *find_detail(const struct kermon_row *row,
					       enum kermon_key key)
{
	static const struct kermon_detail none = { .key = KERMON_KEY_NONE };
	const struct kermon_detail *at = row->details ? row->details : &none;

	while (at->key != key && at->key != KERMON_KEY_NONE)
		at++;
	return at;
}

const char *kermon_row_text(const struct kermon_row *row, enum kermon_key key)
{
	const char *text;

	if (kermon_key_is_number(key) || !kermon_key_name(key))
		return NULL;
	if (key >= FIRST_DETAIL)
		return find_detail(row, key)->text;
	memcpy(&text, (const char *)row + keys[key].at, sizeof(text));
	return text;
}

/* Costs of all samples of a row; of their own they are local_weight and so on. */
static bool is_of_all(enum kermon_key key)
{
	return key == KERMON_KEY_WEIGHT || key == KERMON_KEY_INS_LAT ||
	       key == KERMON_KEY_P_STAGE_CYC;
}

uint64_t kermon_row_number(const struct kermon_row *row, enum kermon_key key)
{
	uint32_t number;

	if (!kermon_key_is_number(key))
		return 0;
	if (key >= FIRST_DETAIL)
		return find_detail(row, key)->number *
		       (is_of_all(key) ? row->samples : 1);
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
		to->mask |= 1ULL << key;
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

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* What is not known comes first. */
static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_shown(enum kermon_key key, const struct kermon_row *a,
			 const struct kermon_row *b)
{
	if (kermon_key_is_number(key))
		return compare_numbers(kermon_row_number(a, key),
				       kermon_row_number(b, key));
	return compare_texts(kermon_row_text(a, key), kermon_row_text(b, key));
}

int report_compare_times(const struct row *a, const struct row *b)
{
	return compare_numbers(find_detail(&a->shown, KERMON_KEY_TIME)->number,
			       find_detail(&b->shown, KERMON_KEY_TIME)->number);
}

/* Rows that look the same: files in other folders, functions of other programs. */
static int compare_hidden(const struct row *a, const struct row *b)
{
	int order = compare_texts(a->key.srcline, b->key.srcline);

	if (!order)
		order = compare_texts(a->key.srcfile, b->key.srcfile);
	if (!order)
		order = compare_texts(a->key.dso, b->key.dso);
	return order ? order : compare_numbers(a->number, b->number);
}

int report_compare_rows(const struct report_keys *by, const struct row *a,
			const struct row *b)
{
	int order = 0;

	for (size_t i = 0; i < by->nr && !order; i++)
		order = compare_shown(by->all[i], &a->shown, &b->shown);
	return order ? order : compare_hidden(a, b);
}
