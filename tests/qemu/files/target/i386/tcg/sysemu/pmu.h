/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Performance monitoring unit and RAPL of the TCG x86 target: interfaces
 */
#ifndef I386_TCG_SYSEMU_PMU_H
#define I386_TCG_SYSEMU_PMU_H

/* An event is a sum of sources; sources of 0 end a table. */
typedef struct X86PMUEvent {
    uint16_t event;
    uint8_t umask;
    uint32_t sources;
} X86PMUEvent;

/* The configuration of a counter. */
typedef struct X86PMUControl {
    uint32_t sources;   /* 0 while it is stopped */
    bool os, usr;       /* counts at CPL 0, above it */
    bool interrupt;     /* on overflow */
    uint8_t cmask;      /* from the event select */
    bool inv, edge;
} X86PMUControl;

/*
 * A type of PMU: its registers and their meaning.
 *
 * @control: return the configuration of counter @i
 * @overflow: counter @i has wrapped; return false if it continues in another one
 * @find: return where register @index is stored, and in @writable its writable
 *        bits, 0 if it is read-only; NULL if there is no such register
 * @lacks: whether a register that @find does not have is one that other PMUs of
 *         the vendor have: then access raises #GP; may be NULL
 * @assign: write register @index, stored at @reg; @val has only writable bits set
 * @rdpmc: return the counter that RDPMC reads for @index, or -1
 */
struct X86PMUModel {
    int nr_gp;
    int nr_fixed;
    int width;          /* of all counters, in bits */
    int version;
    X86PMUFloat fp;
    bool masks_pmi;     /* each interrupt masks LVTPC */
    X86PMUControl (*control)(CPUX86State *env, int i);
    bool (*overflow)(CPUX86State *env, int i);
    uint64_t *(*find)(CPUX86State *env, uint32_t index, uint64_t *writable);
    bool (*lacks)(CPUX86State *env, uint32_t index);
    void (*assign)(CPUX86State *env, uint32_t index, uint64_t *reg,
                   uint64_t val);
    int (*rdpmc)(CPUX86State *env, uint32_t index);
    /* Intel only; the second table is that of events that require caches. */
    const X86PMUEvent *events;
    const X86PMUEvent *cache_events;
    bool offcore;       /* has MSR_OFFCORE_RSP_0 and _1 */
    bool rapl;          /* has energy counters */
};

/* The PMU of @cpu with @version, 0 for the default; NULL if not supported. */
const X86PMUModel *x86_pmu_intel(X86CPU *cpu, int version);
const X86PMUModel *x86_pmu_amd(X86CPU *cpu, int version);

/* Adjust the result of CPUID to the PMU. */
void x86_pmu_intel_cpuid(X86CPU *cpu, uint32_t index,
                         uint32_t *eax, uint32_t *ebx,
                         uint32_t *ecx, uint32_t *edx);
void x86_pmu_amd_cpuid(const X86PMUModel *model, uint32_t index,
                       uint32_t *eax, uint32_t *ebx,
                       uint32_t *ecx, uint32_t *edx);

/* The sources of @event with unit mask @umask according to @table. */
uint32_t x86_pmu_sources(const X86PMUEvent *table, uint16_t event,
                         uint8_t umask);

/*
 * The translator stores the counts before an instruction in one target word,
 * which must have 64 bits.
 */
static inline bool x86_pmu_enabled(X86CPU *cpu)
{
#ifdef TARGET_X86_64
    return tcg_enabled() && cpu->enable_pmu;
#else
    return false;
#endif
}

/* Select the PMU of @cpu, whose vendor and features are already set. */
bool x86_pmu_realize(X86CPU *cpu, Error **errp);

/* Add caches to @cpu, which enables more events. */
bool x86_caches_realize(X86CPU *cpu, Error **errp);

/* Let instructions of @cpu, which has caches, take time and energy. */
bool x86_time_realize(X86CPU *cpu, Error **errp);

/* Their description for CPUID. */
extern const CPUCaches x86_caches_info;

/* Adjust the result of CPUID leaf @index. */
void x86_pmu_cpuid(X86CPU *cpu, uint32_t index, uint32_t *eax, uint32_t *ebx,
                   uint32_t *ecx, uint32_t *edx);

/* Set the state after reset, where it is not zero. */
void x86_pmu_reset(CPUX86State *env);

/*
 * Read or write a register of the PMU, IA32_TSC or RAPL.  The vCPU must have
 * flushed its counts, and under icount be allowed to do I/O.
 */
X86MSRResult x86_pmu_rdmsr(CPUX86State *env, uint32_t index, uint64_t *val);
X86MSRResult x86_pmu_wrmsr(CPUX86State *env, uint32_t index, uint64_t val);
X86MSRResult x86_rapl_rdmsr(X86CPU *cpu, uint32_t index, uint64_t *val);

/* Read counter @index as RDPMC does; false if there is none. */
bool x86_pmu_rdpmc(CPUX86State *env, uint32_t index, uint64_t *val);

/* Undo the count of a WRMSR that faults: it was counted in advance. */
void x86_pmu_unretire_wrmsr(CPUX86State *env);

/*
 * Count the instructions that a translation block executed before one that
 * faults; the translator recorded @counts and @time for that instruction.
 */
void x86_pmu_settle(CPUX86State *env, bool user, uint64_t counts,
                    uint64_t time);

/* Count each of @sources once, in the middle of a translation block. */
void x86_pmu_happen(CPUX86State *env, bool user, uint32_t sources);

/*
 * With pmu-time=on: the cycles that @env has run since reset; let @cycles pass
 * in the middle of a block; leave translated code after @cycles.
 */
uint64_t x86_pmu_elapsed(CPUX86State *env);
void x86_pmu_spend(CPUX86State *env, bool user, int64_t cycles);
void x86_pmu_limit(CPUX86State *env, uint64_t cycles);

extern const VMStateDescription vmstate_x86_pmu;

#endif /* I386_TCG_SYSEMU_PMU_H */
