#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Where a recording begins and ends: from the command's exec to its exit or that of all
# processes it started; and what remains afterwards.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/recorded.bash"
export HOME=/nonexistent

read_notes()
{
	"$KERMON" report --header-only --no-pager -i perf.data >notes 2>&1 ||
		fail "the recording cannot be read"
}

# expect_note KEY VALUE: the recording has this note.
expect_note()
{
	expect_line notes "^kermon +$1=$2\$"
}

expect_no_note()
{
	expect_no_line notes "^kermon +$1="
}

as_nobody()
{
	chmod 777 .
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@" >out 2>err
	status=$?
}

# 2,000,000 instructions in a loop, and seven around it.
make_counted()
{
	cat >counted.S <<-'END'
	.globl _start
	_start:	mov $1000000, %ecx
	1:	dec %ecx
		jnz 1b
		mov $60, %eax
		xor %edi, %edi
		nop
		nop
		syscall
	END
	cc -nostdlib -static -o counted counted.S || fail "cc"
}

instructions()
{
	"$KERMON" report --json -i perf.data 2>err | /usr/bin/python3 -c 'import json, sys
events = json.load(sys.stdin)["events"]
print([e["total"] for e in events if e["name"] == "instructions:u"][0])'
}

# perf's count begins with the exec as well. Neither contains what the tool does before it
# executes the command.
test_from_exec_on()
{
	local options perf

	make_counted
	perf=$(perf stat -x, -e instructions:u ./counted 2>&1 | cut -d, -f1)
	for options in "" "--coalesce" "-m 4K" "--overwrite" "--sched inherit"; do
		# shellcheck disable=SC2086	# words
		kermon run -q $options --raw-log raw -- ./counted
		expect_status 0
		expect_equal_sums
		instructions >out
		[ "$(cat out)" = "$perf" ] || fail "$options: not $perf"
		[ $((perf - 2000007)) -le 2 ] || fail "perf counts $perf"
		read_notes
		expect_note before_exec '[1-9][0-9]*'
		expect_note complete 1
	done
}

# Found in the fifth folder, by a script, by a program that executes another one.
test_the_first_exec_is_meant()
{
	local expected

	make_counted
	mkdir bin
	printf '#!/bin/sh\nexec ./counted\n' >bin/script
	chmod +x bin/script
	kermon run -q --raw-log raw -- bin/script
	expect_status 0
	expect_equal_sums
	perf script -i perf.data -F comm 2>err | sort -u >comms
	expect_line comms '^ *script'
	expect_line comms '^ *counted'
	expect_no_line comms '^ *kermon'
	"$KERMON" dump -i perf.data >records 2>err
	expect_no_line records '/kermon\b'
	kermon run -q -- ./counted
	expected=$(instructions)
	PATH=/nonexistent:/proc:/sys:/dev:. kermon run -q -- counted
	[ "$(instructions)" = "$expected" ] || fail "not $expected by PATH"
}

test_nothing_without_exec()
{
	kermon run no-such-command
	expect_status 127
	expect_line err 'nothing was recorded'
	[ ! -e perf.data ] || fail "perf.data was created"
}

# Two of three processes remain, of which one never sleeps.
start_others='(nice -n 5 sh -c "echo \$\$ >busy; while [ ! -e end ]; do :; done") &
	(chrt -b 0 sleep 1000) & echo $! >batch; sleep 1000 & echo $! >other
	while ! [ -s busy ]; do sleep 0.01; done'

policy_of()
{
	awk '$1 == "policy" { print $3 }' /proc/"$1"/sched
}

# expect_left PIPE...: those processes are in the default class.
expect_left()
{
	local file

	for file; do
		[ "$(policy_of "$(cat "$file")")" = 0 ] || fail "$file is in the class"
	done
	[ "$(policy_of "$(cat batch)")" = 3 ] || fail "it has another policy"
	[ "$(ps -o ni= -p "$(cat busy)")" -eq 5 ] || fail "it is as nice as before"
	kill "$(cat busy)" "$(cat batch)" "$(cat other)"
	rm -f busy batch other
}

test_outlived()
{
	kermon run -- sh -c "$start_others; exit 3"
	expect_status 3
	expect_line err '^kermon run: pid [0-9]+ left 3 processes running, no longer recorded \(to record them, use --wait-all\)$'
	read_notes
	expect_note outlived 3
	expect_note complete 1
	expect_left busy other
	kermon run -- sh -c 'sleep 0.1 & wait'
	expect_no_line err 'left'
	read_notes
	expect_no_note outlived
}

# The recording fails; the command continues, and its processes also leave the class.
test_class_is_left_after_a_failure()
{
	mkdir small
	mount -t tmpfs -o size=64k none small || fail "no tmpfs"
	trap 'umount small' EXIT
	# It goes on until the disk is full, and the tool has noticed.
	kermon run -o small/perf.data -- sh -c "$start_others
		for i in \$(seq 2000); do
			/bin/true; ! grep -q '^policy .* 0$' /proc/\$\$/sched || break
		done; grep ^policy /proc/\$\$/sched"
	expect_status 1
	expect_line err 'the command \(pid [0-9]+\) and [0-9]+ other processes are still running'
	wait_for 'grep -q ^policy out'
	expect_line out '^policy .* 0$'
	expect_left busy other
}

# By the kernel, at the latest when the tool can be waited for.
test_class_is_left_when_the_tool_is_killed()
{
	local tool

	"$KERMON" run -q -- sh -c "$start_others; wait" >out 2>err &
	tool=$!
	wait_for '[ -s busy ] && [ -s other ] && [ "$(policy_of "$(cat other)")" = 27 ]'
	kill -KILL "$tool"
	wait "$tool" 2>/dev/null
	expect_left busy other
}

# An orphaned process that keeps forking and exiting, and programs that are not recorded.
test_class_is_left_by_all()
{
	kermon run -q -- /usr/bin/python3 -c 'import os, time
if not os.fork():
    os.setsid()
    end = time.monotonic() + 20
    while not os.path.exists("end") and time.monotonic() < end:
        if os.fork(): os._exit(0)
    open("policy", "w").write(str(os.sched_getscheduler(0)))'
	sleep 0.5
	touch end
	wait_for '[ -s policy ]'
	[ "$(cat policy)" = 0 ] || fail "policy $(cat policy)"
	"$KERMON" run -q -- sleep 1000 &
	wait_for '[ "$(policy_of "$(pgrep -x sleep)")" = 27 ]'
	kermon run -q -- sh -c 'true & true'
	[ "$(policy_of "$(pgrep -x sleep)")" = 27 ] || fail "the task of another recording has left the class"
	kill "$(pgrep -x sleep)"
	wait
}

# A set-user-ID program whose child starts another one and exits, as daemons do.
make_spy()
{
	cat >spy.c <<-'END'
	#include <stdio.h>
	#include <unistd.h>

	int main(void)
	{
		if (fork()) {
			sleep(1);
			return 0;
		}
		if (fork())
			return 0;
		FILE *file = fopen("stray", "w");
		fprintf(file, "%d\n", getpid());
		fclose(file);
		sleep(1000);
	}
	END
	cc -o spy spy.c || fail "cc"
	chmod 4755 spy
	chmod 755 .
	trap 'kill $(cat stray other tool 2>/dev/null)' EXIT
}

spy=(setpriv --reuid 65534 --regid 65534 --clear-groups ./spy)

# They leave it at the exec that ends their monitoring, and so do not put others into it.
test_class_is_left_by_orphans_of_privileged_programs()
{
	make_spy
	kermon run -q -- "${spy[@]}"
	expect_status 0
	expect_line err 'not recorded after exec: pid [0-9]+ spy$'
	[ "$(policy_of "$(cat stray)")" = 0 ] || fail "the orphan is in the class"
	kill "$(cat stray)"
	rm stray
	# while another one enters the class by itself
	(
		wait_for '[ -s stray ]'
		/usr/bin/python3 -c 'import os, time
os.sched_setscheduler(0, 27, os.sched_param(0))
with open("other.new", "w") as file: print(os.getpid(), file=file)
os.rename("other.new", "other")
time.sleep(1000)'
		true
	) >starter 2>&1 &
	kermon run -q -- sh -c '"$@"; while [ ! -e other ]; do sleep 0.1; done' sh "${spy[@]}"
	[ "$(policy_of "$(cat stray)")" = 0 ] || fail "the orphan is in the class"
	[ "$(policy_of "$(cat other)")" = 27 ] || fail "another task has left the class"
}

test_wait_all()
{
	kermon run --wait-all --raw-log raw -- sh -c '(sleep 1; exec gzip -9c /etc/services >z) & exit 3'
	expect_status 3
	expect_no_line err 'left'
	expect_equal_sums
	perf script -i perf.data -F comm 2>err | sort -u >comms
	expect_line comms '^ *gzip'
	read_notes
	expect_note ended exit
	expect_no_note outlived
}

# A program that its user may execute but not read, like a privileged one.
test_unrecorded()
{
	cp /usr/bin/env unreadable
	chmod 711 unreadable
	cp /usr/bin/env readable
	as_nobody "$KERMON" run -- sh -c './unreadable true; ./readable true'
	expect_status 0
	expect_line err '^kermon run: not in SCHED_KERMON, which requires CAP_SYS_NICE'
	expect_line err '^kermon run: not recorded after exec: pid [0-9]+ unreadable$'
	expect_line err '\(root can record them\), or were killed during exec$'
	read_notes
	expect_note unrecorded '[0-9]+ unreadable'
	expect_note class inherit
	kermon run -- sh -c './unreadable true'
	expect_no_line err 'not recorded'
	as_nobody "$KERMON" run --sched kermon touch ran
	expect_status 1
	expect_line err 'may not put tasks into SCHED_KERMON'
	[ ! -e ran ] || fail "the command ran"
	as_nobody "$KERMON" status
	expect_status 0
	expect_line out "^Recording of times and perf_event's samples works, without counts, with --sched inherit, without energy\.$"
}

# The kernel kills it: the old program is already gone, and the new one failed to load.
test_killed_in_exec()
{
	kermon run -- sh -c 'ulimit -v 100; /bin/true; exit 3'
	expect_status 3
	expect_line err '^kermon run: not recorded after exec: pid [0-9]+ true$'
	expect_line err 'or were killed during exec$'
	expect_no_line err 'root can record|readable by this user'
	"$KERMON" report --no-pager -i perf.data >out 2>err
	expect_line out 'or were killed during exec: [0-9]+ true\.$'
}

# Names of events are in the file from the beginning, for perf as well.
test_killed()
{
	local tool

	"$KERMON" run -q -e set0,set1 -- sh -c 'while [ ! -e end ]; do sleep 0.02; done' 2>err &
	tool=$!
	wait_for '"$KERMON" report --no-pager -i perf.data 2>/dev/null | grep -q ALL_LOADS'
	kill -KILL "$tool"
	wait "$tool" 2>/dev/null
	touch end
	kermon report --no-pager -i perf.data
	expect_status 1
	expect_line err 'the recording was not finished: counts are lower bounds'
	expect_line out 'MEM_UOPS_RETIRED:ALL_LOADS'
	expect_line out '^Rotated sets'
	perf script -i perf.data -F event 2>err | sort -u >events
	expect_line events 'MEM_UOPS_RETIRED:ALL_LOADS:u:'
	expect_line events 'instructions:u:'
	perf report -i perf.data --stdio >out 2>err || fail "perf report"
	expect_line out "of event 'MEM_UOPS_RETIRED:ALL_LOADS:u'"
	kermon report --header-only --no-pager -i perf.data
	expect_no_line out 'complete='
}

run_tests
