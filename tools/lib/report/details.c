// SPDX-License-Identifier: GPL-2.0
/* Format details as text, once for each distinct combination of raw values. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "details.h"
#include "report_private.h"

/**
 * struct details - state for tables with such keys
 * @keys: the keys, @nr of them
 * @by_raw: struct known_details, by raw values
 * @shown: arrays of struct kermon_detail
 */
struct details {
	const struct kermon_key *keys[REPORT_MAX_KEYS];
	size_t nr;
	struct hash by_raw;
	struct hash shown;
};

/* Raw values and their formatted details. */
struct known_details {
	const struct kermon_detail *shown;
	struct raw_detail raw[];
};

/* Key for searching a table of bytes. */
struct bytes {
	const void *data;
	size_t size;
};

int details_new(struct kermon_report *report)
{
	struct details *details = calloc(1, sizeof(*details));

	if (!details)
		return -ENOMEM;
	for (size_t i = 0; i < report->keys.nr; i++) {
		if (report_key_number(report->keys.all[i]) >= FIRST_DETAIL)
			details->keys[details->nr++] = report->keys.all[i];
	}
	if (details->nr)
		report->details = details;
	else
		free(details);
	return 0;
}

static void free_items(struct hash *table)
{
	for (size_t i = 0; i < table->room; i++)
		free(table->slots[i].item);
	hash_free(table);
}

void details_free(struct details *details)
{
	if (!details)
		return;
	free_items(&details->by_raw);
	free_items(&details->shown);
	free(details);
}

static bool has_raw(const void *item, const void *key)
{
	const struct known_details *known = item;
	const struct bytes *bytes = key;

	return !memcmp(known->raw, bytes->data, bytes->size);
}

/* Arrays of different size differ at the end marker, so the comparison stops there. */
static bool is_shown(const void *item, const void *key)
{
	const struct bytes *bytes = key;
	const struct kermon_detail *a = item, *b = bytes->data;

	for (; a->key == b->key; a++, b++) {
		if (!a->key)
			return true;
		if (a->text != b->text || a->number != b->number)
			return false;
	}
	return false;
}

/* The unique array with these contents. */
static const struct kermon_detail *keep(struct details *details,
					const struct kermon_detail *all,
					size_t nr)
{
	struct bytes bytes = { all, (nr + 1) * sizeof(*all) };
	uint64_t hash = hash_bytes(all, bytes.size);
	void **found = hash_find(&details->shown, hash, is_shown, &bytes);
	struct kermon_detail *copy;

	if (found)
		return *found;
	copy = malloc(bytes.size);
	if (!copy)
		return NULL;
	memcpy(copy, all, bytes.size);
	if (!hash_add(&details->shown, hash, copy))
		return copy;
	free(copy);
	return NULL;
}

static const struct kermon_detail *show(struct kermon_report *report,
					const struct raw_detail *raw)
{
	struct details *details = report->details;
	struct kermon_detail all[REPORT_MAX_KEYS + 1];

	memset(all, 0, sizeof(all));
	for (size_t i = 0; i < details->nr; i++) {
		all[i].key = details->keys[i];
		if (report_key_of(all[i].key)->show(report, &raw[i], &all[i]))
			return NULL;
	}
	return keep(details, all, details->nr);
}

static const struct kermon_detail *add(struct kermon_report *report,
				       const struct bytes *raw, uint64_t hash)
{
	struct known_details *known = malloc(sizeof(*known) + raw->size);

	if (!known)
		return NULL;
	memcpy(known->raw, raw->data, raw->size);
	known->shown = show(report, raw->data);
	if (known->shown && !hash_add(&report->details->by_raw, hash, known))
		return known->shown;
	free(known);
	return NULL;
}

const struct kermon_detail *
details_take(struct kermon_report *report, const struct pipeline_sample *sample,
	     const struct perf_branch_entry *branch)
{
	struct details *details = report->details;
	struct detail_source from = { .sample = sample, .branch = branch };
	struct raw_detail raw[REPORT_MAX_KEYS];
	struct bytes bytes = { raw, details->nr * sizeof(*raw) };
	uint64_t hash;
	void **found;

	memset(raw, 0, bytes.size);
	for (size_t i = 0; i < details->nr; i++)
		report_key_of(details->keys[i])->take(report, &from, &raw[i]);
	hash = hash_bytes(raw, bytes.size);
	found = hash_find(&details->by_raw, hash, has_raw, &bytes);
	if (found)
		return ((struct known_details *)*found)->shown;
	return add(report, &bytes, hash);
}

const struct kermon_detail *details_among(struct kermon_report *report,
					  const struct kermon_detail *all,
					  const struct report_keys *keys)
{
	struct kermon_detail among[REPORT_MAX_KEYS + 1];
	size_t nr = 0;

	memset(among, 0, sizeof(among));
	for (; all->key; all++)
		if (report_has_key(keys, report_key_number(all->key)))
			memcpy(&among[nr++], all, sizeof(*all));
	return keep(report->details, among, nr);
}
