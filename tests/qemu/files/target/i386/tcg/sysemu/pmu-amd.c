// SPDX-License-Identifier: GPL-2.0
/*
 * Performance monitoring unit of the TCG x86 target: AMD
 *
 * Core performance counters of family 19H (APM volume 2, "Performance
 * Monitoring Counters"; PPR of family 19H, models 01H and 11H): four legacy
 * counters, six with the core performance counter extensions, and with version
 * 2 their global control and status. Writes to reserved bits are ignored.
 */
#include "qemu/osdep.h"
#include "cpu.h"
#include "pmu.h"
#include "pmu-bits.h"

#define MSR_K7_EVNTSEL0     0xc0010000
#define MSR_K7_PERFCTR0     0xc0010004
#define MSR_PERF_CTL0       0xc0010200  /* control and counter registers alternate */
#define MSR_GLOBAL_STATUS   0xc0000300
#define MSR_GLOBAL_CTL      0xc0000301
#define MSR_GLOBAL_CLR      0xc0000302
#define MSR_GLOBAL_SET      0xc0000303

#define NR_LEGACY           4
#define NR_CORE             6

/*
 * Event code 11:8 is in bits 35:32; the bits for guests, 41:40, are reserved.
 */
#define CTL_RESERVED        0xfffffcf000280000ull
#define CTL_EVENT(ctl)      (((ctl) >> 24 & 0xf00) | ((ctl) & 0xff))

/* In a pair, the odd counter holds the bits from 48 on of the even one. */
#define EVENT_MERGE         0xfff
#define PAIR_SHIFT          48
#define PAIR_MASK           0xffff

/* Can count more than 15 per cycle, so it requires a pair. */
#define EVENT_FLOPS         0x003

#define CPUID_RAPL          BIT(14)     /* 8000_0007H, EDX */

/* Events by event code and unit mask, as in the PPR. */
static const X86PMUEvent zen_events[] = {
    { 0xc0, 0x00, BIT(PMU_INSN) },      /* ExRetInstr */
    { 0x76, 0x00, CYCLES },             /* LsNotHaltedCyc */
    { 0x120, 0x01, CYCLES },            /* LsNotHaltedP0Cyc */
    { 0xc2, 0x00, BIT(PMU_BRANCH) },    /* ExRetBrn */
    { 0x29, 0x01, BIT(PMU_LOAD) },      /* LsDispatch.LdDispatch */
    { 0x29, 0x02, BIT(PMU_STORE) },     /* LsDispatch.StoreDispatch */
    { EVENT_FLOPS, 0x01, BIT(PMU_FLOP_ADD) }, /* FpRetSseAvxOps.AddSubFLOPs */
    { EVENT_FLOPS, 0x02, BIT(PMU_FLOP_MUL) }, /* .MultFLOPs */
    { EVENT_FLOPS, 0x04, BIT(PMU_FLOP_DIV) }, /* .DivFLOPs */
    { EVENT_FLOPS, 0x08, BIT(PMU_FLOP_MAC) }, /* .MacFLOPs */
    OWN_EVENTS,
    /* Operations that one counter can count: the four legacy ones are no pairs. */
    { 0xff, 0x08, BIT(PMU_FLOP_ADD) },
    { 0xff, 0x10, BIT(PMU_FLOP_MUL) },
    { }
};

static const X86PMUModel *amd_model(CPUX86State *env)
{
    return env_archcpu(env)->pmu_model;
}

static uint64_t amd_counters(CPUX86State *env)
{
    return MAKE_64BIT_MASK(0, amd_model(env)->nr_gp);
}

static uint32_t amd_sources(uint64_t ctl)
{
    return x86_pmu_sources(zen_events, CTL_EVENT(ctl), ctl >> 8);
}

/* Whether counter @i is merged with the next one. */
static bool amd_is_pair(CPUX86State *env, int i)
{
    uint64_t next = i + 1 < amd_model(env)->nr_gp ? env->msr_gp_evtsel[i + 1]
                                                  : 0;

    return !(i & 1) && next & EVTSEL_ENABLE && CTL_EVENT(next) == EVENT_MERGE;
}

static bool amd_is_running(CPUX86State *env, int i)
{
    uint64_t ctl = env->msr_gp_evtsel[i];

    if (!(ctl & EVTSEL_ENABLE) ||
        (CTL_EVENT(ctl) == EVENT_FLOPS && !amd_is_pair(env, i))) {
        return false;
    }
    return amd_model(env)->version < 2 || env->msr_global_ctrl & BIT_ULL(i);
}

static X86PMUControl amd_control(CPUX86State *env, int i)
{
    uint64_t ctl = env->msr_gp_evtsel[i];

    return evtsel_control(ctl, amd_is_running(env, i) ? amd_sources(ctl) : 0);
}

static bool amd_overflow(CPUX86State *env, int i)
{
    if (amd_is_pair(env, i)) {
        uint64_t *upper = &env->msr_gp_counters[i + 1];

        *upper = (*upper + 1) & PAIR_MASK;
        if (*upper) {
            return false;
        }
    }
    if (amd_model(env)->version >= 2) {
        env->msr_global_status |= BIT_ULL(i);
    }
    return true;
}

static uint64_t *amd_find_global(CPUX86State *env, uint32_t index)
{
    if (amd_model(env)->version < 2) {
        return NULL;
    }
    switch (index) {
    case MSR_GLOBAL_STATUS:
        return &env->msr_global_status;
    case MSR_GLOBAL_CTL:
        return &env->msr_global_ctrl;
    case MSR_GLOBAL_CLR ... MSR_GLOBAL_SET:
        return &env->msr_global_ovf_ctrl;
    default:
        return NULL;
    }
}

static uint64_t *amd_find(CPUX86State *env, uint32_t index, uint64_t *writable)
{
    *writable = UINT64_MAX;
    switch (index) {
    case MSR_K7_EVNTSEL0 ... MSR_K7_EVNTSEL0 + NR_LEGACY - 1:
        return &env->msr_gp_evtsel[index - MSR_K7_EVNTSEL0];
    case MSR_K7_PERFCTR0 ... MSR_K7_PERFCTR0 + NR_LEGACY - 1:
        return &env->msr_gp_counters[index - MSR_K7_PERFCTR0];
    case MSR_PERF_CTL0 ... MSR_PERF_CTL0 + 2 * NR_CORE - 1:
        if (amd_model(env)->version < 1) {
            return NULL;
        }
        index -= MSR_PERF_CTL0;
        return index & 1 ? &env->msr_gp_counters[index / 2]
                         : &env->msr_gp_evtsel[index / 2];
    default:
        return amd_find_global(env, index);
    }
}

/*
 * Events that are not modelled cannot be enabled, so that drivers can detect
 * it.
 */
static uint64_t amd_ctl(uint64_t val)
{
    bool known = amd_sources(val) || CTL_EVENT(val) == EVENT_MERGE;

    return val & ~CTL_RESERVED & ~(known ? 0 : (uint64_t)EVTSEL_ENABLE);
}

static void amd_assign(CPUX86State *env, uint32_t index, uint64_t *reg,
                       uint64_t val)
{
    switch (index) {
    case MSR_GLOBAL_STATUS:
        break;
    case MSR_GLOBAL_CTL:
        *reg = val & amd_counters(env);
        break;
    case MSR_GLOBAL_CLR:
        env->msr_global_status &= ~val;
        break;
    case MSR_GLOBAL_SET:
        env->msr_global_status |= val & amd_counters(env);
        break;
    default:
        *reg = reg >= env->msr_gp_evtsel &&
               reg < env->msr_gp_evtsel + X86_PMU_MAX_GP ?
               amd_ctl(val) : val & pmu_mask(amd_model(env));
    }
}

static int amd_rdpmc(CPUX86State *env, uint32_t index)
{
    return index < amd_model(env)->nr_gp ? index : -1;
}

void x86_pmu_amd_cpuid(const X86PMUModel *model, uint32_t index,
                       uint32_t *eax, uint32_t *ebx,
                       uint32_t *ecx, uint32_t *edx)
{
    switch (index) {
    case 0x80000007:
        *edx |= CPUID_RAPL;
        break;
    case 0x80000022:
        *eax = model->version >= 2;
        *ebx = model->version >= 2 ? model->nr_gp : 0;
        break;
    }
}

#define AMD_MODEL               \
    .width = PAIR_SHIFT,        \
    .fp = PMU_FP_FLOPS,         \
    .control = amd_control,     \
    .overflow = amd_overflow,   \
    .find = amd_find,           \
    .assign = amd_assign,       \
    .rdpmc = amd_rdpmc

static const X86PMUModel amd_legacy = { .nr_gp = NR_LEGACY, AMD_MODEL };

static const X86PMUModel amd_core[] = {
    { .version = 1, .nr_gp = NR_CORE, AMD_MODEL },
    { .version = 2, .nr_gp = NR_CORE, AMD_MODEL },
};

const X86PMUModel *x86_pmu_amd(X86CPU *cpu, int version)
{
    if (!(cpu->env.features[FEAT_8000_0001_ECX] & CPUID_EXT3_PERFCORE)) {
        return version ? NULL : &amd_legacy;
    }
    return version <= ARRAY_SIZE(amd_core) ? &amd_core[MAX(version, 1) - 1]
                                           : NULL;
}
