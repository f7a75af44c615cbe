// SPDX-License-Identifier: GPL-2.0
/* kermon msr: reads, writes, lists and restores model-specific registers. */
#include <errno.h>
#include <kermon/msr.h>
#include <kermon/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msr.h"
#include "ui/command.h"
#include "ui/common_options.h"
#include "ui/message.h"
#include "ui/options.h"
#include "ui/values.h"
#include "util/cpulist.h"
#include "util/nearmatch.h"

#define MAX_OPERANDS	64

/**
 * struct arguments - of the command line
 * @cpus: list of CPUs; NULL: all
 * @json: print JSON
 */
struct arguments {
	const char *cpus;
	bool json;
};

enum action {
	ACTION_READ,
	ACTION_WRITE,
	ACTION_LIST,
	ACTION_RESTORE,
};

static const struct {
	const char *name;
	const char *help;
	unsigned int least;	/* number of further operands */
	unsigned int most;
	const char *wanted;
	uint32_t flags;
} actions[] = {
	[ACTION_READ] = {
		"read", "print registers", 1, MAX_OPERANDS - 1,
		"registers to read, by name or number", 0,
	},
	[ACTION_WRITE] = {
		"write", "write a register, until it is restored", 2, 2,
		"a register and a value", KERMON_MSR_WRITE | KERMON_MSR_KEEP,
	},
	[ACTION_LIST] = {
		"list", "print which registers can be accessed", 0, 1,
		"at most a part of a name", KERMON_MSR_LIST_ONLY,
	},
	[ACTION_RESTORE] = {
		"restore", "restore what 'write' has written", 0, 0,
		"no register", KERMON_MSR_WRITE | KERMON_MSR_KEEP,
	},
};

#define NR_ACTIONS	(sizeof(actions) / sizeof(actions[0]))

static const char *name_of_action(size_t index)
{
	return index < NR_ACTIONS ? actions[index].name : NULL;
}

static const char *help_of_action(size_t index)
{
	return actions[index].help;
}

static const struct value_type value_action = {
	.what = "action",
	.whats = "actions",
	.name = name_of_action,
	.help = help_of_action,
};

/* Report why a call failed. Returns STATUS_FAILED. */
static int say(const struct msr_request *request,
	       const struct kermon_msr_error *error)
{
	message(request->command->name, "%s", error->text);
	if (*error->remedy)
		message_hint("%s", error->remedy);
	return STATUS_FAILED;
}

static bool parse_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* Find a register by number or name; report an unknown name. */
static bool find_register(const struct msr_request *request, const char *text,
			  uint32_t *reg)
{
	struct nearmatch match = { .word = text };
	const struct kermon_msr_entry *entry;
	uint64_t number;

	if (parse_number(text, &number) && number <= UINT32_MAX) {
		*reg = number;
		return true;
	}
	entry = kermon_msr_find(request->msr, text);
	if (entry) {
		*reg = entry->reg;
		return true;
	}
	for (size_t i = 0; (entry = kermon_msr_entry(request->msr, i)); i++)
		nearmatch_offer(&match, entry->name);
	message(request->command->name, "unknown register '%s'", text);
	message_similar(match.names, match.nr, "");
	message_hint("'kermon msr list' lists the registers of this processor");
	return false;
}

/* One operation per CPU that is open, and register; NULL if out of memory. */
static struct kermon_msr_op *make_ops(const struct msr_request *request,
				      const uint32_t *regs, size_t nr_regs,
				      size_t *nr)
{
	struct kermon_msr_info info;
	struct kermon_msr_op *ops;
	size_t i;

	kermon_msr_info(request->msr, &info);
	*nr = nr_regs * info.nr_cpus;
	ops = calloc(*nr + 1, sizeof(*ops));
	for (i = 0; ops && i < *nr; i++) {
		ops[i].cpu = kermon_msr_cpu(request->msr, i % info.nr_cpus);
		ops[i].reg = regs[i / info.nr_cpus];
	}
	if (!ops)
		message(request->command->name, "out of memory");
	return ops;
}

static int run_read(const struct msr_request *request)
{
	uint32_t regs[MAX_OPERANDS];
	struct kermon_msr_op *ops;
	size_t nr, i;
	int status = STATUS_OK;

	for (i = 0; request->words[i]; i++)
		if (!find_register(request, request->words[i], &regs[i]))
			return STATUS_USAGE;
	ops = make_ops(request, regs, i, &nr);
	if (!ops)
		return STATUS_FAILED;
	if (kermon_msr_batch(request->msr, ops, nr))
		status = say(request, kermon_msr_error(request->msr));
	msr_show_values(request, ops, nr);
	free(ops);
	return status;
}

/* Read the register of all CPUs, write it, and show both. */
static int write_ops(const struct msr_request *request,
		     struct kermon_msr_op *ops, size_t nr, uint64_t value)
{
	struct kermon_msr_op *writes = calloc(nr + 1, sizeof(*writes));
	int status = STATUS_OK;

	if (!writes) {
		message(request->command->name, "out of memory");
		return STATUS_FAILED;
	}
	memcpy(writes, ops, nr * sizeof(*writes));
	for (size_t i = 0; i < nr; i++) {
		writes[i].kind = KERMON_MSR_OP_WRITE;
		writes[i].value = value;
		writes[i].error = -ECANCELED;
	}
	if (kermon_msr_batch(request->msr, ops, nr) ||
	    kermon_msr_batch(request->msr, writes, nr))
		status = say(request, kermon_msr_error(request->msr));
	msr_show_writes(request, ops, writes, nr);
	free(writes);
	return status;
}

static int run_write(const struct msr_request *request)
{
	struct kermon_msr_op *ops;
	uint64_t value;
	uint32_t reg;
	size_t nr;
	int status;

	if (!parse_number(request->words[1], &value))
		return options_bad(request->command,
				   "invalid value '%s'; valid: a number, such as 0x7",
				   request->words[1]);
	if (!find_register(request, request->words[0], &reg))
		return STATUS_USAGE;
	ops = make_ops(request, &reg, 1, &nr);
	if (!ops)
		return STATUS_FAILED;
	status = write_ops(request, ops, nr, value);
	free(ops);
	return status;
}

static int run_restore(const struct msr_request *request)
{
	const int nr = kermon_msr_restore(request->msr);

	if (nr < 0)
		return say(request, kermon_msr_error(request->msr));
	msr_show_restored(request, nr);
	return STATUS_OK;
}

static int run_action(const struct msr_request *request, enum action action)
{
	switch (action) {
	case ACTION_READ:
		return run_read(request);
	case ACTION_WRITE:
		return run_write(request);
	case ACTION_RESTORE:
		return run_restore(request);
	default:
		return msr_show_list(request, request->words[0]);
	}
}

/* Parse the list of CPUs. Return: their number; 0: it is not valid. */
static uint32_t parse_cpus(const char *text, uint32_t cpus[KERMON_MSR_MAX_CPUS])
{
	unsigned int cpu, last;
	uint32_t nr = 0;

	while (cpulist_next(&text, &cpu, &last))
		for (; cpu <= last; cpu++) {
			if (nr == KERMON_MSR_MAX_CPUS)
				return 0;
			cpus[nr++] = cpu;
		}
	return *text ? 0 : nr;
}

static int open_and_run(struct msr_request *request,
			const struct arguments *arguments, enum action action)
{
	uint32_t cpus[KERMON_MSR_MAX_CPUS];
	struct kermon_msr_options options = {
		.size = sizeof(options),
		.flags = actions[action].flags,
		.cpus = cpus,
	};
	struct kermon_msr_error error;
	struct kermon_msr_info info;
	int status;

	if (arguments->cpus) {
		options.nr_cpus = parse_cpus(arguments->cpus, cpus);
		if (!options.nr_cpus)
			return options_bad(request->command,
					   "invalid list of CPUs '%s'; valid: numbers and ranges, such as 0-3,8",
					   arguments->cpus);
	}
	if (kermon_msr_open(&request->msr, &options, &error))
		return say(request, &error);
	kermon_msr_info(request->msr, &info);
	if (info.recovered)
		message(request->command->name,
			"restored %u register%s that a helper had left when it was killed",
			info.recovered, kermon_plural(info.recovered));
	status = run_action(request, action);
	kermon_msr_close(request->msr);
	return status;
}

static const struct option_spec options_of_msr[] = {
	{ 'C', "cpu", "CPU,...", "only these CPUs: 0-3,8",
	  VALUE(text, struct arguments, cpus) },
	GROUP(json, struct arguments, json),
	{}
};

static int run_msr(const struct command *command, int argc, char **argv)
{
	struct msr_request request = { .command = command };
	struct arguments arguments = { 0 };
	struct options options;
	const char *word;
	int action;

	if (!options_parse(&options, command, argc, argv, &arguments))
		return options.status;
	word = options.operands[0];
	if (!word)
		return options_bad(command, "need an action: read, write, list or restore");
	action = value_find(&value_action, word, strlen(word));
	if (action < 0) {
		value_unknown(&options, &value_action, word, strlen(word));
		return options.status;
	}
	if (options.nr_operands - 1 < actions[action].least ||
	    options.nr_operands - 1 > actions[action].most)
		return options_bad(command, "'%s' requires %s", word,
				   actions[action].wanted);
	if (action == ACTION_LIST && arguments.cpus)
		return options_bad(command, "'list' is the same for all CPUs; leave out '--cpu'");
	request.words = options.operands + 1;
	request.json = arguments.json;
	return open_and_run(&request, &arguments, action);
}

const struct command msr_command = {
	.name = "msr",
	.synopsis = "read|write|list|restore [OPTION]... [REGISTER]... [VALUE]",
	.summary = "Read and write model-specific registers",
	.options = options_of_msr,
	.operand = &value_action,
	.max_operands = MAX_OPERANDS,
	.completed_operands = 1,
	.run = run_msr,
};
