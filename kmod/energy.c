// SPDX-License-Identifier: GPL-2.0
/* Reading the energy counters of a package on behalf of all its CPUs. */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/topology.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/processor.h>
#include <asm/tsc.h>

#include "energy.h"

#define UNIT_SHIFT	8		/* of the energy unit, in MSR_RAPL_POWER_UNIT */
#define UNIT_MASK	0x1f
#define UNIT_DRAM_SERVER 16		/* regardless of that register */

/**
 * struct energy_package - last reading of a package
 * @lock: serialises updates of the reading; see energy_refresh() for who waits for it
 * @stamp: TSC of the last reading; 0: none since the registers were reset
 * @raw: raw registers at that time
 * @totals: accumulated increments of the registers, over all wraps
 * @activity: lower half: number of CPUs that are not idle; upper half: how often a CPU
 *	became so. Updated at each change, by whichever CPU it concerns.
 */
struct energy_package {
	raw_spinlock_t lock;
	u64 stamp;
	u32 raw[KERMON_DOMAIN_COUNT];
	u64 totals[KERMON_DOMAIN_COUNT];
	atomic64_t activity ____cacheline_aligned_in_smp;
};

#define ACTIVITY_BUSY	((1LL << 32) + 1)
#define ACTIVITY_IDLE	(-1LL)

struct energy_model energy_model __ro_after_init;

static s64 energy_period __ro_after_init;	/* one millisecond in TSC cycles */
static int energy_hotplug_state;

/* Each package uses the storage of one of its CPUs. */
static DEFINE_PER_CPU(struct energy_package, energy_storage);
static DEFINE_PER_CPU(struct energy_package *, energy_package);

/*
 * Whether a CPU is counted as not idle. Written with its runqueue lock held, or while
 * it goes on- or offline.
 */
static DEFINE_PER_CPU(bool, energy_busy);

/* Serialises energy_watch() for offline CPUs. */
static DEFINE_MUTEX(energy_mutex);

static void energy_renew(struct energy_package *package, u64 tsc)
{
	u64 value;
	u32 i;

	lockdep_assert_held(&package->lock);
	for (i = 0; i < energy_model.nr_domains; i++) {
		rdmsrl(energy_model.domains[i].msr, value);
		if (package->stamp)
			WRITE_ONCE(package->totals[i], package->totals[i] +
				   (u32)((u32)value - package->raw[i]));
		package->raw[i] = value;
	}
	/* Pairs with energy_age(): totals are at least as new as the stamp. */
	smp_store_release(&package->stamp, tsc);
}

/* May be negative, if the TSC of another CPU is slightly ahead. */
static s64 energy_age(const struct energy_package *package, u64 tsc)
{
	/* Pairs with energy_renew(): totals are read below. */
	u64 stamp = smp_load_acquire(&package->stamp);

	return stamp ? (s64)(tsc - stamp) : S64_MAX;
}

/*
 * A slightly old reading is good enough while another CPU updates it. A very
 * old one, after a time without readers, is not: all energy used meanwhile
 * would go to the next interval. So then every CPU waits for the one that reads
 * the few registers.
 */
static void energy_refresh(struct energy_package *package, u64 tsc)
{
	s64 age = energy_age(package, tsc);

	if (age < energy_period)
		return;
	if (age >= 2 * energy_period)
		raw_spin_lock(&package->lock);
	else if (!raw_spin_trylock(&package->lock))
		return;
	/* Another CPU may have updated it just before. */
	if (energy_age(package, tsc) >= energy_period)
		energy_renew(package, tsc);
	raw_spin_unlock(&package->lock);
}

void energy_read(u64 tsc, u64 *totals)
{
	struct energy_package *package = __this_cpu_read(energy_package);
	u32 i;

	energy_refresh(package, tsc);
	for (i = 0; i < energy_model.nr_domains; i++)
		totals[i] = READ_ONCE(package->totals[i]);
}

/*
 * Repeated calls with the same state have no effect, so the order of the
 * initial scan and the first switch does not matter.
 */
static void energy_set_busy(int cpu, bool busy)
{
	struct energy_package *package = per_cpu(energy_package, cpu);

	if (!package || per_cpu(energy_busy, cpu) == busy)
		return;
	per_cpu(energy_busy, cpu) = busy;
	atomic64_add(busy ? ACTIVITY_BUSY : ACTIVITY_IDLE, &package->activity);
}

void energy_idle(bool idle)
{
	lockdep_assert_irqs_disabled();
	energy_set_busy(smp_processor_id(), !idle);
}

u64 energy_activity(void)
{
	return atomic64_read(&__this_cpu_read(energy_package)->activity);
}

static void energy_note(unsigned int cpu, bool idle)
{
	energy_set_busy(cpu, !idle);
}

void energy_watch(void)
{
	unsigned int cpu;

	kermon_watch_idle();
	mutex_lock(&energy_mutex);
	cpus_read_lock();
	for_each_possible_cpu(cpu)
		if (!cpu_online(cpu))
			energy_set_busy(cpu, false);
	kermon_scan_idle(energy_note);
	cpus_read_unlock();
	mutex_unlock(&energy_mutex);
}

void energy_unwatch(void)
{
	kermon_unwatch_idle();
}

/* No lock needed: nothing reads energy during resume. */
void energy_resume(void)
{
	unsigned int cpu;

	lockdep_assert_irqs_disabled();
	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(energy_storage, cpu).stamp, 0);
}

/*
 * CPUs that share the registers: on Intel these are per die where a package has
 * several, on AMD always per package.
 */
static const struct cpumask *energy_siblings(unsigned int cpu)
{
	return boot_cpu_data.x86_vendor == X86_VENDOR_INTEL ?
	       topology_die_cpumask(cpu) : topology_core_cpumask(cpu);
}

/* The storage that the package of @cpu already uses, or else that of @cpu. */
static struct energy_package *energy_find(unsigned int cpu)
{
	struct energy_package *package;
	unsigned int sibling;

	for_each_cpu(sibling, energy_siblings(cpu)) {
		package = per_cpu(energy_package, sibling);
		if (package)
			return package;
	}
	package = per_cpu_ptr(&energy_storage, cpu);
	raw_spin_lock_init(&package->lock);
	return package;
}

/*
 * A CPU keeps its storage while it is offline. CPUs come online one at a time,
 * so there is no race for it. Runs in a thread bound to @cpu.
 */
static int energy_online(unsigned int cpu)
{
	unsigned long flags;

	if (!per_cpu(energy_package, cpu))
		per_cpu(energy_package, cpu) = energy_find(cpu);
	local_irq_save(flags);
	/* Only idle tasks have pid 0. */
	energy_set_busy(cpu, current->pid);
	local_irq_restore(flags);
	return 0;
}

/* Domains of each model; a missing one may read as 0 or as garbage. */
#define PKG	BIT(KERMON_DOMAIN_PACKAGE)
#define PP0	BIT(KERMON_DOMAIN_CORES)
#define PP1	BIT(KERMON_DOMAIN_GPU)
#define DRAM	BIT(KERMON_DOMAIN_DRAM)
#define FIXED_DRAM_UNIT	BIT(KERMON_DOMAIN_COUNT)
#define CLIENT	(PKG | PP0 | PP1)
#define SERVER	(PKG | PP0 | DRAM)

struct energy_machine {
	u8 model;
	u8 domains;
};

/* Family 6, as in arch/x86/events/rapl.c. */
static const struct energy_machine energy_machines[] __initconst = {
	{ 0x2a, CLIENT },			/* Sandy Bridge */
	{ 0x2d, SERVER },			/* Sandy Bridge-EP */
	{ 0x3a, CLIENT },			/* Ivy Bridge */
	{ 0x3e, SERVER },			/* Ivy Bridge-EP */
	{ 0x3c, CLIENT | DRAM },		/* Haswell */
	{ 0x45, CLIENT | DRAM },		/* Haswell-ULT */
	{ 0x46, CLIENT | DRAM },		/* Haswell, GT3e */
	{ 0x3f, SERVER | FIXED_DRAM_UNIT },	/* Haswell-EP */
	{ 0x3d, CLIENT | DRAM },		/* Broadwell */
	{ 0x47, CLIENT | DRAM },		/* Broadwell, GT3e */
	{ 0x4f, SERVER | FIXED_DRAM_UNIT },	/* Broadwell-EP */
	{ 0x56, SERVER | FIXED_DRAM_UNIT },	/* Broadwell-DE */
	{ 0x57, PKG | DRAM | FIXED_DRAM_UNIT },	/* Knights Landing */
	{ 0x85, PKG | DRAM | FIXED_DRAM_UNIT },	/* Knights Mill */
	{ 0x4e, CLIENT | DRAM },		/* Sky Lake, mobile */
	{ 0x5e, CLIENT | DRAM },		/* Sky Lake */
	{ 0x55, SERVER | FIXED_DRAM_UNIT },	/* Sky Lake-SP, Cascade Lake */
	{ 0x8e, CLIENT | DRAM },		/* Kaby Lake, mobile */
	{ 0x9e, CLIENT | DRAM },		/* Kaby Lake, Coffee Lake */
	{ 0x66, CLIENT | DRAM },		/* Cannon Lake */
	{ 0xa5, CLIENT | DRAM },		/* Comet Lake */
	{ 0xa6, CLIENT | DRAM },		/* Comet Lake, mobile */
	{ 0x5c, CLIENT | DRAM },		/* Goldmont */
	{ 0x5f, CLIENT | DRAM },		/* Goldmont-D */
	{ 0x7a, CLIENT | DRAM },		/* Goldmont Plus */
	{ 0x7d, CLIENT | DRAM },		/* Ice Lake */
	{ 0x7e, CLIENT | DRAM },		/* Ice Lake, mobile */
	{ 0x6a, SERVER | FIXED_DRAM_UNIT },	/* Ice Lake-SP */
	{ 0x6c, SERVER | FIXED_DRAM_UNIT },	/* Ice Lake-D */
	{ 0x8c, CLIENT | DRAM },		/* Tiger Lake, mobile */
	{ 0x8d, CLIENT | DRAM },		/* Tiger Lake */
	{ 0xbe, CLIENT | DRAM },		/* Gracemont */
	{ 0x8f, SERVER },			/* Sapphire Rapids */
	{ 0xcf, SERVER },			/* Emerald Rapids */
};

static const struct energy_domain energy_intel[] __initconst = {
	{ KERMON_DOMAIN_PACKAGE, "energy-pkg", MSR_PKG_ENERGY_STATUS },
	{ KERMON_DOMAIN_CORES, "energy-cores", MSR_PP0_ENERGY_STATUS },
	{ KERMON_DOMAIN_GPU, "energy-gpu", MSR_PP1_ENERGY_STATUS },
	{ KERMON_DOMAIN_DRAM, "energy-ram", MSR_DRAM_ENERGY_STATUS },
};

/*
 * MSR_AMD_CORE_ENERGY_STATUS is not used: it is per core, while here one CPU
 * reads for its whole package.
 */
static const struct energy_domain energy_amd __initconst = {
	KERMON_DOMAIN_PACKAGE, "energy-pkg", MSR_AMD_PKG_ENERGY_STATUS
};

static u32 __init energy_model_domains(void)
{
	u32 i;

	if (boot_cpu_data.x86 != 6)
		return 0;
	for (i = 0; i < ARRAY_SIZE(energy_machines); i++)
		if (energy_machines[i].model == boot_cpu_data.x86_model)
			return energy_machines[i].domains;
	return 0;
}

/* A domain that firmware or hypervisor has disabled reads as 0. */
static void __init energy_add(const struct energy_domain *domain, u32 unit)
{
	struct energy_domain *mine;
	u64 value;

	if (rdmsrl_safe(domain->msr, &value) || !value)
		return;
	mine = &energy_model.domains[energy_model.nr_domains++];
	*mine = *domain;
	mine->unit = unit;
	energy_model.mask |= BIT(domain->id);
}

static void __init energy_detect_intel(void)
{
	u32 has = energy_model_domains();
	u32 unit, i;
	u64 value;

	if (!has || rdmsrl_safe(MSR_RAPL_POWER_UNIT, &value))
		return;
	unit = value >> UNIT_SHIFT & UNIT_MASK;
	for (i = 0; i < ARRAY_SIZE(energy_intel); i++) {
		const struct energy_domain *domain = &energy_intel[i];
		bool fixed = domain->id == KERMON_DOMAIN_DRAM &&
			     has & FIXED_DRAM_UNIT;

		if (has & BIT(domain->id))
			energy_add(domain, fixed ? UNIT_DRAM_SERVER : unit);
	}
}

/* Support is reported by CPUID 8000_0007H, EDX bit 14. */
static void __init energy_detect_amd(void)
{
	u64 value;

	if (boot_cpu_has(X86_FEATURE_RAPL) &&
	    !rdmsrl_safe(MSR_AMD_RAPL_POWER_UNIT, &value))
		energy_add(&energy_amd, value >> UNIT_SHIFT & UNIT_MASK);
}

static void __init energy_detect(void)
{
	switch (boot_cpu_data.x86_vendor) {
	case X86_VENDOR_INTEL:
		energy_detect_intel();
		break;
	case X86_VENDOR_AMD:
	case X86_VENDOR_HYGON:
		energy_detect_amd();
		break;
	}
}

int __init energy_init(void)
{
	int ret;

	energy_detect();
	energy_period = tsc_khz;
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "kermon/energy:online",
				energy_online, NULL);
	if (ret < 0)
		return ret;
	energy_hotplug_state = ret;
	return 0;
}

void energy_exit(void)
{
	cpuhp_remove_state_nocalls(energy_hotplug_state);
}
