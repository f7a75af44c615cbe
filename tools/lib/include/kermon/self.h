/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A thread reads its own counts: exact 64-bit values of the counters that KerMon counts for
 * it, wherever the scheduler moves it meanwhile. See <linux/kermon_self.h> for how it works
 * and who may.
 *
 *	struct kermon_self self;
 *	uint64_t before, after;
 *	int i;
 *
 *	if (kermon_self_open(&self))
 *		return;		// not monitored: see below
 *	i = kermon_self_event(&self, 0);
 *	kermon_read(&self, i, &before);
 *	work();
 *	kermon_read(&self, i, &after);
 *
 * Everything is in this header; no library is needed. A read takes no system call where
 * the thread may execute RDPMC, and one where it may not: kermon_self_is_fast() tells.
 *
 * Each thread opens its own, and only that thread may use it: the page tells where *its*
 * counts are while it runs, and another thread would get a wrong number without an error, or
 * SIGSEGV if it may not execute RDPMC. A child of fork() opens its own, too, if it is
 * monitored.
 *
 * RDPMC does not wait for the instructions before it: on a processor that executes out
 * of order, add a fence where single instructions matter.
 */
#ifndef KERMON_SELF_H
#define KERMON_SELF_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/kermon_self.h>

/* <unistd.h> has it with extensions only. */
#ifndef __USE_MISC
extern long syscall(long number, ...);
#endif

/*
 * libkermon has all functions of this header for programs that cannot include it, in other
 * languages. They hand in kermon_self_size() bytes as struct kermon_self.
 */
#ifndef KERMON_SELF_API
#define KERMON_SELF_API	static inline
/* A read is shorter than a call of it with its arguments; compilers think otherwise. */
#define KERMON_SELF_READ_API	static inline __attribute__((always_inline))
#else
#define KERMON_SELF_READ_API	KERMON_SELF_API
#endif

/**
 * struct kermon_self - where a thread reads its counts
 * @page: the page; after an error and when it is closed, one without counts
 * @fd: the descriptor, or -1
 * @counted: KERMON_COUNTED() of what is read
 * @sequence: the last one of the page of which this was true
 */
struct kermon_self {
	const struct kermon_page *page;
	int fd;
	uint32_t counted;
	uint64_t sequence;
};

/**
 * kermon_self_size() - bytes of struct kermon_self
 */
KERMON_SELF_API size_t kermon_self_size(void)
{
	return sizeof(struct kermon_self);
}

/* No sequence: what is counted is never 0. */
#define __KERMON_NO_SEQUENCE	1

/* What is not open is read as well: that is an error, and not a fault. */
#ifdef __cplusplus
static const struct kermon_page __kermon_no_page = {};
#else
static const struct kermon_page __kermon_no_page = { 0 };
#endif

static inline void __kermon_self_init(struct kermon_self *self)
{
	self->page = &__kermon_no_page;
	self->fd = -1;
	self->counted = UINT32_MAX;
	self->sequence = __KERMON_NO_SEQUENCE;
}

/**
 * kermon_self_close() - undo kermon_self_open()
 * @self: as it left it, also after an error
 */
KERMON_SELF_API void kermon_self_close(struct kermon_self *self)
{
	if (self->fd >= 0) {
		munmap((void *)(uintptr_t)self->page, KERMON_PAGE_SIZE);
		close(self->fd);
	}
	__kermon_self_init(self);
}

/**
 * kermon_self_open() - let the calling thread read its own counts
 * @self: to be closed by kermon_self_close() in this thread
 *
 * Counts start at 0 when a thread opens its first one.
 *
 * Return: 0; -ENOENT if the thread is not monitored; -EACCES if what is counted for it is
 * not for its eyes, as kernel mode for a user; -EBUSY if others have the counters; -EIO if
 * counts were lost since the thread opened another one, which has to be closed first;
 * -EINVAL or -ENOSYS without a kernel that has this; -EMFILE, -ENOMEM.
 */
KERMON_SELF_API int kermon_self_open(struct kermon_self *self)
{
	void *page;

	__kermon_self_init(self);
	self->fd = (int)syscall(KERMON_NR_SET_EVENTS, 0, NULL, 0, KERMON_FLAG_SELF);
	if (self->fd < 0)
		return -errno;
	page = mmap(NULL, KERMON_PAGE_SIZE, PROT_READ, MAP_SHARED, self->fd, 0);
	if (page == MAP_FAILED) {
		int error = errno;

		close(self->fd);
		self->fd = -1;
		return -error;
	}
	self->page = (const struct kermon_page *)page;
	if (self->page->size < KERMON_PAGE_SIZE_VER0) {
		kermon_self_close(self);
		return -EINVAL;
	}
	/* Never 0, as the sequence is while the page cannot be used. */
	self->counted = KERMON_COUNTED(self->page->plan, 0);
	if (!self->counted)
		self->counted = UINT32_MAX;
	return 0;
}

/**
 * kermon_self_select() - choose the set whose events kermon_read() means
 * @self: opened by this thread; it has chosen the first set
 * @set: index of one of the sets that are rotated
 *
 * A signal handler that may interrupt this has a struct kermon_self of its own.
 *
 * Return: 0 or -EINVAL if there is no such set.
 */
KERMON_SELF_API int kermon_self_select(struct kermon_self *self, unsigned int set)
{
	if (set >= self->page->nr_sets)
		return -EINVAL;
	self->counted = KERMON_COUNTED(self->counted >> 8, set);
	self->sequence = __KERMON_NO_SEQUENCE;
	return 0;
}

/**
 * kermon_self_fixed() - the number of a fixed counter for kermon_read()
 * @self: opened by this thread
 * @i: KERMON_FIXED_*
 *
 * Return: the number or -EINVAL, for which kermon_read() returns -EINVAL, too: this processor
 * has no such counter, as those of AMD, or it is not counted.
 */
KERMON_SELF_API int kermon_self_fixed(const struct kermon_self *self, unsigned int i)
{
	return i < self->page->nr_fixed ? (int)i : -EINVAL;
}

/**
 * kermon_self_event() - the number of an event for kermon_read()
 * @self: opened by this thread
 * @i: its place in the set of kermon_self_select()
 *
 * Return: likewise.
 */
KERMON_SELF_API int kermon_self_event(const struct kermon_self *self, unsigned int i)
{
	const struct kermon_page *page = self->page;

	return i < page->nr_events[self->counted % KERMON_MAX_SETS] ?
	       (int)(page->nr_fixed + i) : -EINVAL;
}

/**
 * kermon_read_call() - all counts of one moment, by a system call
 * @self: opened by this thread
 * @counts: the result
 *
 * Return: 0 or a negative error of read(): see <linux/kermon_self.h>.
 */
KERMON_SELF_API int kermon_read_call(const struct kermon_self *self,
				     struct kermon_counts *counts)
{
	return read(self->fd, counts, sizeof(*counts)) < 0 ? -errno : 0;
}

/* Both also set the upper halves of the registers to 0. */
static inline uint64_t __kermon_rdpmc(uint32_t counter)
{
	uint64_t low, high;

	__asm__ volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (counter));
	return high << 32 | low;
}

static inline uint64_t __kermon_rdtsc(void)
{
	uint64_t low, high;

	__asm__ volatile("rdtsc" : "=a" (low), "=d" (high));
	return high << 32 | low;
}

/*
 * The sequence of @page before its other fields are read. 0: they must not be used. Only
 * this thread sees that the kernel changes the page, so it is enough that the compiler keeps
 * the order.
 */
static inline uint64_t __kermon_page_begin(const struct kermon_page *page)
{
	uint64_t sequence;

	__asm__ volatile("" : : : "memory");
	sequence = page->sequence;
	__asm__ volatile("" : : : "memory");
	return sequence;
}

/* Whether what has been read since __kermon_page_begin() is of one moment, and right. */
static inline bool __kermon_page_end(const struct kermon_page *page, uint64_t sequence)
{
	__asm__ volatile("" : : : "memory");
	return __builtin_expect(page->sequence == sequence, 1);
}

/*
 * Whether the counts of the page are those that @self means. That of the last read need not
 * be looked at.
 */
static inline bool __kermon_page_suits(struct kermon_self *self, uint64_t sequence)
{
	if (__builtin_expect(sequence != self->sequence, 0)) {
		if (sequence >> 32 != self->counted)
			return false;
		self->sequence = sequence;
	}
	return true;
}

/**
 * kermon_self_is_fast() - whether a read needs no system call just now
 * @self: opened by this thread
 */
KERMON_SELF_API bool kermon_self_is_fast(const struct kermon_self *self)
{
	return __kermon_page_begin(self->page) >> 32 == self->counted;
}

/*
 * An index that is known at run time only is hidden from the compiler: it would compute both
 * addresses before the loop that they are used in, which nearly always runs once.
 */
static inline uint64_t __kermon_page_count(const struct kermon_page *page, unsigned int i)
{
	uint64_t index = i;

	if (!__builtin_constant_p(i))
		__asm__ volatile("mov %1, %k0" : "=r" (index) : "r" (i));
	return page->offsets[index] + __kermon_rdpmc(page->rdpmc[index]);
}

/* Count @i of the set that @self means; @counts may be of another one. */
static inline uint64_t __kermon_count_of(const struct kermon_self *self,
					 const struct kermon_counts *counts, unsigned int i)
{
	const unsigned int set = self->counted % KERMON_MAX_SETS;

	if (i < counts->nr_fixed || set == counts->set)
		return counts->values[i];
	return self->page->turns[set][i - counts->nr_fixed];
}

/*
 * Counts of another set than the one that is counted now are in the page, which is written
 * whenever the thread is switched in. Not inline, so that what calls it stays small.
 */
static __attribute__((noinline, cold, unused)) int
__kermon_read_slowly(const struct kermon_self *self, unsigned int from, unsigned int nr,
		     uint64_t *counts)
{
	const volatile struct kermon_page *page = self->page;
	struct kermon_counts all;
	unsigned int i, nr_values;
	uint64_t tsc;
	int ret;

	do {
		tsc = page->tsc;
		ret = kermon_read_call(self, &all);
		if (ret)
			return ret;
		if (all.plan != self->counted >> 8)
			return -ESTALE;
		/* The page has been discarded by madvise(), or something else is counted now. */
		if (page->plan != all.plan)
			return -ESTALE;
		nr_values = all.nr_fixed + page->nr_events[self->counted % KERMON_MAX_SETS];
		if (nr > nr_values || from > nr_values - nr)
			return -EINVAL;
		for (i = 0; i < nr; i++)
			counts[i] = __kermon_count_of(self, &all, from + i);
		__asm__ volatile("" : : : "memory");
	} while (page->tsc != tsc);
	return 0;
}

/**
 * kermon_read() - one count of the calling thread
 * @self: opened by this thread
 * @i: which one: see kermon_self_event() and kermon_self_fixed()
 * @count: the result; undefined on error
 *
 * The sequence of the page is the same after RDPMC as before only if neither the thread
 * nor the counter has moved in between. The count of an event is that of the time while
 * its set was counted.
 *
 * Return: 0; -EINVAL if there is no such count; -EBADF if @self is not open; -ESTALE if
 * something else is counted than when it was opened: then close it and open it again; or
 * another error of read().
 */
KERMON_SELF_READ_API int kermon_read(struct kermon_self *self, unsigned int i,
				     uint64_t *count)
{
	const struct kermon_page *page = self->page;
	uint64_t sequence, result;

	do {
		sequence = __kermon_page_begin(page);
		if (__builtin_expect(!__kermon_page_suits(self, sequence) ||
				     i >= page->nr_values, 0))
			return __kermon_read_slowly(self, i, 1, count);
		result = __kermon_page_count(page, i);
	} while (!__kermon_page_end(page, sequence));
	*count = result;
	return 0;
}

/* Saves three instructions for each count, as clang does by itself. */
#if defined(__clang__)
#define __KERMON_UNROLL
#else
#define __KERMON_UNROLL	_Pragma("GCC unroll 8")
#endif

/**
 * kermon_read_range() - successive counts of the calling thread, of one moment
 * @self: opened by this thread
 * @from: the first one, as for kermon_read()
 * @nr: how many
 * @counts: the results; undefined on error
 *
 * Return: as for kermon_read().
 */
KERMON_SELF_READ_API int kermon_read_range(struct kermon_self *self, unsigned int from,
					   unsigned int nr, uint64_t *counts)
{
	const struct kermon_page *page = self->page;
	const __u64 *offsets = page->offsets + from;
	const __u32 *rdpmc = page->rdpmc + from;
	uint64_t sequence;
	size_t i;

	do {
		sequence = __kermon_page_begin(page);
		if (__builtin_expect(!__kermon_page_suits(self, sequence) ||
				     nr > page->nr_values ||
				     from > page->nr_values - nr, 0))
			return __kermon_read_slowly(self, from, nr, counts);
		__KERMON_UNROLL
		for (i = 0; i < nr; i++)
			counts[i] = offsets[i] + __kermon_rdpmc(rdpmc[i]);
	} while (!__kermon_page_end(page, sequence));
	return 0;
}

/**
 * kermon_read_time() - CPU time of the calling thread
 * @self: opened by this thread
 * @oncpu: TSC cycles that it has been on a CPU
 *
 * Return: 0; -ESTALE as for kermon_read(); or an error of read().
 */
KERMON_SELF_READ_API int kermon_read_time(const struct kermon_self *self, uint64_t *oncpu)
{
	const struct kermon_page *page = self->page;
	struct kermon_counts counts;
	uint64_t sequence, result;
	int ret;

	do {
		sequence = __kermon_page_begin(page);
		if (__builtin_expect(sequence >> 40 != self->counted >> 8, 0)) {
			ret = kermon_read_call(self, &counts);
			if (ret)
				return ret;
			if (counts.plan != self->counted >> 8)
				return -ESTALE;
			*oncpu = counts.oncpu;
			return 0;
		}
		result = page->oncpu + __kermon_rdtsc() - page->tsc;
	} while (!__kermon_page_end(page, sequence));
	*oncpu = result;
	return 0;
}

/**
 * kermon_read_all() - all counts of the calling thread, of one moment
 * @self: opened by this thread
 * @counts: the result
 *
 * Two results can be compared if plan and set are the same in both, and the thread has
 * always had a descriptor in between.
 *
 * Return: 0 or an error of read().
 */
KERMON_SELF_API int kermon_read_all(const struct kermon_self *self,
				    struct kermon_counts *counts)
{
	const struct kermon_page *page = self->page;
	uint64_t sequence;
	unsigned int i;

	do {
		sequence = __kermon_page_begin(page);
		if (__builtin_expect(!sequence, 0))
			return kermon_read_call(self, counts);
		counts->tsc = __kermon_rdtsc();
		counts->oncpu = page->oncpu + counts->tsc - page->tsc;
		counts->plan = page->plan;
		counts->set = page->set;
		counts->set_id = page->set_id;
		counts->nr_fixed = page->nr_fixed;
		counts->nr_values = page->nr_values;
		counts->pad = 0;
		for (i = 0; i < counts->nr_values && i < KERMON_MAX_VALUES; i++)
			counts->values[i] = __kermon_page_count(page, i);
	} while (!__kermon_page_end(page, sequence));
	for (; i < KERMON_MAX_VALUES; i++)
		counts->values[i] = 0;
	return 0;
}

#endif /* KERMON_SELF_H */
