/* SPDX-License-Identifier: GPL-2.0 */
/* The counts of a thread in its marks. */
#ifndef KERMON_PRELOAD_COUNTS_H
#define KERMON_PRELOAD_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include <kermon/self.h>

#include "marks/ring.h"

/* Words of MARK_COUNTED. */
#define COUNTED_WORDS	(MARK_WORDS + sizeof(struct mark_counted) / sizeof(uint64_t))

/**
 * struct counts - where a thread reads its counts
 * @page: or &counts_none: it has none, and all its marks are written the slow way
 * @sequence: that of the page when @counted was last true
 * @counted: KERMON_COUNTED() of what MARK_COUNTED has told; 0: nothing yet
 * @nr: number of counters of @counted
 * @self: open while there is a page
 */
struct counts {
	const struct kermon_page *page;
	uint64_t sequence;
	uint32_t counted;
	uint32_t nr;
	struct kermon_self self;
};

extern const struct kermon_page counts_none __attribute__((visibility("hidden")));

static inline bool counts_are_open(const struct counts *counts)
{
	return counts->page && counts->page != &counts_none;
}

/* Of the calling thread; it may have none, now or later. */
void counts_open(struct counts *counts);
void counts_close(struct counts *counts);

/**
 * counts_read() - all counts of the calling thread, in any way that works
 * @counts: opened by this thread
 * @now: the result
 *
 * Return: whether there are any. If there are none, there will be none later.
 */
bool counts_read(struct counts *counts, struct kermon_counts *now);

/* Whether MARK_COUNTED has to tell what these are. */
static inline bool counts_are_new(const struct counts *counts, const struct kermon_counts *now)
{
	return KERMON_COUNTED(now->plan, now->set) != counts->counted;
}

/**
 * counts_tell() - MARK_COUNTED tells what these are
 * @counts: of the calling thread
 * @now: from counts_read()
 *
 * Return: the value of the record.
 */
struct mark_counted counts_tell(struct counts *counts, const struct kermon_counts *now);

/* Words of a mark as counts_put() writes it. */
static inline unsigned int counts_words(const struct counts *counts)
{
	return MARK_WORDS + (counts_are_open(counts) ? 1 + counts->nr : 0);
}

static inline void counts_put_one(const struct kermon_page *page, uint64_t *values,
				  unsigned int i)
{
	values[1 + i] = page->offsets[i] + __kermon_rdpmc(page->rdpmc[i]);
}

/* Most counters that today's machines have for a thread: four fixed ones and eight. */
#define COUNTS_MOST	12

/* Without a loop, which would take registers. Whether they are not too many. */
static inline __attribute__((always_inline)) bool
counts_put_all(const struct kermon_page *page, uint64_t *values, unsigned int nr)
{
	switch (nr) {
	default:
		return false;
	case COUNTS_MOST:
		counts_put_one(page, values, 11);
		__attribute__((fallthrough));
	case 11:
		counts_put_one(page, values, 10);
		__attribute__((fallthrough));
	case 10:
		counts_put_one(page, values, 9);
		__attribute__((fallthrough));
	case 9:
		counts_put_one(page, values, 8);
		__attribute__((fallthrough));
	case 8:
		counts_put_one(page, values, 7);
		__attribute__((fallthrough));
	case 7:
		counts_put_one(page, values, 6);
		__attribute__((fallthrough));
	case 6:
		counts_put_one(page, values, 5);
		__attribute__((fallthrough));
	case 5:
		counts_put_one(page, values, 4);
		__attribute__((fallthrough));
	case 4:
		counts_put_one(page, values, 3);
		__attribute__((fallthrough));
	case 3:
		counts_put_one(page, values, 2);
		__attribute__((fallthrough));
	case 2:
		counts_put_one(page, values, 1);
		__attribute__((fallthrough));
	case 1:
		counts_put_one(page, values, 0);
		__attribute__((fallthrough));
	case 0:
		return true;
	}
}

/**
 * counts_put() - TSC and counts of the calling thread, of one moment
 * @counts: opened by this thread
 * @record: the mark; its first word is left alone
 *
 * The mark has counts_words().
 *
 * Return: false if what is counted has changed, or cannot be read from the page now, or if the
 * thread has been switched out meanwhile: see counts_read().
 */
static inline __attribute__((always_inline)) bool
counts_put(struct counts *counts, struct mark_record *record)
{
	const struct kermon_page *page = counts->page;
	uint64_t sequence, tsc;

	sequence = __kermon_page_begin(page);
	if (__builtin_expect(sequence != counts->sequence, 0)) {
		if (sequence >> 32 != counts->counted || !counts->counted)
			return false;
		counts->sequence = sequence;
	}
	tsc = __kermon_rdtsc();
	record->tsc = tsc;
	record->values[0] = page->oncpu + tsc - page->tsc;
	return counts_put_all(page, record->values, counts->nr) &&
	       __kermon_page_end(page, counts->sequence);
}

#endif /* KERMON_PRELOAD_COUNTS_H */
