/* SPDX-License-Identifier: GPL-2.0 */
/* Differences between kernel versions, and nothing else. */
#ifndef KERMON_COMPAT_H
#define KERMON_COMPAT_H

#include <linux/syscore_ops.h>

/*
 * COMPAT_DEFINE_RESUME(fn) - call fn() on system resume, before anything else
 * runs: on the boot CPU with irqs off
 */
#ifdef COMPAT_HAS_SYSCORE
#define COMPAT_DEFINE_RESUME(fn)					\
static void compat_resume(void *data)					\
{									\
	fn();								\
}									\
static const struct syscore_ops compat_resume_ops = {			\
	.resume = compat_resume,					\
};									\
static struct syscore compat_syscore = { .ops = &compat_resume_ops }
#define compat_register_resume()	register_syscore(&compat_syscore)
#define compat_unregister_resume()	unregister_syscore(&compat_syscore)
#else
#define COMPAT_DEFINE_RESUME(fn)					\
static struct syscore_ops compat_resume_ops = { .resume = fn }
#define compat_register_resume()	register_syscore_ops(&compat_resume_ops)
#define compat_unregister_resume()	unregister_syscore_ops(&compat_resume_ops)
#endif

#endif /* KERMON_COMPAT_H */
