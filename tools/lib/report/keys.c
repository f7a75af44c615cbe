// SPDX-License-Identifier: GPL-2.0
/*
 * Finds keys by name, parses lists of keys, returns what a row shows for a key, and
 * compares rows by keys.
 */
#include <errno.h>
#include <string.h>

#include "keys.h"
#include "report_private.h"

const struct kermon_key *kermon_key_at(size_t index)
{
	const struct report_key *key = report_key(index);

	return key ? &key->shown : NULL;
}

/* The end marker of details has no key. */
static const struct kermon_detail *find_detail(const struct kermon_row *row,
					       const struct kermon_key *key)
{
	static const struct kermon_detail none = { .key = NULL };
	const struct kermon_detail *at = row->details ? row->details : &none;

	while (at->key != key && at->key)
		at++;
	return at;
}

static bool is_detail(const struct kermon_key *key)
{
	return report_key_number(key) >= FIRST_DETAIL;
}

/* The member of a row for one of the first keys. */
static const void *member(const struct kermon_row *row, const struct kermon_key *key)
{
	return (const char *)row + report_key_of(key)->at;
}

const char *kermon_row_text(const struct kermon_row *row, const struct kermon_key *key)
{
	const char *text;

	if (!key || key->is_number)
		return NULL;
	if (is_detail(key))
		return find_detail(row, key)->text;
	memcpy(&text, member(row, key), sizeof(text));
	return text;
}

uint64_t kermon_row_number(const struct kermon_row *row, const struct kermon_key *key)
{
	uint32_t number;

	if (!key || !key->is_number)
		return 0;
	if (is_detail(key))
		return find_detail(row, key)->number *
		       (report_key_of(key)->flags & IN_ALL ? row->samples : 1);
	memcpy(&number, member(row, key), sizeof(number));
	return number;
}

static bool is_called(const char *name, size_t len, const char *known)
{
	return strlen(known) == len && !strncmp(known, name, len);
}

static const struct kermon_key *find_key(const char *name, size_t len)
{
	const struct kermon_key *key;

	for (size_t i = 0; (key = kermon_key_at(i)); i++)
		if (is_called(name, len, key->name) ||
		    (key->alias && is_called(name, len, key->alias)))
			return key;
	return NULL;
}

const struct kermon_key *kermon_key_find(const char *name)
{
	return find_key(name, strlen(name));
}

/* Duplicates are rejected. */
static int add_key(struct report_keys *to, const struct kermon_key *key)
{
	if (!key || report_has_key(to, report_key_number(key)))
		return -EINVAL;
	to->mask |= 1ULL << report_key_number(key);
	to->flags |= report_key_of(key)->flags;
	to->all[to->nr++] = key;
	return 0;
}

/* Parse a list that ends with a character of @ends or with the text. */
static int parse(struct report_keys *to, const char **names, const char *ends)
{
	char stops[8] = ",";
	size_t len;

	strcat(stops, ends);
	for (*to = (struct report_keys){ .nr = 0 };; *names += len + 1) {
		len = strcspn(*names, stops);
		if (add_key(to, find_key(*names, len)))
			return -EINVAL;
		if ((*names)[len] != ',')
			break;
	}
	*names += len;
	return 0;
}

int report_parse_keys(struct report_keys *to, const char *names)
{
	if (names)
		return parse(to, &names, "");
	*to = (struct report_keys){ .nr = 0 };
	for (size_t i = 0; i < FIRST_DETAIL; i++)
		add_key(to, kermon_key_at(i));
	return 0;
}

int report_parse_lists(struct report_keys *lists, struct report_keys *all,
		       const char *names)
{
	size_t nr = 0;

	if (!names) {
		report_parse_keys(all, NULL);
		lists[0] = *all;
		return 1;
	}
	for (*all = (struct report_keys){ .nr = 0 };; names++) {
		if (nr == REPORT_MAX_LISTS || parse(&lists[nr], &names, ";"))
			return -EINVAL;
		for (size_t i = 0; i < lists[nr].nr; i++)
			add_key(all, lists[nr].all[i]);
		nr++;
		if (!*names)
			return nr;
	}
}

const struct kermon_key *report_find_key(const struct report_keys *keys,
					 unsigned int flag)
{
	for (size_t i = 0; i < keys->nr; i++)
		if (report_key_of(keys->all[i])->flags & flag)
			return keys->all[i];
	return NULL;
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

/* Unknown values come first. */
static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_shown(const struct kermon_key *key, const struct kermon_row *a,
			 const struct kermon_row *b)
{
	if (key->is_number)
		return compare_numbers(kermon_row_number(a, key),
				       kermon_row_number(b, key));
	return compare_texts(kermon_row_text(a, key), kermon_row_text(b, key));
}

int report_compare_slices(const struct kermon_key *key, const struct row *a,
			  const struct row *b)
{
	return compare_numbers(find_detail(&a->shown, key)->number,
			       find_detail(&b->shown, key)->number);
}

/* Rows that look equal: files in different folders, functions of different programs. */
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
