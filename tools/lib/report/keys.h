/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The keys that rows can be grouped by, as the report sees them, and lists of keys that
 * tables are asked for. All keys are in the table of key_table.c, a row each.
 */
#ifndef KERMON_REPORT_KEYS_H
#define KERMON_REPORT_KEYS_H

#include <kermon/report.h>

struct detail_source;
struct raw_detail;
struct row;

/*
 * The first keys of the table: of these, origins and rows have a member each. What all
 * others are of a sample is a detail, see details.h.
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

/* Bits of struct report_key, and of a list: of any of its keys. */
enum {
	BY_PLACE = 1 << 0,		/* tells functions apart, those that called others too */
	BY_LINE = 1 << 1,		/* tells lines apart: only of what samples are in */
	BY_POSITION = 1 << 2,	/* depends on where, or when, a sample was taken */
	BY_BRANCH = 1 << 3,	/* counts branches, not samples */
	OF_DATA = 1 << 4,		/* needs the mappings of data */
	BY_SLICE = 1 << 5,		/* rows come in the order of this key */
	IN_ALL = 1 << 6,		/* a number of one sample, shown times those of the row */
};

/**
 * struct report_key - a key
 * @shown: what others know of it
 * @flags: KEY_OF_*
 * @at: of the first ones: place in struct kermon_row
 * @take: of the others: what it is of a sample; the detail is all 0 before
 * @show: of the others: how that is shown, into a detail of the row, which is all 0 but
 *	its key. 0 or -ENOMEM
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

/* key_table.c: key @number; NULL after the last one, of which there are 64 at most. */
#define REPORT_MAX_KEYS	64
const struct report_key *report_key(size_t number);
size_t report_key_number(const struct kermon_key *key);

static inline const struct report_key *report_key_of(const struct kermon_key *key)
{
	return (const struct report_key *)key;	/* @shown is its first member */
}

/**
 * struct report_keys - keys of a table, in the order they were asked for
 * @all: @nr of them
 * @mask: bit of each, by its number
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

/* Whether rows of such keys may be of functions that called others. */
static inline bool report_has_callers(const struct report_keys *keys)
{
	return keys->flags & BY_PLACE && !(keys->flags & BY_LINE);
}

/* keys.c: 0 or -EINVAL. @names: NULL: all that are no details. */
int report_parse_keys(struct report_keys *to, const char *names);
/* The first one with that flag; NULL: none has it. */
const struct kermon_key *report_find_key(const struct report_keys *keys,
					 unsigned int flag);
/* Rows in the order of what the keys show, never equal. */
int report_compare_rows(const struct report_keys *by, const struct row *a,
			const struct row *b);
/* By the slices of time that they are of. */
int report_compare_slices(const struct kermon_key *key, const struct row *a,
			  const struct row *b);

#endif /* KERMON_REPORT_KEYS_H */
