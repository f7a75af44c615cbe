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

# A program of which each count is known: both sets in two runs, and rotated in one.
test_operations_and_bytes()
{
	local set mix=$TOP/build/programs/mix
	local often="for i in {1..20}; do $mix; done"

	for set in set0 set1; do
		kermon stat --json -e "$set" -o "$set.json" -- "$mix"
		expect_status 0
		kermon run -q -e "$set" -o "$set" "$mix"
	done
	kermon merge -q -o merged set0 set1
	kermon report -i merged -s comm --json
	cp out merged.json
	kermon report -i merged --csv -s comm
	expect_line out '^comm,.*,flop_128,.*,bytes_low,.*,flop_per_byte,.*,joules_per_flop$'
	kermon report -i merged -s comm
	expect_line out '^2.1e\+06 FLOP .* as wide as .*: 0.2534 FLOP/byte \(0.1313 to 1.05\)\.$'
	expect_line out 'nJ/FLOP'
	kermon stat --json --rotate 1ms -e roofline -o rotated.json -- bash -c "$often"
	kermon stat --rotate 1ms -e roofline -- bash -c "$often"
	expect_line err '^ +[0-9,]+  bytes loaded and stored, estimated +# [0-9.]+ [KMG]B/s$'
	expect_line err ' FLOP of these events per byte +# [0-9.]+ to [0-9.]+ by width'
	expect_line err ' nJ per FLOP, shared'
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	rounds = 100000
	stats = [json.load(open(name + ".json")) for name in ("set0", "set1", "rotated")]
	wide, narrow, rotated = ({name: value["mean"] for name, value in stat.items()
	                          if isinstance(value, dict)} for stat in stats)
	assert wide["flop_single"] == 13 * rounds and wide["flop_double"] == 4 * rounds, wide
	assert narrow["flop_double"] == 4 * rounds, narrow
	assert "bytes" not in wide and stats[1]["bytes_basis"] == "mix", stats
	# set1 has the scalar and the 128-bit instructions of double precision.
	assert abs(narrow["bytes"] - 5 * rounds * (2 * 8 + 16) / 3) < 1, narrow
	counts = {count["event"]: count["value"]["mean"] for count in stats[1]["counts"]}
	assert counts["MEM_UOPS_RETIRED:ALL_LOADS:u"] == 3 * rounds, counts
	assert counts["MEM_UOPS_RETIRED:ALL_STORES:u"] == 2 * rounds, counts
	row = json.load(open("merged.json"))["rows"][0]
	width = (4 + 16 + 32 + 2 * 8 + 16 + 32) / 7
	wanted = {"flop_single": 13, "flop_double": 8, "flop_scalar": 3, "flop_128": 6,
	          "flop_256": 12, "flop_512": 0, "bytes": 5 * width, "bytes_low": 5 * 4,
	          "bytes_high": 5 * 32, "flop_per_byte": 21 / (5 * width) / rounds}
	for name, value in wanted.items():
	    assert abs(row[name] - value * rounds) <= 1e-9 * value * rounds, (name, row)
	assert row["bytes_low"] <= 96 * rounds <= row["bytes_high"], row
	assert row["flop_per_s"] > 0 < row["joules_per_flop"] < 1, row
	assert rotated["bytes_low"] <= rotated["bytes"] <= rotated["bytes_high"], rotated
	assert rotated["flop_single"] > 0 < rotated["flop_double"], rotated
	END
}

# Loops that measure ceilings execute what they claim.
test_loops_of_ceilings()
{
	local set times loops=$TOP/build/programs/loops

	for set in set0 set1; do
		kermon stat --json -e "$set" -o "$set.json" -- "$loops" p
		expect_status 0
	done
	for times in 1 2; do
		kermon stat --json -e set1 -o "$times.json" -- "$loops" "$times"
		expect_status 0
	done
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	def counts(name):
	    rows = json.load(open(name + ".json"))["counts"]
	    return {row["event"]: row["value"]["mean"] for row in rows}
	both = {**counts("set0"), **counts("set1")}
	for kind in ("FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE", "FP_COMP_OPS_EXE:SSE_FP_SCALAR_SINGLE",
	             "FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE", "FP_COMP_OPS_EXE:SSE_PACKED_SINGLE",
	             "SIMD_FP_256:PACKED_DOUBLE", "SIMD_FP_256:PACKED_SINGLE"):
	    found = [value for event, value in both.items() if event.startswith(kind)]
	    assert found == [28 * 10101], (kind, found, both)
	once, twice = counts("1"), counts("2")
	wanted = {"LOADS": 0, "STORES": 0}
	for passes in range(1, 13):
	    loads, stores = [(1, 0), (0, 1), (2, 1), (1, 1)][(passes - 1) // 3]
	    accesses = passes * 4 * 768 // [8, 16, 32][(passes - 1) % 3] // (loads + stores)
	    wanted["LOADS"] += accesses * loads
	    wanted["STORES"] += accesses * stores
	for kind, number in wanted.items():
	    event = f"MEM_UOPS_RETIRED:ALL_{kind}:u"
	    assert twice[event] - once[event] == number, (event, once, twice, number)
	END
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

# Counters are those of every CPU: perf_event counts for others.
test_no_counters()
{
	chmod 777 .
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$KERMON" stat --per-thread --rotate 10ms -- true >out 2>err || fail "status $?"
	expect_line err 'by perf_event \(without KerMon\)'
	expect_line err '^kermon stat: counted by perf_event: this user may not occupy counters'
	expect_line err "kernel.kermon_counters_group='65534 65534'"
	expect_line err "^kermon stat: --rotate .*: they require KerMon's counters$"
	expect_line err "--per-thread requires KerMon's counters$"
}

run_tests
