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
	expect_line err "no command 'frobnicate'"
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
		expect_line err "kermon $command: option '--frobnicate' is not known"
		kermon "$command" -Z
		expect_status 129
		expect_line err "option '-Z' is not known"
		expect_line err "try 'kermon $command --help'"
	done
}

test_arguments_of_options()
{
	kermon run -e
	expect_status 129
	expect_line err "option '-e' needs an argument"
	kermon run --output
	expect_status 129
	expect_line err "option '--output' needs an argument"
	kermon run --quiet=yes true
	expect_status 129
	expect_line err "option '--quiet=yes' takes no argument"
}

# The invalid option is named, not the preceding one.
test_unknown_letter_behind_long_option()
{
	local words

	for words in "--no-pager -n20" "--no-pager -n" "--input=file -n20" \
		"file --no-pager -n20" "-i file -n"; do
		# shellcheck disable=SC2086	# words
		kermon report $words
		expect_status 129
		expect_line err "option '-n' is not known"
	done
	kermon help --words -wx
	expect_line err "option '-w' is not known"
	kermon report -n20 --no-pager=x
	expect_line err "option '-n' is not known"
	kermon report --no-pager=x -n20
	expect_line err "option '--no-pager=x' takes no argument"
	kermon report --no-pager -s
	expect_line err "option '-s' needs an argument"
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
	expect_line err "option '--frobnicate' is not known"
	kermon diff --json -- one --frobnicate
	expect_status 1
	expect_line err 'one: no such file'
	expect_no_line err ' -i '
	kermon run -- nosuchcommand --frobnicate
	expect_no_line err 'is not known'
	kermon run nosuchcommand --frobnicate
	expect_no_line err 'is not known'
}

test_too_many_words()
{
	kermon status now
	expect_status 129
	kermon list a b
	expect_status 129
	kermon list -v -n
	expect_status 129
	kermon status -j -f
	expect_status 129
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
