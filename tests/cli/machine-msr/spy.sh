#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon spy by registers.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"
. "$(dirname "$0")/../spy.bash"

registers()
{
	"$TOP/build/programs/registers" "$@"
}

# The programmed counter of an event has the counts of the fixed one, but for what interrupts
# execute between the accesses of a batch; and a loop on CPU 1 is there.
test_counts()
{
	registers save before
	kermon spy --backend msr -e r00c0,r00c4 -I 10ms -f json -o samples -q -- \
		taskset -c 1 sh -c 'i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done'
	expect_status 0
	registers compare before counters >differences
	expect_empty differences
	check_samples samples '
	assert lines[0]["backend"] == "msr", lines[0]
	for sample in samples:
	    fixed, programmed = (sample["by"][name] for name in ("instructions", "r00c0"))
	    assert abs(fixed - programmed) < 100000 and fixed > 1000, sample
	    assert 0 < sample["by"]["r00c4"] < fixed and not sample["flags"].count("un"), sample
	for cpu in 0, 1:
	    assert abs(total(cpu, "instructions") - total(cpu, "r00c0")) < 100000, cpu
	assert total(1, "instructions") > 1e7, total(1, "instructions")
	'
}

test_changes()
{
	export XDG_RUNTIME_DIR=$PWD
	"$KERMON" spy --backend msr -e r00c0 -I 10ms -f json -o samples -q --duration 1h 2>err &
	wait_for '[ -s samples ]'
	for _ in 1 2 3; do
		kermon spy --set 1=r00c4,r00c0
		expect_status 0
		kermon spy --set 1=r00c0
		expect_status 0
	done
	kermon spy --set 1=r0149
	expect_status 1
	expect_line err "CPU 1 cannot count 'r0149'"
	kermon spy --set 1=r00c0
	expect_status 0
	kill $!
	wait $!
	check_samples samples '
	runs = [number for number, _ in itertools.groupby(
	    (sample["set"] for sample in by_cpu[1]))]
	assert runs == [0, 1] * 3 + [0] and {sample["set"] for sample in by_cpu[0]} == {0}, runs
	for sample in samples:
	    gap = sample["by"]["instructions"] - sample["by"]["r00c0"]
	    assert -100000 < gap < 200000, sample
	'
}

# A recording by registers and one by perf_event have the same events: merged, the operations of a
# program on CPU 1 are there, to the last one.
test_merged_with_perf()
{
	spy_on_mix msr set0 5ms 500
	spy_on_mix perf set1 5ms 500
	kermon merge -q -o merged set0 set1
	expect_status 0
	kermon report -s cpu --json -i merged
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	report = json.load(open("out"))
	values, = (row["values"] for row in report["rows"] if row["cpu"] == 1)
	print(values)
	simd = {name: value for name, value in values.items() if "PACKED" in name}
	assert len(simd) == 4 and set(simd.values()) == {100000}, values
	assert values["MEM_UOPS_RETIRED:ALL_LOADS"] > 300000, values
	END
}

# However it ends, registers are as before; and what others use is not touched.
test_holders()
{
	registers save before
	"$KERMON" spy --backend msr -f json -o samples -q --duration 1h 2>err &
	wait_for 'grep -qs sample samples'
	kermon spy --backend msr --samples 1
	expect_status 1
	expect_line err 'in use by perf or another module|KerMon'
	kill -KILL $!
	wait $! 2>/dev/null
	wait_for '! pgrep kermon-msr-help'
	registers compare before counters >differences
	[ ! -s differences ] || fail "$(cat differences)"
	perf stat -a -e instructions sleep 600 >/dev/null 2>&1 &
	wait_for '[ "$("$KERMON" status --json | grep -c "\"owner\": \"other\"")" = 1 ]'
	kermon spy --backend msr --samples 1
	expect_status 1
	expect_line err 'CPU 0: the counters are in use by perf'
	kill $!
	wait $! || :
}

# An event that only one counter counts, twice; ones that this processor lacks, of which one
# has another register; registers are as before.
test_refused()
{
	registers save before
	kermon spy --backend msr -e r0148,r0148:u --samples 1
	expect_status 1
	expect_line err "CPU 0 has too few counters for 'r0148:u'"
	kermon spy --backend msr -e set1,r00c4 --samples 1
	expect_status 1
	expect_line err "CPU 0 has too few counters for 'r00c4'"
	kermon spy --backend msr -e r0149 --samples 1
	expect_status 1
	expect_line err "^kermon spy: CPU [01] cannot count 'r0149'"
	kermon spy --backend msr -e OFFCORE_RESPONSE_0:ANY_REQUEST:L3_MISS --samples 1
	expect_status 1
	expect_line err "^kermon spy: CPU [01] cannot count 'OFFCORE_RESPONSE_0:"
	kermon spy --backend msr -e r412e --samples 1
	expect_status 1
	expect_line err "^kermon spy: CPU [01] cannot count 'r412e'"
	registers compare before counters >differences
	expect_empty differences
}

# What the program says that it executes of each kind, and nothing else does. Spies, too, have
# scalar doubles: joules.
operations()
{
	kermon spy --backend msr -e "$1" -I 10ms -f json -o samples -q -- \
		"$TOP/build/programs/phases" 20000
	expect_status 0
	check_samples samples '
	executed = {words[0] + " " + words[1]: int(words[2]) for words in map(str.split, open("out"))
	            if len(words) == 5 and words[2].isdigit()}
	assert not any("uncounted" in sample["flags"] for sample in samples), samples
	for kind, event in {
	    "scalar single": "FP_COMP_OPS_EXE:SSE_FP_SCALAR_SINGLE",
	    "sse single": "FP_COMP_OPS_EXE:SSE_PACKED_SINGLE",
	    "avx single": "SIMD_FP_256:PACKED_SINGLE", "avx double": "SIMD_FP_256:PACKED_DOUBLE",
	    "sse double": "FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE"}.items():
	    if event in samples[0]["by"]:
	        counts = executed[kind], total(0, event) + total(1, event)
	        print(kind, counts)
	        assert counts[0] == counts[1], (kind, counts)
	print(*samples[0]["by"])
	'
}

test_models()
{
	operations set0
	[ "$(grep -c '^[sa][a-z]* [a-z]* (160000, 160000)$' facts)" -eq 4 ] || fail "$(cat facts)"
	operations set1
	grep -q 'MEM_UOPS_RETIRED:ALL_LOADS MEM_UOPS_RETIRED:ALL_STORES' facts || fail "$(cat facts)"
}

# Where counters cannot be read in user mode, the helper reads them.
test_without_rdpmc()
{
	local permission=/sys/bus/event_source/devices/cpu/rdpmc before

	before=$(cat "$permission")
	echo 0 >"$permission"
	kermon spy --backend msr -e r00c0 -I 10ms -f json -o samples -q --samples 20
	echo "$before" >"$permission"
	expect_status 0
	check_samples samples '
	for sample in samples:
	    fixed, programmed = (sample["by"][name] for name in ("instructions", "r00c0"))
	    assert abs(fixed - programmed) < 100000 and fixed > 1000, sample
	    assert not sample["flags"].count("un"), sample
	'
}

# Withdrawn while it reads: the helper continues, and no count is missing.
test_rdpmc_withdrawn()
{
	local permission=/sys/bus/event_source/devices/cpu/rdpmc before

	before=$(cat "$permission")
	"$KERMON" spy --backend msr -e r00c0 -I 10ms -f json -o samples -q --samples 60 2>err &
	wait_for '[ "$(cat samples 2>/dev/null | wc -l)" -gt 20 ]'
	echo 0 >"$permission"
	wait $!
	status=$?
	echo "$before" >"$permission"
	expect_status 0
	check_samples samples '
	assert len(samples) == 120, len(samples)
	for sample in samples:
	    fixed, programmed = (sample["by"][name] for name in ("instructions", "r00c0"))
	    assert abs(fixed - programmed) < 100000 and fixed > 1000, sample
	    assert not sample["flags"].count("un"), sample
	'
}

# A CPU that goes offline has no counts of another one, and is watched again.
test_hotplug()
{
	local cpu1=/sys/devices/system/cpu/cpu1/online

	"$KERMON" spy --backend msr -I 10ms -f json -o samples -q --duration 1h 2>err &
	wait_for 'grep -qs "\"cpu\":1" samples'
	echo 0 >"$cpu1"
	wait_for 'grep -q "CPU 1 went offline" err'
	echo 1 >"$cpu1"
	wait_for 'grep -q "CPU 1 came online" err'
	sleep .5
	kill $!
	wait $!
	check_moves
}

# The registers of a CPU that is offline cannot be restored: the next helper does.
test_offline_at_the_end()
{
	local cpu1=/sys/devices/system/cpu/cpu1/online

	registers save before
	"$KERMON" spy --backend msr -I 10ms -f json -o samples -q --duration 1h 2>err &
	wait_for 'grep -qs "\"cpu\":1" samples'
	echo 0 >"$cpu1"
	wait_for 'grep -q "CPU 1 went offline" err'
	kill $!
	wait $!
	echo 1 >"$cpu1"
	kermon spy --backend msr --samples 1
	expect_status 0
	registers compare before counters >differences
	expect_empty differences
}

# After check_samples, but for the gap: CPU 1 has two runs, each contiguous.
check_moves()
{
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	lines = [json.loads(line) for line in open("samples")]
	moves = [(line["cpu"], line["watched"]) for line in lines if line["type"] == "cpu"]
	assert moves == [(1, False), (1, True)], moves
	for cpu, gaps in (0, 0), (1, 1):
	    group = [line for line in lines if line["type"] == "sample" and line["cpu"] == cpu]
	    found = sum(a["end_ns"] != b["begin_ns"] for a, b in zip(group, group[1:]))
	    assert found == gaps and len(group) > 10, (cpu, found, len(group))
	    for sample in group:
	        # The model executes an instruction per nanosecond at most.
	        assert 0 < sample["counts"][0], sample
	END
}

# Somebody who runs perf afterwards takes the counters away, and samples say so.
test_taken_away()
{
	"$KERMON" spy --backend msr -I 20ms -f json -o samples -q --duration 1h 2>err &
	wait_for 'grep -qs sample samples'
	perf stat -a -e instructions,cycles sleep .5 >/dev/null 2>&1
	kill $!
	wait $!
	check_samples samples '
	assert any("uncounted" in sample["flags"] for sample in samples), len(samples)
	'
	expect_line err 'the counters were taken away in [0-9]+ samples?'
}

run_tests
