// SPDX-License-Identifier: GPL-2.0
/*
 * Performance monitoring unit of the TCG x86 target: Intel
 *
 * Architectural performance monitoring, with the register layouts and reset
 * values of the Intel SDM, volume 3B, "Architectural Performance Monitoring",
 * and volume 4. Version 2 has the counters and events of Ivy Bridge, or those
 * of Core 2 if the CPU is one, version 4 those of Sky Lake and version 5 those
 * of Ice Lake, both without hyperthreading.
 */
#include "qemu/osdep.h"
#include "cpu.h"
#include "pmu.h"
#include "pmu-bits.h"

#define FIXED_OS            BIT(0)
#define FIXED_USR           BIT(1)
#define FIXED_INT           BIT(3)
#define FIXED_CTRL_WRITABLE 0xbbb       /* without AnyThread, bit 2 of each */

#define EVTSEL_WRITABLE     (0xffffffffu & ~EVTSEL_ANY)

/* Only the lower four of eight counters count these: SDM, tables of events. */
#define EVENT_MEMORY        0xd0
#define NR_CAPABLE          4

/* Valid request and response bits of Ivy Bridge to Ice Lake. */
#define OFFCORE_WRITABLE    0x3fffffbfffull

/* Bits of IA32_PERF_GLOBAL_STATUS other than counters: OvfBuf, CondChgd. */
#define STATUS_OTHERS_V2    MAKE_64BIT_MASK(62, 2)
/* Also Trace_ToPA_PMI, and LBR_Frz to OvfUnc. */
#define STATUS_OTHERS_V4    (BIT_ULL(55) | MAKE_64BIT_MASK(58, 6))
#define IN_USE_PMI          BIT_ULL(63)

/*
 * Events by event code and unit mask, as in the SDM's tables. Unit masks with a
 * single bit can be combined. Other events are not counted: their selectors do
 * not keep the enable bit, unlike on hardware.
 */
#define ARCHITECTURAL_EVENTS                                                \
    { 0xc0, 0x00, BIT(PMU_INSN) },      /* INST_RETIRED.ANY_P */            \
    { 0x3c, 0x00, CYCLES },             /* CPU_CLK_UNHALTED.THREAD_P */     \
    { 0x3c, 0x01, CYCLES },             /* CPU_CLK_UNHALTED.REF */          \
    { 0xc4, 0x00, BIT(PMU_BRANCH) }     /* BR_INST_RETIRED.ALL_BRANCHES */

#define COMMON_EVENTS                                                       \
    ARCHITECTURAL_EVENTS,                                                   \
    { 0xd0, 0x81, BIT(PMU_LOAD) },      /* MEM_UOPS_RETIRED.ALL_LOADS */    \
    { 0xd0, 0x82, BIT(PMU_STORE) }      /* MEM_UOPS_RETIRED.ALL_STORES */

/* Loads and stores: hardware does not count locked ones. */
static const X86PMUEvent core2_events[] = {
    ARCHITECTURAL_EVENTS,
    { 0x40, 0x0f, BIT(PMU_LOAD) },      /* L1D_CACHE_LD.MESI */
    { 0x41, 0x0f, BIT(PMU_STORE) },     /* L1D_CACHE_ST.MESI */
    { 0xc1, 0xfe, BIT(PMU_X87) },       /* X87_OPS_RETIRED.ANY */
    /* SIMD_COMP_INST_RETIRED */
    { 0xca, 0x01, BIT(PMU_SSE_PS) },    /* .PACKED_SINGLE */
    { 0xca, 0x02, BIT(PMU_SSE_SS) },    /* .SCALAR_SINGLE */
    { 0xca, 0x04, BIT(PMU_SSE_PD) },    /* .PACKED_DOUBLE */
    { 0xca, 0x08, BIT(PMU_SSE_SD) },    /* .SCALAR_DOUBLE */
    OWN_EVENTS,
    { }
};

static const X86PMUEvent ivy_bridge_events[] = {
    COMMON_EVENTS,
    { 0xc0, 0x01, BIT(PMU_INSN) },      /* INST_RETIRED.PREC_DIST */
    { 0x10, 0x01, BIT(PMU_X87) },       /* FP_COMP_OPS_EXE.X87 */
    { 0x10, 0x10, BIT(PMU_SSE_PD) },    /* .SSE_PACKED_DOUBLE */
    { 0x10, 0x20, BIT(PMU_SSE_SS) },    /* .SSE_SCALAR_SINGLE */
    { 0x10, 0x40, BIT(PMU_SSE_PS) },    /* .SSE_PACKED_SINGLE */
    { 0x10, 0x80, BIT(PMU_SSE_SD) },    /* .SSE_SCALAR_DOUBLE */
    { 0x11, 0x01, BIT(PMU_AVX_PS) },    /* SIMD_FP_256.PACKED_SINGLE */
    { 0x11, 0x02, BIT(PMU_AVX_PD) },    /* SIMD_FP_256.PACKED_DOUBLE */
    OWN_EVENTS,
    { }
};

static const X86PMUEvent sky_lake_events[] = {
    COMMON_EVENTS,
    { 0xc7, 0x01, BIT(PMU_SSE_SD) },    /* FP_ARITH_INST_RETIRED.SCALAR_DOUBLE */
    { 0xc7, 0x02, BIT(PMU_SSE_SS) },    /* .SCALAR_SINGLE */
    { 0xc7, 0x04, BIT(PMU_SSE_PD) },    /* .128B_PACKED_DOUBLE */
    { 0xc7, 0x08, BIT(PMU_SSE_PS) },    /* .128B_PACKED_SINGLE */
    { 0xc7, 0x10, BIT(PMU_AVX_PD) },    /* .256B_PACKED_DOUBLE */
    { 0xc7, 0x20, BIT(PMU_AVX_PS) },    /* .256B_PACKED_SINGLE */
    OWN_EVENTS,
    { }
};

/* Additional events with caches, counted only with exactly these unit masks. */
#define ARCHITECTURAL_CACHE_EVENTS                                          \
    { 0x2e, 0x4f, BIT(PMU_LLC_REFERENCE) }, /* LONGEST_LAT_CACHE.REFERENCE */ \
    { 0x2e, 0x41, BIT(PMU_LLC_MISS) }       /* .MISS */

#define CACHE_EVENTS                                                        \
    ARCHITECTURAL_CACHE_EVENTS,                                             \
    { 0x51, 0x01, BIT(PMU_L1D_FILL) },      /* L1D.REPLACEMENT */           \
    { 0xb7, 0x01, BIT(PMU_OFFCORE_0) },     /* OFFCORE_RESPONSE_0 */        \
    { 0xbb, 0x01, BIT(PMU_OFFCORE_1) }      /* OFFCORE_RESPONSE_1 */

static const X86PMUEvent core2_cache_events[] = {
    ARCHITECTURAL_CACHE_EVENTS,
    { 0x45, 0x0f, BIT(PMU_L1D_FILL) },      /* L1D_REPL */
    { }
};

static const X86PMUEvent ivy_bridge_cache_events[] = {
    CACHE_EVENTS,
    { 0x24, 0x20, BIT(PMU_L2_CODE_MISS) },  /* L2_RQSTS.CODE_RD_MISS */
    { }
};

static const X86PMUEvent sky_lake_cache_events[] = {
    CACHE_EVENTS,
    { 0x24, 0x24, BIT(PMU_L2_CODE_MISS) },  /* L2_RQSTS.CODE_RD_MISS */
    { }
};

static const uint32_t fixed_sources[X86_PMU_MAX_FIXED] = {
    BIT(PMU_INSN), CYCLES, CYCLES,
};

static const X86PMUModel *intel_model(CPUX86State *env)
{
    return env_archcpu(env)->pmu_model;
}

static uint64_t intel_global_bit(int i)
{
    return i < X86_PMU_MAX_GP ? BIT_ULL(i) : BIT_ULL(32 + i - X86_PMU_MAX_GP);
}

static uint64_t intel_global_mask(const X86PMUModel *model)
{
    return MAKE_64BIT_MASK(0, model->nr_gp) |
           MAKE_64BIT_MASK(32, model->nr_fixed);
}

/* Not with CMASK or EDGE: the model does not know in which cycle they occur. */
static uint32_t intel_cache_sources(CPUX86State *env, uint32_t evtsel)
{
    const X86PMUEvent *table = intel_model(env)->cache_events;

    if (!env_archcpu(env)->caches || evtsel & (EVTSEL_CMASK | EVTSEL_EDGE)) {
        return 0;
    }
    for (; table->sources; table++) {
        if ((evtsel & 0xffff) == (table->event | table->umask << 8)) {
            return table->sources;
        }
    }
    return 0;
}

static uint32_t intel_sources(CPUX86State *env, uint32_t evtsel)
{
    return x86_pmu_sources(intel_model(env)->events, evtsel & 0xff,
                           evtsel >> 8) |
           intel_cache_sources(env, evtsel);
}

static X86PMUControl intel_control_fixed(CPUX86State *env, int i)
{
    uint32_t ctrl = extract64(env->msr_fixed_ctr_ctrl, 4 * i, 4);

    return (X86PMUControl) {
        .sources = fixed_sources[i],
        .os = ctrl & FIXED_OS,
        .usr = ctrl & FIXED_USR,
        .interrupt = ctrl & FIXED_INT,
    };
}

static X86PMUControl intel_control_gp(CPUX86State *env, int i)
{
    uint32_t evtsel = env->msr_gp_evtsel[i];
    bool runs = evtsel & EVTSEL_ENABLE &&
                !(i >= NR_CAPABLE && (evtsel & 0xff) == EVENT_MEMORY);

    return evtsel_control(evtsel, runs ? intel_sources(env, evtsel) : 0);
}

static X86PMUControl intel_control(CPUX86State *env, int i)
{
    X86PMUControl control = i < X86_PMU_MAX_GP ?
        intel_control_gp(env, i) : intel_control_fixed(env, i - X86_PMU_MAX_GP);

    if (!(env->msr_global_ctrl & intel_global_bit(i))) {
        control.sources = 0;
    }
    return control;
}

static bool intel_overflow(CPUX86State *env, int i)
{
    env->msr_global_status |= intel_global_bit(i);
    return true;
}

/* IA32_PERF_GLOBAL_INUSE: SDM volume 3B, version 4. */
static uint64_t intel_in_use(CPUX86State *env)
{
    const X86PMUModel *model = intel_model(env);
    uint64_t bits = 0;
    int i;

    for (i = 0; i < model->nr_gp; i++) {
        uint64_t evtsel = env->msr_gp_evtsel[i];

        bits |= evtsel & 0xff ? intel_global_bit(i) : 0;
        bits |= evtsel & EVTSEL_INT ? IN_USE_PMI : 0;
    }
    for (i = 0; i < model->nr_fixed; i++) {
        X86PMUControl control = intel_control_fixed(env, i);

        bits |= control.os || control.usr ? BIT_ULL(32 + i) : 0;
        bits |= control.interrupt ? IN_USE_PMI : 0;
    }
    return bits;
}

/* Registers of version 4 and later; the first one was OVF_CTRL before. */
static uint64_t *intel_find_v4(CPUX86State *env, uint32_t index,
                               uint64_t *writable)
{
    uint64_t counters = intel_global_mask(intel_model(env));

    switch (index) {
    case MSR_CORE_PERF_GLOBAL_OVF_CTRL:
        *writable = counters | STATUS_OTHERS_V4;
        return &env->msr_global_ovf_ctrl;
    case MSR_CORE_PERF_GLOBAL_STATUS_SET:
        *writable = counters | (STATUS_OTHERS_V4 & ~BIT_ULL(63));
        return &env->msr_global_ovf_ctrl;
    case MSR_CORE_PERF_GLOBAL_INUSE:
        *writable = 0;
        env->pmu.in_use = intel_in_use(env);
        return &env->pmu.in_use;
    default:
        return NULL;
    }
}

static uint64_t *intel_find_global(CPUX86State *env, uint32_t index,
                                   uint64_t *writable)
{
    switch (index) {
    case MSR_CORE_PERF_FIXED_CTR_CTRL:
        *writable = FIXED_CTRL_WRITABLE;
        return &env->msr_fixed_ctr_ctrl;
    case MSR_CORE_PERF_GLOBAL_CTRL:
        *writable = intel_global_mask(intel_model(env));
        return &env->msr_global_ctrl;
    case MSR_CORE_PERF_GLOBAL_STATUS:
        *writable = 0;
        return &env->msr_global_status;
    case MSR_CORE_PERF_GLOBAL_OVF_CTRL ... MSR_CORE_PERF_GLOBAL_INUSE:
        if (intel_model(env)->version >= 4) {
            return intel_find_v4(env, index, writable);
        }
        *writable = intel_global_mask(intel_model(env)) | STATUS_OTHERS_V2;
        return index == MSR_CORE_PERF_GLOBAL_OVF_CTRL ?
               &env->msr_global_ovf_ctrl : NULL;
    default:
        return NULL;
    }
}

static uint64_t *intel_find(CPUX86State *env, uint32_t index,
                            uint64_t *writable)
{
    const X86PMUModel *model = intel_model(env);
    const int nr_gp = model->nr_gp;

    if (index >= MSR_P6_PERFCTR0 && index < MSR_P6_PERFCTR0 + nr_gp) {
        *writable = UINT64_MAX;
        return &env->msr_gp_counters[index - MSR_P6_PERFCTR0];
    }
    if (index >= MSR_IA32_PMC0 && index < MSR_IA32_PMC0 + nr_gp) {
        *writable = pmu_mask(model);
        return env->features[FEAT_PERF_CAPABILITIES] & PERF_CAP_FULL_WIDTH ?
               &env->msr_gp_counters[index - MSR_IA32_PMC0] : NULL;
    }
    if (index >= MSR_P6_EVNTSEL0 && index < MSR_P6_EVNTSEL0 + nr_gp) {
        *writable = EVTSEL_WRITABLE;
        return &env->msr_gp_evtsel[index - MSR_P6_EVNTSEL0];
    }
    switch (index) {
    case MSR_CORE_PERF_FIXED_CTR0 ...
         MSR_CORE_PERF_FIXED_CTR0 + X86_PMU_MAX_FIXED - 1:
        *writable = pmu_mask(model);
        return &env->msr_fixed_counters[index - MSR_CORE_PERF_FIXED_CTR0];
    case MSR_IA32_PERF_CAPABILITIES:
        *writable = 0;
        return &env->features[FEAT_PERF_CAPABILITIES];
    case MSR_OFFCORE_RSP_0 ... MSR_OFFCORE_RSP_1:
        *writable = OFFCORE_WRITABLE;
        return model->offcore ?
               &env->pmu.offcore_rsp[index - MSR_OFFCORE_RSP_0] : NULL;
    default:
        return intel_find_global(env, index, writable);
    }
}

/* Registers that intel_find() has, or RAPL, on other models. */
static bool intel_lacks(CPUX86State *env, uint32_t index)
{
    switch (index) {
    case MSR_P6_PERFCTR0 ... MSR_P6_PERFCTR0 + X86_PMU_MAX_GP - 1:
    case MSR_P6_EVNTSEL0 ... MSR_P6_EVNTSEL0 + X86_PMU_MAX_GP - 1:
    case MSR_IA32_PMC0 ... MSR_IA32_PMC0 + X86_PMU_MAX_GP - 1:
    case MSR_OFFCORE_RSP_0 ... MSR_OFFCORE_RSP_1:
        return true;
    case MSR_RAPL_POWER_UNIT:
    case MSR_PKG_ENERGY_STATUS:
    case MSR_DRAM_ENERGY_STATUS:
    case MSR_PP0_ENERGY_STATUS:
        return !intel_model(env)->rapl;
    default:
        return false;
    }
}

static void intel_assign(CPUX86State *env, uint32_t index, uint64_t *reg,
                         uint64_t val)
{
    switch (index) {
    case MSR_P6_PERFCTR0 ... MSR_P6_PERFCTR0 + X86_PMU_MAX_GP - 1:
        *reg = (int32_t)val & pmu_mask(intel_model(env));
        break;
    case MSR_P6_EVNTSEL0 ... MSR_P6_EVNTSEL0 + X86_PMU_MAX_GP - 1:
        /* Events that are not modelled cannot be enabled. */
        *reg = intel_sources(env, val) ? val : val & ~EVTSEL_ENABLE;
        break;
    case MSR_CORE_PERF_GLOBAL_OVF_CTRL:
        env->msr_global_status &= ~val;
        break;
    case MSR_CORE_PERF_GLOBAL_STATUS_SET:
        env->msr_global_status |= val;
        break;
    default:
        *reg = val;
    }
}

static int intel_rdpmc(CPUX86State *env, uint32_t index)
{
    const X86PMUModel *model = intel_model(env);
    const uint32_t fixed = BIT(30);
    uint32_t n = index & ~fixed;

    if (index & fixed) {
        return n < model->nr_fixed ? X86_PMU_MAX_GP + n : -1;
    }
    return n < model->nr_gp ? n : -1;
}

void x86_pmu_intel_cpuid(X86CPU *cpu, uint32_t index,
                         uint32_t *eax, uint32_t *ebx,
                         uint32_t *ecx, uint32_t *edx)
{
    const X86PMUModel *model = cpu->pmu_model;
    const uint32_t events = 7;
    /* Not available: LLC references, LLC misses, branch mispredictions. */
    const uint32_t unavailable = (cpu->caches ? 0 : BIT(3) | BIT(4)) | BIT(6);
    /* From version 3 on, AnyThread can be reported as not supported. */
    const uint32_t no_any = model->version >= 3 ? BIT(15) : 0;

    if (index != 0xa) {
        return;
    }
    *eax = model->version | model->nr_gp << 8 | model->width << 16 |
           events << 24;
    *ebx = unavailable;
    *ecx = model->version >= 5 ? MAKE_64BIT_MASK(0, model->nr_fixed) : 0;
    *edx = model->nr_fixed | model->width << 5 | no_any;
}

#define INTEL_MODEL             \
    .nr_fixed = 3,              \
    .masks_pmi = true,          \
    .control = intel_control,   \
    .overflow = intel_overflow, \
    .find = intel_find,         \
    .lacks = intel_lacks,       \
    .assign = intel_assign,     \
    .rdpmc = intel_rdpmc

#define WIDE_MODEL              \
    INTEL_MODEL,                \
    .width = 48,                \
    .rapl = true,               \
    .offcore = true

#define SKY_LAKE_MODEL                      \
    WIDE_MODEL,                             \
    .nr_gp = 8,                             \
    .fp = PMU_FP_RETIRED,                   \
    .events = sky_lake_events,              \
    .cache_events = sky_lake_cache_events

static const X86PMUModel core2_model = {
    INTEL_MODEL,
    .version = 2,
    .nr_gp = 2,
    .width = 40,
    .fp = PMU_FP_EXECUTED,
    .events = core2_events,
    .cache_events = core2_cache_events,
};

static const X86PMUModel intel_models[] = {
    {
        WIDE_MODEL,
        .version = 2,
        .nr_gp = 4,
        .fp = PMU_FP_EXECUTED,
        .events = ivy_bridge_events,
        .cache_events = ivy_bridge_cache_events,
    },
    { SKY_LAKE_MODEL, .version = 4 },
    { SKY_LAKE_MODEL, .version = 5 },
};

/* By family, model and type, without the stepping. */
static bool intel_is_core2(X86CPU *cpu)
{
    switch (cpu->env.cpuid_version >> 4) {
    case 0x006f:    /* Merom */
    case 0x1066:    /* Merom-L */
    case 0x1067:    /* Penryn */
    case 0x106d:    /* Dunnington */
        return true;
    default:
        return false;
    }
}

const X86PMUModel *x86_pmu_intel(X86CPU *cpu, int version)
{
    int i;

    if (intel_is_core2(cpu)) {
        return !version || version == core2_model.version ? &core2_model : NULL;
    }
    for (i = 0; i < ARRAY_SIZE(intel_models); i++) {
        if (!version || intel_models[i].version == version) {
            return &intel_models[i];
        }
    }
    return NULL;
}
