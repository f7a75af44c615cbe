#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon top on any kernel: what threads did, and the live view at a terminal.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

. "$(dirname "$0")/cli.bash"

SPIN=$TOP/build/programs/spin
make -s -C "$TOP/tests/cli/programs" "$SPIN" OUT="$TOP/build/programs" >&2 || exit

# start_spin THREADS: threads that compute until stop_spin. Sets $spin.
start_spin()
{
	"$SPIN" 1000000 "$1" >/dev/null &
	spin=$!
	wait_for '[ "$(ls "/proc/$spin/task" | wc -l)" -eq '"$1"' ]'
}

stop_spin()
{
	kill "$spin"
	wait "$spin" || :
}

# check_rows [ASSERTION...]: about the rows of the CSV in the file out.
check_rows()
{
	python3 - "$@" <<-'END' >facts 2>&1 || fail "$(tail -n 3 facts)"
	import csv, itertools, sys
	rows = list(csv.DictReader(open("out")))
	for row in rows:
	    for name in ("interval_ns", "pid", "tid", "oncpu_ns", "wait_ns", "threads"):
	        row[name] = int(row[name] or 0)
	intervals = [list(group) for _, group in
	             itertools.groupby(rows, key=lambda row: row["time_s"])]
	def total(name):
	    return sum(row[name] for row in rows)
	for assertion in sys.argv[1:]:
	    assert eval(assertion), (assertion, rows[:5])
	END
}

run_ns()
{
	cat /proc/"$1"/task/*/schedstat | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

# A thread that computes runs or waits, and all of its time is there, once.
test_times()
{
	local before after

	start_spin 2
	before=$(run_ns "$spin")
	kermon top --csv -n 3 -d 200ms -p "$spin"
	expect_status 0
	after=$(run_ns "$spin")
	stop_spin
	check_rows 'len(intervals) == 3' \
		'all(len(interval) == 2 for interval in intervals)' \
		'{row["command"] for row in rows} == {"spin", "thread"}' \
		"0 < total('oncpu_ns') <= $after - $before" \
		'0.5 < (total("oncpu_ns") + total("wait_ns")) / total("interval_ns") < 1.5'
}

test_processes()
{
	start_spin 3
	kermon top --csv -n 2 -d 200ms --per-process
	stop_spin
	expect_status 0
	check_rows "[row['threads'] for row in rows if row['pid'] == $spin] == [3, 3]" \
		'all(row["pid"] == row["tid"] for row in rows)' \
		'all(len({row["pid"] for row in i}) == len(i) for i in intervals)'
}

test_order_and_selection()
{
	local tid

	start_spin 2
	tid=$(find "/proc/$spin/task" -mindepth 1 -maxdepth 1 -name '[0-9]*' -printf '%f\n' |
		grep -vx "$spin")
	kermon top --csv -n 1 -d 200ms
	expect_status 0
	check_rows '[row["oncpu_ns"] / row["interval_ns"] for row in rows] == sorted((row["oncpu_ns"] / row["interval_ns"] for row in rows), reverse=True)'
	kermon top --csv -n 1 -d 100ms -s tid
	check_rows '[row["tid"] for row in rows] == sorted(row["tid"] for row in rows)'
	kermon top --csv -n 1 -d 200ms -t "$tid"
	check_rows "[row['tid'] for row in rows] == [$tid]"
	kermon top --csv -n 1 -d 200ms -u 4294967000
	check_rows 'rows == []'
	kermon top --csv -n 1 -d 200ms -u "$(id -un)"
	check_rows "$spin in {row['pid'] for row in rows}" \
		"{row['user'] for row in rows} == {'$(id -un)'}"
	stop_spin
}

test_formats()
{
	start_spin 1
	kermon top -b -n 2 -d 100ms -p "$spin"
	expect_status 0
	[ "$(grep -cE '^[0-9:]{8}, 0\.[0-9]+ s: [0-9]+ CPUs [0-9.]+ % busy, steal ' out)" -eq 2 ] ||
		fail "not two headers"
	expect_line out '^1 threads?, 1 used the CPU: [0-9.]+ % of the CPUs; own cost [0-9.]+ % of a CPU$'
	expect_line out '^power: '
	expect_line out '^counters: '
	expect_line out '^ *PID +TID +USER +CPU +COMMAND +%CPU +%WAIT '
	expect_line out "^ *$spin +$spin +[a-z]+ +[0-9]+ +spin +[0-9.]+ "
	kermon top --json -n 2 -d 100ms -p "$spin" -o lines
	expect_status 0
	python3 - "$spin" <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json, sys
	lines = [json.loads(line) for line in open("lines")]
	assert len(lines) == 2, lines
	for line in lines:
	    assert [row["pid"] for row in line["rows"]] == [int(sys.argv[1])], line
	    assert 0 < line["seen"] <= 1.1 and line["cpus"] >= 1 and line["own_cost"] > 0, line
	END
	stop_spin
}

# It ends with what it is to look at.
test_end_of_the_target()
{
	"$SPIN" 300 >/dev/null &
	spin=$!
	kermon top --csv -d 50ms -p "$spin"
	wait "$spin"
	expect_status 0
	check_rows '0 < total("oncpu_ns") < 330e6'
}

# A process that has exited, and whose parent does not take notice, is no process to look at.
test_zombie()
{
	python3 -c 'import os, sys, time
child = os.fork()
if not child:
    time.sleep(0.3)
    os._exit(0)
print(child, flush=True)
time.sleep(60)' >zombie &
	spin=$!
	wait_for '[ -s zombie ]'
	timeout 20 "$KERMON" top --csv -d 100ms -p "$(<zombie)" >out 2>err
	status=$?
	grep -q '^State:.Z' "/proc/$(<zombie)/status" || fail "no zombie"
	stop_spin
	expect_status 0
}

# Whatever ran has a row: what ended within an interval, with the rest of its CPU time.
test_they_ended()
{
	local top

	[ "$(id -u)" -eq 0 ] || skip "needs root"
	kermon top -b -n 1 -d 50ms
	! grep -q 'what ended has no row: the kernel, or this' out || skip "no taskstats"
	# not what the line above has written, until the next one has opened the file
	: >out
	"$KERMON" top --csv -d 100ms >out 2>err &
	top=$!
	# the titles come first: what runs until the first interval begins is not counted
	wait_for '[ "$(wc -l <out)" -gt 1 ]'
	"$SPIN" 150 2 >spun &
	spin=$!
	wait "$spin"
	# an interval without it is complete
	wait_for 'awk -F, -v pid="$spin" "\$1 != time { time = \$1; nr++ }
		\$3 == pid { seen = 1; nr = 0 } END { exit !seen || nr < 2 }" out'
	# a shell without job control has it ignore SIGINT
	kill "$top"
	wait "$top"
	check_rows "[row for row in rows if row['pid'] == $spin and row['ended'] == '1']" \
		"abs(sum(row['oncpu_ns'] for row in rows if row['pid'] == $spin) / 1e6 - $(awk '{ sum += $1 } END { print sum }' spun)) < 30" \
		"all(row['ipc'] == '' for row in rows if row['ended'] == '1')"
	# Without privilege, it is said that they are missing.
	cp "$KERMON" kermon.copy && chmod 755 . kermon.copy
	setpriv --reuid 65534 --regid 65534 --clear-groups ./kermon.copy top -b -n 1 -d 50ms >out 2>err
	expect_line out 'what ended has no row: that requires CAP_NET_ADMIN'
}

# Threads and processes that exist for a moment only.
test_they_vanish()
{
	(while :; do /bin/true; done) 2>/dev/null &
	spin=$!
	kermon top --csv -n 20 -d 20ms
	expect_status 0
	kill "$spin"
	wait "$spin"
	check_rows 'all(row["oncpu_ns"] <= 1.3 * row["interval_ns"] + 2e7 for row in rows)'
}

test_names_with_any_character()
{
	cat >named.py <<-'END'
	open("/proc/self/comm", "wb", 0).write(b"a)\n(S 1\033[31m\\")
	open("ready", "w").close()
	while True:
	    pass
	END
	setpriv --pdeathsig KILL /usr/bin/python3 named.py &
	spin=$!
	wait_for '[ -e ready ]'
	kermon top -b -n 1 -d 100ms -p "$spin"
	kill "$spin"
	expect_status 0
	expect_line out ' a\)\\n\(S 1\\x1b\[31m\\ '
	kermon top --csv -n 1 -d 100ms -p $$
	expect_status 0
}

# Thousands of threads, with few files.
test_many_threads()
{
	cat >many.py <<-'END'
	import threading, time
	for _ in range(1500):
	    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
	open("ready", "w").close()
	while True:
	    pass
	END
	setpriv --pdeathsig KILL /usr/bin/python3 many.py &
	spin=$!
	wait_for '[ -e ready ]'
	(ulimit -n 200 && exec "$KERMON" top --csv -n 3 -d 300ms -p "$spin" >out 2>err) ||
		fail "status $?"
	kill "$spin"
	check_rows "all(row['pid'] == $spin for row in rows)" '0 < len(rows) < 100'
}

# expect_refused STATUS PATTERN WORD...
expect_refused()
{
	kermon top -b -n 1 -d 10ms "${@:3}"
	expect_status "$1"
	expect_line err "$2"
}

test_errors()
{
	expect_refused 129 "unknown column 'ipx'; valid columns: pid, tid, user, .*events of -e" -s ipx
	expect_line err "did you mean 'ipc'"
	expect_refused 129 "'10' for '-d' has no unit; append ns" -d 10
	expect_refused 129 "out of range for '-d'; valid: 10ms to 1h" -d 1ms
	expect_refused 129 "invalid PID '1,x' for '-p'" -p 1,x
	expect_refused 129 "'--pid' cannot be used with '--uid'" -p 1 -u root
	expect_refused 129 "invalid number '0' for '-n'" -n 0
	expect_refused 1 "no process with pid 4194304" -p 4194304
	expect_refused 1 "no thread with tid 4194304" -t 4194304
	expect_refused 1 "no user 'nosuchuser'" -u nosuchuser
	expect_refused 129 "no event or set 'nosuchevent'|libpfm4 does not know" -e nosuchevent
	kermon top
	expect_status 129
	expect_line err 'the live view requires a terminal'
	expect_line err 'print tables instead: -b'
}

test_output_fails()
{
	kermon_limited 1 top --csv -n 100 -d 10ms -o file
	expect_status 1
	expect_line err "cannot write 'file': File too large"
	kermon top --csv -n 1 -d 10ms -o /dev/full
	expect_status 1
	expect_line err "cannot write '/dev/full': No space left on device"
	kermon top --csv -n 1 -d 10ms -o missing/file
	expect_status 1
	expect_line err "cannot write 'missing/file': No such file or directory"
	"$KERMON" top --csv -d 10ms 2>err | head -n 1 >out
	expect_line out '^time_s,interval_ns,pid,tid,threads,user,cpu,oncpu_ns,wait_ns,switches,'
	expect_empty err
}

test_signals()
{
	local number

	for number in 0:INT 143:TERM 129:HUP; do
		env --default-signal=INT "$KERMON" top --csv -d 20ms -o rows >out 2>err &
		spin=$!
		wait_for '[ -e rows ] && [ "$(wc -l <rows)" -gt 2 ]'
		kill -"${number#*:}" "$spin"
		wait "$spin"
		status=$?
		[ "$status" -eq "${number%:*}" ] || fail "$number: $status"
		rm rows
	done
}

# Another user sees times of all, and says what it may not count.
test_another_user()
{
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	start_spin 1
	cp "$KERMON" kermon.copy && chmod 755 . kermon.copy
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		./kermon.copy top -b -n 2 -d 200ms -p "$spin" >out 2>err
	status=$?
	stop_spin
	expect_status 0
	expect_line out "^ *$spin +$spin +root "
	expect_line out '^counters: (none: |user mode only).*'
}

run_tests
