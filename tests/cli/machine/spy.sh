#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon spy with hardware counters, beside perf stat on the same CPUs.
# shellcheck disable=SC2016,SC2034,SC2317	# commands in quotes; tests are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"
. "$(dirname "$0")/../spy.bash"

test_same_as_perf()
{
	spy_between_perfs perf 5000 '
	for sample in samples:
	    assert sample["enabled_ns"] == sample["running_ns"], sample
	assert own > 4e7 and own - least < spied and most - own < 6e6, (least, own, most, spied)
	'
}

# The programmed counter of the same event is read together with the fixed one.
test_programmed()
{
	kermon spy -e r00c0,MEM_UOPS_RETIRED:ALL_LOADS -I 5ms --samples 40 -f json -o samples -q
	expect_status 0
	check_samples samples '
	assert lines[0]["backend"] == "perf", lines[0]
	for sample in samples:
	    fixed, programmed = (sample["by"][name] for name in ("instructions", "r00c0"))
	    assert abs(fixed - programmed) < 500 and fixed > 1000, sample
	    assert 0 < sample["by"]["MEM_UOPS_RETIRED:ALL_LOADS"] < fixed, sample
	assert all(len(group) == 40 for group in by_cpu.values()), by_cpu
	'
}

# As kermon spy --set, a hundred times every 10 ms, alternately to these sets.
change_often()
{
	/usr/bin/python3 - "$@" <<-'END' >changed 2>&1
	import glob, itertools, socket, sys, time
	path, = glob.glob("kermon/spy-*")
	for _, text in zip(range(100), itertools.cycle(sys.argv[1:])):
	    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as client:
	        client.connect(path)
	        client.send(b"1=" + text.encode())
	        assert client.recv(2000) == b"0", text
	    time.sleep(.01)
	END
}

# CPU 1 gets another set a hundred times; its instructions have no gap, and CPU 0 none of it.
test_changes()
{
	export XDG_RUNTIME_DIR=$PWD

	taskset -c 0 perf stat -a -A -x, -o outer -e instructions -- \
		"$KERMON" spy --backend perf --monitor-cpu 0 -I 10ms -e r00c0 -e r81d0,r82d0 \
		-f json -o samples -q --duration 1h 2>/dev/null &
	wait_for '[ -s samples ]'
	change_often r81d0,r82d0 r00c0 || fail "$(cat changed)"
	kill "$(pgrep -P $! kermon)"
	wait $!
	check_samples samples '
	runs = [number for number, _ in itertools.groupby(
	    (sample["set"] for sample in by_cpu[1]))]
	assert runs == [0, 1] * 50 + [0], runs
	first = [sample for sample in by_cpu[1] if "first" in sample["flags"]]
	assert len(first) == 100, len(first)
	assert {sample["set"] for sample in by_cpu[0]} == {0}, by_cpu[0]
	assert not any("first" in sample["flags"] for sample in by_cpu[0]), by_cpu[0]
	for sample in by_cpu[0] + by_cpu[1]:
	    if "r00c0" in sample["by"]:
	        gap = sample["by"]["instructions"] - sample["by"]["r00c0"]
	        # What opening the events executes is only in the fixed counter, and, if the
	        # host is busy, interrupts of the timer meanwhile.
	        assert -500 < gap < (300000 if "first" in sample["flags"] else 500), sample
	# Before and after the spies, the shell of this test ran there as well.
	outer = counted("outer")[1, "instructions"]
	own = total(1, "instructions")
	assert 0.5 * outer < own <= outer, (own, outer)
	'
}

# A CPU that is offline at first is watched when it comes online. When it goes offline again, it
# keeps what it has counted until then; the other one does not notice.
test_hotplug()
{
	local cpu1=/sys/devices/system/cpu/cpu1/online times

	echo 0 >"$cpu1"
	"$KERMON" spy --backend perf -e r00c0 -I 10ms -f json -o samples -q --duration 1h 2>err &
	wait_for 'grep -q "sample.*\"cpu\":0" samples'
	for times in 1 2; do
		echo 1 >"$cpu1"
		wait_for '[ "$(grep -c "CPU 1 came online" err)" -eq "$times" ]'
		sleep .3
		[ "$times" -eq 2 ] || echo 0 >"$cpu1"
		wait_for '[ "$(grep -c "CPU 1 went offline" err)" -eq 1 ]'
	done
	kill $!
	wait $!
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	lines = [json.loads(line) for line in open("samples")]
	moves = [(line["cpu"], line["watched"]) for line in lines if line["type"] == "cpu"]
	assert moves == [(1, True), (1, False), (1, True)], moves
	for cpu, gaps in (0, 0), (1, 1):
	    group = [line for line in lines if line["type"] == "sample" and line["cpu"] == cpu]
	    last = [index for index, (one, other) in enumerate(zip(group, group[1:]))
	            if one["end_ns"] != other["begin_ns"]]
	    assert len(last) == gaps and len(group) > 10, (cpu, last, len(group))
	    assert all("offline" in group[index]["flags"] for index in last), (cpu, last)
	    assert sum("offline" in sample["flags"] for sample in group) == gaps, cpu
	    for sample in group:
	        fixed, programmed = sample["counts"][0], sample["counts"][-1]
	        assert abs(fixed - programmed) < 500, sample
	END
}

# The program executes 100,000 times 7 instructions of operations, of 6 kinds. Merged, these are
# on its CPU alone, to the last one, but for some of scalar doubles that shells and tools execute.
# It begins later in the second run, which the idle CPU does not notice.
test_merged()
{
	local set

	spy_on_mix perf set0 5ms 2000
	spy_on_mix perf set1 7ms 4000
	kermon merge -o merged set0 set1
	expect_status 0
	expect_line out '^set1 +4 '
	kermon check merged
	expect_status 0
	perf script -i merged >/dev/null 2>err || fail "perf script: $(cat err)"
	for set in set0 set1 merged; do
		"$KERMON" report -s cpu --json -i "$set" >"$set.json" || fail "report"
	done
	kermon roofline --json merged
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	def counts(name):
	    report = json.load(open(name + ".json"))
	    return [row["values"] for row in sorted(report["rows"], key=lambda row: row["cpu"])]
	merged, first, second = counts("merged"), counts("set0"), counts("set1")
	print(merged)
	for cpu in 0, 1:
	    assert merged[cpu] == {**second[cpu], **first[cpu]}, (cpu, first, second)
	    for name, value in merged[cpu].items():
	        if name.endswith("SCALAR_DOUBLE"):
	            assert 0 <= value - cpu * 200000 < 10000, (cpu, value)
	        elif "FP" in name:
	            assert value == cpu * 100000, (cpu, name, value)
	loads, stores = (merged[1]["MEM_UOPS_RETIRED:ALL_" + kind] for kind in ("LOADS", "STORES"))
	assert loads >= 300000 and stores >= 200000, (loads, stores)
	found = json.load(open("out"))
	thread, = (thread for thread in found["threads"] if thread["cpu"] == 1)
	samples = found["samples"]
	errors = {error for error, cpu in zip(samples["error"], samples["cpu"]) if cpu == 1}
	print(thread, errors, found["labels"])
	assert 0 <= thread["flop"] - 2100000 < 10000 and thread["bytes"] > 0, thread
	# by CPU, and as a part of all
	own, others = ([cpu["instructions"] for cpu in counts] for counts in (first, second))
	differences = [abs(one - other) for one, other in zip(own, others)]
	assert errors == {round(differences[1] / own[1], 6)}, (errors, own, others)
	apart = json.load(open("merged.json"))["runs"][1]["apart"]
	assert abs(apart - sum(differences) / sum(own)) < 1e-6, (apart, own, others)
	END
}

# perf counts joules from before the spies until after them, and within. Watts are those between
# the first and the last reading, which may be later than the ends of the intervals.
test_energy()
{
	perf stat -a -x, -o outer -e power/energy-pkg/ -- \
		"$KERMON" spy -I 20ms -f csv -o samples -- \
		perf stat -a -x, -o inner -e power/energy-pkg/ -- sleep 0.4 >out 2>err
	status=$?
	expect_status 0
	expect_line err '^package 0: power/energy-pkg/ [0-9.]+ J, [0-9.]+ W on average, [0-9.]+ W at most, shared'
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import csv
	rows = [row for row in csv.DictReader(open("samples")) if row["energy_pkg_J"]]
	assert {row["cpu"] for row in rows} == {"0"}, rows
	joules = sum(float(row["energy_pkg_J"]) for row in rows)
	# perf rounds to hundredths
	least, most = (float(line.split(",")[0]) for name in ("inner", "outer")
	               for line in open(name) if "energy-pkg" in line)
	assert 10 < least < joules + 0.01 and joules < most + 0.01, (least, joules, most)
	# The model is a constant number of watts.
	seconds = (int(rows[-1]["energy_time_ns"]) - int(rows[0]["energy_time_ns"])) / 1e9
	joules -= float(rows[0]["energy_pkg_J"])
	assert abs(joules / seconds / 35 - 1) < 0.02, (joules, seconds)
	END
}

run_tests
