/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Performance monitoring unit and RAPL of the TCG x86 target: interfaces
 */
#ifndef I386_TCG_SYSEMU_PMU_H
#define I386_TCG_SYSEMU_PMU_H

/*
 * The translator keeps what it counts before an instruction in one word of the
 * guest's size, which has to have 64 bits.
 */
static inline bool x86_pmu_enabled(X86CPU *cpu)
{
#ifdef TARGET_X86_64
    return tcg_enabled() && cpu->enable_pmu;
#else
    return false;
#endif
}

/* The answer of CPUID leaf 0AH. */
void x86_pmu_cpuid(uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx);

/* The state after reset, where it is not zero. */
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

/* Take back the count of a WRMSR that faults: it was counted in advance. */
void x86_pmu_unretire_wrmsr(CPUX86State *env);

/*
 * Count the instructions that a translation block executed before one that
 * faults; @counts was recorded by the translator for that instruction.
 */
void x86_pmu_settle(CPUX86State *env, bool user, uint64_t counts);

extern const VMStateDescription vmstate_x86_pmu;

#endif /* I386_TCG_SYSEMU_PMU_H */
