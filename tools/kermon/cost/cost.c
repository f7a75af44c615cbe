// SPDX-License-Identifier: GPL-2.0
/* kermon cost: measures the overhead of monitoring on this machine, and prints it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "costmodel.h"
#include "machine/hypervisor.h"
#include "machine/machine.h"
#include "machine/processor.h"
#include "ui/command.h"
#include "ui/common_options.h"
#include "ui/json.h"
#include "ui/message.h"
#include "ui/options.h"

static const char *const accesses[KERMON_ACCESS_COUNT] = {
	[KERMON_ACCESS_RDTSC] = "rdtsc",
	[KERMON_ACCESS_RDPMC] = "rdpmc",
	[KERMON_ACCESS_RDMSR] = "rdmsr",
	[KERMON_ACCESS_WRMSR] = "wrmsr",
	[KERMON_ACCESS_ENERGY] = "energy",
};

static bool is_known(const struct costmodel *model, int kind)
{
	return accesses[kind] && model->costs.known & 1U << kind;
}

static void print_machine(const struct costmodel *model)
{
	char name[PROCESSOR_SIZE], hypervisor[HYPERVISOR_SIZE];

	processor_name(name);
	hypervisor_name(hypervisor);
	printf("CPU %u of %s, %u TSC cycles per millisecond\n",
	       model->costs.cpu, *name ? name : "a processor without a name",
	       model->info.tsc_khz);
	if (*hypervisor)
		printf("This is a virtual machine (%s): the cycles are not "
		       "those of the hardware.\n", hypervisor_label(hypervisor));
}

static void print_accesses(const struct costmodel *model)
{
	const struct kermon_access_cost *cost;
	int kind;

	printf("\n%-14s %9s %9s %9s\n", "cycles per", "minimum", "median",
	       "90 %");
	for (kind = 0; kind < KERMON_ACCESS_COUNT; kind++) {
		if (!is_known(model, kind))
			continue;
		cost = &model->costs.of[kind];
		printf("%-14s %9.1f %9.1f %9.1f\n", accesses[kind],
		       cost->minimum, cost->median, cost->most);
	}
	printf("%-14s %9s %9.2f\n", "instruction", "", model->instruction);
}

static void print_pairs(const struct costmodel *model)
{
	const struct pair *pair;

	printf("\n%-14s %12s %6s %6s %6s %6s %8s %8s %8s\n", "a pair with",
	       "instructions", "wrmsr", "energy", "rdpmc", "rdtsc", "model",
	       "kernel", "whole");
	for (pair = model->pairs; pair < model->pairs + model->nr_pairs; pair++)
		printf("%-14s %12.0f %6.0f %6.2f %6.0f %6.0f %8.0f %8.0f %8.0f\n",
		       pair->name, pair->instructions, pair->wrmsr, pair->rdmsr,
		       pair->rdpmc, pair->rdtsc, pair->model, pair->kernel,
		       pair->whole);
	printf("\nA pair is a switch-out of a monitored task and the switch-in before it.\n"
	       "model: cycles at most, computed from these numbers;\n"
	       "kernel: cycles accounted by the kernel;\n"
	       "whole: additional cycles for two tasks that wake each other in turn.\n");
	if (model->info.nr_domains)
		printf("energy: RDMSR of energy counters, at most %u per millisecond.\n",
		       model->info.nr_domains);
}

/* Coefficients for computing the model from other numbers of accesses. */
static void json_coefficients(struct json *json, const struct costmodel *model)
{
	int kind;

	json_begin_object(json, "coefficients");
	json_real(json, "instruction", model->instruction);
	for (kind = 0; kind < KERMON_ACCESS_COUNT; kind++)
		if (is_known(model, kind))
			json_real(json, accesses[kind],
				  model->costs.of[kind].median);
	json_end_object(json);
}

static void json_accesses(struct json *json, const struct costmodel *model)
{
	int kind;

	json_begin_array(json, "accesses");
	for (kind = 0; kind < KERMON_ACCESS_COUNT; kind++) {
		if (!is_known(model, kind))
			continue;
		json_begin_object(json, NULL);
		json_text(json, "name", accesses[kind]);
		json_real(json, "minimum_cycles", model->costs.of[kind].minimum);
		json_real(json, "median_cycles", model->costs.of[kind].median);
		json_real(json, "most_cycles", model->costs.of[kind].most);
		json_end_object(json);
	}
	json_end_array(json);
}

static void json_pairs(struct json *json, const struct costmodel *model)
{
	const struct pair *pair;

	json_begin_array(json, "pairs");
	for (pair = model->pairs; pair < model->pairs + model->nr_pairs; pair++) {
		json_begin_object(json, NULL);
		json_text(json, "name", pair->name);
		json_real(json, "instruction", pair->instructions);
		json_real(json, "wrmsr", pair->wrmsr);
		json_real(json, "energy", pair->rdmsr);
		json_real(json, "rdpmc", pair->rdpmc);
		json_real(json, "rdtsc", pair->rdtsc);
		json_real(json, "model_cycles", pair->model);
		json_real(json, "kernel_cycles", pair->kernel);
		json_real(json, "whole_cycles", pair->whole);
		json_end_object(json);
	}
	json_end_array(json);
}

static void print_json(const struct costmodel *model)
{
	char name[PROCESSOR_SIZE], hypervisor[HYPERVISOR_SIZE];
	struct json json = { .out = stdout };

	processor_name(name);
	hypervisor_name(hypervisor);
	json_begin_object(&json, NULL);
	json_text(&json, "source", "measured by kermon cost");
	json_text(&json, "processor", name);
	json_text(&json, "hypervisor", hypervisor);
	json_text(&json, "pmu", model->info.pmu_name);
	json_number(&json, "cpu", model->costs.cpu);
	json_number(&json, "tsc_khz", model->info.tsc_khz);
	json_coefficients(&json, model);
	json_accesses(&json, model);
	json_pairs(&json, model);
	json_end_object(&json);
}

static void say_measure(const struct command *command, int error)
{
	switch (-error) {
	case EPERM:
		message(command->name, "this user may not access registers");
		message_hint("that requires CAP_PERFMON");
		break;
	case EBUSY:
		machine_say(command->name, machine_holder);
		break;
	case ENODEV:
		machine_say(command->name, machine_pmu);
		break;
	case EOPNOTSUPP:
		message(command->name, "kermon.ko is older than this tool");
		break;
	default:
		message(command->name, "cannot measure accesses: %s",
			strerror(-error));
	}
}

static int say_failure(const struct command *command, int error,
		       enum costmodel_step step)
{
	if (step == COSTMODEL_OPEN && error == -ENODEV) {
		machine_say(command->name, machine_module);
	} else if (step == COSTMODEL_MEASURE) {
		say_measure(command, error);
	} else {
		message(command->name, "cannot monitor two tasks: %s",
			strerror(-error));
		if (error == -EPERM)
			message_hint("that requires CAP_SYS_NICE and, for the "
				     "logs, CAP_IPC_LOCK or a higher 'ulimit -l'");
	}
	return STATUS_FAILED;
}

static const struct option_spec options_of_cost[] = {
	{ .group = json_options },
	{}
};

static int run_cost(const struct command *command, int argc, char **argv)
{
	enum costmodel_step step;
	struct costmodel model;
	struct options options;
	bool json = false;
	int error;

	if (!options_parse(&options, command, argc, argv, &json))
		return options.status;
	error = costmodel_measure(&model, &step);
	if (error)
		return say_failure(command, error, step);
	if (json) {
		print_json(&model);
		return STATUS_OK;
	}
	print_machine(&model);
	print_accesses(&model);
	print_pairs(&model);
	return STATUS_OK;
}

const struct command cost_command = {
	.name = "cost",
	.synopsis = "[OPTION]...",
	.summary = "Measure what monitoring costs on this machine",
	.options = options_of_cost,
	.run = run_cost,
};
