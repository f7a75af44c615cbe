/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The keys that rows can be grouped by, and the lists of keys of tables. The table of all
 * keys is in key_table.c.
 */
#ifndef KERMON_REPORT_KEYS_H
#define KERMON_REPORT_KEYS_H

#include <kermon/report.h>

struct detail_source;
struct raw_detail;
struct row;

/*
 * The first keys of the table, for which origins and rows have a member each. The values
 * of all other keys are details, see details.h.
 */
enum {
	KEY_COMM,
	KEY_PID,
	KEY_TID,
	KEY_CPU,
	KEY_DSO,
	KEY_SYM,
	KEY_EVENT,
	KEY_SRCLINE,
	KEY_SRCFILE,
	KEY_CGROUP,
	FIRST_DETAIL,
};

/* Properties of a key; of a list, those of any of its keys. */
enum {
	BY_PLACE = 1 << 0,		/* distinguishes functions, including callers */
	BY_LINE = 1 << 1,		/* distinguishes source lines, of the innermost function */
	BY_POSITION = 1 << 2,	/* depends on where or when a sample was taken */
	BY_BRANCH = 1 << 3,	/* rows count branches, not samples */
	OF_DATA = 1 << 4,		/* requires the mappings of data */
	BY_SLICE = 1 << 5,		/* rows are sorted by this key */
	IN_ALL = 1 << 6,		/* shown is the number times the samples of the row */
	BY_REGION = 1 << 7,	/* requires marks, in order of time */
};

/**
 * struct report_key - a key
 * @shown: the public part
 * @flags: BY_PLACE and so on
 * @at: of the first keys: offset in struct kermon_row
 * @take: of the others: take the value from a sample; @raw is zeroed
 * @show: of the others: convert the value to text or number; @to is zeroed but for its
 *	key. Return 0 or -ENOMEM
 */
struct report_key {
	struct kermon_key shown;
	unsigned int flags;
	size_t at;
	void (*take)(struct kermon_report *report, const struct detail_source *from,
		     struct raw_detail *raw);
	int (*show)(struct kermon_report *report, const struct raw_detail *raw,
		    struct kermon_detail *to);
};

/* key_table.c: key by number; NULL after the last one. */
#define REPORT_MAX_KEYS	64
const struct report_key *report_key(size_t number);
size_t report_key_number(const struct kermon_key *key);

static inline const struct report_key *report_key_of(const struct kermon_key *key)
{
	return (const struct report_key *)key;	/* @shown is its first member */
}

/* Maximum number of lists of keys that are summed up independently. */
#define REPORT_MAX_LISTS	4

/**
 * struct report_keys - the keys of a table, in the order given
 * @all: @nr of them
 * @mask: a bit for each, by its number
 * @flags: of all of them
 */
struct report_keys {
	const struct kermon_key *all[REPORT_MAX_KEYS];
	size_t nr;
	uint64_t mask;
	unsigned int flags;
};

static inline bool report_has_key(const struct report_keys *keys, size_t number)
{
	return keys->mask >> number & 1;
}

/* Whether tables with these keys may have rows for callers. */
static inline bool report_has_callers(const struct report_keys *keys)
{
	return keys->flags & BY_PLACE && !(keys->flags & BY_LINE);
}

/* keys.c: parse a list; NULL: all keys before FIRST_DETAIL. Return 0 or -EINVAL. */
int report_parse_keys(struct report_keys *to, const char *names);
/*
 * Parse up to REPORT_MAX_LISTS lists with ';' in between, and set the keys that are in any
 * of them. Return: their number or -EINVAL.
 */
int report_parse_lists(struct report_keys *lists, struct report_keys *all,
		       const char *names);
/* Return the first key with that flag, or NULL. */
const struct kermon_key *report_find_key(const struct report_keys *keys,
					 unsigned int flag);
/* Order of rows by what the keys show, never 0. */
int report_compare_rows(const struct report_keys *by, const struct row *a,
			const struct row *b);
/* Order of rows by slices of time. */
int report_compare_slices(const struct kermon_key *key, const struct row *a,
			  const struct row *b);

#endif /* KERMON_REPORT_KEYS_H */
