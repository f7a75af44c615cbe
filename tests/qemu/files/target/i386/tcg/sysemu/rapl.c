// SPDX-License-Identifier: GPL-2.0
/*
 * RAPL energy counters of the TCG x86 target
 *
 * Every domain draws constant power: energy is the virtual clock times the
 * milliwatts set by the properties rapl-*-mw, plus what was there at reset.
 * Registers and units as in the SDM, volume 3B, "RAPL Interfaces", with the
 * values of an Ivy Bridge server part; all vCPUs belong to one package.
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "qemu/timer.h"
#include "cpu.h"
#include "pmu.h"

/* Units: time 2^-10 s (bits 19:16), energy 2^-16 J (12:8), power 2^-3 W. */
#define RAPL_UNITS      (10 << 16 | 16 << 8 | 3)

/*
 * One joule has been used before the guest starts: Linux takes a register
 * that reads zero for a domain that does not exist.
 */
#define RAPL_START      BIT(16)

/* The registers are updated about once in a millisecond. */
#define RAPL_UPDATE_NS  SCALE_MS

/* In units of 2^-16 J: ms * mW / 10^6 J = ms * 2^10 * mW / 15625 units. */
static uint32_t rapl_energy(uint32_t mw)
{
    uint64_t ms = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) / RAPL_UPDATE_NS;

    return RAPL_START + muldiv64(ms << 10, mw, 15625);
}

X86MSRResult x86_rapl_rdmsr(X86CPU *cpu, uint32_t index, uint64_t *val)
{
    switch (index) {
    case MSR_RAPL_POWER_UNIT:
        *val = RAPL_UNITS;
        break;
    case MSR_PKG_ENERGY_STATUS:
        *val = rapl_energy(cpu->rapl.package_mw);
        break;
    case MSR_PP0_ENERGY_STATUS:
        *val = rapl_energy(cpu->rapl.pp0_mw);
        break;
    case MSR_DRAM_ENERGY_STATUS:
        *val = rapl_energy(cpu->rapl.dram_mw);
        break;
    default:
        return X86_MSR_UNKNOWN;
    }
    return X86_MSR_DONE;
}
