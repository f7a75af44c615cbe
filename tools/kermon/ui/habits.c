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
	"use 'perf record', whose files kermon reads"
#define IS_RECORDED	"leave it out: every sample of KerMon has it"
#define NO_DISASSEMBLY	"use 'perf annotate -i FILE', which reads the same file"
#define NO_TRACE							\
	"use 'perf inject --itrace -i FILE -o OTHER', and read the file OTHER"
#define NO_SCRIPTS							\
	"use 'perf script', or write a program with <kermon/profile.h>"

#define BY_PERF_TOP							\
	"use 'perf top' for functions; kermon shows threads, which it counts exactly"

#define BY_CPU								\
	"use 'kermon run', and 'kermon report -s cpu' afterwards; for all programs, 'perf stat -a'"
#define BY_PERF_STAT	"use 'perf stat', which has the same option"
#define SHOWS_METRICS							\
	"leave it out: IPC, rates, FLOP/s and bandwidth are shown beside the events of '-e'"

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

	{ "run,attach", 'b', "branch-any", BY_PERF_RECORD },
	{ "run,attach", 'j', "branch-filter", BY_PERF_RECORD },
	{ "run,attach", 'd', "data", BY_PERF_RECORD },
	{ "run,attach", 'W', "weight", BY_PERF_RECORD },
	{ "run,attach", 'R', "raw-samples", BY_PERF_RECORD },
	{ "run,attach", 'u', "uid", "use 'kermon attach -p PID'" },
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

	{ "stat", 'a', "all-cpus", "use 'kermon spy', which counts per CPU" },
	{ "stat", 'p', "pid",
	  "use 'kermon attach -p PID', and 'kermon report' afterwards" },
	{ "stat", 't', "tid",
	  "use 'kermon attach -t TID', and 'kermon report' afterwards" },
	{ "stat", 'I', "interval-print",
	  "use 'kermon run', and 'kermon report -s time --time-quantum TIME' afterwards" },
	{ "stat", 'd', "detailed",
	  "use '-e set2' for caches; 'kermon list' shows all sets and events" },
	{ "stat", 'x', "field-separator", "use '--json'" },
	{ "stat", 'C', "cpu", "use 'kermon spy -C CPU'" },
	{ "stat", 'A', "no-aggr", BY_CPU },
	{ "stat", 0, "per-core", BY_CPU },
	{ "stat", 0, "per-die", BY_CPU },
	{ "stat", 0, "per-node", BY_CPU },
	{ "stat", 0, "per-socket", BY_CPU },
	{ "stat", 0, "percore-show-thread", BY_CPU },
	{ "stat", 'B', "big-num",
	  "leave it out: numbers have separators in text, and none with '--json'" },
	{ "stat", 'D', "delay",
	  "use 'kermon run', and 'kermon report --time FROM,TO' afterwards" },
	{ "stat", 0, "control",
	  "use 'kermon run', and 'kermon report --time FROM,TO' afterwards" },
	{ "stat", 0, "interval-count",
	  "use 'kermon run', and 'kermon report -s time --time-quantum TIME' afterwards" },
	{ "stat", 0, "interval-clear", "use 'kermon top'" },
	{ "stat", 0, "summary", "leave it out: sums are always printed" },
	{ "stat", 'G', "cgroup", BY_PERF_STAT },
	{ "stat", 0, "for-each-cgroup", BY_PERF_STAT },
	{ "stat", 0, "cputype", BY_PERF_STAT },
	{ "stat", 0, "hybrid-merge", BY_PERF_STAT },
	{ "stat", 0, "no-merge", BY_PERF_STAT },
	{ "stat", 0, "iostat", BY_PERF_STAT },
	{ "stat", 0, "smi-cost", BY_PERF_STAT },
	{ "stat", 0, "topdown", BY_PERF_STAT },
	{ "stat", 0, "td-level", BY_PERF_STAT },
	{ "stat", 'T', "transaction", BY_PERF_STAT },
	{ "stat", 'M', "metrics", SHOWS_METRICS },
	{ "stat", 0, "metric-only", "use '--json'" },
	{ "stat", 0, "metric-no-group", SHOWS_METRICS },
	{ "stat", 0, "metric-no-merge", SHOWS_METRICS },
	{ "stat", 'g', "group",
	  "leave it out: events are counted simultaneously, unless '[50.0%]' follows" },
	{ "stat", 0, "scale",
	  "leave it out: counts are scaled if '[50.0%]' follows, the share of the time" },
	{ "stat", 'i', "no-inherit",
	  "use 'kermon run', and 'kermon report --pid PID' afterwards" },
	{ "stat", 'n', "null",
	  "leave it out: elapsed, user and system time are the last lines" },
	{ "stat", 'S', "sync", "run 'sync' before" },
	{ "stat", 0, "pre", "run it before: one 'kermon stat' for each run" },
	{ "stat", 0, "post", "run it afterwards: one 'kermon stat' for each run" },
	{ "stat", 0, "timeout", "use 'kermon stat timeout 5 COMMAND', of coreutils" },
	{ "stat", 0, "table", "use '--json', with one 'kermon stat' for each run" },
	{ "stat", 0, "append", "use '-o -', and '>>FILE' of the shell" },
	{ "stat", 0, "log-fd", "use '-o /dev/fd/3'" },
	{ "stat", 0, "quiet", "use '-o /dev/null'" },
	{ "stat", 0, "no-csv-summary", "use '--json'" },
	{ "stat", 0, "all-kernel", "use '-e EVENT:k'" },
	{ "stat", 0, "all-user",
	  "leave it out: without '-k' only user mode is counted" },
	{ "stat", 0, "filter", BY_PERF_STAT },

	{ "top", 'a', "all-cpus", "leave it out: all threads are shown, on all CPUs" },
	{ "top", 'C', "cpu", "use 'kermon top -s cpu', which sorts by CPU" },
	{ "top", 'F', "freq", BY_PERF_TOP },
	{ "top", 'c', "count", BY_PERF_TOP },
	{ "top", 0, "call-graph", BY_PERF_TOP },
	{ "top", 0, "sym-annotate", BY_PERF_TOP },
	{ "top", 0, "stdio", "use '-b'" },
	{ "top", 0, "tui", "leave it out: without '-b' there is a live view" },
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
	{ "trace", "use 'perf trace', and read the recording with 'kermon script'" },
};

#define ALWAYS_SHOWN	"leave it out: 'kermon stat' always shows it"
#define GENERIC								\
	"use the CPU's own events, as listed by 'kermon list'; sets of these have names"

/* Beginnings of events of perf that kermon does not count by these names. */
static const struct {
	const char *name;
	const char *advice;
} events[] = {
	{ "task-clock", "leave it out: time on the CPU is always counted" },
	{ "cpu-clock", "leave it out: time on the CPU is always counted" },
	{ "context-switches", ALWAYS_SHOWN },
	{ "page-faults", ALWAYS_SHOWN },
	{ "faults", ALWAYS_SHOWN },
	{ "power/", "leave it out: energy is always counted, where the machine has counters" },
	{ "{", "leave out the braces: events are counted simultaneously if they fit" },
	{ "branch", GENERIC },
	{ "cache-", GENERIC },
	{ "bus-cycles", GENERIC },
	{ "stalled-cycles", GENERIC },
	{ "L1-", GENERIC },
	{ "LLC-", GENERIC },
	{ "dTLB-", GENERIC },
	{ "iTLB-", GENERIC },
	{ "node-", GENERIC },
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

static bool is_named(const struct habit *habit, const char *name)
{
	const size_t length = strcspn(name, "=");

	return strlen(habit->name) == length &&
	       !strncmp(habit->name, name, length);
}

/* perf has a negation of each option: --no-scale. */
static bool is_called(const struct habit *habit, const char *token)
{
	const char *name = token + 2;

	if (token[1] != '-')
		return habit->letter && habit->letter == token[1];
	return is_named(habit, name) ||
	       (!strncmp(name, "no-", 3) && is_named(habit, name + 3));
}

/* Not of perf, but a habit of who has used "kermon run": what works from the start alone. */
static bool is_of_start(const char *token)
{
	static const char *const names[] = {
		"regions", "region-include", "region-exclude", "iterations", "start-paused",
		"regions-wait", "ring",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_called(&(struct habit){ .name = names[i] }, token))
			return true;
	return false;
}

const char *habits_option(const char *command, const char *token)
{
	const struct habit *habit;

	if (!strcmp(command, "attach") && is_of_start(token))
		return "use 'kermon run': marks of regions are collected from the start of a program";
	command = habits_alias(command);
	for (habit = options; habit->commands; habit++)
		if (is_listed(habit->commands, command) &&
		    is_called(habit, token))
			return habit->advice;
	return NULL;
}

/* Modifiers of perf, but more than modes. */
static bool has_other_modifiers(const char *name)
{
	const char *modifiers = strrchr(name, ':');

	return modifiers && modifiers[1] && strpbrk(modifiers, "pPGHSDIWe") &&
	       !modifiers[1 + strspn(modifiers + 1, "ukhpPGHSDIWe")];
}

const char *habits_event(const char *name)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (!strncmp(events[i].name, name, strlen(events[i].name)))
			return events[i].advice;
	if (has_other_modifiers(name))
		return "modifiers are ':u', ':k' and ':uk'; 'perf record' has more precise events";
	return strchr(name, '/') ?
	       "use raw events, 'rUUEE': unit mask UU of event EE" : NULL;
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
