#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon attach: what is recorded of a process that is already running.
# shellcheck disable=SC2016,SC2317	# conditions and tests are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/recorded.bash"
export HOME=/nonexistent

# A process with five named threads, one of which never sleeps; the main thread exits if
# the first argument says so. It runs until the test ends.
start_target()
{
	cat >target.py <<-'END'
	import ctypes, sys, threading, time
	libc = ctypes.CDLL(None)
	def work(number):
	    libc.prctl(15, f"worker-{number}".encode(), 0, 0, 0)
	    while True:
	        sum(range(2000))
	        if number:
	            time.sleep(0.01)
	threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
	for thread in threads: thread.start()
	open("started", "w").close()
	if "leave" in sys.argv: libc.syscall(60, 0)
	END
	/usr/bin/python3 target.py "$@" &
	target=$!
	trap 'kill -KILL "$target"' EXIT
	wait_for '[ -e started ]'
}

attach()
{
	kermon attach -q "$@"
	expect_status 0
	expect_empty err
}

tid_of()
{
	grep -lx "$1" /proc/"$target"/task/*/comm | cut -d/ -f5
}

expect_unharmed()
{
	kill -0 "$target" || fail "the process has exited"
	chrt -p "$(tid_of worker-0)" >out
	expect_line out 'SCHED_OTHER'
	wait_for '[ "$("$KERMON" status --json |
		grep -c "\"owner\": \"free\"")" = 1 ]'
}

# With mappings and names from before the recording.
test_process()
{
	local i

	start_target
	attach -p "$target" -e set1 --duration 1s --raw-log raw
	expect_perf_is_content
	expect_equal_sums
	perf script -i perf.data -F comm,tid,ip,dso >samples 2>err
	for i in 0 1 2 3; do
		expect_line samples "worker-$i +$(tid_of "worker-$i") .*\(/.*\)"
	done
	expect_no_line samples ' :[0-9]+ '
	expect_unharmed
}

test_main_thread_has_ended()
{
	start_target leave
	wait_for 'grep -q "^State:.Z" /proc/$target/task/$target/status'
	attach -p "$target" --duration 2s --raw-log raw
	expect_equal_sums
	perf script -i perf.data -F comm >samples 2>err
	expect_line samples 'worker-3'
}

test_thread()
{
	local tid

	start_target
	tid=$(tid_of worker-1)
	attach -t "$tid" --duration 2s --raw-log raw
	expect_equal_sums
	perf script -i perf.data -F comm,tid 2>err | sort -u >out
	[ "$(sed 's/ *$//; s/^ *//; s/  */ /' out)" = "worker-1 $tid" ] ||
		fail "not worker-1 alone"
	expect_unharmed
}

# Ctrl-C is the regular way to end it.
test_interrupt()
{
	local tool

	start_target
	env --default-signal=INT "$KERMON" attach -p "$target" >out 2>err &
	tool=$!
	wait_for '[ -s perf.data ]'
	sleep 0.5
	kill -INT "$tool"
	wait "$tool" || fail "status $?"
	expect_line err '[0-9]+ samples, .* in perf.data'
	expect_perf_is_content
	expect_unharmed
}

# The named process need not be the last one to exit.
test_all_have_ended()
{
	sh -c 'while [ ! -e attached ]; do sleep 0.1; done
		(sleep 1; echo >late) & exit 7' &
	target=$!
	(wait_for '"$KERMON" status | grep -q "^monitored .* pid $target:"'; touch attached) &
	attach -p "$target"
	[ -e late ] || fail "it did not wait for the child"
	wait "$target"
	[ $? -eq 7 ] || fail "the status of the process has changed"
	perf script -i perf.data -F comm 2>err | sort -u >samples
	expect_line samples '^ *sleep'
}

expect_refused()
{
	expect_status 1
	expect_line err "$1"
	[ ! -e perf.data ] || fail "perf.data was created"
}

# A process that has exited, and whose parent does not wait for it.
test_zombie()
{
	local parent zombie

	/usr/bin/python3 -c 'import os, time
pid = os.fork() or os._exit(0)
print(pid, flush=True)
time.sleep(1000)' >zombie &
	parent=$!
	wait_for '[ -s zombie ]'
	zombie=$(cat zombie)
	wait_for 'grep -q "^State:.Z" /proc/$(cat zombie)/status'
	kermon attach -p "$zombie"
	expect_refused "process $zombie has ended: it is a zombie"
	kill "$parent"
}

test_refused()
{
	local tool

	start_target
	kermon attach -p 4000000
	expect_refused 'no process with pid 4000000$'
	kermon attach -t 4000001
	expect_refused 'no thread with tid 4000001$'
	kermon attach -t 2
	expect_refused 'this user is not permitted to monitor thread 2'
	expect_line err 'kernel threads cannot be recorded'
	chmod 777 .
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$KERMON" attach -p "$target" >out 2>err
	status=$?
	expect_refused "this user is not permitted to monitor process $target"
	expect_line err 'as the user who runs it'
	"$KERMON" attach -q -o other.data -t "$(tid_of worker-1)" &
	tool=$!
	wait_for '[ -s other.data ]'
	kermon attach -p "$target"
	expect_refused "process $target is already being recorded"
	expect_line err "'kermon status' shows"
	kill "$tool"
	wait "$tool" || fail "status $? after SIGTERM"
	expect_unharmed
}

run_tests
