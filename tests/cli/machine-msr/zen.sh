#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon spy by registers of AMD, which leave counters to perf.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"
. "$(dirname "$0")/../spy.bash"

# Perf counts by the first counter.
test_same_as_perf()
{
	spy_between_perfs msr 3000 '
	assert not any("uncounted" in sample["flags"] for sample in samples), samples
	assert own > 2e7 and own - least < spied and most - own < 2e7, (least, own, most, spied)
	'
}

# The operations that the program says it executes; the spies have few of their own, of joules.
# They take two counters.
test_operations()
{
	kermon spy --backend msr -e RETIRED_SSE_AVX_FLOPS:ANY,LS_DISPATCH:LD_DISPATCH -I 20ms \
		-f json -o samples -q -- "$TOP/build/programs/phases" 20000
	expect_status 0
	check_samples samples '
	executed = sum(int(words[4]) for words in map(str.split, open("out"))
	               if len(words) == 5 and words[4].isdigit())
	counted = sum(total(cpu, "RETIRED_SSE_AVX_FLOPS:ANY") for cpu in (0, 1))
	print(executed, counted)
	assert executed <= counted < executed + 200 * len(samples), (executed, counted)
	assert all(0 < sample["by"]["LS_DISPATCH:LD_DISPATCH"] < sample["by"]["instructions"]
	           for sample in samples), samples
	'
	kermon spy --backend msr -e set1,LS_DISPATCH:LD_DISPATCH --samples 1
	expect_status 1
	expect_line err 'CPU 0 has too few counters for'
}

# The operations by kind take all six counters: instructions and cycles have none then, and begin
# anew when the set is changed back.
test_all_counters()
{
	export XDG_RUNTIME_DIR=$PWD
	"$KERMON" spy --backend msr -e fixed -I 10ms -f json -o samples -q --duration 1h 2>err &
	wait_for 'grep -q "sample.*\"cpu\":1" samples'
	kermon spy --set 0-1=set1
	expect_status 0
	"$TOP/build/programs/phases" 20000 >phases
	kermon spy --set 0-1=fixed
	expect_status 0
	sleep .1
	kill $!
	wait $!
	check_samples samples '
	executed = sum(int(words[4]) for words in map(str.split, open("phases"))
	               if len(words) == 5 and words[4].isdigit())
	middle = [sample for sample in samples if sample["set"] == 1]
	assert all(len(sample["by"]) == 3 for sample in middle), middle
	counted = sum(sum(sample["counts"]) for sample in middle)
	print(executed, counted)
	assert 0 < executed <= counted < executed + 200 * len(samples), (executed, counted)
	for sample in samples:
	    if sample["set"] == 0:
	        assert 0 < sample["by"]["instructions"] <= sample["by"]["cycles"] < 1e9, sample
	'
}

run_tests
