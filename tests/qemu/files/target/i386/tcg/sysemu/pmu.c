// SPDX-License-Identifier: GPL-2.0
/*
 * Performance monitoring unit of the TCG x86 target: counters
 *
 * Translated code only decrements env->pmu.left; everything else happens here,
 * when a counter is read, reprogrammed, or overflows. The vendor files define
 * the registers and their meaning.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/main-loop.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "hw/i386/apic.h"
#include "migration/vmstate.h"
#include "pmu.h"
#include "pmu-bits.h"

/* Budget of a source that no counter uses: never reached. */
#define UNBOUNDED           (INT64_MAX / 2)

/* The highest CPUID leaf related to the PMU. */
#define XLEVEL_PERFMON_V2   0x80000022

static const X86PMUModel *pmu_model(CPUX86State *env)
{
    return env_archcpu(env)->pmu_model;
}

static bool pmu_has_time(CPUX86State *env)
{
    return env_archcpu(env)->pmu_time;
}

static bool pmu_is_amd(X86CPU *cpu)
{
    return IS_AMD_CPU(&cpu->env);
}

bool x86_pmu_realize(X86CPU *cpu, Error **errp)
{
    CPUX86State *env = &cpu->env;

    cpu->pmu_model = pmu_is_amd(cpu) ? x86_pmu_amd(cpu, cpu->pmu_version)
                                     : x86_pmu_intel(cpu, cpu->pmu_version);
    if (!cpu->pmu_model) {
        error_setg(errp, "pmu-version=%u is not supported for this CPU",
                   cpu->pmu_version);
        return false;
    }
    if (pmu_is_amd(cpu) && cpu->pmu_model->version >= 2) {
        env->cpuid_xlevel = MAX(env->cpuid_xlevel, XLEVEL_PERFMON_V2);
    }
    return true;
}

void x86_pmu_cpuid(X86CPU *cpu, uint32_t index, uint32_t *eax, uint32_t *ebx,
                   uint32_t *ecx, uint32_t *edx)
{
    if (!cpu->pmu_model) {
        if (tcg_enabled() && index == 0x80000001) {
            *ecx &= ~CPUID_EXT3_PERFCORE;
        }
    } else if (pmu_is_amd(cpu)) {
        x86_pmu_amd_cpuid(cpu->pmu_model, index, eax, ebx, ecx, edx);
    } else {
        x86_pmu_intel_cpuid(cpu, index, eax, ebx, ecx, edx);
    }
}

uint32_t x86_pmu_sources(const X86PMUEvent *table, uint16_t event,
                         uint8_t umask)
{
    uint32_t sources = 0;

    for (; table->sources; table++) {
        uint8_t want = table->umask;

        if (table->event == event &&
            (want ? (umask & want) == want : !umask)) {
            sources |= table->sources;
        }
    }
    return sources;
}

static bool pmu_has(CPUX86State *env, int i)
{
    const X86PMUModel *model = pmu_model(env);

    return i < X86_PMU_MAX_GP ? i < model->nr_gp
                              : i - X86_PMU_MAX_GP < model->nr_fixed;
}

static uint64_t *pmu_counter(CPUX86State *env, int i)
{
    return i < X86_PMU_MAX_GP ? &env->msr_gp_counters[i]
                              : &env->msr_fixed_counters[i - X86_PMU_MAX_GP];
}

static void pmu_update_counter(CPUX86State *env, int i)
{
    uint32_t *sources = env->pmu.sources[i];
    X86PMUCycles *cycles = &env->pmu.cycles[i];
    X86PMUControl control = { 0 };
    bool by_cycle;
    int user;

    if (pmu_has(env, i)) {
        control = pmu_model(env)->control(env, i);
    }
    by_cycle = control.cmask || control.edge;
    *cycles = (X86PMUCycles) {
        .at_least = MAX(control.cmask, 1),
        .invert = control.cmask && control.inv,
        .edge = control.edge,
    };
    if (!control.sources) {
        env->pmu.asserted &= ~BIT(i);
    }
    for (user = 0; user < 2; user++) {
        uint32_t all = (user ? control.usr : control.os) ? control.sources : 0;

        if (pmu_has_time(env) && !by_cycle && all == CYCLES) {
            all = BIT(PMU_TIME);
        }
        sources[user] = by_cycle ? 0 : all;
        cycles->sources[user] = by_cycle ? all : 0;
    }
}

/*
 * Derive the sources of all counters, and whether any runs, from the registers.
 */
static void pmu_update_sources(CPUX86State *env)
{
    X86PMU *pmu = &env->pmu;
    uint32_t any = 0, cycles = 0;
    int i;

    for (i = 0; i < X86_PMU_MAX; i++) {
        pmu_update_counter(env, i);
        any |= pmu->sources[i][0] | pmu->sources[i][1];
        cycles |= pmu->cycles[i].sources[0] | pmu->cycles[i].sources[1];
    }
    env->hflags &= ~(HF_PMU_MASK | HF_PMU_CYCLE_MASK);
    env->hflags |= any | cycles || pmu_has_time(env) ? HF_PMU_MASK : 0;
    env->hflags |= cycles ? HF_PMU_CYCLE_MASK : 0;
}

static void pmu_bound(X86PMU *pmu, int user, uint32_t sources, int64_t share)
{
    for (; sources; sources &= sources - 1) {
        int64_t *left = &pmu->left[user][ctz32(sources)];

        *left = MIN(*left, share);
    }
}

/*
 * Divide the remaining count until each counter overflows among its sources: as
 * long as no share is exceeded, the sum cannot reach the overflow.
 */
static void pmu_rearm(CPUX86State *env)
{
    const uint64_t mask = pmu_mask(pmu_model(env));
    X86PMU *pmu = &env->pmu;
    int i, user;

    pmu_update_sources(env);
    for (i = 0; i < PMU_NR_SOURCES; i++) {
        pmu->left[0][i] = pmu->left[1][i] = UNBOUNDED;
    }
    for (i = 0; i < X86_PMU_MAX; i++) {
        uint32_t *sources = pmu->sources[i];
        int n = ctpop32(sources[0]) + ctpop32(sources[1]);
        uint64_t remains = mask + 1 - *pmu_counter(env, i);

        for (user = 0; user < 2 && n; user++) {
            pmu_bound(pmu, user, sources[user], DIV_ROUND_UP(remains, n) - 1);
        }
    }
    if (pmu->slice_end > pmu->elapsed) {
        /* Like a counter of the time in both modes */
        int64_t share = DIV_ROUND_UP(pmu->slice_end - pmu->elapsed, 2) - 1;

        pmu_bound(pmu, 0, BIT(PMU_TIME), share);
        pmu_bound(pmu, 1, BIT(PMU_TIME), share);
    }
    memcpy(pmu->budget, pmu->left, sizeof(pmu->budget));
}

/* All counters are enabled, for software that does not know the register. */
void x86_pmu_reset(CPUX86State *env)
{
    env->msr_global_ctrl = MAKE_64BIT_MASK(0, pmu_model(env)->nr_gp);
    if (pmu_has_time(env)) {
        pmu_rearm(env);
    }
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

static uint64_t pmu_consumed_time(X86PMU *pmu)
{
    return pmu_consumed(pmu, 0, BIT(PMU_TIME)) +
           pmu_consumed(pmu, 1, BIT(PMU_TIME));
}

static void pmu_interrupt(CPUX86State *env)
{
    qemu_mutex_lock_iothread();
    apic_deliver_pmi(env_archcpu(env)->apic_state, pmu_model(env)->masks_pmi);
    qemu_mutex_unlock_iothread();
}

/* Bring the counters up to date. */
static void pmu_sync(CPUX86State *env)
{
    const X86PMUModel *model = pmu_model(env);
    const uint64_t mask = pmu_mask(model);
    X86PMU *pmu = &env->pmu;
    bool overflow = false, interrupt = false;
    int i;

    for (i = 0; i < X86_PMU_MAX; i++) {
        uint64_t *counter = pmu_counter(env, i);

        *counter += pmu_consumed(pmu, 0, pmu->sources[i][0]) +
                    pmu_consumed(pmu, 1, pmu->sources[i][1]);
        if (*counter & ~mask) {
            *counter &= mask;
            overflow = true;
            interrupt |= model->overflow(env, i) &&
                         model->control(env, i).interrupt;
        }
    }
    pmu->elapsed += pmu_consumed_time(pmu);
    memcpy(pmu->budget, pmu->left, sizeof(pmu->budget));
    if (overflow) {
        pmu_rearm(env);
    }
    if (interrupt) {
        pmu_interrupt(env);
    }
}

/* Whether counter @i is incremented in a cycle with @counts. */
static bool pmu_in_cycle(X86PMU *pmu, int i, int user, const uint8_t *counts)
{
    const X86PMUCycles *cycles = &pmu->cycles[i];
    uint32_t sources = cycles->sources[user];
    bool was = pmu->asserted & BIT(i), is;
    int sum = 0;

    if (!sources) {
        return false;
    }
    for (; sources; sources &= sources - 1) {
        sum += counts[ctz32(sources)];
    }
    is = (sum >= cycles->at_least) != cycles->invert;
    pmu->asserted = deposit32(pmu->asserted, i, 1, is);
    return is && !(cycles->edge && was);
}

/*
 * A cycle ends: an instruction, or an iteration of one with REP. @others holds
 * the outer sources and, above them, whether it began at CPL > 0.
 */
void helper_pmu_cycle(CPUX86State *env, uint64_t inner, uint32_t others)
{
    const X86PMUModel *model = pmu_model(env);
    int user = extract32(others, PMU_NR_SOURCES - PMU_NR_INNER, 1);
    uint8_t counts[PMU_NR_SOURCES];
    bool interrupt = false;
    int i;

    for (i = 0; i < PMU_NR_INNER; i++, inner >>= PMU_INNER_BITS) {
        counts[i] = inner & PMU_INNER_MAX;
    }
    for (; i < PMU_NR_SOURCES; i++, others >>= 1) {
        counts[i] = others & 1;
    }
    for (i = 0; i < X86_PMU_MAX; i++) {
        uint64_t *counter = pmu_counter(env, i);

        if (!pmu_in_cycle(&env->pmu, i, user, counts)) {
            continue;
        }
        *counter = (*counter + 1) & pmu_mask(model);
        interrupt |= !*counter && model->overflow(env, i) &&
                     model->control(env, i).interrupt;
    }
    if (interrupt) {
        pmu_interrupt(env);
    }
}

/* The share of a source is exhausted. */
void helper_pmu_exhausted(CPUX86State *env)
{
    pmu_sync(env);
    if (pmu_has_time(env) && env->pmu.elapsed >= env->pmu.slice_end) {
        cpu_exit(env_cpu(env));
    }
    pmu_rearm(env);
}

/*
 * A share is exhausted where no interrupt can be raised. Exhaust those of
 * PMU_INSN and PMU_TIME as well, so that the end of the next translation block
 * notices.
 */
static void pmu_exhaust(X86PMU *pmu)
{
    static const X86PMUSource always[] = { PMU_INSN, PMU_TIME };
    int user, i;

    for (user = 0; user < 2; user++) {
        for (i = 0; i < ARRAY_SIZE(always); i++) {
            int64_t *left = &pmu->left[user][always[i]];

            pmu->budget[user][always[i]] -= *left + 1;
            *left = -1;
        }
    }
}

uint64_t x86_pmu_elapsed(CPUX86State *env)
{
    return env->pmu.elapsed + pmu_consumed_time(&env->pmu);
}

void x86_pmu_spend(CPUX86State *env, bool user, int64_t cycles)
{
    X86PMU *pmu = &env->pmu;

    pmu->left[user][PMU_TIME] -= cycles;
    if (pmu->left[user][PMU_TIME] < 0) {
        pmu_exhaust(pmu);
    }
}

void x86_pmu_limit(CPUX86State *env, uint64_t cycles)
{
    env->pmu.slice_end = x86_pmu_elapsed(env) + cycles;
    pmu_exhaust(&env->pmu);
}

void x86_pmu_settle(CPUX86State *env, bool user, uint64_t counts, uint64_t time)
{
    X86PMU *pmu = &env->pmu;
    bool exhausted = false;
    int i;

    pmu->flops += time >> PMU_FLOPS_SHIFT & PMU_FLOPS_MASK;
    pmu->left[user][PMU_TIME] -= time >> PMU_CYCLES_SHIFT;
    exhausted = pmu->left[user][PMU_TIME] < 0;
    for (i = 0; i < PMU_NR_INNER; i++) {
        pmu->left[user][i] -= counts & PMU_INNER_MAX;
        counts >>= PMU_INNER_BITS;
        exhausted |= pmu->left[user][i] < 0;
    }
    if (exhausted) {
        pmu_exhaust(pmu);
    }
}

void x86_pmu_happen(CPUX86State *env, bool user, uint32_t sources)
{
    X86PMU *pmu = &env->pmu;
    bool exhausted = false;

    if (!(env->hflags & HF_PMU_MASK)) {
        return;
    }
    for (; sources; sources &= sources - 1) {
        exhausted |= --pmu->left[user][ctz32(sources)] < 0;
    }
    if (exhausted) {
        pmu_exhaust(pmu);
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
    int i = pmu_model(env)->rdpmc(env, index);

    if (i < 0) {
        return false;
    }
    pmu_sync(env);
    *val = *pmu_counter(env, i);
    return true;
}

/* Read a register that @find does not have; all that exist are read-only. */
static X86MSRResult pmu_find_other(CPUX86State *env, uint32_t index,
                                   uint64_t *val)
{
    const X86PMUModel *model = pmu_model(env);

    if (model->lacks && model->lacks(env, index)) {
        return X86_MSR_FAULT;
    }
    return x86_rapl_rdmsr(env_archcpu(env), index, val);
}

X86MSRResult x86_pmu_rdmsr(CPUX86State *env, uint32_t index, uint64_t *val)
{
    uint64_t *reg, writable;

    if (index == MSR_IA32_TSC) {
        *val = cpu_get_tsc(env) + env->tsc_adjust;
        return X86_MSR_DONE;
    }
    reg = pmu_model(env)->find(env, index, &writable);
    if (!reg) {
        return pmu_find_other(env, index, val);
    }
    pmu_sync(env);
    *val = *reg;
    return X86_MSR_DONE;
}

X86MSRResult x86_pmu_wrmsr(CPUX86State *env, uint32_t index, uint64_t val)
{
    uint64_t *reg, writable, old;

    if (index == MSR_IA32_TSC) {
        env->tsc_adjust = val - cpu_get_tsc(env);
        return X86_MSR_DONE;
    }
    reg = pmu_model(env)->find(env, index, &writable);
    if (!reg) {
        return pmu_find_other(env, index, &old) == X86_MSR_UNKNOWN ?
               X86_MSR_UNKNOWN : X86_MSR_FAULT;
    }
    if (!writable || (val & ~writable)) {
        return X86_MSR_FAULT;
    }
    pmu_sync(env);
    pmu_model(env)->assign(env, index, reg, val);
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
    .version_id = 3,
    .minimum_version_id = 3,
    .needed = pmu_needed,
    .post_load = pmu_post_load,
    .fields = (VMStateField[]) {
        VMSTATE_2DARRAY(env.pmu.left, X86CPU, 2, PMU_NR_SOURCES, 0,
                        vmstate_info_int64, int64_t),
        VMSTATE_2DARRAY(env.pmu.budget, X86CPU, 2, PMU_NR_SOURCES, 0,
                        vmstate_info_int64, int64_t),
        VMSTATE_UINT64_ARRAY(env.pmu.offcore_rsp, X86CPU, 2),
        VMSTATE_UINT32(env.pmu.asserted, X86CPU),
        VMSTATE_END_OF_LIST()
    }
};
