#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Samples of perf_event beside the exact counts of KerMon.
# shellcheck disable=SC2317	# tests are called by run_tests

KERMON=$(type -P kermon)
. "$(dirname "$0")/recorded.bash"

# The log, perf and the report agree as they do without samples, and the samples are there.
test_beside_counts()
{
	local nr

	kermon record --raw-log raw -g -- gzip -9c /etc/services
	expect_status 0
	expect_line err '^kermon record: KerMon counts exactly, and perf_event samples cpu-clock at 4000 Hz beside it$'
	nr=$(sed -n 's/^kermon record: [0-9]* samples of KerMon, \([0-9]*\) of perf_event, .*/\1/p' err)
	expect_equal_sums
	expect_perf_is_content
	perf script -i perf.data -F comm,event,ip,sym -G >list 2>err || fail "perf script"
	[ "${nr:-0}" -gt 5 ] || fail "few samples"
	[ "$(grep -c 'cpu-clock:' list)" -eq "$nr" ] || fail "perf has another number"
	"$KERMON" check perf.data >out 2>&1 || fail "$(cat out)"
	"$KERMON" header perf.data >out 2>err || fail "header"
	expect_line out 'source=kermon,perf_event$'
	perf script -i perf.data -F event,ip,sym 2>/dev/null | grep -A 3 'cpu-clock' | grep -q . ||
		fail "no call chains"
}

# Events of software are sampled, the others counted.
test_events_of_both()
{
	kermon record -e page-faults,set1 -c 1 -- gzip -9c /etc/services
	expect_status 0
	expect_line err 'perf_event samples page-faults every 1 beside it'
	perf evlist -i perf.data >out 2>err
	expect_line out '^page-faults$'
	expect_line out '^MEM_UOPS_RETIRED:ALL_LOADS:u$'
	kermon record -e page-faults -- true
	expect_line err 'page-faults at 4000 Hz beside it; -g would add call chains$'
	perf evlist -i perf.data >out 2>err
	expect_line out '^instructions:u$'
}

# KerMon's events are the command's alone, and what it leaves running is known.
test_all_tasks()
{
	kermon record -a -F 500 -- sh -c 'sleep 60 >/dev/null & gzip -9c /etc/services'
	expect_status 0
	pkill -x sleep
	expect_line err '^kermon record: pid [0-9]+ left 1 process running'
	"$KERMON" script -i perf.data -F comm,event >list 2>err || fail "script"
	grep -q 'swapper .*cpu-clock' list || fail "no samples of other tasks"
	! grep 'swapper' list | grep -v 'cpu-clock' || fail "counts of other tasks"
	"$KERMON" check perf.data >out 2>&1 || fail "$(cat out)"
	[ "$("$KERMON" script --show-task-events -i perf.data 2>/dev/null | grep -c 'COMM exec: gzip')" -eq 1 ] ||
		fail "names are there twice"
}

# A CPU that returns is sampled again, by other events than before; what is missing is said.
test_cpu_comes_online()
{
	local online=/sys/devices/system/cpu/cpu1/online options

	for options in '-o perf.data' '-z'; do
		# shellcheck disable=SC2016,SC2086	# words, for that shell
		kermon record -a -F 1000 $options -- bash -c '
			echo 0 >'$online'; gzip -9c /etc/services; echo 1 >'$online'
			taskset -c 1 sort -R /etc/services /etc/services' >/dev/null
		echo 1 >"$online"
		expect_status 0
		expect_line err '^kermon record: CPU 1 came online during the recording: perf_event did not record its first [0-9.]+ ms, at most$'
		perf script -i perf.data -F comm,cpu,event -G >list 2>perf.err || fail "$(cat perf.err)"
		grep -q 'sort *\[001\] *cpu-clock' list || fail "CPU 1 is not sampled any more"
		"$KERMON" check perf.data >out 2>&1 || fail "$(cat out)"
		"$KERMON" report -i perf.data >out 2>err || fail "report"
		expect_line out '^A CPU came online during the recording, .* Missing of CPU 1: the first [0-9.]+ ms at most\.$'
	done
}

# Events of single tasks exist for CPUs that are offline: nothing is missing.
test_tasks_on_a_cpu_that_comes_online()
{
	local online=/sys/devices/system/cpu/cpu1/online

	echo 0 >"$online"
	# shellcheck disable=SC2016	# for that shell
	kermon record -F 1000 -- bash -c 'echo 1 >'"$online"'
		taskset -c 1 sort -R /etc/services /etc/services' >/dev/null
	echo 1 >"$online"
	expect_status 0
	expect_no_line err 'came online'
	perf script -i perf.data -F comm,cpu,event,sym -G >list 2>perf.err || fail "$(cat perf.err)"
	grep -q 'sort *\[001\] *cpu-clock' list || fail "CPU 1 is not sampled"
}

# Counts of another run are added, and the samples of the first one stay.
test_merge()
{
	local nr

	kermon record -q -g -e set1 -o first -- gzip -9c /etc/services
	kermon record -q -g -e set0 -o second -- gzip -9c /etc/services
	nr=$(perf script -i first -F event -G 2>/dev/null | grep -c cpu-clock)
	kermon merge -q -o perf.data first second
	expect_status 0
	[ "$(perf script -i perf.data -F event -G 2>/dev/null | grep -c cpu-clock)" -eq "$nr" ] ||
		fail "other samples"
	"$KERMON" check perf.data >out 2>&1 || fail "$(cat out)"
	"$KERMON" report -i perf.data >out 2>err || fail "report"
	expect_line out '^FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE:u '
}

test_attach()
{
	local pid

	sh -c 'while :; do :; done' &
	pid=$!
	kermon attach -p "$pid" -g --duration 500ms
	kill "$pid"
	expect_status 0
	expect_line err '^kermon attach: [0-9]+ samples? of KerMon, [1-9][0-9]+ of perf_event'
	"$KERMON" report -s comm -i perf.data >out 2>err || fail "report"
	expect_line out '^100\.00 +sh '
}

# What KerMon cannot do is done by perf_event alone, which is said.
test_alone()
{
	kermon record -F 500 -e instructions:u -- gzip -9c /etc/services
	expect_status 0
	expect_line err '^kermon record: perf_event samples instructions:u at 500 Hz, as sampling an event of the CPU needs counters that KerMon.s own events may take; '
	kermon record -p 1,2 -- true
	expect_line err 'as a recording of KerMon is of one process or thread'
	kermon record -a --raw-log raw
	expect_status 1
	expect_line err '^kermon record: --raw-log requires KerMon: KerMon records an application, and none was named$'
	kermon record -q -- true
	expect_status 0
}

test_nothing_is_added_unasked()
{
	kermon record -- true
	expect_line err '^kermon record: KerMon counts exactly; -g would add samples of perf_event with call chains$'
	perf evlist -i perf.data >out 2>err
	expect_no_line out 'cpu-clock'
}

run_tests
