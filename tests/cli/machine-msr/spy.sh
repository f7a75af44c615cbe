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
	local i

	export XDG_RUNTIME_DIR=$PWD
	"$KERMON" spy --backend msr -e r00c0 -I 10ms -f json -o samples -q --duration 1h 2>err &
	wait_for '[ -s samples ]'
	for i in 1 2 3; do
		kermon spy --set 1=r00c4,r00c0
		expect_status 0
		kermon spy --set 1=r00c0
		expect_status 0
	done
	kermon spy --set 1=MEM_UOPS_RETIRED:ALL_LOADS
	expect_status 1
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

# However it ends, registers are as before; and what others use is not touched.
test_holders()
{
	registers save before
	"$KERMON" spy --backend msr -f json -o samples -q --duration 1h 2>err &
	wait_for 'grep -q sample samples'
	kermon spy --backend msr --samples 1
	expect_status 1
	expect_line err 'in use by perf or another module|KerMon'
	kill -KILL $!
	wait $! 2>/dev/null
	wait_for '! pgrep kermon-msr-help'
	registers compare before counters >differences
	expect_empty differences
	perf stat -a -e instructions sleep 600 >/dev/null 2>&1 &
	wait_for '[ "$("$KERMON" status --json | grep -c "\"owner\": \"other\"")" = 1 ]'
	kermon spy --backend msr --samples 1
	expect_status 1
	expect_line err 'CPU 0: the counters are in use by perf'
	kill $!
	wait $!
	kermon spy --backend msr -e MEM_UOPS_RETIRED:ALL_LOADS --samples 1
	expect_status 1
	expect_line err 'only architectural events'
}

# Somebody who runs perf afterwards takes the counters away, and samples say so.
test_taken_away()
{
	"$KERMON" spy --backend msr -I 20ms -f json -o samples -q --duration 1h 2>err &
	wait_for 'grep -q sample samples'
	perf stat -a -e instructions,cycles sleep .5 >/dev/null 2>&1
	kill $!
	wait $!
	check_samples samples '
	assert any("uncounted" in sample["flags"] for sample in samples), len(samples)
	'
	expect_line err 'the counters were taken away in [0-9]+ samples'
}

run_tests
