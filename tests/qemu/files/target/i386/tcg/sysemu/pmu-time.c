// SPDX-License-Identifier: GPL-2.0
/*
 * Time and energy of the TCG x86 target
 *
 * With pmu-time=on, translated code and the caches count the cycles that each
 * CPU takes. Their sum is the virtual clock, to which QEMU adds the time in
 * which all CPUs are idle. So CPUs take turns and never run in parallel, as
 * always under icount. The number of instructions, which icount needs to end
 * blocks exactly at instructions that access devices, remains what it is.
 *
 * A time slice ends with the first block in which the next timer is due.
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "qemu/timer.h"
#include "qapi/error.h"
#include "cpu.h"
#include "migration/blocker.h"
#include "sysemu/cpu-timers.h"
#include "sysemu/replay.h"
#include "link.h"
#include "pmu.h"
#include "pmu-time.h"

/* The longest time of an instruction that a property can set: 1000 cycles. */
#define LONGEST_TIME        (1000 * X86_TIME_CYCLE)

/*
 * What all CPUs share.
 *
 * @cycles: that all CPUs together have run
 * @lines: loaded from memory
 * @links: to the L2 of the CPU that uses it, to L3 and memory
 */
static struct {
    X86Timing timing;
    uint64_t cycles;
    uint64_t lines;
    X86Link links[CACHE_MEMORY + 1];
} machine;

/* Add what @env has run since the last time to the clock. */
static void time_publish(CPUX86State *env)
{
    uint64_t elapsed = x86_pmu_elapsed(env);

    machine.cycles += elapsed - env->pmu.published;
    env->pmu.published = elapsed;
}

static int64_t time_running_ns(void)
{
    return muldiv64(machine.cycles, 1000, machine.timing.mhz);
}

static int64_t time_elapsed(CPUState *cs)
{
    time_publish(cs->env_ptr);
    return time_running_ns();
}

/* Round up, so that the clock reaches the end of the slice. */
static int64_t time_limit(CPUState *cs, int64_t ns)
{
    uint64_t end = time_elapsed(cs) + ns;
    uint64_t cycles = muldiv64_round_up(end, machine.timing.mhz, 1000);

    x86_pmu_limit(cs->env_ptr, cycles - machine.cycles);
    return INT32_MAX;
}

static const ICountClock time_clock = {
    .elapsed = time_elapsed,
    .limit = time_limit,
};

uint64_t x86_time_tsc(void)
{
    /* Reading the clock updates the cycles. */
    int64_t ns = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);

    return machine.cycles +
           muldiv64(ns - time_running_ns(), machine.timing.mhz, 1000);
}

void x86_time_line(X86CPU *cpu, bool user, X86CacheLevel level)
{
    CPUX86State *env = &cpu->env;
    uint64_t wait = 0;
    int i;

    if (!cpu->pmu_time) {
        return;
    }
    time_publish(env);
    for (i = CACHE_L2; i <= level; i++) {
        wait = MAX(wait, link_use(&machine.links[i], machine.cycles));
    }
    machine.lines += level == CACHE_MEMORY;
    x86_pmu_spend(env, user, wait);
}

static uint64_t time_flops(void)
{
    uint64_t flops = 0;
    CPUState *cs;

    CPU_FOREACH(cs) {
        CPUX86State *env = cs->env_ptr;

        flops += env->pmu.flops;
    }
    return flops;
}

/* A milliwatt is a picojoule per nanosecond. */
X86Energy x86_time_energy(X86CPU *cpu, int64_t ns)
{
    const X86Power *power = &cpu->power;
    uint64_t pp0 = time_running_ns() * power->cpu_mw +
                   time_flops() * power->flop_pj;

    return (X86Energy) {
        .package = ns * power->package_mw + pp0 +
                   machine.lines * power->line_pj,
        .pp0 = pp0,
        .dram = ns * power->dram_mw + machine.lines * power->dram_line_pj,
    };
}

static bool timing_is_valid(const X86Timing *timing)
{
    const uint32_t times[] = {
        timing->insn, timing->branch, timing->load, timing->store,
        timing->fp_add, timing->fp_mul, timing->fp_fma, timing->fp_div,
        timing->pause,
    };
    int i;

    for (i = 0; i < ARRAY_SIZE(times); i++) {
        if (times[i] > LONGEST_TIME) {
            return false;
        }
    }
    return timing->insn && timing->mhz && timing->l2_mbs && timing->l3_mbs &&
           timing->dram_mbs;
}

static const char *time_missing(X86CPU *cpu)
{
    if (!cpu->caches) {
        return "caches: pmu-cache=on";
    }
    if (icount_enabled() != 1 || icount_to_ns(1) != 1) {
        return "-icount shift=0";
    }
    if (replay_mode != REPLAY_MODE_NONE) {
        return "no record and replay";
    }
    if (!timing_is_valid(&cpu->timing)) {
        return "properties time-* of at most 1000000, and time-insn, time-mhz "
               "and time-*-mbs above 0";
    }
    return NULL;
}

static void time_open(const X86Timing *timing)
{
    const uint32_t mbs[] = {
        [CACHE_L2] = timing->l2_mbs,
        [CACHE_L3] = timing->l3_mbs,
        [CACHE_MEMORY] = timing->dram_mbs,
    };
    int i;

    machine.timing = *timing;
    for (i = CACHE_L2; i <= CACHE_MEMORY; i++) {
        link_open(&machine.links[i], BIT(CACHE_LINE_BITS), mbs[i], timing->mhz);
    }
    icount_set_clock(&time_clock);
}

bool x86_time_realize(X86CPU *cpu, Error **errp)
{
    static Error *blocker;
    const char *missing = time_missing(cpu);

    if (missing) {
        error_setg(errp, "pmu-time=on requires %s", missing);
        return false;
    }
    if (machine.timing.mhz) {
        if (memcmp(&machine.timing, &cpu->timing, sizeof(cpu->timing))) {
            error_setg(errp, "properties time-* must be the same for all CPUs");
            return false;
        }
        return true;
    }
    error_setg(&blocker, "pmu-time=on cannot be migrated");
    if (migrate_add_blocker(blocker, errp) < 0) {
        return false;
    }
    time_open(&cpu->timing);
    return true;
}
