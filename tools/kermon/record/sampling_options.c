// SPDX-License-Identifier: GPL-2.0
/* The options that say what perf_event samples, how often, and of which tasks. */
#include <ctype.h>
#include <errno.h>
#include <kermon/sampling.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampling_options.h"
#include "ui/completion.h"
#include "util/cpulist.h"

/* The number that @text begins with, from 1 to @max; 0: it does not. */
static uint64_t take_number(const char **text, uint64_t max)
{
	unsigned long long number;
	char *end;

	if (!isdigit((unsigned char)**text))
		return 0;
	errno = 0;
	number = strtoull(*text, &end, 10);
	*text = end;
	return errno || number > max ? 0 : number;
}

static void take_freq(struct options *options, const struct option_spec *spec,
		      void *to)
{
	const char *text = options->value;
	uint64_t *freq = to;

	(void)spec;
	*freq = strcmp(text, "max") ? take_number(&text, INT32_MAX) : SAMPLING_MAX_FREQ;
	if (!*freq || (*text && *freq != SAMPLING_MAX_FREQ))
		options_stop(options, "invalid frequency '%s' for '%s'; valid: 1 to %d, or max",
			     options->value, options->token, INT32_MAX);
}

static void complete_freq(struct completion *completion)
{
	completion_offer(completion, "max", NULL);
}

static const struct value_type value_freq = {
	.take = take_freq,
	.complete = complete_freq,
};

#define VALUE_freq	uint64_t

static void take_period(struct options *options, const struct option_spec *spec,
			void *to)
{
	const char *text = options->value;
	uint64_t *period = to;

	(void)spec;
	*period = take_number(&text, INT64_MAX);
	if (!*period || *text)
		options_stop(options, "invalid count '%s' for '%s'; valid: 1 to %lld",
			     options->value, options->token, (long long)INT64_MAX);
}

static const struct value_type value_period = { .take = take_period };

#define VALUE_period	uint64_t

#define STACK_DEFAULT	8192
#define STACK_MAX	65528

static const char *const chains_names[] = {
	[KERMON_CHAINS_NONE] = "none",
	[KERMON_CHAINS_FP] = "fp",
	[KERMON_CHAINS_DWARF] = "dwarf",
	NULL
};

/* Otherwise it is the COMMAND: perf's -g takes no argument, its --call-graph one of these. */
static bool is_chains(const char *word)
{
	static const char *const words[] = { "none", "no", "fp", "dwarf", "lbr" };
	const size_t length = strcspn(word, ",");

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == length && !strncmp(words[i], word, length))
			return true;
	return false;
}

static void take_stack(struct options *options, struct chains *chains,
		       const char *size)
{
	const char *text = size;

	chains->stack_bytes = take_number(&text, STACK_MAX);
	if (!chains->stack_bytes || *text)
		options_stop(options, "invalid stack size '%s' for '%s'; valid: 1 to %d bytes",
			     size, options->token, STACK_MAX);
	chains->stack_bytes = (chains->stack_bytes + 7) / 8 * 8;
}

static void take_chains(struct options *options, const struct option_spec *spec,
			void *to)
{
	const char *text = options->value ? options->value : "fp";
	const size_t length = strcspn(text, ",");
	struct chains *chains = to;
	const int kind = strcmp(text, "no") ?
			 value_find(spec->type, text, length) : KERMON_CHAINS_NONE;

	if (!strncmp(text, "lbr", length)) {
		options_stop(options, "'%s' with '%s' is not supported: use 'perf record', whose files kermon reads",
			     text, options->token);
		return;
	}
	if (kind < 0) {
		value_unknown(options, spec->type, text, length);
		return;
	}
	*chains = (struct chains){ .kind = kind };
	if (text[length] && kind != KERMON_CHAINS_DWARF)
		options_stop(options, "only dwarf has a size, as in 'dwarf,%d'",
			     STACK_DEFAULT);
	else if (kind == KERMON_CHAINS_DWARF)
		chains->stack_bytes = STACK_DEFAULT;
	if (text[length] && !options->done)
		take_stack(options, chains, text + length + 1);
}

static const struct value_type value_chains = {
	.what = "kind of call chains",
	.whats = "kinds",
	.names = chains_names,
	.is_value = is_chains,
	.take = take_chains,
};

#define VALUE_chains	struct chains

const struct option_spec sampling_options[] = {
	{ 'F', "freq", "FREQ", "sample FREQ times per second of each CPU, or 'max'",
	  VALUE(freq, struct sampling, freq), .preset = "4000" },
	{ 'c', "count", "COUNT",
	  "sample each time that the event has counted COUNT; ns of a clock",
	  VALUE(period, struct sampling, period) },
	{ 'g', "call-graph", "[KIND]",
	  "record call chains; by frame pointers if KIND is left out, dwarf[,BYTES] by a copy of the stack",
	  VALUE(chains, struct sampling, chains) },
	{}
};

/* As in perf, the last one of several lists applies. */
static void take_cpus(struct options *options, const struct option_spec *spec,
		      void *to)
{
	struct targets *targets = to;
	unsigned int *cpus;
	const int nr = cpulist_parse(options->value, &cpus);

	(void)spec;
	if (nr == -ENOMEM)
		options_stop(options, "out of memory");
	else if (nr < 0)
		options_stop(options, "invalid list of CPUs '%s' for '%s'; valid: '0,2-3'",
			     options->value, options->token);
	if (nr < 0)
		return;
	free(targets->cpus);
	targets->cpus = cpus;
	targets->nr_cpus = nr;
	targets->all = true;
}

static const struct value_type value_cpus = {
	.separators = ",",
	.take = take_cpus,
};

const struct option_spec target_options[] = {
	{ 'p', "pid", "PID,...", "record all threads of these processes",
	  VALUE(pids, struct targets, processes) },
	{ 't', "tid", "TID,...", "record only these threads",
	  VALUE(pids, struct targets, threads) },
	{ 'a', "all-cpus", NULL, "sample all tasks, on all CPUs",
	  VALUE(flag, struct targets, all) },
	{ 'C', "cpu", "CPU,...", "sample all tasks on these CPUs",
	  .type = &value_cpus },
	{}
};

bool targets_exist(const struct targets *targets)
{
	return targets->all || targets->processes.nr || targets->threads.nr;
}

void targets_free(struct targets *targets)
{
	pid_list_free(&targets->processes);
	pid_list_free(&targets->threads);
	free(targets->cpus);
	*targets = (struct targets){ 0 };
}
