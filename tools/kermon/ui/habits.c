// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of what users of perf type without thinking, and what to type instead. An option
 * or a command that is not supported is looked up here before similar names are suggested.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "habits.h"

/**
 * struct habit - an option of perf that commands of kermon lack
 * @commands: the commands, separated by commas
 * @letter: short form; 0 if there is none
 * @name: long form, without "--"
 * @advice: what to do instead
 */
struct habit {
	const char *commands;
	char letter;
	const char *name;
	const char *advice;
};

#define SHOWS_BUILD_IDS							\
	"use 'kermon header FILE' for build ids, 'kermon script -F ip,sym,dso FILE' for addresses"
#define BY_PERF_RECORD							\
	"use 'perf record', whose files kermon reads: KerMon's samples have counts alone"
#define IS_RECORDED	"leave it out: every sample of KerMon has it"
#define NO_DISASSEMBLY	"use 'perf annotate -i FILE', which reads the same file"
#define NO_TRACE							\
	"use 'perf inject --itrace -i FILE -o OTHER', and read the file OTHER"
#define NO_SCRIPTS							\
	"use 'perf script', or write a program with <kermon/profile.h>"

static const struct habit options[] = {
	{ "report,diff,script", 'D', "dump-raw-trace", "use 'kermon dump FILE'" },
	{ "report,script", 'I', "show-info", "use 'kermon header FILE'" },
	{ "report,diff,script", 'v', "verbose", SHOWS_BUILD_IDS },
	{ "report,diff", 'm', "modules",
	  "leave it out: modules always have symbols" },
	{ "report,diff", 0, "percentage",
	  "leave it out: percentages are always relative to the samples that pass the filters" },
	{ "report,script", 0, "demangle",
	  "leave it out: names are demangled unless '--no-demangle' is given" },
	{ "report,script", 0, "itrace", NO_TRACE },

	{ "report", 0, "stats", "use 'kermon check FILE'" },
	{ "report", 0, "tasks", "use 'kermon script --show-task-events FILE'" },
	{ "report", 0, "mmaps", "use 'kermon script --show-mmap-events FILE'" },
	{ "report", 'F', "fields",
	  "use '-s KEY,...' to choose keys, '-n' for samples; all events have columns" },
	{ "report", 0, "hierarchy",
	  "use '-s KEY,...': each combination of keys has a row" },
	{ "report", 0, "tui", "leave it out: output is text, in a pager" },
	{ "report", 0, "gtk",
	  "use 'kermon export -f firefox FILE' for a graphical viewer" },
	{ "report", 'p', "parent",
	  "use '-S FUNCTION -g callee': callers are shown below the row" },
	{ "report", 'x', "exclude-other", "use '-S FUNCTION'" },
	{ "report", 'b', "branch-stack", "use '-s symbol_from,symbol_to'" },
	{ "report", 0, "mem-mode", "use '-s mem,sym,symbol_daddr,dso_daddr'" },
	{ "report", 'T', "threads",
	  "leave it out: the first table has the events of each thread" },
	{ "report", 'U', "hide-unresolved",
	  "use 'kermon report --csv FILE' and filter out '[unknown]'" },
	{ "report", 'w', "column-widths",
	  "use '-t CHARACTER', whose columns have no width" },
	{ "report", 0, "group", "leave it out: each event has its own column" },
	{ "report", 0, "symbol-filter", "use '-S FUNCTION'" },
	{ "report", 'M', "disassembler-style", NO_DISASSEMBLY },
	{ "report", 0, "source", NO_DISASSEMBLY },
	{ "report", 0, "objdump", NO_DISASSEMBLY },

	{ "script", 0, "header", "use 'kermon header FILE'" },
	{ "script", 0, "header-only", "use 'kermon header FILE'" },
	{ "script", 's', "script", NO_SCRIPTS },
	{ "script", 'g', "gen-script", NO_SCRIPTS },
	{ "script", 'l', "list", NO_SCRIPTS },
	{ "script", 'a', "all-cpus", "leave it out: all CPUs are printed" },
	{ "script", 0, "insn-trace", NO_TRACE },
	{ "script", 0, "call-trace", NO_TRACE },

	{ "diff", 'b', "baseline-only",
	  "use '--json', and omit rows whose first value is 0" },
	{ "diff", 'F', "formula",
	  "leave it out: the first lines tell what the columns mean" },
	{ "diff", 'o', "order", "use '-c': rows are sorted by it" },
	{ "diff", 'p', "period", "leave it out: the last columns are the sums" },
	{ "diff", 'q', "quiet", "use '--json'" },
	{ "diff", 't', "field-separator", "use '--json'" },

	{ "run,attach", 'F', "freq",
	  "use '--interval TIME'; a thread that leaves a CPU always has a sample" },
	{ "run,attach", 'c', "count",
	  "use '--interval TIME'; a thread that leaves a CPU always has a sample" },
	{ "run,attach", 'g', "call-graph", BY_PERF_RECORD },
	{ "run,attach", 'b', "branch-any", BY_PERF_RECORD },
	{ "run,attach", 'j', "branch-filter", BY_PERF_RECORD },
	{ "run,attach", 'd', "data", BY_PERF_RECORD },
	{ "run,attach", 'W', "weight", BY_PERF_RECORD },
	{ "run,attach", 'R', "raw-samples", BY_PERF_RECORD },
	{ "run,attach", 'a', "all-cpus",
	  "use 'perf record -a': KerMon records an application, on all CPUs" },
	{ "run,attach", 'u', "uid", "use 'kermon attach -p PID'" },
	{ "run", 'p', "pid", "use 'kermon attach -p PID'" },
	{ "run", 't', "tid", "use 'kermon attach -t TID'" },
	{ "run,attach", 'C', "cpu", "use 'kermon report -C CPU' afterwards" },
	{ "run,attach", 'D', "delay",
	  "use 'kermon report --time FROM,TO' afterwards, or 'kermon attach -p PID' later" },
	{ "run,attach", 'T', "timestamp", IS_RECORDED },
	{ "run,attach", 'P', "period", IS_RECORDED },
	{ "run,attach", 's', "stat", IS_RECORDED },
	{ "run,attach", 0, "sample-cpu", IS_RECORDED },
	{ "run,attach", 0, "all-user",
	  "leave it out: without '-k' only user mode is counted" },
	{ "run,attach", 'S', "snapshot",
	  "use '--overwrite', and send SIGUSR2 to write what there is" },
	{ "run,attach", 0, "switch-output",
	  "use '--overwrite', and send SIGUSR2 to write what there is" },
	{ "run", 'i', "no-inherit", "use 'kermon report --pid PID' afterwards" },
	{ "run,attach,stat", 'v', "verbose",
	  "use 'kermon status', which says what is missing" },

	{ "stat", 'a', "all-cpus",
	  "use 'perf stat -a': KerMon counts an application, on all CPUs" },
	{ "stat", 'p', "pid",
	  "use 'kermon attach -p PID', and 'kermon report' afterwards" },
	{ "stat", 't', "tid",
	  "use 'kermon attach -t TID', and 'kermon report' afterwards" },
	{ "stat", 'I', "interval-print",
	  "use 'kermon run', and 'kermon report -s time --time-quantum TIME' afterwards" },
	{ "stat", 'd', "detailed",
	  "use '-e set2' for caches; 'kermon list' shows all sets and events" },
	{ "stat", 'x', "field-separator", "use '--json'" },
	{ "stat", 'C', "cpu",
	  "use 'kermon run', and 'kermon report -C CPU' afterwards" },
	{}
};

/* Commands of perf that kermon lacks. */
static const struct {
	const char *name;
	const char *advice;
} commands[] = {
	{ "annotate", "use 'kermon report -s sym,srcline FILE', or 'perf annotate -i FILE'" },
	{ "buildid-list", "use 'kermon header FILE'" },
	{ "c2c", "use 'perf c2c report -i FILE'" },
	{ "data", "use 'kermon export FILE'" },
	{ "evlist", "use 'kermon header FILE'" },
	{ "inject", "use 'perf inject -i FILE -o OTHER', and read the file OTHER" },
	{ "kmem", "use 'perf kmem -i FILE stat'" },
	{ "lock", "use 'perf lock -i FILE report'" },
	{ "mem", "use 'kermon report -s mem,sym,symbol_daddr,dso_daddr FILE' after 'perf mem record'" },
	{ "probe", "use 'perf probe', and read the recording with 'kermon script'" },
	{ "sched", "use 'perf sched -i FILE latency', or 'kermon script --show-switch-events FILE'" },
	{ "timechart", "use 'kermon export -f firefox FILE'" },
	{ "top", "use 'kermon status --follow', or 'perf top'" },
	{ "trace", "use 'perf trace', and read the recording with 'kermon script'" },
};

static bool is_listed(const char *list, const char *name)
{
	size_t length;

	for (;; list += length + 1) {
		length = strcspn(list, ",");
		if (length == strlen(name) && !strncmp(list, name, length))
			return true;
		if (!list[length])
			return false;
	}
}

static bool is_called(const struct habit *habit, const char *token)
{
	size_t length;

	if (token[1] != '-')
		return habit->letter && habit->letter == token[1];
	length = strcspn(token + 2, "=");
	return strlen(habit->name) == length &&
	       !strncmp(habit->name, token + 2, length);
}

const char *habits_option(const char *command, const char *token)
{
	const struct habit *habit;

	for (habit = options; habit->commands; habit++)
		if (is_listed(habit->commands, command) &&
		    is_called(habit, token))
			return habit->advice;
	return NULL;
}

const char *habits_command(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, name))
			return commands[i].advice;
	return NULL;
}

const char *habits_alias(const char *name)
{
	return strcmp(name, "record") ? name : "run";
}
