#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon stat on a kernel without KerMon, where perf_event counts. machine/stat.sh tests
# what KerMon counts.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"
export LIBPFM_FORCE_PMU=ivb

need_unpatched()
{
	"$KERMON" status --json | grep -q '"patched": false' ||
		skip "this machine has a patched kernel"
}

test_counts()
{
	need_unpatched
	kermon stat -- sh -c 'echo told; echo more >&2'
	expect_status 0
	[ "$(<out)" = told ] || fail "more than the output of the command"
	expect_line err '^more$'
	expect_line err "^ Counts of 'sh -c echo told; echo more >&2', by perf_event"
	expect_line err '^ +[0-9]+\.[0-9]{3}  task-clock ms +# [0-9.]+ CPUs used$'
	expect_line err '^ +[0-9,]+  page-faults$'
	expect_line err '^ +[0-9]+\.[0-9]{9}  seconds elapsed$'
	[ "$(wc -L <err)" -le 100 ] || fail "more than 100 columns"
}

# Counts and times of a command that sleeps and computes are those that perf shows.
test_same_as_perf()
{
	need_unpatched
	kermon stat --json -o json -- python3 -c 'sum(range(3000000)); import time; time.sleep(.3)'
	expect_empty err
	perf stat -x, -o csv -e task-clock:u,page-faults:u -- \
		python3 -c 'sum(range(3000000)); import time; time.sleep(.3)' || fail "perf failed"
	python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	stat = json.load(open("json"))
	perf = {words[2]: float(words[0]) for words in
	        (line.split(",") for line in open("csv") if "," in line)}
	time, = (count for count in stat["counts"] if count["event"] == "task-clock")
	assert stat["source"] == "perf_event" and stat["runs"] == 1, stat
	assert 0.3 <= stat["elapsed_s"]["mean"] < 30, stat
	assert time["unit"] == "s" and time["share"] == 1, time
	assert 0.2 < time["value"]["mean"] * 1000 / perf["task-clock:u"] < 5, (time, perf)
	assert abs(stat["page_faults"]["mean"] / perf["page-faults:u"] - 1) < 0.1, (stat, perf)
	used = stat["user_s"]["mean"] + stat["system_s"]["mean"]
	assert abs(used - time["value"]["mean"]) < 0.05 + 0.5 * used, stat
	END
}

test_repeated()
{
	need_unpatched
	kermon stat -r 3 -o table -- sh -c 'echo run >>runs'
	expect_status 0
	[ "$(wc -l <runs)" -eq 3 ] || fail "not three runs"
	expect_line table 'mean of 3 runs:$'
	expect_line table '^ +[0-9.]+  seconds elapsed  \(\+- [0-9.]+%\)$'
	kermon stat -r 3 --json -o - -- true
	python3 -c 'import json
assert json.load(open("out"))["runs"] == 3' || fail "not three runs"
}

test_status()
{
	need_unpatched
	kermon stat -- sh -c 'exit 7'
	expect_status 7
	expect_line err 'seconds elapsed$'
	kermon stat -- ./missing
	expect_status 127
	expect_line err "^kermon stat: cannot run './missing'"
	expect_no_line err 'seconds elapsed'
	kermon stat -- sh -c 'kill -KILL $$'
	expect_status 137
	expect_line err 'seconds elapsed$'
}

# The table is printed, and the shell learns that it was SIGINT.
test_interrupted()
{
	need_unpatched
	timeout --signal INT --kill-after 20 --preserve-status 1 "$KERMON" stat -r 100 -- \
		sleep 30 >out 2>err
	status=$?
	expect_status 130
	expect_line err '^ +[0-9.]+  seconds elapsed$'
}

# Whatever the command does about it, an interrupted run is the last one.
test_interrupted_runs()
{
	local i delay

	need_unpatched
	cat >patient <<-'END'
	#!/bin/sh
	trap 'exit 0' TERM
	echo run >>runs
	sleep 20 & wait
	END
	chmod +x patient
	# On a busy host, it may take longer until the first run begins.
	for delay in 1 15; do
		: >runs
		timeout --kill-after 60 --preserve-status "$delay" \
			"$KERMON" stat -r 3 ./patient >out 2>err
		[ ! -s runs ] || break
	done
	[ "$(wc -l <runs)" -eq 1 ] || fail "$(wc -l <runs) runs"
	expect_line err 'seconds elapsed'
	printf '#!/bin/sh\necho run >>runs\n' >short
	chmod +x short
	for i in 1 2 3 4 5 6 7 8; do
		for delay in ".1$i" "1.1$i" "20.1$i"; do
			: >runs
			timeout --signal INT --kill-after 20 --preserve-status "$delay" \
				"$KERMON" stat -r 10000 ./short >out 2>err
			status=$?
			[ ! -s runs ] || break
		done
		expect_status 130
		expect_line err 'seconds elapsed'
	done
}

# Also where the tool ignores a signal for the sake of its own file: SIGXFSZ.
test_signals_of_the_command()
{
	need_unpatched
	grep '^Sig[BI]' /proc/self/status >wanted
	kermon stat -- grep '^Sig[BI]' /proc/self/status
	diff wanted out >&2 || fail "other signals than without kermon"
	kermon stat -o table -- grep '^Sig[BI]' /proc/self/status
	diff wanted out >&2 || fail "other signals than without kermon, with -o"
	(ulimit -f 0; "$KERMON" stat -o full -- true 2>&1; echo "status $?") | cat >full.out
	expect_line full.out '^kermon stat: cannot write the counts: File too large$'
	expect_line full.out '^status 1$'
	[ ! -e full ] || fail "an empty file was left"
}

test_output()
{
	need_unpatched
	kermon stat -o - -- true
	expect_line out 'seconds elapsed$'
	expect_empty err
	kermon stat -o /dev/null -- true
	expect_status 0
	expect_empty err
	kermon stat -o /dev/full -- touch ran
	expect_status 1
	expect_line err '^kermon stat: cannot write the counts: No space left on device$'
	"$KERMON" stat -o - -- touch ran >/dev/full 2>err
	status=$?
	expect_status 1
	[ "$(cat err)" = 'kermon: cannot write to standard output: No space left on device' ] ||
		fail "not one message"
	kermon stat -o missing/file -- touch never
	expect_status 1
	expect_line err "^kermon stat: cannot write 'missing/file': No such file or directory$"
	[ ! -e never ] || fail "the command ran"
}

test_options_that_need_kermon()
{
	need_unpatched
	kermon stat --per-thread --rotate 5ms -- true
	expect_status 0
	expect_line err '^kermon stat: --rotate and --log-size had no effect: they require KerMon$'
	expect_line err '^kermon stat: no table of threads: --per-thread requires KerMon$'
}

# -e may be repeated, as in perf; what it does not count comes with advice.
test_events_of_perf()
{
	need_unpatched
	kermon stat -e MEM_UOPS_RETIRED:ALL_LOADS -e r00c0:k -- true
	expect_status 0
	expect_line err '  MEM_UOPS_RETIRED:ALL_LOADS:u '
	expect_line err '  r00c0:k '
	while IFS='|' read -r event advice; do
		kermon stat -e "$event" -- true
		expect_status 129
		expect_line err "this CPU has no event or set '$event'"
		expect_line err "^  $advice"
	done <<-'END'
	task-clock|leave it out: time on the CPU is always counted$
	page-faults:u|leave it out: 'kermon stat' always shows it$
	power/energy-pkg/|leave it out: energy is always counted
	cycles:pp|modifiers are ':u', ':k' and ':uk'
	L1-dcache-loads|use the CPU's own events
	cpu/event=0xc0/|use raw events, 'rUUEE'
	nonsense|'kermon list' shows
	END
	kermon stat record -- true
	expect_status 127
	expect_line err "^  'kermon run' records a command$"
}

test_bad_usage()
{
	kermon stat
	expect_status 129
	expect_line err 'need a COMMAND to run'
	for runs in 0 -1 1x 10001 ''; do
		kermon stat -r "$runs" -- true
		expect_status 129
		expect_line err "invalid N '$runs' for '-r'; valid: 1 to 10000"
	done
	kermon stat --per-thread --json -- true
	expect_status 129
	expect_line err "'--per-thread' cannot be used with '--json'"
}

run_tests
