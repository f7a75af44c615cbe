// SPDX-License-Identifier: GPL-2.0
/*
 * Begin and end of the monitoring of an application.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <asm/tsc.h>

#include "energy.h"
#include "session.h"

static void session_shape(struct session *session, const struct kermon_app *app)
{
	const struct kermon_event_set *set = &app->set;
	const struct pmu_image *image = &session->set->image;

	session->id = app->id;
	session->set_id = set->set_id;
	session->uid = current_euid();
	session->interval = mul_u64_u32_div(set->interval_ns, tsc_khz,
					    NSEC_PER_MSEC);
	session->nr_fixed = image->nr_fixed;
	session->nr_events = image->nr_values - image->nr_fixed;
	if (set->flags & KERMON_SET_ENERGY) {
		session->nr_domains = energy_model.nr_domains;
		session->domains = energy_model.mask;
	}
	session->sample_size = sizeof(struct kermon_sample) + sizeof(u64) *
		(image->nr_values + session->nr_domains);
}

int session_open(struct kermon_app *app)
{
	struct session *session;
	int ret;

	BUILD_BUG_ON(sizeof(struct kermon_sample) + sizeof(u64) *
		     (PMU_MAX_VALUES + KERMON_DOMAIN_COUNT) >
		     KERMON_RECORD_MAX);
	if (app->set.flags & KERMON_SET_ENERGY && !energy_model.nr_domains)
		return -EOPNOTSUPP;
	session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	if (!session)
		return -ENOMEM;
	session->set = pmu_set_get(app);
	if (IS_ERR(session->set)) {
		ret = PTR_ERR(session->set);
		goto free;
	}
	session_shape(session, app);
	ret = log_init(&session->log, app, session->interval);
	if (ret)
		goto put;
	app->log = session;
	return 0;
put:
	pmu_set_put(session->set);
free:
	kfree(session);
	return ret;
}

void session_close(struct kermon_app *app)
{
	struct session *session = session_of(app);

	/* Until then the pulse may still tell observers of the session. */
	log_destroy(&session->log);
	pmu_set_put(session->set);
	kfree(session);
}
