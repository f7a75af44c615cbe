/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Caches: which lines they hold, and which line is replaced
 *
 * A line is identified by its number, its address without the offset in the
 * line. The low bits of the number select the set, in which the least recently
 * used line is replaced. Levels are independent: a line evicted from one may
 * remain in another.
 */
#ifndef I386_TCG_SYSEMU_CACHE_H
#define I386_TCG_SYSEMU_CACHE_H

#define CACHE_LINE_BITS     6
#define CACHE_NO_LINE       UINT64_MAX

/*
 * @lines: sets * ways line numbers, grouped by set, most recently used first;
 *         free ways hold CACHE_NO_LINE and come last
 * @sets: a power of two
 */
typedef struct X86Cache {
    uint64_t *lines;
    unsigned sets;
    unsigned ways;
} X86Cache;

/* The caches of a CPU; l3 is shared by all CPUs. */
typedef struct X86Caches {
    X86Cache l1d;
    X86Cache l1i;
    X86Cache l2;
    X86Cache *l3;
} X86Caches;

typedef enum X86CacheLevel {
    CACHE_L1,
    CACHE_L2,
    CACHE_L3,
    CACHE_MEMORY,
} X86CacheLevel;

static inline void cache_clear(X86Cache *cache)
{
    memset(cache->lines, 0xff,
           sizeof(*cache->lines) * cache->sets * cache->ways);
}

static inline uint64_t *cache_set(const X86Cache *cache, uint64_t line)
{
    return cache->lines + (line & (cache->sets - 1)) * cache->ways;
}

/* The way of @line in its set, or the number of ways if it is not there. */
static inline unsigned cache_find(const X86Cache *cache, uint64_t line)
{
    const uint64_t *set = cache_set(cache, line);
    unsigned way = 0;

    while (way < cache->ways && set[way] != line) {
        way++;
    }
    return way;
}

/*
 * Access @line, replacing another one if it is not there. True if it was there.
 */
static inline bool cache_use(X86Cache *cache, uint64_t line)
{
    uint64_t *set = cache_set(cache, line);
    unsigned way = cache_find(cache, line);
    bool hit = way < cache->ways;

    if (way > 0) {
        memmove(set + 1, set, sizeof(*set) * (hit ? way : cache->ways - 1));
        set[0] = line;
    }
    return hit;
}

/* Remove @line if it is there. */
static inline void cache_drop(X86Cache *cache, uint64_t line)
{
    uint64_t *set = cache_set(cache, line);
    unsigned way = cache_find(cache, line);

    if (way < cache->ways) {
        memmove(set + way, set + way + 1,
                sizeof(*set) * (cache->ways - 1 - way));
        set[cache->ways - 1] = CACHE_NO_LINE;
    }
}

/*
 * Access @line through the first-level cache @l1 and the levels beyond. Returns
 * the level where it was found; it is now in all levels before that, too.
 */
static inline X86CacheLevel caches_use(X86Caches *caches, X86Cache *l1,
                                       uint64_t line)
{
    if (cache_use(l1, line)) {
        return CACHE_L1;
    }
    if (cache_use(&caches->l2, line)) {
        return CACHE_L2;
    }
    return cache_use(caches->l3, line) ? CACHE_L3 : CACHE_MEMORY;
}

/* Another CPU has written @line: invalidate it. */
static inline void caches_drop(X86Caches *caches, uint64_t line)
{
    cache_drop(&caches->l1d, line);
    cache_drop(&caches->l1i, line);
    cache_drop(&caches->l2, line);
}

#endif /* I386_TCG_SYSEMU_CACHE_H */
