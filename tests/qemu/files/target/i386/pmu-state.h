/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Performance monitoring unit and RAPL of the TCG x86 target
 *
 * Enabled with pmu=on. The features of each vendor and version are in
 * tcg/sysemu/pmu-intel.c and pmu-amd.c.
 */
#ifndef I386_PMU_STATE_H
#define I386_PMU_STATE_H

/* Counters are numbered: general ones from 0, fixed ones from X86_PMU_MAX_GP */
#define X86_PMU_MAX_GP      8
#define X86_PMU_MAX_FIXED   3
#define X86_PMU_MAX         (X86_PMU_MAX_GP + X86_PMU_MAX_FIXED)

/*
 * Sources of counts. An event is the sum of one or more sources; the tables of
 * events are in the vendor files.
 */
typedef enum X86PMUSource {
    PMU_INSN,       /* instructions retired; one with REP counts once */
    PMU_LOAD,       /* memory operands read */
    PMU_STORE,      /* memory operands written */
    PMU_X87,        /* computing x87 instructions */
    PMU_SSE_SS,     /* computing SSE and AVX instructions: scalar single */
    PMU_SSE_SD,     /* scalar double */
    PMU_SSE_PS,     /* 128 bits, packed single */
    PMU_SSE_PD,     /* 128 bits, packed double */
    PMU_AVX_PS,     /* 256 bits, packed single */
    PMU_AVX_PD,     /* 256 bits, packed double */
    PMU_NR_INNER,
    /* Sources below end a translation block, unlike those above. */
    PMU_REP = PMU_NR_INNER, /* iterations of instructions with REP */
    PMU_BRANCH,     /* jumps, calls, returns, near and far; taken or not */
    PMU_RDMSR,
    PMU_WRMSR,
    PMU_RDPMC,
    /* Sources below are counted by the caches, not by translated code. */
    PMU_L1D_FILL,   /* lines loaded into the L1D by reads and writes */
    PMU_L2_CODE_MISS,
    PMU_LLC_REFERENCE,  /* lines loaded into the L2 */
    PMU_LLC_MISS,
    PMU_OFFCORE_0,  /* of these, those selected in MSR_OFFCORE_RSP_0 */
    PMU_OFFCORE_1,
    PMU_TIME,           /* cycles with pmu-time=on, else 0 */
    PMU_NR_SOURCES,
    /* AMD counts operations by kind, not instructions by format. */
    PMU_FLOP_ADD = PMU_SSE_SS,
    PMU_FLOP_MUL,
    PMU_FLOP_DIV,
    PMU_FLOP_MAC,
} X86PMUSource;

/*
 * Counts of the inner sources, packed into the state that is restored when an
 * instruction in the middle of a translation block faults.
 */
#define PMU_INNER_BITS  6
#define PMU_INNER_MAX   ((1 << PMU_INNER_BITS) - 1)

/* Cycles and floating-point operations are packed into the word of cc_op. */
#define PMU_CC_OP_MASK      0xffff
#define PMU_FLOPS_SHIFT     16
#define PMU_FLOPS_MASK      0xffff
#define PMU_CYCLES_SHIFT    32

/*
 * A counter with CMASK or EDGE: it is incremented in each cycle in which the
 * sum of @sources is at least @at_least, or less with @invert, or with @edge in
 * the first of successive such cycles. Cycles at a privilege level without
 * sources are skipped.
 */
typedef struct X86PMUCycles {
    uint32_t sources[2];
    uint8_t at_least;
    bool invert;
    bool edge;
} X86PMUCycles;

/*
 * left[user][source] is decremented by translated code; user means CPL > 0. It
 * starts at the value of budget; the difference has not been added to the
 * counters yet. It falls below zero at the latest when a counter overflows.
 */
typedef struct X86PMU {
    int64_t left[2][PMU_NR_SOURCES];
    int64_t budget[2][PMU_NR_SOURCES];
    uint64_t offcore_rsp[2];
    uint32_t asserted;      /* bit per counter: condition held in its last cycle */
    /*
     * Derived from the registers: sources of each counter by privilege level.
     */
    uint32_t sources[X86_PMU_MAX][2];
    X86PMUCycles cycles[X86_PMU_MAX];
    uint64_t in_use;
    /* With pmu-time=on, since reset: */
    uint64_t elapsed;       /* cycles, without those not yet taken from left */
    uint64_t published;     /* cycles that are part of the virtual clock */
    uint64_t slice_end;     /* cycles at which other work of QEMU is due */
    uint64_t flops;         /* floating-point operations */
} X86PMU;

/* What floating-point events count. */
typedef enum X86PMUFloat {
    PMU_FP_EXECUTED,    /* computing instructions, by format */
    PMU_FP_RETIRED,     /* arithmetic, by format, fused operations twice */
    PMU_FP_FLOPS,       /* operations on elements, by kind */
} X86PMUFloat;

typedef struct X86PMUModel X86PMUModel;

/* Caches of a CPU with pmu-cache=on: tcg/sysemu/cache.h */
typedef struct X86Caches X86Caches;

/*
 * Time that instructions take with pmu-time=on: for how long each keeps a unit
 * of the CPU busy, in thousandths of a cycle. Loads and stores of 256 bits count
 * twice. And how many MB per second the levels beyond the L1 deliver.
 */
#define X86_TIME_CYCLE      1000

typedef struct X86Timing {
    uint32_t mhz;           /* rate of the core clock and of the TSC */
    uint32_t insn;
    uint32_t branch;
    uint32_t load;
    uint32_t store;
    uint32_t fp_add;
    uint32_t fp_mul;
    uint32_t fp_fma;
    uint32_t fp_div;
    uint32_t pause;
    uint32_t l2_mbs;
    uint32_t l3_mbs;
    uint32_t dram_mbs;
} X86Timing;

/*
 * Power with pmu-time=on. The package draws package_mw at all times, cpu_mw for
 * each CPU that is not halted, and energy per floating-point operation and per
 * line from memory; of this, cpu_mw and flop_pj belong to PP0. DRAM is separate.
 */
typedef struct X86Power {
    uint32_t package_mw;
    uint32_t cpu_mw;
    uint32_t flop_pj;
    uint32_t line_pj;
    uint32_t dram_mw;
    uint32_t dram_line_pj;
} X86Power;

/* Constant power of each RAPL domain in milliwatts; PP0: all cores. */
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
