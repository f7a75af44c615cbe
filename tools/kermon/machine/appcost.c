// SPDX-License-Identifier: GPL-2.0
/*
 * Reads from the module how much time the samples of an application have taken.
 */
#include "appcost.h"

struct search {
	uint32_t pid;
	uint64_t cost;
};

static int look_at(const struct kermon_app_info *app, void *data)
{
	struct search *search = data;

	if (app->pid != search->pid)
		return 0;
	search->cost = app->cost;
	return 1;
}

uint64_t cost_of(pid_t pid)
{
	struct search search = { .pid = pid };
	struct kermon_control *control;

	if (kermon_control_open(&control))
		return 0;
	kermon_control_apps(control, look_at, &search);
	kermon_control_close(control);
	return search.cost;
}

double cost_ms(uint64_t cycles, const struct kermon_info *info)
{
	return info->tsc_khz ? (double)cycles / info->tsc_khz : 0;
}
