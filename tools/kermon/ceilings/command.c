// SPDX-License-Identifier: GPL-2.0
/* kermon roofline bench: measures the ceilings of this machine. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "bench.h"
#include "machine/hypervisor.h"
#include "ui/command.h"
#include "ui/common_options.h"
#include "ui/message.h"
#include "ui/options.h"
#include "ui/output.h"
#include "ui/values.h"

/**
 * struct arguments - of the command line
 * @selection: what to measure
 * @list: print what would be measured
 * @json: print JSON
 * @theoretical: print ceilings from documentation of this CPU; "": of this machine's
 * @output: file to write to
 */
struct arguments {
	struct selection selection;
	bool list;
	bool json;
	const char *theoretical;
	const char *output;
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	(void)number;
	stop = 1;
}

static const char *name_of_isa(size_t index)
{
	return index < NR_ISAS ? isa_names[index] : NULL;
}

static const char *name_of_level(size_t index)
{
	return index <= NR_LEVELS ? level_names[index] : NULL;
}

#define VALUE_isas	unsigned int
#define VALUE_levels	unsigned int

static const struct value_type value_isas = {
	.what = "instruction set",
	.whats = "instruction sets",
	.separators = ",",
	.name = name_of_isa,
	.take = value_take_names,
};

static const struct value_type value_levels = {
	.what = "level",
	.whats = "levels",
	.separators = ",",
	.name = name_of_level,
	.take = value_take_names,
};

static int by_number(const void *one, const void *other)
{
	const unsigned int a = *(const unsigned int *)one, b = *(const unsigned int *)other;

	return a < b ? -1 : a > b;
}

/* Sort them, each once. */
static void sort_threads(struct selection *selection)
{
	unsigned int *threads = selection->threads, nr = 0;

	qsort(threads, selection->nr_threads, sizeof(threads[0]), by_number);
	for (unsigned int i = 0; i < selection->nr_threads; i++)
		if (!i || threads[i] != threads[i - 1])
			threads[nr++] = threads[i];
	selection->nr_threads = nr;
}

/* Numbers of threads, which are checked when the CPUs are known. */
static void take_threads(struct options *options, const struct option_spec *spec, void *to)
{
	struct selection *selection = to;
	const char *text = options->value;
	unsigned long number;
	char *end;

	(void)spec;
	for (selection->nr_threads = 0;; text = end + 1) {
		errno = 0;
		number = strtoul(text, &end, 10);
		if (*text < '0' || *text > '9' || (*end && *end != ',') || errno ||
		    !number || number > INT32_MAX || selection->nr_threads == MOST_COUNTS) {
			options_stop(options, "invalid numbers of threads '%s'; valid: up to %d numbers, such as 1,4",
				     options->value, MOST_COUNTS);
			return;
		}
		selection->threads[selection->nr_threads++] = number;
		if (!*end)
			break;
	}
	sort_threads(selection);
}

#define VALUE_threads	struct selection

static const struct value_type value_threads = {
	.what = "number of threads",
	.whats = "numbers",
	.take = take_threads,
};

static const char *name_of_processor(size_t index)
{
	return index ? NULL : "i7-3770K";
}

/* The argument follows the option immediately. */
static bool is_processor(const char *word)
{
	(void)word;
	return false;
}

static void take_processor(struct options *options, const struct option_spec *spec, void *to)
{
	(void)spec;
	*(const char **)to = options->value ? options->value : "";
}

#define VALUE_processor	const char *

static const struct value_type value_processor = {
	.what = "CPU",
	.whats = "CPUs",
	.name = name_of_processor,
	.is_value = is_processor,
	.take = take_processor,
};

static const struct option_spec options_of_bench[] = {
	{ 0, "theoretical", "[CPU]", "print ceilings from documentation instead",
	  VALUE(processor, struct arguments, theoretical) },
	{ 0, "quick", NULL, "measure fewer ceilings, and less exactly",
	  VALUE(flag, struct arguments, selection.quick) },
	{ 0, "list", NULL, "print what would be measured",
	  VALUE(flag, struct arguments, list) },
	{ 0, "threads", "N,...", "measure with these numbers of threads",
	  VALUE(threads, struct arguments, selection),
	  .preset = "1, all cores and all hardware threads" },
	{ 0, "isa", "NAME,...", "measure only these instruction sets",
	  VALUE(isas, struct arguments, selection.isas) },
	{ 0, "level", "NAME,...", "measure only these levels of memory, or peaks",
	  VALUE(levels, struct arguments, selection.levels) },
	OUTPUT_OPTION(struct arguments, output, "where 'kermon roofline' looks for it"),
	GROUP(json, struct arguments, json),
	{}
};

static const struct option_conflict bench_conflicts[] = {
	{ "list", "theoretical" },
	{ "quick", "theoretical" },
	{ "list", "output" },
	{ "list", "json" },
	{}
};

static void catch_signals(void)
{
	static const int stopping[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction action = { .sa_handler = on_signal };
	struct sigaction before;

	for (size_t i = 0; i < sizeof(stopping) / sizeof(stopping[0]); i++)
		if (!sigaction(stopping[i], NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(stopping[i], &action, NULL);
}

static int out_of_memory(const struct bench *bench)
{
	message(bench->command->name, "out of memory");
	return STATUS_FAILED;
}

/* More threads than CPUs would measure how they take turns. */
static bool check_threads(const struct bench *bench)
{
	const struct selection *selection = &bench->selection;
	const unsigned int most = selection->nr_threads ?
				  selection->threads[selection->nr_threads - 1] : 0;

	if (most <= bench->placement.nr)
		return true;
	message(bench->command->name, "%u threads need as many CPUs; this process may use %u",
		most, bench->placement.nr);
	message_hint("see taskset(1) for the CPUs of a process");
	return false;
}

static void print_list(const struct bench *bench)
{
	const struct ceiling *ceiling = bench->ceilings;

	for (; ceiling < bench->ceilings + bench->nr; ceiling++) {
		if (ceiling->kind == KERMON_CEILING_FLOPS)
			printf("peak\t%s\t%s", precision_names[ceiling->precision],
			       operation_names[ceiling->operation]);
		else
			printf("%s\t%s\t%s", level_names[ceiling->level],
			       pattern_names[ceiling->pattern],
			       ceiling->huge ? "2M" : "4K");
		printf("\t%s\t%u\n", isa_names[ceiling->isa], ceiling->threads);
	}
}

/* Make the folders of a path below the home. Return: 0 or -errno. */
static int make_folders(char *path)
{
	int err = 0;

	for (char *slash = strchr(path + 1, '/'); !err && slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			err = -errno;
		*slash = '/';
	}
	return err;
}

/* Whether everything was selected. */
static bool is_whole(const struct bench *bench, const struct arguments *arguments)
{
	return bench->selection.levels == ALL_LEVELS && bench->selection.isas == ALL_ISAS &&
	       !arguments->selection.nr_threads;
}

/* Whether it is that of the machine, not of the CPUs that were left to this process. */
static bool has_all_cpus(const struct bench *bench, const struct arguments *arguments)
{
	const bool is_named = arguments->theoretical && *arguments->theoretical;

	return is_named || bench->placement.nr >= bench->machine.cpus;
}

/* Whether ceilings at @path were measured without --quick. */
static bool is_careful(const char *path)
{
	struct kermon_ceilings_error error;
	struct kermon_ceilings *ceilings;
	bool careful;

	if (kermon_ceilings_read(&ceilings, path, &error))
		return false;
	careful = !kermon_ceilings_is_quick(ceilings);
	kermon_ceilings_free(ceilings);
	return careful;
}

static int save(const struct bench *bench, const char *path)
{
	const int err = output_write(path, file_print, bench);

	if (!err)
		return STATUS_OK;
	message(bench->command->name, "cannot write %s: %s", path, output_reason(err));
	return STATUS_FAILED;
}

static int save_default(const struct bench *bench)
{
	char path[KERMON_CEILINGS_PATH];
	int err = kermon_ceilings_default_path(&bench->machine, bench->theoretical, path);

	if (!err)
		err = make_folders(path);
	if (err) {
		message(bench->command->name, "cannot save the ceilings: %s",
			err == -ENOENT ? "neither $XDG_DATA_HOME nor $HOME is set" :
					 strerror(-err));
		message_hint("use --output FILE");
		return STATUS_FAILED;
	}
	if (bench->selection.quick && is_careful(path)) {
		fprintf(stderr, "Not saved, as %s was measured without --quick: omit it to replace that file, or use --output FILE.\n",
			path);
		return STATUS_OK;
	}
	if (save(bench, path))
		return STATUS_FAILED;
	fprintf(stderr, "Saved as %s\n", path);
	return STATUS_OK;
}

/* Save what others are to find: the result of the whole machine. */
static int save_whole(const struct bench *bench, const struct arguments *arguments)
{
	if (!is_whole(bench, arguments))
		fprintf(stderr, "Not saved, as only a part was measured; --output FILE saves it.\n");
	else if (!has_all_cpus(bench, arguments))
		fprintf(stderr, "Not saved, as this process may use only %u of %u CPUs; --output FILE saves it.\n",
			bench->placement.nr, bench->machine.cpus);
	else
		return save_default(bench);
	return STATUS_OK;
}

/* Print the result; save it where the user wants it, or else where it is looked for. */
static int deliver(const struct bench *bench, const struct arguments *arguments)
{
	const bool to_stdout = arguments->output && !strcmp(arguments->output, "-");
	int status = STATUS_OK;

	if (arguments->json || to_stdout)
		file_print(bench, stdout);
	else
		text_print(bench, stdout);
	fflush(stdout);
	if (to_stdout)
		status = STATUS_OK;
	else if (arguments->output)
		status = save(bench, arguments->output);
	else if (!bench->interrupted)
		status = save_whole(bench, arguments);
	if (!bench->interrupted)
		return status;
	message(bench->command->name, "interrupted: %s", arguments->output ?
		"the result is marked as incomplete" :
		"the result is incomplete and was not saved");
	return STATUS_FAILED;
}

static bool has_result(const struct bench *bench)
{
	for (size_t i = 0; i < bench->nr; i++)
		if (bench->ceilings[i].state == STATE_MEASURED)
			return true;
	return false;
}

static int run_measurement(struct bench *bench, const struct arguments *arguments)
{
	int err;

	catch_signals();
	err = bench_run(bench, &stop);
	if (err) {
		message(bench->command->name, "cannot measure: %s", strerror(-err));
		return STATUS_FAILED;
	}
	if (!has_result(bench)) {
		message(bench->command->name, bench->interrupted ?
			"interrupted: nothing was measured" : "nothing could be measured");
		for (size_t i = 0; i < bench->notes.nr; i++)
			message_hint("%s", bench->notes.all[i]);
		return STATUS_FAILED;
	}
	checks_note(bench);
	return deliver(bench, arguments);
}

static int run_theory(struct bench *bench, const struct arguments *arguments)
{
	const char *name = *arguments->theoretical ? arguments->theoretical : NULL;
	int status;

	bench->theoretical = true;
	status = theory_make(bench, name);
	return status ? status : deliver(bench, arguments);
}

static int run_planned(struct bench *bench, const struct arguments *arguments)
{
	if (arguments->theoretical)
		return run_theory(bench, arguments);
	if (!check_threads(bench))
		return STATUS_USAGE;
	if (bench_plan(bench))
		return out_of_memory(bench);
	if (!bench->nr) {
		message(bench->command->name, "this CPU has none of these instruction sets");
		return STATUS_FAILED;
	}
	if (!arguments->list)
		return run_measurement(bench, arguments);
	print_list(bench);
	return STATUS_OK;
}

static void describe_machine(struct bench *bench)
{
	char hypervisor[HYPERVISOR_SIZE];

	kermon_machine_here(&bench->machine);
	hypervisor_name(hypervisor);
	bench->is_virtual = *hypervisor;
	bench->is_model = hypervisor_is_emulator(hypervisor);
	bench->started = time(NULL);
}

static int run_bench(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.selection = { .levels = ALL_LEVELS, .isas = ALL_ISAS },
	};
	struct bench bench = { .command = command };
	struct options options;
	int status, err = 0;

	if (!options_parse(&options, command, argc, argv, &arguments))
		return options.status;
	if (arguments.output && strcmp(arguments.output, "-"))
		err = output_check_export(arguments.output);
	if (err) {
		message(command->name, "cannot write %s: %s", arguments.output,
			output_reason(err));
		return STATUS_FAILED;
	}
	bench.selection = arguments.selection;
	describe_machine(&bench);
	err = placement_find(&bench.placement);
	if (err) {
		message(command->name, "cannot find the CPUs of this machine: %s",
			strerror(-err));
		return STATUS_FAILED;
	}
	status = run_planned(&bench, &arguments);
	placement_free(&bench.placement);
	free(bench.ceilings);
	notes_free(&bench.notes);
	return status;
}

const struct command roofline_bench_command = {
	.name = "roofline-bench",
	.synopsis = "[OPTION]...",
	.summary = "Measure the peak performance and the bandwidths of this machine",
	.options = options_of_bench,
	.conflicts = bench_conflicts,
	.run = run_bench,
};
