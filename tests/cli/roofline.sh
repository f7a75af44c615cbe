#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon roofline: numbers, words and pictures of recordings whose roofline is known, see
# roofline.py.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

roofline()
{
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/roofline.py" "$@"
}

# make_file KIND: a recording of this kind and name, and the ceilings of its machine.
make_file()
{
	roofline make "$1" "$1" || fail "no recording"
	roofline ceilings ceilings.json
}

# expect_json EXPRESSION: is true of the JSON in "out", which is as described.
expect_json()
{
	cp out json
	roofline json json >wrong || fail "$(cat wrong)"
	python3 -c 'import json, sys
found = json.load(open("json"))
samples = found["samples"]
average = found["averages"][0]
def near(a, b): return abs(a - b) <= 1e-6 * abs(b)
sys.exit(not eval(sys.argv[1]))' "$1" || fail "not so: $1"
}

test_sums_are_exact()
{
	make_file phases
	kermon roofline --json --ceilings ceilings.json phases
	expect_status 0
	expect_json 'average["flop"] == 10 * 1000000 + 10 * 4 * 200000000'
	expect_json 'average["bytes"] == 10 * 8 * 10000000 + 10 * 32 * 3125000'
	expect_json 'average["seconds"] == 1 and near(average["flops_per_s"], 8.01e9)'
	expect_json 'near(average["intensity"], 8.01 / 1.8) and not average["estimated"]'
	expect_json 'near(average["joules"]["package"], 15)'
	expect_json 'near(average["joules_per_flop"], 15 / 8.01e9)'
	expect_json 'found["runs"][0]["duration_s"] == 1 and samples["begin"][0] == 0'
	expect_json 'samples["seconds"] == [0.05] * 20 and samples["oncpu"] == [0.05] * 20'
}

# Samples are where their phase is; the average is where no sample is.
test_phases_are_apart()
{
	make_file phases
	kermon roofline --json --ceilings ceilings.json phases
	expect_json 'samples["flop"] == [1000000] * 10 + [800000000] * 10'
	expect_json '[found["simd"][i] for i in samples["simd"]] == ["scalar"] * 10 + ["avx"] * 10'
	expect_json 'set(f / b for f, b in zip(samples["flop"], samples["bytes"])) == {0.0125, 8.0}'
	expect_json '0.0125 < average["intensity"] < 8 and 2e7 < average["flops_per_s"] < 1.6e10'
	kermon roofline --ceilings ceilings.json --view none phases
	expect_line out 'bound by double FMA avx, 1 thread: at 25 % of its 32 GFLOP/s'
	expect_line out 'bound for 50 % of the time by double FMA avx, .*, 50 % of the time by DRAM 2:1'
}

# What runs at the same time takes its time and its energy once.
test_threads_at_the_same_time()
{
	make_file threads
	kermon roofline --json --ceilings ceilings.json threads
	expect_json 'near(average["seconds"], 0.5) and near(average["joules"]["package"], 5)'
	expect_json 'near(average["flops_per_s"], 32e9) and average["parallel"] == 2'
	expect_json '[near(t["flops_per_s"], 16e9) for t in found["threads"]] == [True, True]'
	expect_json '{c["threads"] for c in found["ceilings"] if c["shown"]} == {1, 2}'
	kermon roofline --ceilings ceilings.json --view none threads
	expect_line out 'bound by double FMA avx, 2 threads: at 50 %'
	expect_line out '^2 threads ran at the same time on average: compare the application with the ceilings of 2'
}

# No ceiling of two threads: none is said to bind, and no reason is given.
test_threads_that_were_not_measured()
{
	make_file threads
	roofline ceilings many.json GenuineIntel,6,158,10 64
	kermon roofline --ceilings many.json --view none threads
	expect_status 0
	expect_line out ', mostly avx: below double FMA avx, 64 threads: at 2 %'
	expect_line out 'As many as 2 ran at the same time, but these ceilings are of 64: what binds is not known; measure with kermon roofline bench --threads 2'
	expect_no_line out 'latency or dependent'
}

# Slow AVX code: what scalar code could reach is no ceiling.
test_width_executed()
{
	make_file slow
	kermon roofline --ceilings ceilings.json --view none slow
	expect_line out ', mostly avx: bound by double FMA avx, 1 thread: at 5 %.*latency'
	expect_line out 'bound for 100 % of the time by double FMA avx'
	kermon roofline --ceilings ceilings.json --json slow
	expect_json 'average["simd"] == "avx"'
}

# Samples end in two functions of a program, one of them elsewhere.
test_functions()
{
	make_file functions
	kermon roofline --by function --view none functions
	expect_status 0
	expect_line out '^stream +program +0\.5 +0\.01 '
	expect_line out '^compute +program +0\.45 +7\.2 '
	expect_line out '^\[unknown\] +0\.05 +0\.8 '
	expect_line out '^a sample counts as that of the function in which it ended'
	kermon roofline --by function --json functions
	expect_json 'samples["function"] == [0] * 10 + [1] * 9 + [2]'
	expect_json '[f["name"] for f in found["functions"]] == ["stream", "compute", "[unknown]"]'
	expect_json 'found["functions"][1]["file"] == "program" and found["functions"][2]["file"] is None'
	expect_json 'near(found["functions"][1]["joules"]["package"], 4.5)'
	kermon roofline --by function --csv functions
	[ "$(cut -d, -f23 out | sort | uniq -c | awk '{ printf "%s %s ", $1, $2 }')" = \
		'1 [unknown] 9 compute 1 function 10 stream ' ] || fail "CSV: $(cat out)"
	kermon roofline --json functions
	expect_json 'found["functions"] == [] and "function" not in samples'
}

# Each function has the time and the energy that it has in a report.
test_functions_are_those_of_a_report()
{
	make_file functions
	kermon roofline --by function --json functions
	mv out json
	kermon report -s sym --csv functions
	expect_status 0
	python3 - <<-'END' || fail "other functions than $(cat out)"
		import csv, json
		rows = {row["sym"]: row for row in csv.DictReader(open("out"))}
		found = {one["name"]: one for one in json.load(open("json"))["functions"]}
		assert rows.keys() == found.keys() and len(rows) == 3, rows.keys()
		assert {name: (int(row["oncpu_ns"]), float(row["energy_pkg_J"])) for name, row in rows.items()} == \
			{name: (round(1e9 * one["seconds"]), one["joules"]["package"]) for name, one in found.items()}
	END
}

# perf_event: each of its samples is of a function, but a slice of time is of several.
test_functions_in_slices()
{
	make_file slices
	kermon roofline --by function --view none slices
	expect_status 0
	expect_line out '^compute +program +0\.24 +~3\.2 +~13\.33 '
	expect_line out '^stream +program +0\.16 +~0 '
	expect_line out '^\[unknown\] +0\.01 '
	expect_line out '^sums of functions are those of the samples of perf_event in them'
	kermon roofline --by function --json slices
	expect_json '[f["samples"] for f in found["functions"]] == [160 + 160, 240 + 80, 10]'
	expect_json '[f["flop"] for f in found["functions"]] == [0, 3_200_000_000, 0]'
	expect_json 'near(sum(f["seconds"] for f in found["functions"]), sum(t["seconds"] for t in found["threads"]))'
	expect_json 'samples["function"] == [None] * 9'
}

# Samples of CPUs are of no function.
test_functions_that_are_unknown()
{
	make_file spy
	kermon roofline --by function --view none spy
	expect_status 0
	expect_line out '^functions are not known: samples are of CPUs, and have no addresses$'
	kermon roofline --by function --json spy
	expect_json 'samples["function"] == [None] * 20'
}

test_dots_by_thread_and_function()
{
	make_file functions
	kermon roofline --dots function --view none --svg picture.svg functions
	roofline svg picture.svg 20 >wrong || fail "$(cat wrong)"
	expect_line picture.svg '>stream<'
	expect_line picture.svg '>compute<'
	make_file threads
	kermon roofline --dots thread --view none --svg picture.svg threads
	roofline svg picture.svg 20 >wrong || fail "$(cat wrong)"
	expect_line picture.svg '>one \(1\)<'
	expect_line picture.svg '>two \(2\)<'
}

test_rotated_sets()
{
	make_file rotated
	kermon roofline --json rotated
	expect_json 'len(samples["flop"]) == 10 and samples["estimated"] == [1] * 10'
	expect_json 'samples["flop"] == [400000] * 10 and samples["bytes"] == [32000000] * 10'
	expect_json 'samples["error"][:8] == [0] * 8 and near(samples["error"][9], 1 / 3)'
	expect_json 'len(found["intervals"]) == 20 and average["estimated"]'
	kermon roofline --view none rotated
	expect_line out '2 event sets were rotated: .* error 6\.67 % on average'
	kermon roofline --view none --time 0%-10% rotated
	expect_line out '2 event sets were rotated, and no sample has a turn of each: record longer'
}

# Loads and stores are in both sets, and are counted once. The last turn has no partner.
test_shared_events()
{
	make_file shared
	kermon roofline --json shared
	expect_json 'samples["flop"] == [1200000] * 2 + [None] and samples["error"][2] is None'
	expect_json 'samples["bytes"] == [64000000] * 2 + [None] and near(average["error"], 0)'
}

# When in a coalesced interval its thread was on the CPU is not known: time, energy and
# operations are spread over it, from its begin by the TSC. Together, the threads of the second
# half run for 1 - 0.8 * 0.8 of its time; the power is the same for all of it.
test_coalesced_intervals()
{
	make_file coalesced
	kermon roofline --json coalesced
	expect_json 'samples["begin"] == [0, .01, .02, .03, .04] + [t / 100 for t in range(5, 10) for _ in "ab"] + [.1]'
	expect_json 'samples["seconds"] == [0.01] * 16 and samples["oncpu"] == [0.002] * 15 + [0.01]'
	expect_json 'near(average["seconds"], 5 * 0.002 + 5 * 0.0036 + 0.01)'
	expect_json 'near(average["joules"]["package"], 20 * average["seconds"])'
	expect_json 'near(average["flop"], 16 * 16_000_000)'
	kermon roofline --view none coalesced
	expect_line out '^in coalesced intervals .* not known'
	kermon roofline --view none --svg lanes.svg coalesced
	expect_line lanes.svg 'class="bars spread c0"'
	kermon roofline --view lanes coalesced
	expect_line out '^CPU 0 +a+$'
	expect_line out '^CPU 1 {30,}b+ *$'
}

# perf_event says how long a thread was on a CPU in a slice, but not when.
test_slices_of_time()
{
	make_file slices
	kermon roofline --json slices
	expect_json 'samples["begin"] == [0, .1, .2, .2, .3, .3, .4, .4, .5]'
	expect_json 'samples["oncpu"] == [0.05] * 8 + [0.01] and samples["flop"] == [400_000_000] * 8 + [0]'
	expect_json 'near(average["seconds"], 2 * 0.05 + 3 * 0.075 + 0.01)'
	expect_json 'near(average["parallel"], 0.41 / 0.335)'
	kermon roofline --view none slices
	expect_line out 'samples here are slices of time, over which they are spread evenly'
}

# Energy per operation is that of the samples whose operations are known.
test_energy_of_samples_without_counts()
{
	make_file uncounted
	kermon roofline --json uncounted
	expect_json 'near(average["joules"]["package"], 20) and near(average["joules_per_flop"], 5 / 8e9)'
	expect_json 'near(found["threads"][0]["joules_per_flop"], 5 / 8e9)'
}

test_merged_runs()
{
	make_file merged
	kermon roofline --json merged
	expect_json 'samples["error"] == [0.025] * 20 and near(average["error"], 0.025)'
	expect_json 'any("2 runs" in label and "2.5 %" in label for label in found["labels"])'
}

test_spy()
{
	make_file spy
	kermon roofline --json --ceilings ceilings.json spy
	expect_json 'found["runs"][0]["monitor"] == "spy" and near(average["joules"]["package"], 5)'
	expect_json '[t["comm"] for t in found["threads"]] == ["CPU 0", "CPU 1"]'
	expect_json 'near(average["flops_per_s"], 16e9) and average["parallel"] == 1'
	expect_json 'samples["joules"][0].count(None) == 10 and samples["oncpu"] == [None] * 20'
	# Read once in three intervals, which have the same power.
	expect_json 'all(near(one, 0.5) for one in samples["joules"][0] if one is not None)'
	kermon roofline --view none spy
	expect_line out '^counts are those of CPUs'
}

# What the set of an interval does not have is unknown, not 0; rates are those of the rest.
test_spy_whose_sets_were_changed()
{
	make_file spy-sets
	kermon roofline --json --ceilings ceilings.json spy-sets
	expect_json 'samples["flop"] == [800000000, None] * 5'
	expect_json 'samples["bytes"] == [None] * 10 and average["intensity"] is None'
	expect_json 'average["flop"] == 4e9 and near(average["flops_per_s"], 16e9)'
	kermon roofline --view none spy-sets
	expect_line out '^no sample has all events, because CPUs counted one set after .*kermon merge'
	expect_line out '^in 50.0 % of the time, operations were not counted'
	expect_line out '^The set of a CPU was changed 9 times: sums'
	make_file spy-changed
	kermon roofline --json --ceilings ceilings.json spy-changed
	expect_json 'samples["bytes"] == [None] * 10 + [100000000] * 2'
	expect_json 'near(average["intensity"], 8) and average["bytes"] == 2e8'
	kermon roofline --view none spy-changed
	expect_no_line out 'no sample has all'
	make_file spy-watched
	kermon roofline --view none spy-watched
	expect_line out '^no sample has all events, because CPUs counted different sets,'
}

# Each is shown by itself, with what to do.
test_spies_of_a_set_each()
{
	make_file spy-operations
	make_file spy-accesses
	kermon roofline --json spy-operations spy-accesses
	expect_json 'samples["flop"] == [800000000] * 10 + [None] * 10'
	expect_json 'samples["bytes"] == [None] * 10 + [25000000] * 10'
	expect_json '{a["intensity"] for a in found["averages"]} == {None}'
	kermon roofline --view none spy-operations spy-accesses
	expect_line out "^spy-operations and spy-accesses have different events, .* 'kermon merge'"
	kermon roofline --view none spy-operations spy-operations
	expect_no_line out 'have different events'
	make_file spy
	kermon roofline --view none spy-operations spy
	expect_no_line out 'have different events'
}

# The events of these recordings are two of six classes.
test_some_operations()
{
	make_file phases
	kermon roofline --view none phases
	expect_line out '^only some operations were counted: double scalar, double AVX$'
}

# Four labels for each of eight recordings.
test_all_labels_of_many_recordings()
{
	make_file rotated
	kermon roofline --json --label a,b,c,d,e,f,g,h rotated rotated rotated rotated rotated \
		rotated rotated rotated
	expect_status 0
	expect_json 'len(found["labels"]) == 33 and found["labels"][-1].startswith("h: shared energy")'
}

test_without_operations()
{
	make_file software
	kermon roofline --ceilings ceilings.json software
	expect_status 1
	expect_line err 'software: no event of floating-point operations was counted'
	expect_line err 'kermon run -e roofline -o software -- '
	expect_line out '^double FMA avx, 1 thread'
	kermon roofline --ceilings ceilings.json --svg alone.svg --view none software
	roofline svg alone.svg 0 >wrong || fail "$(cat wrong)"
}

# Of another CPU: only if they are named, and then every output says so.
test_ceilings_of_another_machine()
{
	make_file phases
	roofline ceilings other.json GenuineIntel,6,85,7
	kermon roofline --json --ceilings other.json phases
	expect_json 'found["runs"][0]["ceilings"] == "other"'
	expect_json 'any("of another machine" in label for label in found["labels"])'
	kermon roofline --ceilings other.json --view none --svg other.svg phases
	expect_line out 'the ceilings are of another machine'
	expect_line other.svg 'the ceilings are of another machine'
	XDG_DATA_HOME=$PWD kermon roofline --view none phases
	expect_status 0
	expect_line out 'kermon roofline bench'
	expect_no_line out '^Ceilings'
	echo '{' >broken.json
	kermon roofline --ceilings broken.json phases
	expect_status 1
	expect_line err 'cannot read the ceilings in broken\.json: '
}

# Each recording is compared with the ceilings of its machine: those of the second one are half
# as high.
test_several_machines()
{
	make_file phases
	make_file elsewhere
	roofline ceilings other.json GenuineIntel,6,85,7 2 elsewhere 0.5
	kermon roofline --ceilings ceilings.json --ceilings other.json --view none --svg both.svg \
		phases elsewhere
	expect_status 0
	roofline svg both.svg 40 >wrong || fail "$(cat wrong)"
	expect_line out '^Ceilings of golden$'
	expect_line out '^Ceilings of elsewhere$'
	expect_line out '^phases: .* at 25 % of its 32 GFLOP/s'
	expect_line out '^elsewhere: .* at 50 % of its 16 GFLOP/s'
	expect_no_line out 'of another machine'
	expect_line both.svg '>2: ceilings of elsewhere<'
	[ "$(grep -c '^<path class="roof"' both.svg)" = 7 ] || fail "ceilings of the first machine"
	[ "$(grep -c '^<path class="roof m1"' both.svg)" = 7 ] || fail "of the second one"
	expect_line both.svg '>double FMA avx, 1 thread, elsewhere<'
	LC_ALL=C kermon roofline --ceilings ceilings.json --ceilings other.json phases elsewhere
	expect_line out '1: double FMA avx, 1 thread$'
	expect_line out '^2: ceilings of elsewhere$'
	kermon roofline --json --ceilings ceilings.json --ceilings other.json phases elsewhere phases
	expect_json '[run["machine"] for run in found["runs"]] == [0, 1, 0]'
	expect_json '[one["name"] for one in found["machines"]] == ["golden", "elsewhere"]'
	expect_json 'sum(one["machine"] for one in found["ceilings"]) * 2 == len(found["ceilings"])'
}

# They are found by the machine of each recording; one has none, and no verdict.
test_ceilings_of_each_machine()
{
	make_file phases
	make_file elsewhere
	export XDG_DATA_HOME=$PWD/data
	mkdir -p data/kermon/ceilings
	roofline ceilings data/kermon/ceilings/GenuineIntel,6,158,10-A_CPU_1.00GHz-2-golden.json
	kermon roofline --json phases elsewhere
	expect_json '[run["machine"] for run in found["runs"]] == [0, None]'
	expect_json 'len(found["verdict"]) == 1 and found["verdict"][0].startswith("phases: ")'
	expect_json 'any(label.startswith("no ceilings of the machine that was recorded (elsewhere") for label in found["labels"])'
	roofline ceilings data/kermon/ceilings/GenuineIntel,6,85,7-A_CPU_1.00GHz-2-elsewhere.json \
		GenuineIntel,6,85,7 2 elsewhere 0.5
	kermon roofline --json elsewhere phases
	expect_json 'len(found["verdict"]) == 2 and found["machines"][0]["name"] == "elsewhere"'
	roofline ceilings third.json GenuineIntel,6,1,1
	kermon roofline --ceilings third.json --ceilings ceilings.json --json elsewhere
	expect_json '"elsewhere: none of the 2 files of ceilings is of its machine" in found["labels"]'
	expect_json 'found["verdict"] == []'
	kermon roofline --ceilings third.json --ceilings third.json --json elsewhere
	expect_json 'len(found["machines"]) == 1 and found["runs"][0]["ceilings"] == "other"'
	unset XDG_DATA_HOME
}

# One sample, many threads with names like markup, hours with pauses, and no operations: all is
# in the picture, and what is empty says why.
test_unusual_recordings()
{
	local kind

	for kind in single:1 crowd:640 long:1000 zero:0; do
		make_file "${kind%:*}"
		kermon roofline --ceilings ceilings.json --view time --svg "${kind%:*}.svg" --dots thread \
			"${kind%:*}"
		expect_status 0
		expect_no_line out 'nan|inf'
		roofline svg "${kind%:*}.svg" "${kind#*:}" >wrong || fail "${kind%:*}: $(cat wrong)"
	done
	expect_line out '^no floating-point operations were executed: samples have no place'
	expect_line zero.svg '>no samples with both operations and bytes<'
	expect_line crowd.svg '\(64 threads: colours are repeated\)<'
	expect_line long.svg '>reasons are not shown: there are too many samples<'
	expect_no_line long.svg 'aria-label="tick"'
}

# More than there are colours and letters.
test_many_recordings()
{
	local files

	make_file slow
	mapfile -t files < <(yes slow | head -30)
	LC_ALL=C kermon roofline --ceilings ceilings.json --svg many.svg "${files[@]}"
	expect_status 0
	expect_line out '^Z: average of slow'
	expect_line out '^\+: average of slow'
	roofline svg many.svg 300 >wrong || fail "$(cat wrong)"
}

test_picture()
{
	local dots

	make_file phases
	make_file threads
	for dots in time simd; do
		kermon roofline --ceilings ceilings.json --view none --dots "$dots" \
			--svg "$dots.svg" phases
		expect_status 0
		roofline svg "$dots.svg" 20 >wrong || fail "$(cat wrong)"
	done
	! cmp -s time.svg simd.svg || fail "the same colours"
	kermon roofline --ceilings ceilings.json --label 'a<b>,after' --svg - phases threads >both.svg
	cp out both.svg
	roofline svg both.svg 40 >wrong || fail "$(cat wrong)"
	expect_line both.svg 'a&lt;b&gt;'
	expect_line both.svg 'aria-label="tick"'
}

# Slopes of one thread end at the highest peak of one thread, those of two at that of two.
test_ridges_of_equal_threads()
{
	make_file threads
	kermon roofline --ceilings ceilings.json --view none --svg ridges.svg threads
	sed -n 's/^<path class="roof.*" d="M[^L]*L[^ ]* \(.*\)"\/>$/\1/p' ridges.svg | sort | uniq -c |
		sort -n | awk '{ printf "%s ", $1 }' >ends
	[ "$(cat ends)" = "1 1 5 5 " ] || fail "ends of ceilings: $(cat ends)"
	[ "$(grep -c 'class="roof dashed"' ridges.svg)" = 6 ] || fail "dashed: $(grep -c dashed ridges.svg)"
	expect_line ridges.svg 'aria-label="average \(2 threads\)"'
}

# What binds over time is for the width that was executed, and for threads that ran then.
test_strip_of_what_binds()
{
	make_file slow
	make_file packages
	kermon roofline --ceilings ceilings.json --view none --svg slow.svg slow
	sed -n '/>Performance/,/>Intensity/p' slow.svg >strip.svg
	[ "$(grep -c 'class="bars' strip.svg)" = 1 ] || fail "another ceiling binds: $(cat strip.svg)"
	expect_line strip.svg '>double FMA avx, 1 thread<'
	expect_no_line strip.svg '>double FMA scalar'
	kermon roofline --ceilings ceilings.json --view none --svg threads.svg packages
	sed -n '/>Performance/,/>Intensity/p' threads.svg >strip.svg
	expect_line strip.svg ', 2 threads'
}

# An arrow leads to the next recording of the same kind, also past one of another.
test_arrows_past_another_kind()
{
	make_file phases
	make_file spy
	make_file slow
	kermon roofline --svg - phases spy slow
	expect_line out 'class="axis" d="M[^M]*L[^M]*M[^M]*L[^M]*M'
	kermon roofline --svg - phases spy
	expect_no_line out 'class="axis" d="M[^M]*L[^M]*M[^M]*L[^M]*M'
}

# KerMon beside SpyMon: both averages, and the dots of both, of which CPU 1 has none.
test_both_monitors_in_one_picture()
{
	make_file phases
	make_file spy
	kermon roofline --ceilings ceilings.json --view none --svg both.svg phases spy
	expect_status 0
	roofline svg both.svg 30 >wrong || fail "$(cat wrong)"
	expect_line both.svg 'aria-label="phases"'
	expect_line both.svg 'aria-label="spy"'
	expect_line out '^spy: counts are those of CPUs'
}

test_png()
{
	make_file phases
	kermon roofline --view none --png picture.png phases
	expect_status 0
	[ "$(head -c 4 picture.png | tail -c 3)" = PNG ] || fail "no PNG"
	PATH=/nonexistent kermon roofline --view none --png other.png phases
	expect_status 1
	expect_line err 'requires rsvg-convert'
	expect_line err 'apt install librsvg2-bin'
	[ ! -e other.png ] || fail "a file without contents"
}

test_views()
{
	local plot

	make_file phases
	for plot in samples average time power lanes; do
		LC_ALL=C COLUMNS=70 kermon roofline --ceilings ceilings.json --view "$plot" phases
		expect_status 0
		expect_no_line out '[^ -~]'
		sed '/^Ceilings/,$d' out >plot
		expect_no_line plot '.{71}'
		[ -s plot ] || fail "no plot"
	done
	LC_ALL=C.UTF-8 kermon roofline --ceilings ceilings.json phases
	grep -q '⣀' out || fail "no braille"
	expect_no_line out $'\033'
	kermon roofline --ceilings ceilings.json --color always phases
	grep -q $'\033' out || fail "no colours"
}

# As in pictures, that of all threads together.
test_performance_over_time()
{
	make_file threads
	LC_ALL=C kermon roofline --view time threads
	expect_line out '^ +30 \|'
	expect_line out '^ +\|o+$'
}

# Samples are characters of their own where no colour tells them from ceilings.
test_plots_without_colours()
{
	local locale

	make_file phases
	make_file slow
	for locale in C C.UTF-8; do
		LC_ALL=$locale kermon roofline --ceilings ceilings.json phases slow
		expect_line out '^A: average of phases, o: a sample$'
		expect_line out '^B: average of slow, x: a sample$'
		sed '/^Ceilings/,$d; /:/d; s/double .*//' out >plot
		[ "$(tr -cd o <plot)" = oo ] || fail "samples: $(cat plot)"
		LC_ALL=$locale kermon roofline --view time phases slow
		expect_line out '^x: slow$'
		expect_line out 'xxxxxxxx'
	done
	LC_ALL=C.UTF-8 kermon roofline --ceilings ceilings.json --color always phases
	expect_line out '^A: average of phases$'
}

test_csv()
{
	make_file phases
	kermon roofline --csv phases
	python3 - <<-'END' || fail "CSV differs"
		import csv
		rows = list(csv.DictReader(open("out")))
		assert len(rows) == 20
		assert {(row["flop"], row["bytes"], row["simd"], row["why"]) for row in rows} == \
			{("1000000", "80000000", "scalar", "tick"), ("800000000", "100000000", "avx", "tick")}
		assert rows[1]["begin_s"] == "0.05" and float(rows[19]["gflops_per_s"]) == 16
	END
}

# The cost of a hundred thousand samples: well below a second, also on a busy machine.
test_many_samples()
{
	make_file many
	ulimit -t 3
	kermon roofline --json --ceilings ceilings.json many
	expect_json 'len(samples["flop"]) == 100000 and near(average["flop"], 40.05e9)'
	kermon roofline --ceilings ceilings.json --svg many.svg many
	expect_status 0
	[ "$(stat -c %s many.svg)" -lt 8000000 ] || fail "a large picture"
}

test_bad_command_lines()
{
	make_file phases
	kermon roofline --label one phases phases
	expect_status 129
	expect_line err '--label requires a name for each of the 2 recordings'
	kermon roofline --svg phases phases
	expect_status 1
	kermon roofline --json --csv phases
	expect_status 129
	kermon roofline --json --svg - phases
	expect_status 129
	expect_line err '--json and --svg - both write to standard output: name a file for one'
	[ ! -s out ] || fail "output of a refused command"
	kermon roofline --svg - --html - phases
	expect_status 129
	expect_line err '--svg - and --html - both write'
	kermon roofline --json --svg phases.svg phases
	expect_status 0
}

run_tests
