#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Where time is counted in instructions, recordings are reproducible: two runs give the
# same log, byte for byte.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"
phases=$TOP/build/demo/phases
script='kermon run -q -e set0 -o /d --raw-log /r -- phases 1000 >/dev/null &&
	cat /r'

record_on()
{
	"$TOP/scripts/kermon-vm" --icount --cpus "$1" --timeout 3600 \
		--with "$TOP/build/bin/kermon" --with "$phases" \
		--with /bin/cat --with /bin/sh -- sh -c "$script" >"$2" 2>err ||
		fail "status $?"
}

# The program has three threads besides the main one.
expect_same_logs()
{
	local try
	# What the host does late, such as to take output, the machine may notice.
	for try in 1 2 3; do
		record_on "$1" one
		record_on "$1" two
		! cmp one two >out || break
		echo "# the runs of attempt $try differ: $(cat out)"
	done
	cmp one two >out || fail "two runs differ"
	/usr/bin/python3 "$TOP/tests/cli/machine/check-log" one >out 2>err ||
		fail "the log is invalid"
	expect_line out '^samples [1-9][0-9]* lost 0 threads 4$'
}

test_one_cpu()
{
	expect_same_logs 1
}

test_two_cpus()
{
	expect_same_logs 2
}

# The same where instructions take time, including that, its energy and the console. The
# rate of the clock and the power are those that were set.
test_time()
{
	local run
	for run in one two; do
		"$TOP/scripts/kermon-vm" --time --cpus 1 --timeout 3600 --console "$run.console" \
			--time-property time-mhz=2000 --time-property power-pkg-mw=50000 \
			--time-property power-cpu-mw=30000 --time-property power-flop-pj=0 \
			--with "$TOP/build/bin/kermon" --with "$phases" \
			--with /bin/cat --with /bin/sh -- \
			sh -c "kermon stat --json -e set0 -- phases 2000000 >/dev/null &&
				${script/1000/100}" >"$run" 2>"$run.stat" || fail "status $?"
	done
	cmp one two >out || fail "two runs differ"
	cmp one.stat two.stat >out || fail "the counts of two runs differ"
	cmp one.console two.console >out || fail "two consoles differ"
	/usr/bin/python3 "$TOP/tests/cli/machine/check-log" one >out 2>err ||
		fail "the log is invalid"
	expect_line out '^samples [1-9][0-9]* lost 0 threads 4$'
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	stat = json.load(open("one.stat"))
	mean = {event["event"]: event["value"]["mean"] for event in stat["counts"]
	        if not event["alone"]}
	assert mean["oncpu"] > 0.02, mean
	# cycles in user mode only
	hertz = mean["cycles:u"] / mean["oncpu"]
	assert 1.8e9 < hertz < 2.0001e9, mean
	# read once in a millisecond
	watts = mean["power/energy-pkg/"] / mean["oncpu"]
	assert abs(watts - 80) < 80 * 0.001 / mean["oncpu"], mean
	END
}

# Others have pinned all counters: cycles can be opened, but not read, and additions measure the
# clock of the theory.
test_clock_without_a_counter()
{
	"$TOP/scripts/kermon-vm" --with /bin/sh --with "$(type -P sleep)" --with "$(type -P perf)" \
		--with "$TOP/build/bin/kermon" -- sh -c "
		for i in 1 2 3 4 5 6 7 8; do
			perf stat -a -e cycles:D -- sleep 60 >/dev/null 2>&1 &
		done
		sleep 2
		kermon roofline bench --theoretical --json" >out 2>err || fail "status $?"
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	found = json.load(open("out"))
	assert found["flops"] and min(row["value"] for row in found["flops"]) > 1e8, found["flops"]
	assert any("measured by additions" in note for note in found["notes"]), found["notes"]
	END
}

# Where instructions and lines take a known time, "kermon roofline bench" finds the ceilings
# that follow from it: one ADD and one MUL of 256 bits per cycle of 3.5 GHz, and 29.9 GB/s. Two
# CPUs take turns there, which it says. The PMU counts the clock of the theory.
test_ceilings()
{
	"$TOP/scripts/kermon-vm" --time --cpus 2 --timeout 3600 --with /bin/sh \
		--with "$TOP/build/bin/kermon" -- sh -c "
			kermon roofline bench --quick --threads 1,2 --isa avx --level peak --json
			kermon roofline bench --quick --threads 1 --isa avx --level DRAM --json
			kermon roofline bench --theoretical --json" >out 2>err || fail "status $?"
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	text, files = open("out").read().lstrip(), []
	while text:
	    found, end = json.JSONDecoder().raw_decode(text)
	    files.append(found)
	    text = text[end:].lstrip()
	found, memory, theory = files
	assert found["machine"]["model"] is True and found["complete"] is True, found
	peaks = {(row["operation"], row["precision"]): row for row in found["flops"]
	         if row["threads"] == 1}
	wanted = {(operation, precision): flops * (2 if precision == "single" else 1)
	          for operation, flops in (("add", 14e9), ("mul", 14e9), ("add+mul", 28e9))
	          for precision in ("single", "double")}
	assert peaks.keys() == wanted.keys(), peaks
	for name, row in peaks.items():
	    assert abs(row["value"] / wanted[name] - 1) < 0.02, (name, row)
	    assert abs(row["hertz"] / 3.5e9 - 1) < 0.02, row
	assert len(memory["bandwidths"]) == 4, memory
	for row in memory["bandwidths"]:
	    assert abs(row["value"] / 29.9e9 - 1) < 0.02, row
	note, = [note for note in found["notes"] if "take turns" in note]
	assert note.startswith("2 threads have the peaks of one"), note
	for row in theory["flops"]:
	    name = row["operation"], row["precision"]
	    if row["isa"] == "avx" and row["threads"] == 1:
	        assert abs(row["value"] / wanted[name] - 1) < 0.005, row
	assert [note for note in theory["notes"] if "the PMU counted" in note], theory["notes"]
	assert [note for note in theory["notes"] if "emulated" in note], theory["notes"]
	END
}

# A cycle is an instruction, so the measured cost of two tasks must be within the limits.
test_cost()
{
	"$TOP/scripts/kermon-vm" --icount --cpus 1 --timeout 3600 \
		--with "$TOP/build/bin/kermon" -- kermon cost --json >out 2>err ||
		fail "status $?"
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	cost = json.load(open("out"))
	of = cost["coefficients"]
	assert cost["hypervisor"] == "TCGTCGTCGTCG", cost
	assert abs(cost["tsc_khz"] - 1000000) < 1000, cost
	cpi = of.pop("instruction")
	assert 0.99 < cpi < 1.01, cpi
	assert of.keys() == {"rdtsc", "rdpmc", "rdmsr", "wrmsr", "energy"}, of
	for access in cost["accesses"]:
	    # each is an instruction, with some around it
	    assert 1 <= access["minimum_cycles"] <= access["median_cycles"] <= \
	        access["most_cycles"] < 10, access
	    assert access["median_cycles"] == of[access["name"]], access
	one, two, energy = cost["pairs"]
	assert (one["name"], two["name"], energy["name"]) == \
	    ("one set", "two sets", "with energy"), cost
	assert (one["wrmsr"], two["wrmsr"], energy["wrmsr"]) == (0, 4, 0), cost
	# register writes are accounted for
	assert one["kernel_cycles"] + 4 < two["kernel_cycles"], cost
	assert one["energy"] == two["energy"] == 0 < energy["energy"] < 1, cost
	for pair in cost["pairs"]:
	    model = pair["instruction"] * cpi + \
	        sum(pair[name] * of[name] for name in of if name in pair)
	    assert abs(pair["model_cycles"] - model) < 1e-6 * model, (pair, model)
	    assert (pair["rdpmc"], pair["rdtsc"]) == (14, 6 if pair is two else 4), pair
	    assert 0 < pair["kernel_cycles"] < pair["whole_cycles"] <= pair["instruction"], pair
	END
}

make -s -C "$TOP/tests/demo" OUT="$TOP/build/demo" >&2 || exit
run_tests
