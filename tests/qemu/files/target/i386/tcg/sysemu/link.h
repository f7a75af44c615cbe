/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A link between two levels of the caches, or to memory, which transfers lines
 * at a limited rate
 *
 * A CPU need not wait for a line: it runs ahead of the link by up to LINK_AHEAD
 * cycles, like one that executes out of order and prefetches. So computations
 * overlap with transfers, and whichever takes longer determines the time.
 */
#ifndef I386_TCG_SYSEMU_LINK_H
#define I386_TCG_SYSEMU_LINK_H

#define LINK_AHEAD          256

/* The unit of time: 2^-20 cycles */
#define LINK_CYCLE_BITS     20

/*
 * @cost: time to transfer a line
 * @debt: for how long the link was still busy at cycle @now
 */
typedef struct X86Link {
    uint64_t cost;
    uint64_t debt;
    uint64_t now;
} X86Link;

/* Transfer @bytes per line at @mbs MB/s, with @mhz cycles per microsecond. */
static inline void link_open(X86Link *link, unsigned bytes, uint32_t mbs,
                             uint32_t mhz)
{
    *link = (X86Link) {
        .cost = ((uint64_t)bytes * mhz << LINK_CYCLE_BITS) / mbs,
    };
}

/*
 * Transfer a line for a CPU at cycle @now, not earlier than before. Returns how
 * many cycles the CPU has to wait.
 */
static inline uint64_t link_use(X86Link *link, uint64_t now)
{
    const uint64_t ahead = (uint64_t)LINK_AHEAD << LINK_CYCLE_BITS;
    const uint64_t cycle = (uint64_t)1 << LINK_CYCLE_BITS;
    uint64_t passed = now - link->now;

    if (passed > link->debt >> LINK_CYCLE_BITS) {
        link->debt = 0;
    } else {
        link->debt -= passed << LINK_CYCLE_BITS;
    }
    link->debt += link->cost;
    link->now = now;
    return link->debt <= ahead ? 0 : (link->debt - ahead + cycle - 1) / cycle;
}

#endif /* I386_TCG_SYSEMU_LINK_H */
