// SPDX-License-Identifier: GPL-2.0
/*
 * KerMon: the permission of single threads to execute RDPMC.
 *
 * Only the thread itself gets and gives up the permission, so its CPU follows at once, and
 * no interrupt is needed.
 */
#include <linux/irqflags.h>
#include <linux/mmu_context.h>
#include <linux/thread_info.h>
#include <asm/kermon_rdpmc.h>

static void kermon_update_rdpmc(bool permit)
{
	unsigned long flags;

	local_irq_save(flags);
	update_thread_flag(TIF_RDPMC, permit);
	cr4_update_pce(NULL);
	local_irq_restore(flags);
}

void kermon_permit_rdpmc(void)
{
	kermon_update_rdpmc(true);
}

void kermon_forbid_rdpmc(void)
{
	kermon_update_rdpmc(false);
}
