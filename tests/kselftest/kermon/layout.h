/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of <linux/kermon.h>, identical for 64-bit and 32-bit programs. The
 * includer may define SIZE(structure, bytes) and FIELD(structure, member,
 * offset).
 */
#ifndef KERMON_TEST_LAYOUT_H
#define KERMON_TEST_LAYOUT_H

#include <linux/kermon_self.h>
#include <stddef.h>

#define KERMON_LAYOUT(SIZE, FIELD)				\
	SIZE(kermon_event, 16)					\
	FIELD(kermon_event, config, 0)				\
	FIELD(kermon_event, extra, 8)				\
	SIZE(kermon_event_set, KERMON_EVENT_SET_SIZE_VER1)	\
	FIELD(kermon_event_set, set_id, 0)			\
	FIELD(kermon_event_set, flags, 4)			\
	FIELD(kermon_event_set, count, 8)			\
	FIELD(kermon_event_set, nr_events, 12)			\
	FIELD(kermon_event_set, events, 16)			\
	FIELD(kermon_event_set, interval_ns, 24)		\
	FIELD(kermon_event_set, log_bytes, 32)			\
	FIELD(kermon_event_set, watermark, 36)			\
	FIELD(kermon_event_set, more, KERMON_EVENT_SET_SIZE_VER0) \
	FIELD(kermon_event_set, nr_more, 48)			\
	FIELD(kermon_event_set, pad, 52)			\
	FIELD(kermon_event_set, rotate_ns, 56)			\
	SIZE(kermon_more_events, 16)				\
	FIELD(kermon_more_events, set_id, 0)			\
	FIELD(kermon_more_events, nr_events, 4)			\
	FIELD(kermon_more_events, events, 8)			\
	SIZE(kermon_record, 8)					\
	FIELD(kermon_record, type, 0)				\
	FIELD(kermon_record, size, 2)				\
	FIELD(kermon_record, cpu, 4)				\
	SIZE(kermon_sample, 72)					\
	FIELD(kermon_sample, record, 0)				\
	FIELD(kermon_sample, pid, 8)				\
	FIELD(kermon_sample, tid, 12)				\
	FIELD(kermon_sample, set_id, 16)			\
	FIELD(kermon_sample, reason, 20)			\
	FIELD(kermon_sample, flags, 21)				\
	FIELD(kermon_sample, nr_fixed, 22)			\
	FIELD(kermon_sample, nr_events, 23)			\
	FIELD(kermon_sample, domains, 24)			\
	FIELD(kermon_sample, pad, 25)				\
	FIELD(kermon_sample, intervals, 28)			\
	FIELD(kermon_sample, sequence, 32)			\
	FIELD(kermon_sample, tsc_begin, 40)			\
	FIELD(kermon_sample, tsc_end, 48)			\
	FIELD(kermon_sample, oncpu, 56)				\
	FIELD(kermon_sample, ip, 64)				\
	FIELD(kermon_sample, values, 72)			\
	SIZE(kermon_lost, 24)					\
	FIELD(kermon_lost, record, 0)				\
	FIELD(kermon_lost, sequence, 8)				\
	FIELD(kermon_lost, lost, 16)				\
	SIZE(kermon_page, 1752)					\
	FIELD(kermon_page, sequence, 0)				\
	FIELD(kermon_page, oncpu, 8)				\
	FIELD(kermon_page, tsc, 16)				\
	FIELD(kermon_page, plan, 24)				\
	FIELD(kermon_page, set, 28)				\
	FIELD(kermon_page, set_id, 32)				\
	FIELD(kermon_page, nr_sets, 36)				\
	FIELD(kermon_page, nr_fixed, 40)			\
	FIELD(kermon_page, nr_values, 44)			\
	FIELD(kermon_page, size, 48)				\
	FIELD(kermon_page, pad, 52)				\
	FIELD(kermon_page, offsets, 56)				\
	FIELD(kermon_page, sums, 312)				\
	FIELD(kermon_page, rdpmc, 568)				\
	FIELD(kermon_page, nr_events, 696)			\
	FIELD(kermon_page, turns, 728)				\
	SIZE(kermon_counts, KERMON_COUNTS_SIZE_VER0)		\
	FIELD(kermon_counts, tsc, 0)				\
	FIELD(kermon_counts, oncpu, 8)				\
	FIELD(kermon_counts, plan, 16)				\
	FIELD(kermon_counts, set, 20)				\
	FIELD(kermon_counts, set_id, 24)			\
	FIELD(kermon_counts, nr_fixed, 28)			\
	FIELD(kermon_counts, nr_values, 32)			\
	FIELD(kermon_counts, pad, 36)				\
	FIELD(kermon_counts, values, 40)

#define ASSERT_SIZE(type, bytes) \
	_Static_assert(sizeof(struct type) == (bytes), "size of " #type);
#define ASSERT_FIELD(type, member, offset)				\
	_Static_assert(offsetof(struct type, member) == (offset),	\
		       "offset of " #type "." #member);

KERMON_LAYOUT(ASSERT_SIZE, ASSERT_FIELD)

#endif /* KERMON_TEST_LAYOUT_H */
