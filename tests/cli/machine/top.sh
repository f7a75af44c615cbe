#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon top on a machine with counters, whose cycles are instructions.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"

# A program that counts to each number that it is given, and sleeps meanwhile. Its pid is
# $worker.
start_worker()
{
	mkfifo work
	bash -c 'while read -r n; do for ((i = 0; i < n; i++)); do :; done; echo "$n" >>counted
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

# A process that uses the CPU in every interval, as long as the pipe of the worker exists. Its
# pid is $ticker.
start_ticker()
{
	while [ -p work ]; do sleep 0.1; done >/dev/null 2>&1 3>&- &
	ticker=$!
}

# Whatever happened until now is in the rows: $ticker has one more that began later.
wait_for_interval()
{
	local seen

	seen=$(grep -c ",$ticker,$ticker," rows)
	wait_for "[ \"\$(grep -c ,$ticker,$ticker, rows)\" -gt $((seen + 1)) ]"
}

# The counters of a thread are opened when it has used the CPU for the first time.
test_same_as_perf()
{
	local top

	start_worker
	start_ticker
	"$KERMON" top --csv -e fixed -d 700ms -p "$worker,$ticker" >rows 2>err 3>&- &
	top=$!
	wait_for 'grep -q ",$ticker,$ticker," rows'
	count_to 1000
	wait_for_interval
	wc -l <rows >before
	perf stat -x, -o csv -e instructions,cycles -p "$worker" -- \
		bash -c 'echo 30000 >work; until [ -s done2 ]; do sleep 0.1; done' 3>&- &
	: >counted
	wait_for '[ -s counted ]'
	wait_for_interval
	: >out
	echo >done2
	wait $!
	stop_worker
	kill "$ticker"
	wait "$top" || fail "status $?"
	/usr/bin/python3 - "$(cat before)" "$worker" <<-'END' >facts 2>&1 || fail "$(cat facts rows csv)"
	import csv, sys
	rows = list(csv.DictReader(open("rows")))[int(sys.argv[1]) - 1:]
	# a row of the thread's end has no counts
	rows = [row for row in rows if row["tid"] == sys.argv[2] and row["ended"] == "0"]
	perf = {words[2]: int(words[0]) for words in
	        (line.split(",") for line in open("csv") if "," in line)}
	print(perf)
	for name in "instructions", "cycles":
	    count = sum(int(row[name]) for row in rows)
	    assert perf[name] > 10000000 and abs(count / perf[name] - 1) < 0.01, (name, count)
	for row in rows:
	    if int(row["instructions"]) > 1000000:
	        assert abs(float(row["ipc"]) - 1) < 0.002, row
	assert all(row["estimate"] == "0" for row in rows), rows
	END
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
