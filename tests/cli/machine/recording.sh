#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The contents of a recording, as stock perf and kermon report see it.
# shellcheck disable=SC2016,SC2317	# tests are run by name, and scripts passed on

KERMON=$(type -P kermon)
. "$(dirname "$0")/recorded.bash"
export HOME=/nonexistent

record()
{
	kermon run -q "$@"
	expect_status 0
	expect_empty err
}

test_sets()
{
	local set

	for set in fixed set0 set1; do
		record -e "$set" --raw-log raw -- gzip -9c /etc/services
		expect_perf_is_content
		expect_equal_sums
	done
	"$KERMON" report -i perf.data --no-pager >out 2>err
	expect_line out 'gzip'
	expect_line out 'MEM_UOPS_RETIRED:ALL_LOADS'
}

# A recording on standard output, in a file and in a pipe: the same for perf and KerMon. What
# the command prints is no part of it.
test_standard_output()
{
	"$KERMON" run -e set1 --raw-log raw -o - -- sh -c '
		gzip -9c /etc/services | wc -c' >perf.data 2>err || fail "kermon run -o -"
	expect_line err '^[0-9]+$'
	expect_line err '^kermon run: [0-9]+ samples, .* to standard output$'
	expect_perf_is_content
	expect_equal_sums
	"$KERMON" report -i perf.data --no-pager >out 2>err
	expect_no_line out 'lower bounds|is unknown'
	head -c "$(($(stat -c %s perf.data) / 2))" perf.data >part
	"$KERMON" report -i part --no-pager >out 2>err
	expect_line out 'counts are lower bounds'
}

# Compressed, perf and the report have the counts of the log; each command reads it.
test_compressed()
{
	local level command

	for level in 1 7 22; do
		record "-z$level" -e set1 --raw-log raw -- sh -c '
			gzip -9c /etc/services; ls -R /etc/default | sort'
		expect_perf_is_content
		expect_equal_sums
		"$KERMON" header perf.data >out 2>err
		expect_line out "^compression +zstd, level $level, ratio [2-9]"
	done
	for command in check dump "script -i" "report --no-pager -i" "report --time 10%-60% -i" \
		       "export -i" "readperf -i" "diff perf.data"; do
		# shellcheck disable=SC2086	# words
		"$KERMON" $command perf.data >out 2>err || fail "kermon $command"
		expect_empty err
	done
	kermon record -q -z --coalesce -e set1 --raw-log raw -- gzip -9c /etc/services
	expect_status 0
	expect_perf_is_content
	expect_equal_sums
	"$KERMON" run -q -z -e set1 --raw-log raw -o - -- gzip -9c /etc/services >perf.data 2>err
	expect_perf_is_content
	expect_equal_sums
	grep -q '^COMPRESSED' <("$KERMON" check perf.data) || fail "it is not compressed"
}

# A merged file is the same, compressed or not.
test_merged_and_compressed()
{
	local set level

	for set in set0 set1; do
		record -z -o "$set" -e "$set" -- gzip -9c /etc/services
	done
	for level in "" -z3; do
		# shellcheck disable=SC2086	# no word if it is empty
		kermon merge -q $level set0 set1
		expect_status 0
		expect_perf_is_content
		stat -c %s perf.data >"size$level"
		"$KERMON" report --json -i perf.data >"report$level"
		perf script -F tid,time,event,period -i perf.data >"script$level" 2>err
	done
	cmp -s report report-z3 || fail "the reports differ"
	cmp -s script script-z3 || fail "perf finds other counts"
	[ "$(cat size-z3)" -lt "$(cat size)" ] || fail "it is not smaller"
}

# Whether more than $2 samples of a recording can be read; it may still grow.
has_samples()
{
	[ "$("$KERMON" script -F event -i "$1" 2>/dev/null | grep -c oncpu)" -gt "$2" ]
}

# A tool that is killed leaves all rounds, which perf reads as well.
test_compressed_and_killed()
{
	local tool

	"$KERMON" run -q -z --interval 1ms -- sh -c 'while [ ! -e killed ]; do :; done' >out 2>err &
	tool=$!
	wait_for "has_samples perf.data 500"
	kill -KILL "$tool"
	wait "$tool" 2>/dev/null
	touch killed
	"$KERMON" script -F event -i perf.data >ours 2>err
	expect_line err 'the recording was not finished'
	! grep -vE 'was not finished|does not fit; [0-9]+ bytes|file is truncated' err ||
		fail "there is more damage than a last record that is cut"
	perf script -F event -i perf.data >theirs 2>err
	[ "$(grep -c oncpu ours)" -gt 500 ] || fail "most samples are missing"
	[ "$(grep -c oncpu ours)" -eq "$(grep -c oncpu theirs)" ] || fail "perf finds others"
}

test_pipe()
{
	local command

	for command in "kermon report --no-pager -i -" "kermon script -i -" \
		       "kermon export -i -" "kermon dump -" \
		       "kermon check -" "perf report --stdio -i -" "perf script -i -"; do
		# shellcheck disable=SC2086	# words
		"$KERMON" run -q -o - -- gzip -9c /etc/services 2>/dev/null | $command >out 2>err
		[ "${PIPESTATUS[*]}" = "0 0" ] || fail "$command"
		expect_line out 'gzip|SAMPLE'
	done
	"$KERMON" run -o - -- sh -c 'sleep 1; exit 3' 2>err | head -c 100 >out
	[ "${PIPESTATUS[*]}" = "1 0" ] || fail "success, though the reader has ended"
	expect_line err '^kermon run: cannot write to standard output: Broken pipe$'
	expect_line err '^  the program that reads it has ended$'
}

# Three sets in one run: perf reads it, nothing of the log is missing, and rotation is
# reported. The accuracy of estimates is tested on a machine that is never delayed:
# tests/kselftest/icount/estimates.c.
test_sets_by_turns()
{
	kermon run --rotate 5ms -e set0,set1,r00c0,r00c4 --raw-log raw -- \
		/usr/bin/python3 -c 'for i in range(300): sum(range(3000))'
	expect_status 0
	expect_line err "rotating 3 sets: 'kermon report' shows measured counts and estimates$"
	expect_perf_is_content
	expect_equal_sums
	/usr/bin/python3 - <<-'END' >out || fail "wrong sets"
	import json
	report = json.load(open("report.json"))
	sets = report["sets"]
	total = {event["name"]: event["total"] for event in report["events"]}
	assert [len(each["events"]) for each in sets] == [4, 4, 2], sets
	assert abs(sum(each["share"] for each in sets) - 1) < 1e-6, sets
	assert sum(each["measured_ns"] for each in sets) == total["oncpu"], sets
	for each in sets:
	    assert each["share"] > 0, sets
	    for event in each["events"]:
	        assert event["measured"] == total[event["name"]], event
	        scaled = event["measured"] / each["share"]
	        assert abs(event["estimate"] - scaled) <= 1e-6 * scaled, event
	END
	"$KERMON" report -i perf.data --no-pager >out 2>err
	expect_line out '^Rotated sets'
	expect_line out '^Estimates are the measured counts, scaled'
}

# A signal selects the next set: here, when one of two programs has exited.
test_sets_by_signal()
{
	record --rotate signal -e set0,set1 --raw-log raw -- /bin/sh -c '
		gzip -9c /etc/services
		kill -USR1 $PPID
		sleep 3
		gzip -9c /etc/services'
	expect_perf_is_content
	expect_equal_sums
	/usr/bin/python3 - <<-'END' >out || fail "wrong sets"
	import json
	report = json.load(open("report.json"))
	sets = report["sets"]
	assert len(sets) == 2, sets
	assert all(each["share"] > 0 for each in sets), sets
	loads = [event for event in sets[1]["events"] if "ALL_LOADS" in event["name"]]
	assert loads[0]["measured"] > 10000, loads
	END
	"$KERMON" report -i perf.data --no-pager >out 2>err
	expect_line out '^Rotated sets'
}

# One half of the run does what the other half does not, which shows in one event.
test_phases()
{
	record --rotate 5ms -e set0,set1 -- /usr/bin/python3 -c '
for i in range(300): sum(range(2000))
x = 1.0
for i in range(500000): x *= 1.0000001'
	"$KERMON" report -i perf.data --no-pager >out 2>err
	expect_line out '^In phases: FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE:u differs by'
}

# A run per set: the merged file has the counts of each of them, thread by thread.
test_merged_runs()
{
	local set

	for set in set0 set1 r00c0; do
		record -o "$set" -e "$set" -- /bin/sh -c \
			'gzip -9c /etc/services; ls -R /etc/default | sort'
	done
	kermon merge set0 set1 r00c0
	expect_status 0
	expect_empty err
	expect_line out 'set1 +4 '
	expect_perf_is_content
	for set in set0 set1 r00c0 perf.data; do
		"$KERMON" report --json -i "$set" >"$set.json" 2>err ||
			fail "kermon report"
	done
	/usr/bin/python3 - <<-'END' >out || fail "the sums are not those of the runs"
	import json
	def totals(name):
	    report = json.load(open(name + ".json"))
	    return {event["name"]: event["total"] for event in report["events"]}
	runs = {name: totals(name) for name in ("set0", "set1", "r00c0")}
	common = runs["set0"].keys() & runs["r00c0"].keys()
	expected = dict(runs["set0"])
	for own in runs.values():
	    expected.update({event: own[event] for event in own.keys() - common})
	assert totals("perf.data") == expected, (totals("perf.data"), expected)
	merged = json.load(open("perf.data.json"))
	assert [run["events"] for run in merged["runs"]] == [4, 4, 1], merged["runs"]
	assert all(run["apart"] < 0.05 for run in merged["runs"]), merged["runs"]
	for thread in merged["threads"]:
	    values = thread["values"]
	    ratio = values["r00c0:u"] / values["instructions:u"]
	    assert abs(ratio - 1) < 0.05, thread
	END
	"$KERMON" report -i perf.data --no-pager >out 2>err
	expect_line out '^Merged runs'
	record -o other -e set1 -- gzip -9c /etc/services
	kermon merge set0 other
	expect_status 1
	expect_line err "other is 'gzip', but its counterpart .* of set0 is 'sh'"
}

# The count of both modes is the sum of each. The kernel reads the counters one after
# another, with four instructions for each where an interval begins and ten where it ends:
# of the six values, the first and the last differ by up to thirty.
# The fixed counter is read up to 32 instructions before the last event. Once in a while perf
# moves counters in between, and they are read again: 62 instructions more.
test_kernel_mode()
{
	record -k -e r00c0:u,r00c0:k,r00c0 --raw-log raw -- \
		cat /etc/services /proc/self/maps
	expect_equal_sums
	perf script -i perf.data -F event,period >samples
	awk '{ sum[$2] += $1; samples += $2 == "oncpu:" }
	     END { u = sum["r00c0:u:"]; k = sum["r00c0:k:"]
		   both = sum["r00c0:"]; fixed = sum["instructions:"]
		   print u, k, both, fixed, samples
		   exit !(u && k && near(u + k, both) && near(both, fixed)) }
	     function near(a, b) {
		return a - b <= 32 * samples + 128 && b - a <= 32 * samples + 128
	     }' samples >out || fail "user, kernel, both, fixed counter, samples"
}

# Every thread is in the file, with its name.
test_threads()
{
	local i

	cat >threads.py <<-'END'
	import ctypes, threading
	libc = ctypes.CDLL(None)
	def work(number):
	    libc.prctl(15, f"worker-{number}".encode(), 0, 0, 0)
	    sum(range(20000))
	threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
	for thread in threads: thread.start()
	for thread in threads: thread.join()
	END
	record -e set1 --raw-log raw -- /usr/bin/python3 threads.py
	expect_perf_is_content
	expect_equal_sums
	perf script -i perf.data -F comm,tid >samples 2>err
	for i in 0 1 2 3 4 5; do
		expect_line samples "worker-$i"
	done
}

# Forks, execs and exits of a build.
test_build()
{
	local i name

	for i in 1 2 3; do
		echo "int f$i(void) { return $i; }" >"f$i.c"
	done
	echo 'int f1(void); int main(void) { return f1() - 1; }' >main.c
	cat >Makefile <<-'END'
	all: main.o f1.o f2.o f3.o; $(CC) -o all $^
	END
	record -e set1 --raw-log raw -- make -s -j2
	./all || fail "it was not built"
	expect_perf_is_content
	expect_equal_sums
	perf report -i perf.data --stdio --sort comm >comms 2>err
	for name in make cc cc1 as collect2 ld; do
		expect_line comms "% +$name\b"
	done
	perf script -i perf.data --show-mmap-events 2>err | grep -c 'r-xp.*/cc1' >out
	[ "$(cat out)" -ge 4 ] || fail "cc1 is not mapped by all that run it"
}

# Many switches, for "sh -c", on one CPU: on two CPUs, which are threads of a busy host,
# the processes would wait for each other at each switch.
pingpong='taskset -c 0 perf bench sched pipe -l 4000'

# With a tiny log and more switches than fit: losses are reported. The command stops its
# reader meanwhile. A sample is at least 64 bytes: 4K per CPU have room for 64, and each
# of the 4000 rounds is two switches.
test_losses()
{
	kermon run -q -m 4K --raw-log raw -- sh -c "kill -STOP \$PPID
		$pingpong; kill -CONT \$PPID"
	expect_status 0
	expect_line err '[0-9]+ samples were lost'
	expect_equal_sums
	expect_line out ' lost [1-9]'
	perf script -i perf.data --show-lost-events 2>/dev/null |
		grep -c 'PERF_RECORD_LOST lost' >out
	[ "$(cat out)" -gt 0 ] || fail "perf does not see the losses"
}

# 8000 switches of two threads that run for a few microseconds each: few intervals fit
# into that time, though a busy host takes longer.
test_coalesce()
{
	record --coalesce --raw-log raw -- sh -c "exec $pingpong"
	expect_perf_is_content
	expect_equal_sums
	expect_line out '^samples ([1-9][0-9]{0,2}|[1-3][0-9]{3}) lost 0 '
	perf script -i perf.data -F comm,tid,event,period >samples 2>err
	expect_line samples 'sched-pipe .* instructions:u'
}

# Whether what was done first is among the newest samples, with $1 in between.
has_overwritten()
{
	kermon run -q --overwrite -m 4K --raw-log raw -- sh -c "taskset -p -c 0 \$\$
		cat /dev/null; $1
		exec $pingpong"
	expect_status 0
	expect_empty err
	expect_equal_sums
	expect_line out ' lost [1-9]'
	perf script -i perf.data -F comm >samples 2>err
	expect_line samples '^ *sched-pipe'
	! grep -q '^ *cat' samples
}

test_overwrite()
{
	has_overwritten : || fail "the oldest samples are still there"
	! has_overwritten 'kill -USR2 $PPID; sleep 3' || fail "no snapshot was taken"
	kermon run --overwrite -m 4K -- sh -c "exec $pingpong"
	expect_line err '[0-9]+ older samples were overwritten'
}

# A sample takes at least a microsecond on any machine.
test_cost()
{
	kermon run -- sh -c "exec $pingpong"
	expect_status 0
	expect_line err 'sampling overhead: [0-9]*[1-9][0-9]*\.[0-9]+ ms of CPU time'
}

test_inherit()
{
	record --sched inherit -- sh -c 'chrt -p $$'
	expect_line out 'SCHED_OTHER'
	record -- grep -m1 policy /proc/self/sched
	expect_line out 'policy +: +27'
}

# The class is below that of real-time programs, which stay in theirs.
test_realtime()
{
	local policy

	for policy in -f -r; do
		chrt "$policy" 5 "$KERMON" run -- sh -c 'chrt -p $$' >out 2>err
		expect_line out 'SCHED_(FIFO|RR)'
		expect_line err 'not in SCHED_KERMON, which is below real-time'
		"$KERMON" report --header-only --no-pager -i perf.data >notes
		expect_line notes '^kermon +class=inherit$'
	done
	chrt -f 5 "$KERMON" run -q -- chrt -p 0 >out 2>err
	expect_empty err
	chrt -f 5 "$KERMON" run --sched kermon -- grep -m1 policy /proc/self/sched >out 2>err
	expect_line out 'policy +: +27'
	expect_no_line err 'SCHED_KERMON'
	chrt -R -f 5 "$KERMON" run -- grep -m1 policy /proc/self/sched >out 2>err
	expect_line out 'policy +: +27'
}

# The length in milliseconds of the shortest interval that a tick has ended.
shortest_interval()
{
	record --interval "$1" --raw-log raw -- sh -c \
		'i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done'
	/usr/bin/python3 "$HERE/check-log" --shortest raw >out || fail "no tick"
	cat out
}

# None ends early. On a busy host ticks are late, by this machine's own clock, so the
# recording with the shorter interval is repeated until one was on time.
test_interval()
{
	local short long

	long=$(shortest_interval 200ms)
	[ "$long" -ge 200 ] || fail "a tick after $long ms, not 200"
	while short=$(shortest_interval 20ms); [ "$short" -ge 200 ]; do :; done
	[ "$short" -ge 20 ] || fail "a tick after $short ms, not 20"
}

# Energy of the package, and the part during which the task had it to itself.
busy_joules()
{
	record --interval 4ms -- sh -c \
		'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
	"$KERMON" report --json -i perf.data | /usr/bin/python3 -c 'import json, sys
events = json.load(sys.stdin)["events"]
package = [e for e in events if e["name"] == "power/energy-pkg/"][0]
print(int(package["total"] * 65536), int(package["total_alone"] * 65536))' >out
}

# The other CPU is kept busy on purpose.
test_alone()
{
	local hog joules alone

	taskset -p -c 0 "$BASHPID" >out || fail "taskset"
	busy_joules
	read -r joules alone <out
	[[ $alone -gt 0 && $alone -le $joules ]] || fail "alone: $alone J of $joules J"
	taskset -c 1 sh -c 'echo >started; while :; do :; done' &
	hog=$!
	wait_for '[ -s started ]'
	busy_joules
	kill "$hog"
	read -r joules alone <out
	[[ $alone -eq 0 && $joules -gt 0 ]] || fail "a hog beside it"
}

# The model's package always draws 35 W, 20 W of it for the cores, and its memory 5 W.
# Of time and energy, the host may delay one: a peak shows the worst of the recording.
test_power()
{
	local try

	for try in 1 2 3; do
		record --interval 20ms -- sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done'
		is_power_of_model 2>err && return
		cat err
	done
	fail "not the power of the model in $try recordings"
}

is_power_of_model()
{
	"$KERMON" report --json -s comm --idle-power ram=4 -i perf.data | /usr/bin/python3 -c '
import json, sys
report = json.load(sys.stdin)
row = report["rows"][0]
package = [event for event in report["events"] if event["field"] == "energy_pkg_J"][0]
peaks = [row["energy_pkg_peak_W"], row["energy_cores_peak_W"], package["peak_W"]]
assert all(abs(watts - wanted) < wanted * 0.05 for watts, wanted in zip(peaks, (35, 20, 35))), peaks
found = [row["energy_" + name] for name in ("pkg_W", "cores_W", "ram_above_idle_W")]
assert all(abs(watts - wanted) < wanted * 0.05 for watts, wanted in zip(found, (35, 20))), found
assert abs(found[2] - 1) < 0.25, found' || return
	"$KERMON" report --csv -s time --time-quantum 200ms -i perf.data | /usr/bin/python3 -c '
import csv, sys
rows = [row for row in csv.DictReader(sys.stdin) if int(row["oncpu_ns"]) > 100000000]
assert rows and all(33 < float(row["energy_pkg_W"]) < 37 for row in rows), rows'
}

# By perf's own clock, which has no number.
test_times_of_day()
{
	expect_times_of_day
	"$KERMON" header -i perf.data >out 2>err
	expect_line out "^clock +perf's clock \(-1\) was "
}

test_old_recording_is_kept()
{
	record true
	[ "$(stat -c %a perf.data)" = 600 ] || fail "mode is not 0600"
	cp perf.data first
	record true
	cmp -s first perf.data.old || fail "perf.data.old is not the first"
}

# Each round of the program has 21 operations, 3 loads and 2 stores; its 7 floating-point
# instructions are 116 bytes wide. Two runs have all events, and so does one with rotation.
test_roofline_of_a_known_mix()
{
	local mix=$TOP/build/programs/mix set

	for set in set0 set1; do
		record -e "$set" -o "$set" -- "$mix"
	done
	kermon merge -q set0 set1
	expect_status 0
	kermon roofline --json --svg mix.svg
	expect_status 0
	python3 - <<-'END' 2>err || fail "$(tail -n 1 err)"
		import json
		import xml.etree.ElementTree as tree
		found = json.load(open("out"))
		average = found["averages"][0]
		assert average["flop"] == 21 * 100000, average["flop"]
		assert abs(average["bytes"] * 7 / 500000 / 116 - 1) < 1e-4, average["bytes"]
		assert average["bytes_low"] < 96 * 100000 < average["bytes_high"], average
		assert 0 < average["seconds"] <= found["runs"][0]["duration_s"] + 1e-9
		assert found["runs"][0]["model"] and found["samples"]["estimated"][0] == 1
		assert found["whys"][found["samples"]["why"][-1]] == "exit"
		words = "model cycles", "executed", "2 runs", "bytes are estimated"
		assert all(any(word in label for label in found["labels"]) for word in words)
		tree.parse("mix.svg")
	END
	record --rotate 1ms -e set0,set1 -- "$mix"
	kermon roofline --view none
	expect_status 0
	expect_line out '^2 event sets were rotated'
}

run_tests
