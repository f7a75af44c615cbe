#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Of which tasks kermon record takes samples, on a kernel without KerMon: -p, -t, -a, -C.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

. "$(dirname "$0")/cli.bash"
. "$(dirname "$0")/record.bash"

test_processes()
{
	local pid first

	spin_on 2
	first=$pid
	spin_on
	kermon record -e cpu-clock -F 500 -p "$first,$pid" -- sleep 0.4
	expect_status 0
	samples | awk '{ print $2 }' | sort -u >pids
	kill "$first" "$pid"
	[ "$(sort <pids)" = "$(printf '%s\n' "$first" "$pid" | sort)" ] || fail "$(cat pids)"
	samples | awk '{ print $1 }' | sort -u | tr '\n' ' ' >names
	[ "$(<names)" = 'spin thread ' ] || fail "$(<names)"
	"$KERMON" report -s sym >out 2>err || fail "kermon report"
	expect_line out ' leaf'
}

test_thread()
{
	local pid tid

	spin_on 2
	tid=$(cd "/proc/$pid/task" && printf '%s\n' * | grep -v "^$pid$")
	kermon attach -e cpu-clock -F 500 -t "$tid" --duration 300ms
	expect_status 0
	samples | awk '{ print $1, $3 }' | sort -u >tids
	kill "$pid"
	[ "$(<tids)" = "thread $tid" ] || fail "$(<tids)"
	"$KERMON" report -s pid,sym >out 2>err || fail "kermon report"
	expect_line out " $pid +leaf"
}

# The recording ends with the last of several threads, and not before.
test_end_of_targets()
{
	local pid

	# 3000 samples, less those of the time until the tool has started
	"$SPIN" 1500 2 >/dev/null &
	pid=$!
	timeout 60 "$KERMON" record -e cpu-clock -F 1000 -p "$pid" >out 2>err
	status=$?
	expect_status 0
	wait "$pid"
	[ "$(number_of_samples)" -gt 300 ] || fail "$(number_of_samples) samples"
}

test_all_cpus()
{
	local cpus

	cpus=$(getconf _NPROCESSORS_ONLN)
	record -a -e cpu-clock -F 200 -- "$SPIN" 300
	perf script -F comm,cpu 2>/dev/null >list
	[ "$(grep -o '\[[0-9]*\] *$' list | sort -u | wc -l)" -eq "$cpus" ] || fail "not $cpus CPUs"
	grep -q '^ *spin' list || fail "no samples of the command"
	record -C 0 -e cpu-clock -F 200 -- "$SPIN" 100
	[ "$(perf script -F cpu 2>/dev/null | tr -d ' ' | sort -u)" = '[000]' ] || fail "other CPUs"
	kermon record -C 99999 true
	expect_status 129
	kermon record -C 4294967296 true
	expect_status 129
	kermon record -C 8000 true
	expect_status 1
	expect_line err '^kermon record: no CPU 8000: this machine has CPUs 0 to '
}

# What is named twice is sampled once.
test_named_twice()
{
	record -q -C 0,0-0 -e cpu-clock -F 200 -- true
	"$KERMON" header >out 2>err || fail "kermon header"
	expect_line out '^event +cpu-clock: .*, ids [0-9]+$'
	record -q -e cpu-clock -p "$$,$$" -p "$$" -- true
	record -q -e cpu-clock -p "$$" -t "$$,$$" -- true
	"$KERMON" header >out 2>err || fail "kermon header"
	expect_line out "^event +cpu-clock: .*, ids( [0-9]+){$(getconf _NPROCESSORS_ONLN)}$"
}

test_targets_that_do_not_exist()
{
	kermon record -p 1,4194304 -- touch ran
	expect_status 1
	expect_line err '^kermon record: no process with pid 4194304$'
	kermon record -t 4194304 -- touch ran
	expect_line err '^kermon record: no thread with tid 4194304$'
	[ ! -e ran ] || fail "the command ran"
	[ ! -e perf.data ] || fail "perf.data was created"
	kermon record
	expect_status 129
	expect_line err '^kermon record: need a COMMAND to run$'
	expect_line err "^  try 'kermon record --help'$"
}

run_tests
