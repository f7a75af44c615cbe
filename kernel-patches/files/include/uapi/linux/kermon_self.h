/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* KerMon: threads that read their own counts, KERMON_FLAG_SELF. */
#ifndef _UAPI_LINUX_KERMON_SELF_H
#define _UAPI_LINUX_KERMON_SELF_H

#include <linux/kermon.h>
#include <linux/types.h>

/*
 * A thread reads its own counts:
 *
 *	fd = set_events(0, NULL, 0, KERMON_FLAG_SELF);
 *	page = mmap(NULL, KERMON_PAGE_SIZE, PROT_READ, MAP_SHARED, fd, 0);
 *
 * by read(2) on the descriptor, which returns a struct kermon_counts, or from the page
 * without a system call; <kermon/self.h> has the code. Both are exact, and may be mixed.
 * Counts start at 0 when the thread opens its first descriptor, so look at differences.
 *
 * Each read has to look at @plan: after KERMON_FLAG_CHANGE, and when another application has
 * begun to monitor the thread, count i is another one.
 *
 * All descriptors of a thread are for the same counts. They serve that thread only: others,
 * the child of fork() among them, get EPERM from read() and mmap(), and the page that a
 * child inherits is all zero. A sibling that computes counts from the page of another thread
 * gets wrong ones, or SIGSEGV. The counts end with exec, exit and the end of the monitoring,
 * and when the last descriptor and mapping are closed. Keep the descriptor for read(), also
 * if the page is mapped.
 *
 * Errors of read(): ENOENT (not monitored any more, or by another application since), EIO
 * (counts have been lost, because others had the counters or wrote to them, or by suspend;
 * or KERMON_FLAG_CHANGE lets kernel mode be counted, which this thread may not see; it stays
 * so until all descriptors and mappings are closed, copies in children, too, or another
 * application begins), EPERM (also after exec), EINVAL (less room than
 * KERMON_COUNTS_SIZE_VER0), EFAULT.
 *
 * RDPMC in user mode shows what the counters of the CPU count, other tasks included: how
 * many instructions they executed while the thread waited. So it is permitted only to
 * threads that may count that anyway, and by kernel.kermon_rdpmc to all or none, when a
 * descriptor is opened. Otherwise @sequence of the page is always 0, and read() serves. The
 * same holds on machines whose counters perf cannot set to more than 2^31, where they wrap
 * all the time. If root writes 0 to /sys/bus/event_source/devices/cpu/rdpmc, threads that
 * are about to execute RDPMC get SIGSEGV, as with perf.
 */

/* Values of a set, those of fixed counters and of events: more than there are today. */
#define KERMON_MAX_VALUES	32

/**
 * struct kermon_page - what a thread maps to read its own counts
 * @sequence: 0: they cannot be read from here now, use read(). Otherwise what was read is
 *	of one moment, and right, if @sequence is the same before and after. It is
 *	different whenever the thread has been switched out and in, or the rest of the
 *	page has changed; its upper half is KERMON_COUNTED(@plan, @set)
 * @oncpu: TSC cycles on the CPU up to @tsc; only the sum below has a meaning, modulo 2^64
 * @tsc: TSC when this was last updated; on-CPU time is @oncpu + RDTSC() - @tsc
 * @plan: what is counted: another number, of at most 24 bits and never 0, after
 *	KERMON_FLAG_CHANGE, when counts start at 0 again, but not the time; and in another
 *	application
 * @set: index of the set that is counted; 0 unless sets are rotated
 * @set_id: its label
 * @nr_sets: number of sets
 * @nr_fixed: number of fixed counters; after them come the events of the set
 * @nr_values: number of both
 * @size: bytes of this structure that the kernel knows; new fields come at its end
 * @pad: 0
 * @offsets: count i is @offsets[i] + RDPMC(@rdpmc[i]); that of an event, of the time while
 *	its set was counted. Counters do not wrap while @sequence is not 0
 * @sums: the counts up to @tsc, likewise modulo 2^64 until the first sample
 * @rdpmc: operands of RDPMC
 * @nr_events: number of events of each set
 * @turns: for each set but the current one, the counts of its events
 *
 * The kernel updates the page only while the thread does not run in user mode on any CPU,
 * but for setting @sequence to 0.
 */
struct kermon_page {
	__u64 sequence;
	__u64 oncpu;
	__u64 tsc;
	__u32 plan;
	__u32 set;
	__u32 set_id;
	__u32 nr_sets;
	__u32 nr_fixed;
	__u32 nr_values;
	__u32 size;
	__u32 pad;
	__u64 offsets[KERMON_MAX_VALUES];
	__u64 sums[KERMON_MAX_VALUES];
	__u32 rdpmc[KERMON_MAX_VALUES];
	__u32 nr_events[KERMON_MAX_SETS];
	__u64 turns[KERMON_MAX_SETS][KERMON_MAX_EVENTS];
};

#define KERMON_PAGE_SIZE	4096

/* Bytes of struct kermon_page in the first version. */
#define KERMON_PAGE_SIZE_VER0	1752

#define KERMON_COUNTED(plan, set)	((__u32)(plan) << 8 | (set))

/**
 * struct kermon_counts - what read() returns: the counts of one moment
 * @tsc: the TSC at that moment
 * @oncpu: TSC cycles on the CPU
 * @plan: as in struct kermon_page, also what follows
 * @set: index of the set that is counted
 * @set_id: its label
 * @nr_fixed: number of fixed counters in @values
 * @nr_values: number of these and of events
 * @pad: 0
 * @values: the counts, 0 beyond @nr_values
 */
struct kermon_counts {
	__u64 tsc;
	__u64 oncpu;
	__u32 plan;
	__u32 set;
	__u32 set_id;
	__u32 nr_fixed;
	__u32 nr_values;
	__u32 pad;
	__u64 values[KERMON_MAX_VALUES];
};

#define KERMON_COUNTS_SIZE_VER0	296

#endif /* _UAPI_LINUX_KERMON_SELF_H */
