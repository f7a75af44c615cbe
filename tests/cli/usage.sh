#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Commands, help, options: main() and the option tables.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

commands()
{
	"$KERMON" help --words
}

test_no_command()
{
	kermon
	expect_status 129
	expect_line err '^Usage: kermon COMMAND'
	expect_empty out
}

test_unknown_command()
{
	kermon frobnicate
	expect_status 129
	expect_line err "unknown command 'frobnicate'"
}

# A prefix that is unique now may be ambiguous later.
test_names_are_exact()
{
	kermon stat
	expect_status 129
	kermon Status
	expect_status 129
}

test_version()
{
	kermon --version
	expect_status 0
	expect_line out '^kermon [0-9]+\.[0-9]+\.[0-9]+$'
}

# As perf has them.
test_version_of_perf_users()
{
	"$KERMON" --version >expected
	for word in version -v; do
		kermon "$word"
		expect_status 0
		cmp -s out expected || fail "'$word' and '--version' differ"
	done
}

# What perf calls "record" is "run" here.
test_record_is_run()
{
	kermon help run
	cp out help
	kermon record --help
	expect_status 0
	sed 's/kermon record/kermon run/' out | cmp -s - help ||
		fail "helps of run and record differ"
	kermon help record
	cmp -s out help || fail "'help record' differs"
	kermon help --complete -- record --ov
	expect_line out '^--overwrite'
	kermon help --words
	expect_no_line out '^record$'
	kermon help
	tr '\n' ' ' <out >line
	expect_line line "'record' is another name of 'run'"
	kermon record
	expect_status 129
	expect_line err '^kermon record: '
}

# What perf has and kermon has not comes with advice, instead of names that are similar.
test_words_of_perf()
{
	kermon report --stats
	expect_status 129
	expect_empty out
	printf '%s\n' "kermon report: option '--stats' is not supported" \
		"  use 'kermon check FILE'" >expected
	cmp -s err expected || fail "other advice"
	kermon report perf.data --hierarchy=yes
	expect_line err "option '--hierarchy=yes' is not supported"
	kermon script --ns -D
	expect_line err "option '-D' is not supported"
	kermon record -b true
	expect_line err "^kermon record: option '-b' is not supported$"
	kermon run true -b
	expect_no_line err 'not supported'
	kermon header --stats
	expect_line err "unknown option '--stats'"
	kermon evlist
	expect_status 129
	expect_line err "^kermon: command 'evlist' is not supported$"
	expect_line err "^  use 'kermon header FILE'$"
	kermon help trace
	expect_status 129
	expect_line err "command 'trace' is not supported"
}

test_help_lists_all()
{
	local command

	kermon --help
	expect_status 0
	cp out help
	kermon help
	cmp -s out help || fail "'help' and '--help' differ"
	for command in $(commands); do
		expect_line out "^  $command "
	done
}

test_help_of_each()
{
	local command

	for command in $(commands); do
		kermon "$command" --help
		expect_status 0
		expect_line out "^Usage: kermon $command"
		expect_line out '^  -h, --help'
		cp out help
		kermon "$command" -h
		cmp -s out help || fail "-h and --help of $command differ"
		kermon help "$command"
		cmp -s out help || fail "'help $command' differs"
	done
}

test_help_of_unknown()
{
	kermon help frobnicate
	expect_status 129
	kermon help run list
	expect_status 129
}

test_unknown_options()
{
	local command

	for command in $(commands); do
		kermon "$command" --frobnicate
		expect_status 129
		expect_line err "kermon $command: unknown option '--frobnicate'"
		kermon "$command" -Z
		expect_status 129
		expect_line err "unknown option '-Z'"
		expect_line err "try 'kermon $command --help'"
	done
}

# Before the command there are no options of commands.
test_options_before_the_command()
{
	kermon --verison
	expect_status 129
	expect_line err "^kermon: unknown option '--verison'$"
	expect_line err "did you mean '--version'"
	kermon --no-pager report
	expect_status 129
	expect_line err "^kermon: unknown option '--no-pager'$"
	expect_line err 'options of a command follow it'
}

# An unset variable of a shell must not look like a file.
test_empty_file_name()
{
	kermon report ''
	expect_status 129
	expect_line err '^kermon report: empty file name$'
	kermon script -i ''
	expect_status 129
	expect_line err '^kermon script: empty file name$'
}

test_values_say_what_is_valid()
{
	kermon report --pid 1,abc
	expect_status 129
	expect_line err "invalid list of processes '1,abc' for '--pid'; valid: numbers, separated by commas$"
	kermon report -C 3-1
	expect_line err "invalid CPU list '3-1' for '-C'; valid: numbers and ranges: 0-3,8$"
	kermon report --time foo
	expect_line err "invalid time range 'foo' for '--time'; valid: FROM,TO in seconds or as 2026-11-25 10:29:33, or 10%-20%$"
	kermon report --percent-limit 0x10
	expect_line err "invalid percentage '0x10' for '--percent-limit'; valid: 0 to 100$"
	kermon report -g 0x10
	expect_status 129
}

test_arguments_of_options()
{
	kermon run -e
	expect_status 129
	expect_line err "option '-e' requires an argument: SET\|EVENT,\.\.\."
	kermon run --output
	expect_status 129
	expect_line err "option '--output' requires an argument: FILE"
	kermon run --quiet=yes true
	expect_status 129
	expect_line err "option '--quiet=yes' takes no argument"
}

# The invalid option is named, not the preceding one.
test_unknown_letter_behind_long_option()
{
	local words

	for words in "--no-pager -y20" "--no-pager -y" "--input=file -y20" \
		"file --no-pager -y20" "-i file -y"; do
		# shellcheck disable=SC2086	# words
		kermon report $words
		expect_status 129
		expect_line err "unknown option '-y'"
	done
	kermon help --words -wx
	expect_line err "unknown option '-w'"
	kermon report -y20 --no-pager=x
	expect_line err "unknown option '-y'"
	kermon report --no-pager=x -y20
	expect_line err "option '--no-pager=x' takes no argument"
	kermon report --no-pager -s
	expect_line err "option '-s' requires an argument: KEY,..."
}

# Options are accepted anywhere, but those after the command of run belong to the command.
test_options_behind_words()
{
	kermon list nosuchevent --names
	expect_status 1
	expect_line err "no set or event has 'nosuchevent' in its name"
	kermon help run --words
	expect_status 0
	expect_line out '^--wait-all$'
	kermon diff one two --json --frobnicate
	expect_status 129
	expect_line err "unknown option '--frobnicate'"
	kermon diff --json -- one --frobnicate
	expect_status 1
	expect_line err 'one: no such file'
	expect_no_line err ' -i '
	kermon run -- nosuchcommand --frobnicate
	expect_no_line err 'unknown option'
	kermon run nosuchcommand --frobnicate
	expect_no_line err 'unknown option'
}

test_too_many_words()
{
	kermon status now
	expect_status 129
	kermon list a b
	expect_status 129
	kermon list -v -n
	expect_status 129
	kermon status -j --follow
	expect_status 129
}

# By what people do with them.
test_help_is_grouped()
{
	kermon help
	expect_status 0
	grep -oE '^([A-Z][a-z ]+:$|  [a-z]+)' out | xargs >groups
	expect_line groups '^Record: run attach stat spy top Report: report diff regions script roofline Convert: export readperf merge '
}

# A name that is nearly right is offered; one that is not like any is not.
test_near_names()
{
	kermon rum
	expect_line err "unknown command 'rum'$"
	expect_line err "did you mean 'run'"
	kermon help expart
	expect_line err "did you mean 'export'"
	kermon report --kallsym=x
	expect_status 129
	expect_line err "unknown option '--kallsym=x'$"
	expect_line err "did you mean '--kallsyms'"
	kermon report -s comm,simbol_from
	expect_line err "unknown sort key 'simbol_from'; valid keys: "
	expect_line err "did you mean 'symbol_from'"
	kermon diff -s thread one two
	expect_no_line err 'did you mean'
	kermon script -F +brstak
	expect_line err "unknown field 'brstak'; valid fields: "
	expect_line err "did you mean 'brstack'"
	kermon export -f prof
	expect_line err "unknown format 'prof'; valid formats: "
	expect_line err "did you mean 'pprof'"
	kermon run --sched inherits true
	expect_line err "unknown scheduling class 'inherits'; valid classes: kermon, inherit"
	expect_line err "did you mean 'inherit'"
	kermon report -g grahp
	expect_line err "did you mean 'graph'"
	kermon merge --color=allways one two
	expect_status 129
	expect_line err "did you mean 'always'"
}

# No line is wider than the terminal, whatever its width.
test_help_is_wrapped()
{
	local command width

	for command in "" $(commands); do
		for width in 50 60 80 132; do
			# shellcheck disable=SC2086	# a command or none
			COLUMNS=$width kermon help $command
			awk -v width="$width" 'length > width' out >wide
			expect_empty wide
		done
		# shellcheck disable=SC2086
		COLUMNS='' kermon help $command
		awk 'length > 80' out >wide
		expect_empty wide
	done
}

# Possible values, and what holds without the option.
test_help_says_values()
{
	COLUMNS=1000 kermon help export
	expect_line out '--format FORMAT .*: folded, pprof, firefox, perfetto, json \(default: folded\)$'
	expect_line out '--output FILE .* \(default: standard output\)$'
	COLUMNS=1000 kermon help report
	expect_line out '--color WHEN .*: auto, always, never \(default: auto'
	expect_line out '--sort KEY,\.\.\. .*: comm, pid, .*, dso_size \(default: '
	COLUMNS=1000 kermon help run
	expect_line out '--interval TIME .* \(default: 50ms\)$'
	expect_line out '--sched CLASS .*: kermon, inherit \(default: '
}

# FILE and -i FILE are the same, before and behind options.
test_recording_as_argument()
{
	local command

	for command in report regions script export readperf header dump check; do
		for words in "nosuch" "-i nosuch" "--input=nosuch" "nosuch -h" "-- nosuch"; do
			# shellcheck disable=SC2086	# words
			kermon "$command" $words
			[[ $words != *-h ]] || continue
			expect_status 1
			expect_line err '^kermon [a-z]+: nosuch: no such file'
		done
		kermon "$command" one -i two
		expect_status 129
		expect_line err "unexpected argument 'two'"
	done
	kermon diff one -i two
	expect_status 1
	expect_line err '^kermon diff: one: no such file'
	kermon diff -i one
	expect_status 129
	kermon merge -i one -o merged -i two
	expect_status 1
	kermon roofline one -i two
	expect_status 1
	expect_line err '^kermon roofline: one: no such file'
}

# A prefix of an option is none.
test_options_are_exact()
{
	kermon report --percent 5
	expect_status 129
	expect_line err "unknown option '--percent'"
	expect_line err "did you mean '--percent-limit'"
}

test_color()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.recording())'
	kermon report
	expect_no_line out $'\033'
	kermon report --color always
	expect_line out $'\033'
	NO_COLOR=1 kermon report --color=always
	expect_line out $'\033'
	script -qec "NO_COLOR=1 $KERMON report --no-pager" /dev/null >out </dev/null
	expect_no_line out $'\033'
	script -qec "$KERMON report --no-pager --color=never" /dev/null >out </dev/null
	expect_no_line out $'\033'
	script -qec "$KERMON report --no-pager" /dev/null >out </dev/null
	expect_line out $'\033'
	kermon diff --color=always perf.data perf.data
	expect_line out $'\033'
	kermon readperf --color=always
	expect_line out $'\033'
}

# Whatever the arguments are, the tool ends with a status of its own, and with a message
# unless it succeeded.
test_random_command_lines()
{
	python3 - "$KERMON" <<-'END' >out 2>err || fail "see err"
	import random, subprocess, sys
	def run(*words):
	    return subprocess.run([sys.argv[1], *words], capture_output=True, text=True,
	                          errors="replace", stdin=subprocess.DEVNULL)
	rows = [line.split("\t") for line in run("help", "--options").stdout.splitlines()]
	commands = sorted({row[0] for row in rows} - {"run", "attach", "stat", "spy", "cost", "status"})
	values = ["", "-", "--", "=", "a", "1", "-5", "10ms", "4K", "nan", "100%", "1,2", ",", ":",
	          "comm,pid", "comm,,", "+ip", "sw:", "\u00e9\x01", "x" * 300, "sym," * 200, "9" * 30]
	random.seed(17)
	for _ in range(60):
	    words = [random.choice(commands)]
	    for _ in range(random.randint(0, 5)):
	        row = random.choice([row for row in rows if row[0] == words[0]])
	        value = random.choice(values)
	        words += random.choice([[f"--{row[2]}"], [f"--{row[2]}", value], [f"--{row[2]}={value}"],
	                                [f"-{row[1]}{value}"], [value], ["-zz"], ["--help="]])
	    # without an error, it would measure this machine for minutes
	    words += ["-zz"] if words[0] == "roofline-bench" else []
	    for line in words, ["help", "--complete", "--", *words]:
	        done = run(*line)
	        if done.returncode not in (0, 1, 129) or done.returncode and not done.stderr:
	            sys.exit(f"{line}: status {done.returncode}\n{done.stderr}")
	END
}

# Output that cannot be printed is a failure.
test_full_disk()
{
	local command

	for command in help "list" "help --words"; do
		# shellcheck disable=SC2086	# words
		"$KERMON" $command >/dev/full 2>err
		status=$?
		expect_status 1
		expect_line err 'cannot write to standard output'
	done
}

run_tests
