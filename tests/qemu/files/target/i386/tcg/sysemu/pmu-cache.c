// SPDX-License-Identifier: GPL-2.0
/*
 * Performance monitoring unit of the TCG x86 target: caches
 *
 * With pmu-cache=on, each line of RAM that a CPU reads, writes or executes is
 * looked up in caches that hold no data, only line numbers. Their sizes are
 * those of an Ivy Bridge with four cores: Intel 64 and IA-32 Architectures
 * Optimization Reference Manual, cache parameters of Sandy Bridge and Ivy
 * Bridge; CPUID leaf 4 describes them to the guest. The first and second levels
 * are private to a CPU, the last one is shared by all.
 */
#include "qemu/osdep.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "cpu.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "hw/boards.h"
#include "pmu.h"
#include "pmu-time.h"

#define CACHE_INFO(what, n, kib, ways)                  \
    {                                                   \
        .type = what,                                   \
        .level = n,                                     \
        .size = (kib) * KiB,                            \
        .line_size = BIT(CACHE_LINE_BITS),              \
        .associativity = ways,                          \
        .partitions = 1,                                \
        .sets = (kib) * KiB / BIT(CACHE_LINE_BITS) / (ways), \
        .self_init = true,                              \
        .no_invd_sharing = true,                        \
    }

static CPUCacheInfo l1d_info = CACHE_INFO(DATA_CACHE, 1, 32, 8);
static CPUCacheInfo l1i_info = CACHE_INFO(INSTRUCTION_CACHE, 1, 32, 8);
static CPUCacheInfo l2_info = CACHE_INFO(UNIFIED_CACHE, 2, 256, 8);
static CPUCacheInfo l3_info = CACHE_INFO(UNIFIED_CACHE, 3, 8192, 16);

const CPUCaches x86_caches_info = { &l1d_info, &l1i_info, &l2_info, &l3_info };

/* Kinds of requests, by their bits in MSR_OFFCORE_RSP_0 and _1. */
typedef enum CacheRequest {
    READ_DATA,
    READ_FOR_OWNERSHIP,     /* a store */
    READ_CODE,
} CacheRequest;

/*
 * Response bits in these registers: SDM volume 3B, "Off-core Response
 * Performance Monitoring". A supplier bit matches only together with a snoop
 * bit.
 */
#define ANY_RESPONSE        BIT_ULL(16)
#define L3_HIT_EXCLUSIVE    BIT_ULL(19)
#define LOCAL_DRAM          BIT_ULL(22)     /* on Ivy Bridge */
#define LOCAL_DRAM_SKL      BIT_ULL(26)     /* on Sky Lake and Ice Lake */
#define SNOOP_NOT_NEEDED    BIT_ULL(32)

static void cache_open(X86Cache *cache, const CPUCacheInfo *info)
{
    cache->sets = info->sets;
    cache->ways = info->associativity;
    cache->lines = g_new(uint64_t, cache->sets * cache->ways);
    cache_clear(cache);
}

static X86Cache *cache_of_all(void)
{
    static X86Cache l3;

    if (!l3.lines) {
        cache_open(&l3, &l3_info);
    }
    return &l3;
}

/* Whether @rsp, the value of MSR_OFFCORE_RSP_0 or _1, selects the request. */
static bool offcore_matches(CPUX86State *env, uint64_t rsp,
                            CacheRequest request, X86CacheLevel level)
{
    uint64_t dram = env_archcpu(env)->pmu_model->version < 4 ? LOCAL_DRAM
                                                             : LOCAL_DRAM_SKL;
    uint64_t supplier = level == CACHE_MEMORY ? dram : L3_HIT_EXCLUSIVE;

    return rsp & BIT_ULL(request) &&
           (rsp & ANY_RESPONSE || (rsp & supplier && rsp & SNOOP_NOT_NEEDED));
}

/* The sources counted for a request that @level serves. */
static uint32_t cache_sources(CPUX86State *env, CacheRequest request,
                              X86CacheLevel level)
{
    uint32_t sources = 0;
    int i;

    if (level > CACHE_L1 && request != READ_CODE) {
        sources |= BIT(PMU_L1D_FILL);
    }
    if (level > CACHE_L2) {
        sources |= BIT(PMU_LLC_REFERENCE);
        sources |= request == READ_CODE ? BIT(PMU_L2_CODE_MISS) : 0;
        for (i = 0; i < 2; i++) {
            sources |= offcore_matches(env, env->pmu.offcore_rsp[i], request,
                                       level) ? BIT(PMU_OFFCORE_0 + i) : 0;
        }
    }
    if (level > CACHE_L3) {
        sources |= BIT(PMU_LLC_MISS);
    }
    return sources;
}

/*
 * The line last written by @cpu, which no other CPU holds. Many stores go to
 * the same line as the one before and need not search the other CPUs again.
 */
static struct {
    CPUState *cpu;      /* NULL if another CPU accessed any line since */
    uint64_t line;
} owned;

/* A store invalidates the line in all other CPUs. */
static void cache_own(CPUState *self, uint64_t line)
{
    CPUState *cs;

    if (owned.cpu == self && owned.line == line) {
        return;
    }
    CPU_FOREACH(cs) {
        CPUX86State *env = cs->env_ptr;

        if (cs != self) {
            caches_drop(env_archcpu(env)->caches, line);
        }
    }
    owned.cpu = self;
    owned.line = line;
}

static void cache_request(CPUX86State *env, bool user, CacheRequest request,
                          uint64_t line)
{
    X86Caches *caches = env_archcpu(env)->caches;
    X86Cache *l1 = request == READ_CODE ? &caches->l1i : &caches->l1d;
    X86CacheLevel level = caches_use(caches, l1, line);

    if (request == READ_FOR_OWNERSHIP) {
        cache_own(env_cpu(env), line);
    } else if (owned.cpu != env_cpu(env)) {
        owned.cpu = NULL;
    }
    if (level > CACHE_L1) {
        x86_pmu_happen(env, user, cache_sources(env, request, level));
        x86_time_line(env_archcpu(env), user, level);
    }
}

static void cache_request_range(CPUX86State *env, bool user,
                                CacheRequest request, hwaddr addr,
                                unsigned size)
{
    uint64_t last = (addr + size - 1) >> CACHE_LINE_BITS, line;

    for (line = addr >> CACHE_LINE_BITS; line <= last; line++) {
        cache_request(env, user, request, line);
    }
}

/* Microcode that pushes the frame of an interrupt uses a kernel MMU index. */
static void cache_observe(CPUState *cs, hwaddr addr, unsigned size, bool store,
                          int mmu_idx)
{
    cache_request_range(cs->env_ptr, is_mmu_index_user(mmu_idx),
                        store ? READ_FOR_OWNERSHIP : READ_DATA, addr, size);
}

/*
 * Translation block @ptr is about to be executed.  Its last instruction may
 * extend into a second page.
 */
void helper_pmu_fetch(CPUX86State *env, void *ptr)
{
    const TranslationBlock *tb = ptr;
    tb_page_addr_t addr = tb_page_addr0(tb), second = tb_page_addr1(tb);
    bool user = env->hflags & HF_CPL_MASK;
    unsigned rest = -(addr | TARGET_PAGE_MASK);

    if (addr == -1) {
        return;     /* not in RAM */
    }
    cache_request_range(env, user, READ_CODE, addr, MIN(tb->size, rest));
    if (tb->size > rest && second != -1) {
        cache_request_range(env, user, READ_CODE, second, tb->size - rest);
    }
}

/*
 * All CPUs access the caches without locks, and hyperthreads would have to
 * share caches that are modelled per CPU.
 */
static const char *caches_missing(X86CPU *cpu)
{
    if (!x86_pmu_enabled(cpu) || IS_AMD_CPU(&cpu->env)) {
        return "an Intel PMU: pmu=on";
    }
    if (qemu_tcg_mttcg_enabled()) {
        return "all CPUs in one thread: -icount, or -accel tcg,thread=single";
    }
    if (MACHINE(qdev_get_machine())->smp.threads > 1) {
        return "one thread per core: -smp threads=1";
    }
    return NULL;
}

bool x86_caches_realize(X86CPU *cpu, Error **errp)
{
    const char *missing = caches_missing(cpu);
    X86Caches *caches;

    if (missing) {
        error_setg(errp, "pmu-cache=on requires %s", missing);
        return false;
    }
    caches = g_new0(X86Caches, 1);
    cache_open(&caches->l1d, &l1d_info);
    cache_open(&caches->l1i, &l1i_info);
    cache_open(&caches->l2, &l2_info);
    caches->l3 = cache_of_all();
    cpu->caches = caches;
    CPU(cpu)->memory_observer = cache_observe;
    return true;
}
