#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon spy on this machine, with the backend software. machine/spy.sh tests hardware
# counters.
# shellcheck disable=SC2016,SC2317	# commands in quotes; tests are called by run_tests

. "$(dirname "$0")/cli.bash"
. "$(dirname "$0")/spy.bash"

# The table and the samples do not depend on what this machine has.
spy()
{
	kermon spy --backend software "$@"
}

test_table()
{
	spy --duration 200ms
	expect_status 0
	expect_empty err
	expect_line out '^Counts per CPU, by software:$'
	expect_line out '^CPU +\[s\] +%'
	expect_line out '^ +0 +0\.[0-9]{3} +([0-9.]+|-) '
	[ "$(wc -L <out)" -le 100 ] || fail "more than 100 columns"
	spy -C 0 --duration 100ms -q -o table
	expect_status 0
	expect_empty out
	expect_line table '^ +0 +0\.[0-9]{3} '
	expect_no_line table '^ +1 +0\.'
}

test_csv()
{
	spy -I 10ms --samples 5 -f csv
	expect_status 0
	expect_line err '^Counts per CPU, by software:$'
	python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import csv, os
	rows = list(csv.DictReader(open("out")))
	cpus = {row["cpu"] for row in rows}
	assert rows and all(sum(row["cpu"] == cpu for row in rows) == 5 for cpu in cpus), rows
	assert all(row["set"] == "fixed" and int(row["user-time_ns"]) >= 0 for row in rows), rows
	assert all(int(row["end_ns"]) > int(row["begin_ns"]) for row in rows), rows
	END
}

test_json()
{
	spy -I 5ms --duration 200ms -f json -o samples -q
	expect_status 0
	expect_empty out
	expect_no_line err 'Counts per CPU'
	check_samples samples '
	assert lines[0]["type"] == "spy" and lines[0]["backend"] == "software", lines[0]
	assert lines[0]["reason"] is None, lines[0]
	watched = [cpu["cpu"] for cpu in lines[0]["cpus"] if cpu["watched"]]
	assert watched == sorted(by_cpu), lines[0]
	end = lines[-1]
	assert end["type"] == "end", end
	for spy in (spy for spy in end["cpus"] if spy["cpu"] in watched):
	    group = by_cpu[spy["cpu"]]
	    assert spy["samples"] == len(group) and spy["cost_ns"] > 0, end
	    assert spy["missed"] == sum(sample["missed"] for sample in group), end
	    assert len(group) + spy["missed"] >= 35, end
	    assert group[-1]["flags"] == "cut", group[-1]
	    assert 1.9e8 < group[-1]["end_ns"] - group[0]["begin_ns"], group
	'
}

# Perf counts the CPUs from before the spies until after them, and within.
test_same_as_perf()
{
	perf stat -a -e context-switches -- true >/dev/null 2>&1 || skip "not permitted"
	perf stat -a -A -x, -o outer -e context-switches,page-faults,cpu-migrations -- \
		"$KERMON" spy --backend software -f json -o samples -q -- \
		perf stat -a -A -x, -o inner -e context-switches,page-faults,cpu-migrations -- \
		sh -c 'i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i+1)); done' ||
		fail "status $?"
	check_samples samples '
	outer, inner = counted("outer"), counted("inner")
	assert {cpu for cpu, _ in outer} == set(by_cpu), outer
	for cpu, event in outer:
	    total = sum(sample["by"][event] for sample in by_cpu[cpu])
	    counts = inner[cpu, event], total, outer[cpu, event]
	    assert sorted(counts) == list(counts), (cpu, event, counts)
	assert sum(inner.values()) > 200, inner
	'
}

# An unknown terminal shows totals at the end only.
test_terminal()
{
	script -qec "stty rows 40 cols 90
		TERM=nosuch $KERMON spy --backend software -q --duration 300ms" \
		/dev/null >out </dev/null || fail "status $?"
	expect_line out 'no table while it runs: .* TERM=nosuch, is unknown'
	expect_line out '^Counts per CPU, by software:'
	[ "$(sed '1d; s/\r$//' out | wc -L)" -le 90 ] || fail "wider than the terminal"
	expect_line out 'times of user, system, idle and steal .* in steps of 10 ms'
}

# Its counts are those of the CPU, and the command is started when all spies count.
test_command()
{
	spy -f json -o samples -q -- sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; exit 7'
	expect_status 7
	check_samples samples '
	assert sum(sample["by"]["user-time"] for sample in samples) > 0, samples
	'
	kermon spy -q -- sh -c 'echo out; echo err >&2'
	expect_status 0
	[ "$(cat out)" = out ] || fail "more than the output of the command"
	expect_line err '^Counts per CPU'
	spy -- ./missing
	expect_status 127
	expect_line err "^kermon spy: cannot run './missing'"
	expect_no_line err 'Counts per CPU'
	spy -q -- sh -c 'kill -KILL $$'
	expect_status 137
}

# The last interval is written, and the shell learns of the signal.
test_signals()
{
	local signal

	for signal in INT TERM HUP; do
		rm -f samples
		# programs in the background ignore SIGINT
		env --default-signal=INT "$KERMON" spy --backend software -f json -o samples \
			-q >out 2>err &
		wait_for 'grep -sq \"sample\" samples'
		kill -s "$signal" $!
		wait $!
		status=$?
		[ "$status" -eq $((128 + $(kill -l "$signal"))) ] || fail "SIG$signal: $status"
		check_samples samples '
		assert lines[-1]["type"] == "end" and samples[-1]["flags"] == "cut", lines[-1]
		'
	done
	"$KERMON" spy --backend software -q -- sleep 20 >out 2>err &
	wait_for "pgrep -P $! sleep >/dev/null"
	kill -TERM $!
	wait $!
	status=$?
	expect_status 143
	expect_line err '^Counts per CPU'
}

# SIGUSR1 begins the next set on all CPUs, without a gap.
test_next_set()
{
	local set

	"$KERMON" spy --backend software -e user-time -e idle-time,steal-time -f json -o samples \
		-q --duration 1h 2>err &
	wait_for '[ -s samples ]'
	for set in 1 0 1; do
		kill -USR1 $!
		wait_for "tail -n 1 samples | grep -q '\"set\":$set,'"
	done
	kill $!
	wait $!
	check_samples samples '
	for group in by_cpu.values():
	    runs = [number for number, _ in itertools.groupby(sample["set"] for sample in group)]
	    assert runs == [0, 1, 0, 1], runs
	    assert sum("first" in sample["flags"] for sample in group) == 3, group
	    assert sum("cut" in sample["flags"] for sample in group) == 4, group
	'
}

# Stock perf and kermon have the same sums per CPU, and the totals of the table.
test_recording()
{
	spy -C 0 -f perf-data -I 10ms --duration 500ms -e context-switches,idle-time,user-time
	expect_status 0
	expect_empty out
	mv err table
	[ "$(stat -c %a perf.data)" = 600 ] || fail "mode $(stat -c %a perf.data)"
	kermon check
	expect_status 0
	kermon report -s cpu --csv
	expect_line err 'Counts are those of CPUs'
	expect_line out '^cpu,.*\bidle-time_ns\b'
	cp out csv
	kermon report
	expect_line out '^idle-time \[s\] +[0-9]+ +[0-9.]+$'
	expect_line out "^For a row per CPU: kermon report -s cpu$"
	kermon report -s cpu
	expect_no_line out '^For a row per CPU'
	mv csv out
	perf report --stdio -s comm,cpu -F comm,cpu,period >perf.out 2>/dev/null || fail "perf"
	perf script >/dev/null 2>err || fail "perf script: $(cat err)"
	python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import csv, re
	own, = csv.DictReader(open("out"))
	own = {name.removesuffix("_ns"): value for name, value in own.items()}
	table = open("table").read().replace(",", "").split()
	event, seen = None, set()
	for line in open("perf.out"):
	    found = re.search(r"of event '(.*)'", line)
	    event = found[1] if found else event
	    if line.startswith("  all tasks"):
	        assert line.split()[2:] == ["000", own[event]], (line, own)
	        seen.add(event)
	assert "context-switches" in seen and own["context-switches"] in table, (seen, table)
	assert own["cpu"] == "0" and all(own[event] == "0" or event in seen for event in
	                                 ("context-switches", "idle-time", "user-time")), own
	END
	XDG_RUNTIME_DIR=$PWD "$KERMON" spy --backend software -q -f perf-data -C 0 \
		-e user-time,idle-time --duration 1h 2>err &
	wait_for '[ -n "$(ls kermon 2>/dev/null)" ]'
	XDG_RUNTIME_DIR=$PWD kermon spy --set "$!:0=steal-time"
	expect_status 1
	expect_line err "^kermon spy: a recording has the events of the sets that were named with -e"
	XDG_RUNTIME_DIR=$PWD kermon spy --set "$!:0=idle-time"
	expect_status 0
	XDG_RUNTIME_DIR=$PWD kermon spy --set "$!:0=steal-time"
	expect_status 1
	expect_line err "^kermon spy: a recording has the events of the sets that were named with -e"
	kill "$!"
	wait "$!"
	[ -e perf.data.old ] || fail "the previous recording was not kept"
}

# From another terminal: the set of one CPU, and of no other. Other tests have spies, too.
test_set_of_a_cpu()
{
	export XDG_RUNTIME_DIR=$PWD
	"$KERMON" spy --backend software -f json -o samples -q -I 5ms --duration 1h &
	wait_for '[ -s samples ]'
	kermon spy --set "$!:0=user-time"
	expect_status 0
	expect_empty err
	kermon spy --set "$!:0=idle-time"
	expect_status 0
	kermon spy --set 1:0=idle-time
	expect_status 1
	expect_line err '^kermon spy: no spy of this user has pid 1$'
	kermon spy --set "$!:0=user-tim"
	expect_status 1
	expect_line err "'user-tim' in 'user-tim' is no event or set that can be counted"
	kermon spy --set "$!:4000=user-time"
	expect_status 1
	expect_line err '^kermon spy: CPU 4000 is not watched$'
	kermon spy --set "$!:0,=user-time"
	expect_status 1
	[ "$(stat -c %a kermon)" = 700 ] || fail "mode $(stat -c %a kermon)"
	kill "$!"
	wait "$!"
	[ -z "$(ls kermon)" ] || fail "a socket was left"
	check_samples samples '
	texts = {number: line["set"] for number, line in sets.items()}
	runs = {cpu: [texts[number] for number, _ in itertools.groupby(
	    sample["set"] for sample in group)] for cpu, group in by_cpu.items()}
	assert runs.pop(0) == ["fixed", "user-time", "idle-time"], runs
	assert all(run == ["fixed"] for run in runs.values()), runs
	'
}

# A file per CPU, as in the paper. One that is there already says what is counted first.
test_watched_folder()
{
	mkdir sets
	echo steal-time >sets/cpu0
	"$KERMON" spy --backend software -C 0 --watch sets -f json -o samples -q -I 5ms \
		--duration 1h 2>err &
	wait_for 'grep -q steal-time samples'
	echo user-time >new
	mv new sets/cpu0
	wait_for 'grep -q "\"set\":\"user-time\"" samples'
	echo nothing >sets/cpu0
	wait_for '[ -s err ]'
	echo idle-time >sets/cpu0
	echo idle-time >sets/cpu01
	wait_for 'grep -q "\"set\":\"idle-time\"" samples'
	kill "$!"
	wait "$!"
	[ "$(ls sets)" = "$(printf 'cpu0\ncpu01')" ] || fail "files: $(ls sets)"
	expect_line err "^kermon spy: sets/cpu0: 'nothing' in 'nothing' is no event"
	check_samples samples '
	runs = [sets[number]["set"] for number, _ in itertools.groupby(
	    sample["set"] for sample in by_cpu[0])]
	assert runs == ["fixed", "steal-time", "user-time", "idle-time"], runs
	'
	"$KERMON" spy --backend software -C 0 --watch new/sets --duration 100ms >out 2>err
	status=$?
	expect_status 1
	expect_line err "^kermon spy: cannot watch files in 'new/sets': No such file or directory$"
	"$KERMON" spy --backend software -C 0 --watch new --duration 100ms >out 2>err
	[ ! -e new ] || fail "the folder was left"
}

# Sockets in a folder into which others can write are not asked, nor removed.
test_folder_of_others()
{
	export XDG_RUNTIME_DIR=$PWD
	mkdir -m 777 kermon
	chmod 777 kermon
	/usr/bin/python3 -c 'import socket; socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).bind("kermon/spy-1")'
	kermon spy --set 1:0=user-time
	expect_status 1
	expect_line err '^kermon spy: no spy of this user has pid 1$'
	[ -S kermon/spy-1 ] || fail "a socket was removed"
}

# The kernel closes everything; the socket is found to be an old one.
test_killed()
{
	export XDG_RUNTIME_DIR=$PWD
	"$KERMON" spy --backend software -f json -o samples -q -I 5ms --duration 1h &
	wait_for '[ -s samples ]'
	kill -KILL "$!"
	wait "$!"
	kermon spy --set "$!:0=user-time"
	expect_status 1
	expect_line err "^kermon spy: no spy of this user has pid $!$"
	[ -z "$(ls kermon)" ] || fail "a socket was left"
	"$KERMON" spy --backend software -f perf-data -q -I 5ms --duration 1h &
	wait_for '"$KERMON" report -s cpu 2>/dev/null | grep -qE "^ *[0-9.]+ +0 "'
	kill -KILL "$!"
	wait "$!"
	kermon report -s cpu
	expect_status 1
	expect_line err 'the recording was not finished: counts are lower bounds'
}

test_closed_pipe()
{
	# The tool ends with the reader: it does not wait for its end.
	timeout 20 "$KERMON" spy --backend software -I 1ms -f csv --duration 1h 2>err | head -n 3 >out
	status=${PIPESTATUS[0]}
	expect_status 141
	[ "$(wc -l <out)" -eq 3 ] || fail "not three lines"
	expect_no_line err 'cannot write'
}

test_full_disk()
{
	"$KERMON" spy --backend software -I 1ms -f csv -o /dev/full --duration 1h >out 2>err
	status=$?
	expect_status 1
	expect_line err "^kermon spy: cannot write '/dev/full': No space left on device$"
	kermon_limited 8 spy --backend software -I 1ms -f csv -o full --duration 1h
	expect_status 1
	expect_line err "^kermon spy: cannot write 'full': File too large$"
	[ "$(tail -c 1 full | xxd -p)" = 0a ] || fail "a part of a line was left"
	kermon_limited 64 spy --backend software -I 1ms -f perf-data -q --duration 1h
	expect_status 1
	expect_line err "^kermon spy: cannot write 'perf.data': File too large$"
	expect_line err '^  it has the recording up to here: its counts are lower bounds$'
	kermon report -s cpu
	expect_status 1
	expect_line err 'the recording was not finished: counts are lower bounds'
	expect_line out '^ *[0-9.]+ +0 '
	cp perf.data before
	kermon spy --backend software -f perf-data -q ./nosuch
	expect_status 127
	cmp before perf.data || fail "another recording"
	[ ! -e perf.data.old ] || fail "the recording was renamed"
}

# An ordinary user gets the times of /proc/stat, and is told of the rest.
test_nobody()
{
	[ "$(id -u)" -eq 0 ] || skip "not root"
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ] || skip "everybody may count"
	chmod 755 .
	cp "$KERMON" ./kermon
	setpriv --reuid 65534 --regid 65534 --clear-groups ./kermon spy --duration 200ms >out 2>err
	status=$?
	expect_status 0
	expect_line out 'user-time'
	expect_no_line out 'context-switches'
	expect_line err 'sysctl kernel.perf_event_paranoid=0'
	setpriv --reuid 65534 --regid 65534 --clear-groups ./kermon spy -e context-switches \
		--duration 200ms >out 2>err
	status=$?
	expect_status 1
	expect_line err '^kermon spy: '
}

test_bad_usage()
{
	kermon spy --set 0
	expect_status 129
	kermon spy --set 0=fixed -I 10ms
	expect_status 129
	kermon spy --set 0=fixed true
	expect_status 129
	kermon spy -I 100us
	expect_status 129
	kermon spy -C 3-1
	expect_status 129
	expect_line err "^kermon spy: invalid list of CPUs '3-1'"
	kermon spy --backend rdpmc
	expect_status 129
	expect_line err "unknown backend 'rdpmc'; valid backends: perf, msr, software$"
	spy -e page-fault
	expect_status 129
	expect_line err "did you mean.*page-faults"
	spy -C 8191
	expect_status 1
	expect_line err '^kermon spy: cannot watch CPU 8191: it is offline'
	spy --monitor-cpu 8191
	expect_status 1
	expect_line err '^kermon spy: cannot run on CPU 8191'
}

run_tests
