#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon attach: invalid command lines. machine/attach.sh tests what it records.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

refuse()
{
	kermon attach "$@"
	expect_status 129
	expect_line err "try 'kermon attach --help'"
	[ ! -e perf.data ] || fail "perf.data was created: $*"
}

test_no_target()
{
	refuse
	expect_line err '-p PID, -t TID or -a is required'
	refuse --duration 1s
}

test_bad_target()
{
	local target

	for target in x 0 -1 1x 99999999999 '' 1,x '1,' ,1; do
		refuse -p "$target"
		expect_line err "invalid PID '$target' for '-p'"
		refuse --tid "$target"
		expect_line err "invalid TID '$target' for '--tid'"
	done
}

test_targets_that_exclude_each_other()
{
	refuse -p $$ -a
	expect_line err "'--pid' cannot be used with '--all-cpus'"
	refuse -C 0 -t $$
	expect_line err "'--tid' cannot be used with '--cpu'"
	refuse -p $$ -F 99 -c 1000
	expect_line err "'--freq' cannot be used with '--count'"
}

test_command()
{
	refuse -p $$ true
	expect_line err "unexpected argument 'true'$"
}

test_duration()
{
	local duration

	for duration in 0s 8761h; do
		refuse -p $$ --duration "$duration"
		expect_line err "'$duration' is out of range for '--duration'; valid: 1ns to 8760h"
	done
	for duration in x -1s 1min 1.5s ''; do
		refuse -p $$ --duration "$duration"
		expect_line err "invalid duration '$duration' for '--duration'; valid: a number followed by ns, us, ms, s, m or h"
	done
	for duration in 0 10; do
		refuse -p $$ --duration "$duration"
		expect_line err "duration '$duration' for '--duration' has no unit; append ns, us, ms, s, m or h"
	done
}

run_tests
