/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Performance monitoring unit of the TCG x86 target: definitions for all
 * vendors
 */
#ifndef I386_TCG_SYSEMU_PMU_BITS_H
#define I386_TCG_SYSEMU_PMU_BITS_H

/* Bits of an event selector. */
#define EVTSEL_USR          BIT(16)
#define EVTSEL_OS           BIT(17)
#define EVTSEL_EDGE         BIT(18)
#define EVTSEL_INT          BIT(20)
#define EVTSEL_ANY          BIT(21)
#define EVTSEL_ENABLE       BIT(22)
#define EVTSEL_INV          BIT(23)
#define EVTSEL_CMASK        0xff000000u

/* The bits that counters of @model have. */
static inline uint64_t pmu_mask(const X86PMUModel *model)
{
    return MAKE_64BIT_MASK(0, model->width);
}

/* The configuration of a counter of @sources with event select @evtsel. */
static inline X86PMUControl evtsel_control(uint64_t evtsel, uint32_t sources)
{
    return (X86PMUControl) {
        .sources = sources,
        .os = evtsel & EVTSEL_OS,
        .usr = evtsel & EVTSEL_USR,
        .interrupt = evtsel & EVTSEL_INT,
        .cmask = (evtsel & EVTSEL_CMASK) >> 24,
        .inv = evtsel & EVTSEL_INV,
        .edge = evtsel & EVTSEL_EDGE,
    };
}

/*
 * There is no pipeline: a cycle, core or reference, is an instruction or an
 * iteration of one with REP.
 */
#define CYCLES              (BIT(PMU_INSN) | BIT(PMU_REP))

/* Event FFH is specific to this model. */
#define OWN_EVENTS                          \
    { 0xff, 0x01, BIT(PMU_RDMSR) },         \
    { 0xff, 0x02, BIT(PMU_WRMSR) },         \
    { 0xff, 0x04, BIT(PMU_RDPMC) }

#endif /* I386_TCG_SYSEMU_PMU_BITS_H */
