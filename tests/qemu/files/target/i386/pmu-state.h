/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Performance monitoring unit and RAPL of the TCG x86 target
 *
 * Intel architectural performance monitoring, version 2 (SDM volume 3B,
 * chapter "Performance Monitoring"), sized and with the events of an Ivy
 * Bridge: 4 general and 3 fixed counters of 48 bits.  Offered with pmu=on.
 */
#ifndef I386_PMU_STATE_H
#define I386_PMU_STATE_H

#define X86_PMU_NR_GP       4
#define X86_PMU_NR_FIXED    3
#define X86_PMU_NR_COUNTERS (X86_PMU_NR_GP + X86_PMU_NR_FIXED)
#define X86_PMU_WIDTH       48

/*
 * What the translator counts.  An event of a counter is a sum of sources; the
 * table of events is in tcg/sysemu/pmu.c.
 */
typedef enum X86PMUSource {
    PMU_INSN,       /* instructions retired; one with REP counts once */
    PMU_LOAD,       /* memory operands read */
    PMU_STORE,      /* memory operands written */
    PMU_X87,        /* x87 instructions that compute */
    PMU_SSE_SS,     /* SSE and AVX instructions that compute: scalar single */
    PMU_SSE_SD,     /* scalar double */
    PMU_SSE_PS,     /* 128 bits, packed single */
    PMU_SSE_PD,     /* 128 bits, packed double */
    PMU_AVX_PS,     /* 256 bits, packed single */
    PMU_AVX_PD,     /* 256 bits, packed double */
    PMU_NR_INNER,
    /* The sources below end a translation block, those above need not. */
    PMU_REP = PMU_NR_INNER, /* iterations of instructions with REP */
    PMU_BRANCH,     /* jumps, calls, returns, near and far; taken or not */
    PMU_RDMSR,
    PMU_WRMSR,
    PMU_RDPMC,
    PMU_NR_SOURCES
} X86PMUSource;

/*
 * Counts of the inner sources, packed to ride along with the state that is
 * restored when an instruction in the middle of a translation block faults.
 */
#define PMU_INNER_BITS  6
#define PMU_INNER_MAX   ((1 << PMU_INNER_BITS) - 1)

/*
 * left[user][source] is decremented by translated code, user being CPL > 0.
 * It starts at what budget holds; the difference has not yet been added to
 * the counters.  It falls below zero no later than when a counter overflows.
 */
typedef struct X86PMU {
    int64_t left[2][PMU_NR_SOURCES];
    int64_t budget[2][PMU_NR_SOURCES];
    uint64_t offcore_rsp[2];
    /* Sources of each counter by privilege; derived from the registers. */
    uint32_t sources[X86_PMU_NR_COUNTERS][2];
} X86PMU;

/* Power that each RAPL domain draws, always, in milliwatts. */
typedef struct X86RAPL {
    uint32_t package_mw;
    uint32_t pp0_mw;
    uint32_t dram_mw;
} X86RAPL;

typedef enum X86MSRResult {
    X86_MSR_UNKNOWN,    /* not a register of this unit */
    X86_MSR_DONE,
    X86_MSR_FAULT,      /* the instruction raises #GP */
} X86MSRResult;

#endif /* I386_PMU_STATE_H */
