/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mark regions of a program: what belongs to which module, whatever functions do it.
 *
 *	struct kermon_region *fit = kermon_region("Fit");	// once
 *
 *	kermon_region_begin(fit);
 *	...
 *	kermon_region_end(fit);
 *
 * Regions nest, in each thread of its own. The branch of names that are open, outermost
 * first, is what reports call a region: Fit in Track is another one than Fit in Vertex.
 *
 * "kermon run" and "kermon record" collect the marks: they load a collector into the program.
 * Without it, kermon_region() returns NULL and all other functions do nothing: a test and a
 * branch that is not taken. Everything is in this header; no library is needed, but
 * dlopen(), which the C library has since glibc 2.34.
 *
 * Functions may be called in any thread at any time, but for signal handlers, and after
 * fork(). None fails: what cannot be collected is counted, and reports say so.
 */
#ifndef KERMON_REGION_H
#define KERMON_REGION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The environment: the file of the collector. It is ignored in programs with privileges. */
#define KERMON_COLLECTOR	"KERMON_COLLECTOR"

/* The function in it that returns a struct kermon_collector. */
#define KERMON_COLLECTOR_ENTRY	"kermon_collector"

struct kermon_region;

/**
 * struct kermon_collector - functions of the collector
 * @size: of this structure as the collector knows it
 * @region: see kermon_region(), and so on. Regions are not NULL.
 */
struct kermon_collector {
	size_t size;
	struct kermon_region *(*region)(const char *name);
	void (*begin)(struct kermon_region *region);
	void (*end)(struct kermon_region *region);
	void (*value)(struct kermon_region *name, uint64_t value);
	void (*value_double)(struct kermon_region *name, double value);
	void (*pause)(void);
	void (*resume)(void);
	void (*thread)(const char *name);
};

/**
 * struct kermon_region - a name; what follows is the collector's
 * @begin: that of @collector, which is reached by one access less
 * @end: likewise
 * @collector: its functions, so that a region may be handed to another shared object
 */
struct kermon_region {
	void (*begin)(struct kermon_region *region);
	void (*end)(struct kermon_region *region);
	const struct kermon_collector *collector;
};

/*
 * Of <stdlib.h> and <dlfcn.h>, which have them with extensions only, and in C++ with other
 * types. A static program finds no dlopen(), and is linked without a warning of it.
 */
extern char *__kermon_getenv(const char *name) __asm__("secure_getenv") __attribute__((weak));
extern void *__kermon_dlsym(void *handle, const char *name) __asm__("dlsym")
	__attribute__((weak));

/* One for each program and shared object. */
struct __kermon_collected {
	const struct kermon_collector *collector;
	int known;
};

__attribute__((weak, visibility("hidden"))) struct __kermon_collected __kermon_collected;

/* Several threads may do this at once: all find the same. */
static __attribute__((noinline, cold, unused)) void __kermon_find_collector(void)
{
	const char *file = __kermon_getenv ? __kermon_getenv(KERMON_COLLECTOR) : NULL;
	const struct kermon_collector *(*entry)(void) = NULL;
	const struct kermon_collector *collector = NULL;
	void *(*dlopen)(const char *file, int mode) = NULL;
	void *library = NULL;

	if (file && *file && __kermon_dlsym)
		*(void **)&dlopen = __kermon_dlsym(NULL /* RTLD_DEFAULT */, "dlopen");
	if (dlopen)
		library = dlopen(file, 2 /* RTLD_NOW */);
	if (library)
		*(void **)&entry = __kermon_dlsym(library, KERMON_COLLECTOR_ENTRY);
	if (entry)
		collector = entry();
	if (collector && collector->size >= sizeof(*collector))
		__atomic_store_n(&__kermon_collected.collector, collector, __ATOMIC_RELAXED);
	__atomic_store_n(&__kermon_collected.known, 1, __ATOMIC_RELEASE);
}

static inline const struct kermon_collector *__kermon_collector(void)
{
	if (!__atomic_load_n(&__kermon_collected.known, __ATOMIC_ACQUIRE))
		__kermon_find_collector();
	return __kermon_collected.collector;
}

/**
 * kermon_region() - the region with a name
 * @name: of the region alone, without those around it; copied. At most 1000 bytes count.
 *
 * Takes a lock and looks the name up: call it once, and keep the result.
 *
 * Return: the same for the same name in all threads and libraries; NULL if nothing is
 * collected. It is valid until the process ends, and after fork().
 */
static inline struct kermon_region *kermon_region(const char *name)
{
	const struct kermon_collector *collector = __kermon_collector();

	return collector ? collector->region(name) : NULL;
}

/**
 * kermon_region_begin() - the calling thread enters a region
 * @region: or NULL
 *
 * It may be in it already: recursion is a region in itself.
 */
static inline void kermon_region_begin(struct kermon_region *region)
{
	if (__builtin_expect(!!region, 0))
		region->begin(region);
}

/**
 * kermon_region_end() - the calling thread leaves a region
 * @region: or NULL
 *
 * Regions inside that are still open end here, too, as after longjmp(). Reports count them,
 * as they do an end of a region that is not open, which has no other effect.
 */
static inline void kermon_region_end(struct kermon_region *region)
{
	if (__builtin_expect(!!region, 0))
		region->end(region);
}

/**
 * kermon_region_value() - attach a number to the innermost region of the calling thread
 * @name: of the number, from kermon_region(); or NULL
 * @value: reports show the sum, the mean and the extremes
 */
static inline void kermon_region_value(struct kermon_region *name, uint64_t value)
{
	if (__builtin_expect(!!name, 0))
		name->collector->value(name, value);
}

/* Likewise. */
static inline void kermon_region_value_double(struct kermon_region *name, double value)
{
	if (__builtin_expect(!!name, 0))
		name->collector->value_double(name, value);
}

/**
 * kermon_pause() - collect no marks from here on, in any thread of the process
 *
 * Regions that are open remain so. Reports show the time as paused.
 */
static inline void kermon_pause(void)
{
	const struct kermon_collector *collector = __kermon_collector();

	if (collector)
		collector->pause();
}

/**
 * kermon_resume() - collect them again
 */
static inline void kermon_resume(void)
{
	const struct kermon_collector *collector = __kermon_collector();

	if (collector)
		collector->resume();
}

/**
 * kermon_region_thread() - name the calling thread in reports
 * @name: copied
 */
static inline void kermon_region_thread(const char *name)
{
	const struct kermon_collector *collector = __kermon_collector();

	if (collector)
		collector->thread(name);
}

#ifdef __cplusplus
} /* extern "C" */

namespace kermon
{

/* The scope of a variable is a region, however it is left. */
class region
{
public:
	explicit region(struct kermon_region *name) : opened(name)
	{
		kermon_region_begin(name);
	}

	~region()
	{
		kermon_region_end(opened);
	}

	region(const region &) = delete;
	region &operator=(const region &) = delete;

private:
	struct kermon_region *opened;
};

} /* namespace kermon */

#define __KERMON_JOIN(a, b)	a##b
#define __KERMON_NAME(a, b)	__KERMON_JOIN(a, b)

/* The rest of the scope is a region: KERMON_REGION("Fit"); the name is looked up once. */
#define KERMON_REGION(name)								\
	static struct kermon_region *const __KERMON_NAME(__kermon_name, __LINE__) =	\
		kermon_region(name);							\
	kermon::region __KERMON_NAME(__kermon_region, __LINE__)(			\
		__KERMON_NAME(__kermon_name, __LINE__))
#endif /* __cplusplus */

#endif /* KERMON_REGION_H */
