// SPDX-License-Identifier: GPL-2.0
/*
 * Performance monitoring unit of the TCG x86 target: registers and counters
 *
 * Register layouts and reset values are those of the Intel SDM, volume 3B,
 * "Architectural Performance Monitoring Version 2" and volume 4, MSRs of Ivy
 * Bridge.  Translated code only decrements env->pmu.left; everything else
 * happens here, when a counter is read, reprogrammed, or overflows.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "hw/i386/apic.h"
#include "migration/vmstate.h"
#include "pmu.h"

#define COUNTER_MASK        MAKE_64BIT_MASK(0, X86_PMU_WIDTH)
#define GP_MASK             MAKE_64BIT_MASK(0, X86_PMU_NR_GP)
#define GLOBAL_MASK         (GP_MASK | MAKE_64BIT_MASK(32, X86_PMU_NR_FIXED))

#define EVTSEL_USR          BIT(16)
#define EVTSEL_OS           BIT(17)
#define EVTSEL_EDGE         BIT(18)
#define EVTSEL_INT          BIT(20)
#define EVTSEL_ANY          BIT(21)     /* from version 3 on */
#define EVTSEL_ENABLE       BIT(22)
#define EVTSEL_INV          BIT(23)
#define EVTSEL_CMASK        0xff000000u
#define EVTSEL_WRITABLE     (0xffffffffu & ~EVTSEL_ANY)

#define FIXED_OS            BIT(0)
#define FIXED_USR           BIT(1)
#define FIXED_INT           BIT(3)
#define FIXED_CTRL_WRITABLE 0xbbb       /* bit 2 of each: from version 3 on */

/* Valid request and response bits of Ivy Bridge. */
#define OFFCORE_WRITABLE    0x3fffff8fffull

/* IA32_PERF_GLOBAL_OVF_CTRL also clears OvfBuf and CondChgd. */
#define OVF_CTRL_WRITABLE   (GLOBAL_MASK | MAKE_64BIT_MASK(62, 2))

/* No counter bounds the source: never reached. */
#define UNBOUNDED           (INT64_MAX / 2)

#define CYCLES              (BIT(PMU_INSN) | BIT(PMU_REP))

/*
 * Events by event code and unit mask, as in the SDM's table for Ivy Bridge,
 * and event FFH, which is the model's own.  Unit masks can be combined where
 * each stands for a bit.  There is no pipeline: a cycle, core or reference,
 * is an instruction or an iteration of one with REP.  Other events are not
 * counted, nor those with CMASK, INV or EDGE, for these ask what happens in a
 * cycle: their selectors do not keep the enable bit, which silicon would.
 */
static const struct {
    uint8_t event;
    uint8_t umask;
    uint32_t sources;
} pmu_events[] = {
    { 0xc0, 0x00, BIT(PMU_INSN) },      /* INST_RETIRED.ANY_P */
    { 0x3c, 0x00, CYCLES },             /* CPU_CLK_UNHALTED.THREAD_P */
    { 0x3c, 0x01, CYCLES },             /* CPU_CLK_UNHALTED.REF */
    { 0xc4, 0x00, BIT(PMU_BRANCH) },    /* BR_INST_RETIRED.ALL_BRANCHES */
    { 0xd0, 0x81, BIT(PMU_LOAD) },      /* MEM_UOPS_RETIRED.ALL_LOADS */
    { 0xd0, 0x82, BIT(PMU_STORE) },     /* MEM_UOPS_RETIRED.ALL_STORES */
    { 0x10, 0x01, BIT(PMU_X87) },       /* FP_COMP_OPS_EXE.X87 */
    { 0x10, 0x10, BIT(PMU_SSE_PD) },    /* .SSE_PACKED_DOUBLE */
    { 0x10, 0x20, BIT(PMU_SSE_SS) },    /* .SSE_SCALAR_SINGLE */
    { 0x10, 0x40, BIT(PMU_SSE_PS) },    /* .SSE_PACKED_SINGLE */
    { 0x10, 0x80, BIT(PMU_SSE_SD) },    /* .SSE_SCALAR_DOUBLE */
    { 0x11, 0x01, BIT(PMU_AVX_PS) },    /* SIMD_FP_256.PACKED_SINGLE */
    { 0x11, 0x02, BIT(PMU_AVX_PD) },    /* SIMD_FP_256.PACKED_DOUBLE */
    { 0xff, 0x01, BIT(PMU_RDMSR) },
    { 0xff, 0x02, BIT(PMU_WRMSR) },
    { 0xff, 0x04, BIT(PMU_RDPMC) },
};

static const uint32_t fixed_sources[X86_PMU_NR_FIXED] = {
    BIT(PMU_INSN), CYCLES, CYCLES,
};

void x86_pmu_cpuid(uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx)
{
    const uint32_t version = 2, events = 7;
    /* Not available: LLC references, LLC misses, branch mispredictions. */
    const uint32_t unavailable = BIT(3) | BIT(4) | BIT(6);

    *eax = version | X86_PMU_NR_GP << 8 | X86_PMU_WIDTH << 16 | events << 24;
    *ebx = unavailable;
    *ecx = 0;
    *edx = X86_PMU_NR_FIXED | X86_PMU_WIDTH << 5;
}

void x86_pmu_reset(CPUX86State *env)
{
    env->msr_global_ctrl = GP_MASK;
}

/* Counters are numbered 0 to 3, general, and 4 to 6, fixed. */
static uint64_t *pmu_counter(CPUX86State *env, int i)
{
    return i < X86_PMU_NR_GP ? &env->msr_gp_counters[i]
                             : &env->msr_fixed_counters[i - X86_PMU_NR_GP];
}

static uint64_t pmu_global_bit(int i)
{
    return i < X86_PMU_NR_GP ? BIT_ULL(i) : BIT_ULL(32 + i - X86_PMU_NR_GP);
}

static uint32_t pmu_fixed_ctrl(CPUX86State *env, int i)
{
    return extract64(env->msr_fixed_ctr_ctrl, 4 * (i - X86_PMU_NR_GP), 4);
}

static uint32_t pmu_event_sources(uint32_t evtsel)
{
    uint8_t event = evtsel, umask = evtsel >> 8;
    uint32_t sources = 0;
    int i;

    if (evtsel & (EVTSEL_CMASK | EVTSEL_INV | EVTSEL_EDGE)) {
        return 0;
    }
    for (i = 0; i < ARRAY_SIZE(pmu_events); i++) {
        uint8_t want = pmu_events[i].umask;

        if (pmu_events[i].event == event &&
            (want ? (umask & want) == want : !umask)) {
            sources |= pmu_events[i].sources;
        }
    }
    return sources;
}

/* What counter @i adds up now, at CPL 0 and above it. */
static void pmu_select(CPUX86State *env, int i, uint32_t sources[2])
{
    uint32_t ctrl, all;
    bool os, usr;

    if (i < X86_PMU_NR_GP) {
        ctrl = env->msr_gp_evtsel[i];
        all = ctrl & EVTSEL_ENABLE ? pmu_event_sources(ctrl) : 0;
        os = ctrl & EVTSEL_OS;
        usr = ctrl & EVTSEL_USR;
    } else {
        ctrl = pmu_fixed_ctrl(env, i);
        all = fixed_sources[i - X86_PMU_NR_GP];
        os = ctrl & FIXED_OS;
        usr = ctrl & FIXED_USR;
    }
    if (!(env->msr_global_ctrl & pmu_global_bit(i))) {
        all = 0;
    }
    sources[0] = os ? all : 0;
    sources[1] = usr ? all : 0;
}

/* Derive what is counted, and whether anything is, from the registers. */
static void pmu_update_sources(CPUX86State *env)
{
    uint32_t any = 0;
    int i;

    for (i = 0; i < X86_PMU_NR_COUNTERS; i++) {
        uint32_t *sources = env->pmu.sources[i];

        pmu_select(env, i, sources);
        any |= sources[0] | sources[1];
    }
    env->hflags = any ? env->hflags | HF_PMU_MASK
                      : env->hflags & ~HF_PMU_MASK;
}

static void pmu_bound(X86PMU *pmu, int user, uint32_t sources, int64_t share)
{
    for (; sources; sources &= sources - 1) {
        int64_t *left = &pmu->left[user][ctz32(sources)];

        *left = MIN(*left, share);
    }
}

/*
 * Share out what remains until each counter overflows among its sources: as
 * long as no share is exceeded, the sum stays short of the overflow.
 */
static void pmu_rearm(CPUX86State *env)
{
    X86PMU *pmu = &env->pmu;
    int i, user;

    pmu_update_sources(env);
    for (i = 0; i < PMU_NR_SOURCES; i++) {
        pmu->left[0][i] = pmu->left[1][i] = UNBOUNDED;
    }
    for (i = 0; i < X86_PMU_NR_COUNTERS; i++) {
        uint32_t *sources = pmu->sources[i];
        int n = ctpop32(sources[0]) + ctpop32(sources[1]);
        uint64_t remains = BIT_ULL(X86_PMU_WIDTH) - *pmu_counter(env, i);

        for (user = 0; user < 2 && n; user++) {
            pmu_bound(pmu, user, sources[user], DIV_ROUND_UP(remains, n) - 1);
        }
    }
    memcpy(pmu->budget, pmu->left, sizeof(pmu->budget));
}

static uint64_t pmu_consumed(X86PMU *pmu, int user, uint32_t sources)
{
    uint64_t sum = 0;

    for (; sources; sources &= sources - 1) {
        int source = ctz32(sources);

        sum += pmu->budget[user][source] - pmu->left[user][source];
    }
    return sum;
}

static bool pmu_wants_interrupt(CPUX86State *env, int i)
{
    return i < X86_PMU_NR_GP ? env->msr_gp_evtsel[i] & EVTSEL_INT
                             : pmu_fixed_ctrl(env, i) & FIXED_INT;
}

static void pmu_interrupt(CPUX86State *env)
{
    qemu_mutex_lock_iothread();
    apic_deliver_pmi(env_archcpu(env)->apic_state);
    qemu_mutex_unlock_iothread();
}

/* Bring the counters up to date. */
static void pmu_sync(CPUX86State *env)
{
    X86PMU *pmu = &env->pmu;
    bool overflow = false, interrupt = false;
    int i;

    for (i = 0; i < X86_PMU_NR_COUNTERS; i++) {
        uint64_t *counter = pmu_counter(env, i);

        *counter += pmu_consumed(pmu, 0, pmu->sources[i][0]) +
                    pmu_consumed(pmu, 1, pmu->sources[i][1]);
        if (*counter & ~COUNTER_MASK) {
            *counter &= COUNTER_MASK;
            env->msr_global_status |= pmu_global_bit(i);
            overflow = true;
            interrupt |= pmu_wants_interrupt(env, i);
        }
    }
    memcpy(pmu->budget, pmu->left, sizeof(pmu->budget));
    if (overflow) {
        pmu_rearm(env);
    }
    if (interrupt) {
        pmu_interrupt(env);
    }
}

/* A source has used up its share. */
void helper_pmu_exhausted(CPUX86State *env)
{
    pmu_sync(env);
    pmu_rearm(env);
}

/*
 * This may run where no interrupt can be raised.  So if a share is used up,
 * all are: the next translation block, whatever it holds, finds out.
 */
void x86_pmu_settle(CPUX86State *env, bool user, uint64_t counts)
{
    X86PMU *pmu = &env->pmu;
    bool exhausted = false;
    int i;

    for (i = 0; i < PMU_NR_INNER; i++) {
        pmu->left[user][i] -= counts & PMU_INNER_MAX;
        counts >>= PMU_INNER_BITS;
        exhausted |= pmu->left[user][i] < 0;
    }
    for (i = 0; i < 2 && exhausted; i++) {
        pmu->budget[i][PMU_INSN] -= pmu->left[i][PMU_INSN] + 1;
        pmu->left[i][PMU_INSN] = -1;
    }
}

void x86_pmu_unretire_wrmsr(CPUX86State *env)
{
    if (env->hflags & HF_PMU_MASK) {
        env->pmu.left[0][PMU_INSN]++;
        env->pmu.left[0][PMU_WRMSR]++;
    }
}

bool x86_pmu_rdpmc(CPUX86State *env, uint32_t index, uint64_t *val)
{
    const uint32_t fixed = BIT(30);
    uint32_t n = index & ~fixed;

    if (n >= (index & fixed ? X86_PMU_NR_FIXED : X86_PMU_NR_GP)) {
        return false;
    }
    pmu_sync(env);
    *val = *pmu_counter(env, index & fixed ? X86_PMU_NR_GP + n : n);
    return true;
}

/* Where register @index is kept, and which of its bits can be written. */
static uint64_t *pmu_register(CPUX86State *env, uint32_t index,
                              uint64_t *writable)
{
    switch (index) {
    case MSR_P6_PERFCTR0 ... MSR_P6_PERFCTR0 + X86_PMU_NR_GP - 1:
        *writable = UINT64_MAX;
        return &env->msr_gp_counters[index - MSR_P6_PERFCTR0];
    case MSR_IA32_PMC0 ... MSR_IA32_PMC0 + X86_PMU_NR_GP - 1:
        *writable = COUNTER_MASK;
        return env->features[FEAT_PERF_CAPABILITIES] & PERF_CAP_FULL_WIDTH ?
               &env->msr_gp_counters[index - MSR_IA32_PMC0] : NULL;
    case MSR_P6_EVNTSEL0 ... MSR_P6_EVNTSEL0 + X86_PMU_NR_GP - 1:
        *writable = EVTSEL_WRITABLE;
        return &env->msr_gp_evtsel[index - MSR_P6_EVNTSEL0];
    case MSR_CORE_PERF_FIXED_CTR0 ...
         MSR_CORE_PERF_FIXED_CTR0 + X86_PMU_NR_FIXED - 1:
        *writable = COUNTER_MASK;
        return &env->msr_fixed_counters[index - MSR_CORE_PERF_FIXED_CTR0];
    case MSR_CORE_PERF_FIXED_CTR_CTRL:
        *writable = FIXED_CTRL_WRITABLE;
        return &env->msr_fixed_ctr_ctrl;
    case MSR_CORE_PERF_GLOBAL_CTRL:
        *writable = GLOBAL_MASK;
        return &env->msr_global_ctrl;
    case MSR_CORE_PERF_GLOBAL_STATUS:
        *writable = 0;
        return &env->msr_global_status;
    case MSR_CORE_PERF_GLOBAL_OVF_CTRL:
        *writable = OVF_CTRL_WRITABLE;
        return &env->msr_global_ovf_ctrl;
    case MSR_IA32_PERF_CAPABILITIES:
        *writable = 0;
        return &env->features[FEAT_PERF_CAPABILITIES];
    case MSR_OFFCORE_RSP_0 ... MSR_OFFCORE_RSP_1:
        *writable = OFFCORE_WRITABLE;
        return &env->pmu.offcore_rsp[index - MSR_OFFCORE_RSP_0];
    default:
        return NULL;
    }
}

X86MSRResult x86_pmu_rdmsr(CPUX86State *env, uint32_t index, uint64_t *val)
{
    uint64_t *reg, writable;

    if (index == MSR_IA32_TSC) {
        *val = cpu_get_tsc(env) + env->tsc_adjust;
        return X86_MSR_DONE;
    }
    reg = pmu_register(env, index, &writable);
    if (!reg) {
        return x86_rapl_rdmsr(env_archcpu(env), index, val);
    }
    pmu_sync(env);
    *val = *reg;
    return X86_MSR_DONE;
}

static void pmu_assign(CPUX86State *env, uint32_t index, uint64_t *reg,
                       uint64_t val)
{
    switch (index) {
    case MSR_P6_PERFCTR0 ... MSR_P6_PERFCTR0 + X86_PMU_NR_GP - 1:
        *reg = (int32_t)val & COUNTER_MASK;
        break;
    case MSR_P6_EVNTSEL0 ... MSR_P6_EVNTSEL0 + X86_PMU_NR_GP - 1:
        /* What is not modelled cannot be enabled, so that drivers can tell. */
        *reg = pmu_event_sources(val) ? val : val & ~EVTSEL_ENABLE;
        break;
    case MSR_CORE_PERF_GLOBAL_OVF_CTRL:
        env->msr_global_status &= ~val;
        break;
    default:
        *reg = val;
    }
}

X86MSRResult x86_pmu_wrmsr(CPUX86State *env, uint32_t index, uint64_t val)
{
    uint64_t *reg, writable, old;

    if (index == MSR_IA32_TSC) {
        env->tsc_adjust = val - cpu_get_tsc(env);
        return X86_MSR_DONE;
    }
    reg = pmu_register(env, index, &writable);
    if (!reg) {
        return x86_rapl_rdmsr(env_archcpu(env), index, &old) == X86_MSR_DONE ?
               X86_MSR_FAULT : X86_MSR_UNKNOWN;
    }
    if (!writable || (val & ~writable)) {
        return X86_MSR_FAULT;
    }
    pmu_sync(env);
    pmu_assign(env, index, reg, val);
    pmu_rearm(env);
    return X86_MSR_DONE;
}

static bool pmu_needed(void *opaque)
{
    X86CPU *cpu = opaque;

    return x86_pmu_enabled(cpu);
}

static int pmu_post_load(void *opaque, int version_id)
{
    X86CPU *cpu = opaque;

    pmu_update_sources(&cpu->env);
    return 0;
}

/* The architectural registers are in "cpu/msr_architectural_pmu". */
const VMStateDescription vmstate_x86_pmu = {
    .name = "cpu/tcg_pmu",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = pmu_needed,
    .post_load = pmu_post_load,
    .fields = (VMStateField[]) {
        VMSTATE_2DARRAY(env.pmu.left, X86CPU, 2, PMU_NR_SOURCES, 0,
                        vmstate_info_int64, int64_t),
        VMSTATE_2DARRAY(env.pmu.budget, X86CPU, 2, PMU_NR_SOURCES, 0,
                        vmstate_info_int64, int64_t),
        VMSTATE_UINT64_ARRAY(env.pmu.offcore_rsp, X86CPU, 2),
        VMSTATE_END_OF_LIST()
    }
};
