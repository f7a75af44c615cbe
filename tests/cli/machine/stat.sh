#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon stat on a patched kernel: the counts of KerMon beside those of perf stat.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"
. "$(dirname "$0")/../spy.bash"

# User-mode counts of a program without threads are the same in each run, if its
# environment is. Where that lies on the stack still makes a difference of some dozens of
# instructions; machine-beside.sh compares exactly.
test_same_as_perf()
{
	as_perf "$KERMON" stat -e MEM_UOPS_RETIRED:ALL_LOADS --json \
		-o json -- gzip -9c /etc/services >/dev/null || fail "status $?"
	perf stat -x, -o csv -e instructions:u,r81d0:u -- gzip -9c /etc/services >/dev/null ||
		fail "perf failed"
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	stat = json.load(open("json"))
	perf = {words[2]: int(words[0]) for words in
	        (line.split(",") for line in open("csv") if "," in line)}
	counts = {count["event"]: count for count in stat["counts"]}
	assert stat["source"] == "kermon" and stat["model_cycles"], stat
	for name, other in (("instructions:u", "instructions:u"),
	                    ("MEM_UOPS_RETIRED:ALL_LOADS:u", "r81d0:u")):
	    ratio = counts[name]["value"]["mean"] / perf[other]
	    assert perf[other] > 100000 and abs(ratio - 1) < 1e-3, (counts[name], perf)
	ipc = counts["instructions:u"]["value"]["mean"] / counts["cycles:u"]["value"]["mean"]
	assert abs(stat["ipc"] - ipc) < 1e-9, stat
	assert counts["oncpu"]["value"]["mean"] < 1.01 * stat["elapsed_s"]["mean"], stat
	END
}

test_energy_and_rotation()
{
	local lines

	cp /etc/services copy
	kermon stat -r 2 -e set0,set1 -- gzip -9kf copy
	expect_status 0
	expect_line err "^ Counts of 'gzip -9kf copy', by KerMon, mean of 2 runs:$"
	expect_line err 'instructions:u +# [0-9.]+ per model cycle  \(\+- [0-9.]+%\)$'
	expect_line err 'ALL_LOADS:u +# [0-9.]+ [KMG]/s  \(\+- [0-9.]+%\)  \[[0-9.]+%\]$'
	expect_line err 'power/energy-pkg/ J, shared +# [0-9.]+ [KMm]?W on CPU'
	expect_no_line err 'energy-ram'
	[ "$(wc -L <err)" -le 100 ] || fail "too wide"
	kermon stat --all-domains -- true
	expect_line err 'power/energy-ram/ J, shared'
	lines=$(find /tmp -maxdepth 1 -name 'kermon-??????' | wc -l)
	[ "$lines" -eq 0 ] || fail "temporary files remain"
}

test_threads()
{
	kermon stat --per-thread -- sh -c 'true & /bin/true; wait'
	expect_status 0
	expect_line err '^comm +pid +tid +instructions'
	[ "$(grep -cE '^(true|sh) +[0-9]+ +[0-9]+ +[0-9,]+' err)" -ge 2 ] || fail "no threads"
	expect_no_line err '^Events with a share'
	kermon stat --per-thread -e set0,set1 -- gzip -9c /etc/services
	expect_line err 'ALL_LOADS:u .* \[[0-9.]+%\]$'
	expect_line err '^Events with a share in brackets .* here without estimate\.$'
}

# kermon run and attach print the same table, of the recording that they keep.
test_table_of_run()
{
	kermon run --report threads -e set1 --raw-log raw -- gzip -9c /etc/services
	expect_status 0
	expect_line err "^ Counts of 'gzip -9c /etc/services', by KerMon:$"
	expect_line err '^comm +pid +tid +instructions'
	sed -n 's/^ *\([0-9,]*\)  instructions:u .*/\1/p' err | tr -d , >in-table
	"$KERMON" report --json >json 2>report.err || fail "kermon report"
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	events = {event["name"]: event["total"] for event in json.load(open("json"))["events"]}
	assert int(open("in-table").read()) == events["instructions:u"] > 100000, events
	END
	kermon run -q --report -- sh -c 'kill -TERM $$'
	expect_status 143
	expect_line err "^ Counts of 'sh -c kill -TERM"
	kermon run --report -o damaged -- sh -c ': >damaged'
	expect_status 1
	expect_line err '^ +0  instructions:u$'
	expect_line err "^kermon run: another program has damaged the recording: 'kermon check' shows where$"
	"$KERMON" run --report -o - -- true >out 2>err && fail "without a file"
	expect_line err '^kermon run: --report reads the recording, which is not kept in standard output'
	expect_line err "^  'kermon stat' needs no file"
}

test_table_of_attach()
{
	sh -c 'while :; do :; done' &
	kermon attach --report -p $! --duration 500ms
	kill $!
	expect_status 0
	expect_line err "^ Counts of 'process $!', by KerMon:"
	expect_line err ' oncpu ms +# (0\.[0-9]+|1\.0[0-9]+) CPUs used'
	expect_line err 'seconds elapsed'
	expect_no_line err 'seconds user|page-faults'
}

# What a CPU executes in user mode is what its tasks do, and a little of the monitor: a spy on
# the CPU, after KerMon in another run, because they do not share the PMU.
test_same_as_spy()
{
	local work='i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done'

	kermon run -q -o task -- taskset -c 1 sh -c "$work"
	expect_status 0
	kermon report --csv -s comm -i task
	cp out task.csv
	kermon spy --backend perf -C 1 --monitor-cpu 0 -e r00c0:u -I 1s -f json -o cpu -q -- \
		taskset -c 1 sh -c "$work"
	expect_status 0
	check_samples cpu '
	import csv
	tasks = {row["comm"]: int(row["instructions:u"])
	         for row in csv.DictReader(open("task.csv"))}
	cpu = total(1, "r00c0:u")
	# Until it has moved itself, taskset may run on either CPU.
	assert 5e7 < tasks["sh"] <= cpu < sum(tasks.values()) + 1e5, (tasks, cpu)
	'
}

run_tests
