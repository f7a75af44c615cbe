#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon top on a machine with counters, whose cycles are instructions.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"

# A program that counts to each number that it is given. Meanwhile it wakes up in each interval,
# lest kermon top close its counters. Its pid is $worker.
start_worker()
{
	mkfifo work
	bash -c 'while read -r -t 0.3 n || [ $? -gt 128 ]; do
			[ -n "$n" ] || continue
			for ((i = 0; i < n; i++)); do :; done
			echo "$n" >>counted
		done <work' &
	worker=$!
	exec 3>work
}

count_to()
{
	: >counted
	echo "$1" >&3
	wait_for '[ -s counted ]'
}

stop_worker()
{
	exec 3>&-
	wait "$worker"
}

# How many rows of the worker have counts.
counted_rows()
{
	awk -F, -v tid="$worker" '$4 == tid && $12 != "" { rows++ } END { print rows + 0 }' rows
}

# Whatever happened until now is in the rows: there is one more that began later.
wait_for_interval()
{
	local seen

	seen=$(counted_rows)
	wait_for "[ \"\$(counted_rows)\" -gt $((seen + 1)) ]"
}

# The counters of a thread are opened when it has used the CPU for the first time.
test_same_as_perf()
{
	local top

	start_worker
	"$KERMON" top --csv -e fixed -d 700ms -p "$worker" >rows 2>err 3>&- &
	top=$!
	wait_for '[ "$(counted_rows)" -gt 0 ]'
	perf stat -x, -o csv -e instructions,cycles -p "$worker" -- \
		bash -c 'echo >begun; until [ -s end ]; do sleep 0.1; done' 3>&- &
	wait_for '[ -s begun ]'
	wc -l <rows >before
	count_to 30000
	wait_for_interval
	echo >end
	wait $!
	stop_worker
	wait "$top" || fail "status $?"
	/usr/bin/python3 - "$(cat before)" <<-'END' >facts 2>&1 || fail "$(cat facts rows csv)"
	import csv, sys
	# a row of the thread's end has no counts
	rows = [row for row in list(csv.DictReader(open("rows")))[int(sys.argv[1]) - 1:]
	        if row["ended"] == "0"]
	perf = {words[2]: int(words[0]) for words in
	        (line.split(",") for line in open("csv") if "," in line)}
	print(perf)
	for name in "instructions", "cycles":
	    count = sum(int(row[name]) for row in rows)
	    assert perf[name] > 10000000 and abs(count / perf[name] - 1) < 0.01, (name, count)
	for row in rows:
	    # each switch takes some cycles between the two counters
	    lost = abs(int(row["cycles"]) - int(row["instructions"]))
	    assert lost < 0.002 * int(row["cycles"]) + 2000 * int(row["switches"]), row
	    if int(row["instructions"]) > 1000000:
	        assert abs(float(row["ipc"]) - 1) < 0.002, row
	    assert float(row["ipc"]) == int(row["instructions"]) / int(row["cycles"]), row
	assert all(row["estimate"] == "0" for row in rows), rows
	END
}

# The group of a thread that runs meanwhile begins to count as a whole.
test_first_counts()
{
	local busy ipc

	awk 'BEGIN { for (;;) sum++ }' &
	busy=$!
	kermon top --csv -e fixed -d 10ms -n 8 -p "$busy"
	expect_status 0
	kill "$busy"
	ipc=$(awk -F, 'NR > 1 && $14 != "" { print $14; exit }' out)
	awk "BEGIN { exit !($ipc > 0.998 && $ipc < 1.002) }" || fail "$(cat out)"
}

# Operations per second, by six events of which four are counted at a time.
test_flop()
{
	local busy

	awk 'BEGIN { for (;;) sum += 1.5 }' &
	busy=$!
	kermon top -b -n 2 -d 600ms -p "$busy" -s flop
	expect_status 0
	kill "$busy"
	expect_line out 'counters: user and kernel mode, cycles of a model, FLOP as executed'
	expect_line out '^power: .*pkg [0-9.]+ W'
	expect_line out '^ *PID +TID +USER +CPU +COMMAND +%CPU +%WAIT +IPC +INSTR/s +FLOP/s'
	expect_line out ' +[01]\.[0-9]{3} +[0-9.]+[MG] +~[1-9][0-9.]*[kMG] '
	expect_line out '^~: estimate'
}

run_beside()
{
	"$KERMON" run -q -e set0 -o recording -- sleep 1000 2>/dev/null 3>&- &
	run=$!
	wait_for '"$KERMON" status | grep -q "in use by KerMon"'
}

# While KerMon has all counters, threads have none; the reason is given.
test_beside_kermon()
{
	local run share=/sys/module/kermon/parameters/share

	start_worker
	run_beside
	kermon top -b -n 2 -d 300ms
	expect_status 0
	expect_line out '^counters: .* threads without: .*[0-9] other users of the counters'
	kill "$run"
	wait "$run"
	echo 0 >"$share"
	run_beside
	kermon top -b -n 1 -d 200ms
	expect_status 0
	expect_line out "^counters: none: the counters are in use by KerMon; 'kermon status' shows"
	kermon top -b -n 1 -d 200ms -e set0
	expect_status 1
	expect_line err "cannot count 'set0': counters: none: .*by KerMon"
	kill "$run"
	wait "$run"
	echo 1 >"$share"
	stop_worker
}

run_tests
