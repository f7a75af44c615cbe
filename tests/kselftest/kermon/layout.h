/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of <linux/kermon.h>, identical for 64-bit and 32-bit programs. The
 * includer may define SIZE(structure, bytes) and FIELD(structure, member,
 * offset).
 */
#ifndef KERMON_TEST_LAYOUT_H
#define KERMON_TEST_LAYOUT_H

#include <linux/kermon.h>
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
	FIELD(kermon_lost, lost, 16)

#define ASSERT_SIZE(type, bytes) \
	_Static_assert(sizeof(struct type) == (bytes), "size of " #type);
#define ASSERT_FIELD(type, member, offset)				\
	_Static_assert(offsetof(struct type, member) == (offset),	\
		       "offset of " #type "." #member);

KERMON_LAYOUT(ASSERT_SIZE, ASSERT_FIELD)

#endif /* KERMON_TEST_LAYOUT_H */
