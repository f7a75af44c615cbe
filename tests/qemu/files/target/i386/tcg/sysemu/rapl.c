// SPDX-License-Identifier: GPL-2.0
/*
 * RAPL energy counters of the TCG x86 target
 *
 * Every domain draws constant power: its energy is the virtual clock times the
 * power set by the properties rapl-*-mw, plus the initial value. With
 * pmu-time=on, the energy depends on what the CPUs do instead. Registers and
 * units as in the SDM, volume 3B, "RAPL Interfaces", with the values of an Ivy
 * Bridge or a Sky Lake server, or as in AMD's PPR of family 19H; all vCPUs
 * belong to one package.
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "qemu/timer.h"
#include "cpu.h"
#include "pmu.h"
#include "pmu-time.h"

/* Time is in 2^-10 s (bits 19:16), power in 2^-3 W; energy in 2^-n J (12:8). */
#define RAPL_UNITS(n)   (10 << 16 | (n) << 8 | 3)
#define RAPL_UNIT       16
#define RAPL_UNIT_SKL   14      /* except DRAM, which has RAPL_UNIT */

#define MSR_AMD_POWER_UNIT      0xc0010299
#define MSR_AMD_CORE_ENERGY     0xc001029a
#define MSR_AMD_PKG_ENERGY      0xc001029b

/* The registers are updated about once per millisecond. */
#define RAPL_UPDATE_NS  SCALE_MS

/*
 * In units of 2^-n J: ms * mW / 10^6 J = ms * mW * 2^n / 10^6 units. The
 * initial value is one joule: Linux assumes that a domain does not exist if its
 * register reads zero.
 */
static uint32_t rapl_energy(uint32_t mw, int unit)
{
    uint64_t ms = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) / RAPL_UPDATE_NS;

    return BIT(unit) + muldiv64(ms << (unit - 6), mw, 15625);
}

/*
 * With pmu-time=on, a millisecond's first access to a register updates all of
 * them to what has been drawn by then.
 */
static const X86Energy *rapl_drawn(X86CPU *cpu)
{
    static X86Energy drawn;
    static int64_t updated = -1;
    int64_t ns = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);

    if (ns / RAPL_UPDATE_NS != updated) {
        updated = ns / RAPL_UPDATE_NS;
        drawn = x86_time_energy(cpu, ns);
    }
    return &drawn;
}

/* pJ / 10^12 * 2^n units, where 10^12 is 2^12 * 5^12. */
static uint32_t rapl_from_pj(uint64_t pj, int unit)
{
    return BIT(unit) + muldiv64(pj, BIT(unit - 12), 244140625);
}

static uint32_t rapl_intel_energy(X86CPU *cpu, uint32_t index, int unit)
{
    const X86Energy *drawn = cpu->pmu_time ? rapl_drawn(cpu) : NULL;

    switch (index) {
    case MSR_PKG_ENERGY_STATUS:
        return drawn ? rapl_from_pj(drawn->package, unit)
                     : rapl_energy(cpu->rapl.package_mw, unit);
    case MSR_PP0_ENERGY_STATUS:
        return drawn ? rapl_from_pj(drawn->pp0, unit)
                     : rapl_energy(cpu->rapl.pp0_mw, unit);
    default:
        return drawn ? rapl_from_pj(drawn->dram, RAPL_UNIT)
                     : rapl_energy(cpu->rapl.dram_mw, RAPL_UNIT);
    }
}

static X86MSRResult rapl_intel_rdmsr(X86CPU *cpu, uint32_t index,
                                     uint64_t *val)
{
    int unit = cpu->pmu_model->version < 4 ? RAPL_UNIT : RAPL_UNIT_SKL;

    switch (index) {
    case MSR_RAPL_POWER_UNIT:
        *val = RAPL_UNITS(unit);
        break;
    case MSR_PKG_ENERGY_STATUS:
    case MSR_PP0_ENERGY_STATUS:
    case MSR_DRAM_ENERGY_STATUS:
        *val = rapl_intel_energy(cpu, index, unit);
        break;
    default:
        return X86_MSR_UNKNOWN;
    }
    return X86_MSR_DONE;
}

static X86MSRResult rapl_amd_rdmsr(X86CPU *cpu, uint32_t index, uint64_t *val)
{
    switch (index) {
    case MSR_AMD_POWER_UNIT:
        *val = RAPL_UNITS(RAPL_UNIT);
        break;
    case MSR_AMD_CORE_ENERGY:
        *val = rapl_energy(cpu->rapl.pp0_mw / CPU(cpu)->nr_cores, RAPL_UNIT);
        break;
    case MSR_AMD_PKG_ENERGY:
        *val = rapl_energy(cpu->rapl.package_mw, RAPL_UNIT);
        break;
    default:
        return X86_MSR_UNKNOWN;
    }
    return X86_MSR_DONE;
}

X86MSRResult x86_rapl_rdmsr(X86CPU *cpu, uint32_t index, uint64_t *val)
{
    return IS_AMD_CPU(&cpu->env) ? rapl_amd_rdmsr(cpu, index, val)
                                 : rapl_intel_rdmsr(cpu, index, val);
}
