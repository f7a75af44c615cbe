/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Caches: which lines they hold, and which one makes way for another
 *
 * A line is known by its number, its address without the offset in the line.
 * It is in the set of the low bits of its number, and there takes the place of
 * the line that was used least recently.  Levels are independent: what leaves
 * one may stay in another.
 */
#ifndef I386_TCG_SYSEMU_CACHE_H
#define I386_TCG_SYSEMU_CACHE_H

#define CACHE_LINE_BITS     6
#define CACHE_NO_LINE       UINT64_MAX

/*
 * @lines: sets * ways numbers, those of a set together, the last used first and
 *         CACHE_NO_LINE last, where there is none
 * @sets: a power of two
 */
typedef struct X86Cache {
    uint64_t *lines;
    unsigned sets;
    unsigned ways;
} X86Cache;

/* The caches that a CPU sees; l3 is also that of others. */
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

/* Where @line is in its set, or the number of ways. */
static inline unsigned cache_find(const X86Cache *cache, uint64_t line)
{
    const uint64_t *set = cache_set(cache, line);
    unsigned way = 0;

    while (way < cache->ways && set[way] != line) {
        way++;
    }
    return way;
}

/* Use @line; the last one makes way if it was not there.  True if it was. */
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

/* Let @line no longer be there. */
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
 * Use @line of the first-level cache @l1, which looks for it in the levels
 * beyond until it is found.  Returns where; it is in all before that, too, now.
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

/* Another CPU has written @line. */
static inline void caches_drop(X86Caches *caches, uint64_t line)
{
    cache_drop(&caches->l1d, line);
    cache_drop(&caches->l1i, line);
    cache_drop(&caches->l2, line);
}

#endif /* I386_TCG_SYSEMU_CACHE_H */
