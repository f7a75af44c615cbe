// SPDX-License-Identifier: GPL-2.0
/* Start, change and end of the monitoring of an application. */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <asm/tsc.h>

#include "energy.h"
#include "sampler.h"
#include "session.h"

static int session_add_set(struct session_plan *plan,
			   const struct session *session, u32 modes,
			   const struct kermon_set *from,
			   const struct cpumask *cpus)
{
	struct session_set *set = &plan->sets[plan->nr_sets];
	struct pmu_set *pmu = pmu_set_get(modes, from, cpus);
	struct kermon_sample *header = &set->header.sample;
	const struct pmu_image *image;

	if (IS_ERR(pmu))
		return PTR_ERR(pmu);
	image = &pmu->image;
	set->pmu = pmu;
	header->record.type = KERMON_RECORD_SAMPLE;
	header->record.size = sizeof(*header) + sizeof(u64) *
		(image->nr_values + session->nr_domains);
	header->set_id = from->set_id;
	header->nr_fixed = image->nr_fixed;
	header->nr_events = image->nr_values - image->nr_fixed;
	header->domains = session->domains;
	header->intervals = 1;
	plan->nr_sets++;
	return 0;
}

/* The end of a plan that counts nothing does not wait for the PMU. */
static void session_free_plan(struct session_plan *plan)
{
	bool counted = false;
	struct pmu_set *set;

	while (plan->nr_sets) {
		set = plan->sets[--plan->nr_sets].pmu;
		counted |= pmu_set_counts(set);
		pmu_set_put(set);
	}
	if (counted)
		pmu_shrink();
	kfree(plan);
}

static bool session_counts_kernel(const struct kermon_event_set *request,
				  const struct kermon_set *set)
{
	bool kernel = request->count & KERMON_COUNT_KERNEL;
	u32 i;

	for (i = 0; i < set->nr_events; i++)
		kernel |= set->events[i].config & EVENT_OS;
	return kernel;
}

/* Returns a plan with all sets, or an error pointer. */
static struct session_plan *
session_make_plan(const struct session *session,
		  const struct kermon_event_set *request,
		  const struct kermon_set *sets,
		  const struct cpumask *cpus)
{
	struct session_plan *plan = kzalloc(sizeof(*plan), GFP_KERNEL_ACCOUNT);
	int ret;
	u32 i;

	if (!plan)
		return ERR_PTR(-ENOMEM);
	plan->serial = kermon_next_plan();
	plan->interval = mul_u64_u32_div(request->interval_ns, tsc_khz,
					 NSEC_PER_MSEC);
	/* With rotation faster than the tick, some sets might never be counted. */
	plan->rotate_ns = max_t(u64, request->rotate_ns, TICK_NSEC);
	for (i = 0; i <= request->nr_more; i++) {
		plan->kernel |= session_counts_kernel(request, &sets[i]);
		ret = session_add_set(plan, session, request->count, &sets[i],
				      cpus);
		if (ret) {
			session_free_plan(plan);
			return ERR_PTR(ret);
		}
	}
	return plan;
}

static void session_shape(struct session *session, const struct kermon_app *app)
{
	session->id = app->id;
	session->uid = current_euid();
	if (app->request.flags & KERMON_SET_ENERGY) {
		session->nr_domains = energy_model.nr_domains;
		session->domains = energy_model.mask;
		session->extras = SESSION_ENERGY;
	}
	session->gives = session->nr_domains;
	session->takes = session->nr_domains;
	raw_spin_lock_init(&session->pages_lock);
}

/* Called when the first page comes, or the last one goes. */
static void session_set_pages(struct session *session, bool any)
{
	u8 extras = session->extras & ~SESSION_PAGES;

	WRITE_ONCE(session->extras, any ? extras | SESSION_PAGES : extras);
	WRITE_ONCE(session->takes, any ? SESSION_NEVER : session->nr_domains);
}

void session_add_page(struct session *session)
{
	lockdep_assert_irqs_disabled();
	raw_spin_lock(&session->pages_lock);
	if (!session->nr_pages++)
		session_set_pages(session, true);
	raw_spin_unlock(&session->pages_lock);
}

void session_remove_page(struct session *session)
{
	lockdep_assert_irqs_disabled();
	raw_spin_lock(&session->pages_lock);
	if (!--session->nr_pages)
		session_set_pages(session, false);
	raw_spin_unlock(&session->pages_lock);
}

int session_open(struct kermon_app *app, const struct cpumask *cpus)
{
	struct session_plan *plan;
	struct session *session;
	int ret;

	BUILD_BUG_ON(sizeof(struct kermon_sample) + sizeof(u64) *
		     (PMU_MAX_VALUES + KERMON_DOMAIN_COUNT) >
		     KERMON_RECORD_MAX);
	if (app->request.flags & KERMON_SET_ENERGY && !energy_model.nr_domains)
		return -EOPNOTSUPP;
	session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	if (!session)
		return -ENOMEM;
	session_shape(session, app);
	plan = session_make_plan(session, &app->request, app->sets, cpus);
	if (IS_ERR(plan)) {
		ret = PTR_ERR(plan);
		goto free;
	}
	RCU_INIT_POINTER(session->plan, plan);
	ret = log_init(&session->log, app, plan->interval);
	if (ret)
		goto free_plan;
	if (session->nr_domains)
		energy_watch();
	app->session = session;
	return 0;
free_plan:
	session_free_plan(plan);
free:
	kfree(session);
	return ret;
}

/* Nobody uses the plan any more; NULL if the session was revoked before. */
static void session_stop(const struct session *session, struct session_plan *plan)
{
	if (!plan)
		return;
	if (session->nr_domains)
		energy_unwatch();
	session_free_plan(plan);
}

void session_close(struct kermon_app *app)
{
	struct session *session = session_of(app);

	/* First, since the pulse may still send notices about this session. */
	log_destroy(&session->log);
	session_stop(session, rcu_dereference_protected(session->plan, true));
	kfree(session);
}

void session_revoke(struct kermon_app *app, bool cut)
{
	struct session *session = session_of(app);
	struct session_plan *plan;

	log_finish(&session->log, cut);
	plan = rcu_replace_pointer(session->plan, NULL,
				   lockdep_is_held(&app->change_lock));
	/* session_cover() may still look at it. */
	synchronize_rcu();
	session_stop(session, plan);
}

/*
 * After publication, hooks open intervals of the new plan. Intervals of the old
 * one are closed by the CPUs on which they are open. After a grace period, no
 * hook uses the old plan; then write what it counted, because a later plan may
 * reuse its address.
 */
int session_change(struct kermon_app *app, const struct kermon_event_set *request,
		   const struct kermon_set *sets, const struct cpumask *cpus)
{
	struct session *session = session_of(app);
	struct session_plan *plan;
	u64 interval;

	plan = session_make_plan(session, request, sets, cpus);
	if (IS_ERR(plan))
		return PTR_ERR(plan);
	interval = plan->interval;
	plan = rcu_replace_pointer(session->plan, plan,
				   lockdep_is_held(&app->change_lock));
	kermon_on_members(app, sampler_renew);
	synchronize_rcu();
	log_change(&session->log, interval);
	session_free_plan(plan);
	return 0;
}

/* A set that counts nothing needs no counters anywhere. */
void session_cover(struct kermon_app *app, const struct cpumask *cpus)
{
	const struct session_plan *plan;
	bool counts;

	rcu_read_lock();
	plan = rcu_dereference(session_of(app)->plan);
	/* None once it is revoked. */
	counts = plan && pmu_set_counts(plan->sets[0].pmu);
	rcu_read_unlock();
	if (counts)
		pmu_cover(cpus);
}
