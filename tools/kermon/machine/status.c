// SPDX-License-Identifier: GPL-2.0
/*
 * kermon status: prints the findings about this machine and the monitored applications,
 * or follows the notices of the module.
 */
#include <errno.h>
#include <kermon/text.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "appcost.h"
#include "holders.h"
#include "machine.h"
#include "ui/command.h"
#include "ui/common_options.h"
#include "ui/json.h"
#include "ui/message.h"
#include "ui/options.h"
#include "ui/shown.h"

static void (*const findings[])(const struct machine *machine,
				struct finding *finding) = {
	machine_kernel,
	machine_module,
	machine_pmu,
	machine_counting,
	machine_class,
	machine_sideband,
	machine_energy,
	machine_modes,
};

#define NR_FINDINGS (sizeof(findings) / sizeof(findings[0]))

static const char *const verdicts[] = {
	[VERDICT_OK] = "ok",
	[VERDICT_NOTE] = "note",
	[VERDICT_MISSING] = "missing",
};

static bool is_ready(const struct machine *machine)
{
	struct finding finding;
	size_t i;

	for (i = 0; i < NR_FINDINGS; i++) {
		findings[i](machine, &finding);
		if (finding.verdict == VERDICT_MISSING)
			return false;
	}
	return true;
}

static int print_app(const struct kermon_app_info *app, void *data)
{
	printf("%-12s %-8u pid %u: %u task%s, %llu sample%s, %llu lost, "
	       "overhead %.3f ms\n",
	       "monitored", app->id, app->pid, app->tasks,
	       kermon_plural(app->tasks), (unsigned long long)app->emitted,
	       kermon_plural(app->emitted), (unsigned long long)app->lost,
	       cost_ms(app->cost, data));
	return 0;
}

static int json_app(const struct kermon_app_info *app, void *data)
{
	struct json *json = data;

	json_begin_object(json, NULL);
	json_number(json, "id", app->id);
	json_number(json, "pid", app->pid);
	json_number(json, "tasks", app->tasks);
	json_number(json, "samples_emitted", app->emitted);
	json_number(json, "samples_read", app->read);
	json_number(json, "samples_lost", app->lost);
	json_number(json, "cost_tsc_cycles", app->cost);
	json_end_object(json);
	return 0;
}

/* Call @fn for each application that this user may see. */
static void each_app(int (*fn)(const struct kermon_app_info *app, void *data),
		     void *data)
{
	struct kermon_control *control;

	if (kermon_control_open(&control))
		return;
	kermon_control_apps(control, fn, data);
	kermon_control_close(control);
}

static void print_verdict(const struct machine *machine)
{
	const bool energy = machine->info.nr_domains && machine->may_count;
	const bool counts = machine_may_count(machine);

	if (is_ready(machine))
		printf("Recording%s works%s%s%s.\n",
		       counts ? "" : " of times and perf_event's samples",
		       counts ? "" : ", without counts",
		       machine->may_schedule ? "" : ", with --sched inherit",
		       energy ? "" : ", without energy");
	else if (!machine->sideband)
		printf("KerMon does not record here; by perf_event, 'kermon record' samples and 'kermon stat' counts.\n");
	else
		printf("Recording works neither by KerMon nor by perf_event.\n");
}

static void print_text(const struct machine *machine)
{
	struct finding finding;
	size_t i;

	for (i = 0; i < NR_FINDINGS; i++) {
		findings[i](machine, &finding);
		shown_line(stdout, "%-12s %-8s %s", finding.name,
			   verdicts[finding.verdict], finding.text);
		if (*finding.remedy)
			shown_line(stdout, "%-12s %-8s %s", "", "",
				   finding.remedy);
	}
	each_app(print_app, (void *)&machine->info);
	print_verdict(machine);
}

static void json_findings(struct json *json, const struct machine *machine)
{
	struct finding finding;
	size_t i;

	json_begin_array(json, "findings");
	for (i = 0; i < NR_FINDINGS; i++) {
		findings[i](machine, &finding);
		json_begin_object(json, NULL);
		json_text(json, "name", finding.name);
		json_text(json, "verdict", verdicts[finding.verdict]);
		json_text(json, "text", finding.text);
		json_text(json, "remedy", finding.remedy);
		json_end_object(json);
	}
	json_end_array(json);
}

static void json_info(struct json *json, const struct kermon_info *info)
{
	static const char *const owners[] = {
		[KERMON_PMU_FREE] = "free",
		[KERMON_PMU_KERMON] = "kermon",
		[KERMON_PMU_OTHER] = "other",
		[KERMON_PMU_NONE] = "none",
		[KERMON_PMU_SHARED] = "shared",
	};
	const size_t nr_owners = sizeof(owners) / sizeof(owners[0]);
	unsigned int i;

	json_begin_object(json, "info");
	json_text(json, "pmu", info->pmu_name);
	json_number(json, "counters", info->counters);
	json_number(json, "counter_width_bits", info->counter_width);
	json_number(json, "fixed", info->fixed);
	json_number(json, "fixed_width_bits", info->fixed_width);
	json_text(json, "owner",
		  info->owner < nr_owners ? owners[info->owner] : "unknown");
	json_number(json, "tsc_khz", info->tsc_khz);
	json_bool(json, "public", info->rdpmc_for_all);
	json_begin_array(json, "domains");
	for (i = 0; i < info->nr_domains; i++) {
		json_begin_object(json, NULL);
		json_text(json, "name", info->domains[i].name);
		json_exact(json, "unit_J", ldexp(1, -(int)info->domains[i].unit));
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

static void print_json(const struct machine *machine)
{
	struct json json = { .out = stdout };

	json_begin_object(&json, NULL);
	json_bool(&json, "ready", is_ready(machine));
	json_text(&json, "release", machine->release);
	json_bool(&json, "patched", machine->patched);
	json_bool(&json, "module", machine->module);
	json_text(&json, "module_version", machine->module_version);
	json_findings(&json, machine);
	if (machine->has_info)
		json_info(&json, &machine->info);
	json_begin_array(&json, "apps");
	each_app(json_app, &json);
	json_end_array(&json);
	json_end_object(&json);
}

static int say_control(const struct command *command, int error)
{
	if (error == -ENODEV) {
		machine_say(command->name, machine_module);
		return STATUS_FAILED;
	}
	message(command->name, "cannot receive notices: %s", strerror(-error));
	if (error == -EPERM)
		message_hint("notices include the applications of all users "
			     "and require CAP_SYS_ADMIN");
	return STATUS_FAILED;
}

static int follow(const struct command *command)
{
	static const char *const notices[] = {
		[KERMON_NOTICE_STARTED] = "started",
		[KERMON_NOTICE_EXITED] = "exited",
		[KERMON_NOTICE_LOST] = "lost",
	};
	const size_t nr_notices = sizeof(notices) / sizeof(notices[0]);
	struct kermon_control *control;
	struct kermon_app_info app;
	struct kermon_info info;
	uint32_t notice;
	int result;

	result = kermon_control_open(&control);
	if (!result)
		result = kermon_control_info(control, &info);
	if (!result)
		result = kermon_control_subscribe(control);
	while (!result) {
		result = kermon_control_notice(control, &notice, &app);
		if (result || !notice || notice >= nr_notices)
			continue;
		printf("%-8s ", notices[notice]);
		print_app(&app, &info);
		/* Nobody reads on, which is told at the end. */
		if (fflush(stdout))
			break;
	}
	kermon_control_close(control);
	return result ? say_control(command, result) : STATUS_OK;
}

struct arguments {
	bool json;
	bool follow;
	bool holders;
};

static const struct option_spec options_of_status[] = {
	GROUP(json, struct arguments, json),
	{ 0, "follow", NULL,
	  "print a line whenever an application starts, exits or loses samples",
	  VALUE(flag, struct arguments, follow) },
	{ 0, "holders", NULL,
	  "list who holds logs, and the counters and memory in use",
	  VALUE(flag, struct arguments, holders) },
	{}
};

static const struct option_conflict conflicts_of_status[] = {
	{ "follow", "json" },
	{ "follow", "holders" },
	{}
};

static int run_status(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = { 0 };
	struct options options;
	struct machine machine;

	if (!options_parse(&options, command, argc, argv, &arguments))
		return options.status;
	if (arguments.follow)
		return follow(command);
	if (arguments.holders)
		return holders_print(command, arguments.json);
	machine_look(&machine);
	if (arguments.json)
		print_json(&machine);
	else
		print_text(&machine);
	return is_ready(&machine) ? STATUS_OK : STATUS_FAILED;
}

const struct command status_command = {
	.name = "status",
	.synopsis = "[OPTION]...",
	.summary = "Show what this machine has for KerMon, and what is missing",
	.options = options_of_status,
	.conflicts = conflicts_of_status,
	.run = run_status,
};
