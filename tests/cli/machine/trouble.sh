#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Bad input, signals and obstacles, on a patched kernel.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"
export HOME=/nonexistent

# In the background bash ignores SIGINT; this one must not.
start()
{
	env --default-signal=INT,TERM,HUP "$KERMON" run "$@" >out 2>err &
	tool=$!
}

expect_free_counters()
{
	wait_for '[ "$("$KERMON" status --json | grep -c "\"owner\": \"free\"")" = 1 ]'
	perf stat -x, -e instructions true 2>&1 |
		grep -qE '^[0-9]+,,instructions' || fail "perf cannot count"
}

test_status_is_passed_on()
{
	kermon run -q sh -c 'exit 42'
	expect_status 42
	kermon run -q -- sh -c 'kill -9 $$'
	expect_status 137
}

test_streams_are_passed_on()
{
	echo through | "$KERMON" run -q cat >out 2>err || fail "status $?"
	[ "$(cat out)" = through ] || fail "output differs from input"
}

test_command_not_found()
{
	echo precious >perf.data
	echo older >perf.data.old
	kermon run no-such-command
	expect_status 127
	expect_line err "cannot run 'no-such-command': command not found"
	[ "$(cat perf.data)" = precious ] || fail "perf.data has changed"
	[ "$(cat perf.data.old)" = older ] || fail "perf.data.old has changed"
	[ "$(echo perf.data*)" = "perf.data perf.data.old" ] ||
		fail "more files than before: $(echo perf.data*)"
}

# Lines that cannot be printed are not waited for.
test_follow_full_disk()
{
	local pid code

	"$KERMON" status --follow >/dev/full 2>err &
	pid=$!
	sleep 1
	kermon run -q true
	wait_for "! kill -0 $pid 2>/dev/null"
	wait "$pid"
	code=$?
	[ "$code" -eq 1 ] || fail "status $code"
}

# The file keeps its contents until the recording begins.
test_raw_log_is_left_alone()
{
	echo precious >raw
	kermon run --raw-log raw no-such-command
	expect_status 127
	kermon run --raw-log raw -o /nonexistent/file touch ran
	expect_status 1
	kermon attach --raw-log raw -p 4194304
	expect_status 1
	[ "$(cat raw)" = precious ] || fail "the previous log was removed"
	kermon run --raw-log new no-such-command
	[ ! -e new ] || fail "an empty log was left"
	cp /bin/true program
	kermon run --raw-log program ./program
	expect_status 126
	expect_line err "cannot run './program': Text file busy"
	cmp program /bin/true || fail "the program has changed"
	kermon run -q --raw-log raw true
	expect_status 0
	[ -s raw ] || fail "no log"
	! grep -q precious raw || fail "the previous log is still there"
}

# A path is not searched for, and the interpreter of a program may be missing.
test_missing_file()
{
	kermon run ./nothing
	expect_status 127
	expect_line err "cannot run './nothing': No such file or directory"
	printf '#! /no/such/interpreter -x\n' >lacking
	chmod +x lacking
	kermon run ./lacking
	expect_status 127
	expect_line err "cannot run './lacking': its interpreter '/no/such/interpreter' does not exist"
	PATH=/nonexistent:$PWD:$PATH kermon run lacking
	expect_status 127
	expect_line err "cannot run 'lacking': its interpreter '/no/such/interpreter' does"
	printf '#!%s\n' "$PWD/lacking" >outer
	chmod +x outer
	kermon run ./outer
	expect_status 127
	expect_line err "cannot run './outer': the loader that it requires does not exist"
	expect_line err 'nothing was recorded'
}

as_other()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$KERMON" "$@" >out 2>err
	status=$?
}

# expect_refused PATTERN [TEXT]: before the command runs; perf.data still contains TEXT.
expect_refused()
{
	expect_status 1
	expect_line err "$1"
	expect_no_line err 'ulimit|no longer recorded'
	expect_line err 'use another file: -o FILE'
	[ ! -e ran ] || fail "the command ran"
	[ "$(cat perf.data 2>/dev/null)" = "${2-}" ] || fail "perf.data has changed"
	! compgen -G '*.??????' || fail "more files than before"
}

# What is recorded for its cost alone, as with perf; nothing is renamed.
test_output_to_nowhere()
{
	echo precious >perf.data
	kermon run -o /dev/null --raw-log raw -- touch ran
	expect_status 0
	expect_line err '^kermon run: [0-9]+ samples?, .* in /dev/null$'
	[ -c /dev/null ] || fail "/dev/null is gone"
	[ ! -e /dev/null.old ] || fail "/dev/null was renamed"
	[ -e ran ] || fail "the command did not run"
	[ -s raw ] || fail "no log"
	[ "$(echo *)" = "err out perf.data ran raw" ] || fail "there is $(echo *)"
}

# The old recording cannot be moved away, or the new one not be put in its place.
test_output_in_the_way()
{
	echo precious >perf.data
	mkdir perf.data.old
	kermon run touch ran
	expect_refused "cannot write 'perf.data.old': Is a directory" precious
	rmdir perf.data.old
	chmod 1777 .
	as_other run touch ran
	expect_refused "cannot write 'perf.data': Operation not permitted" precious
	echo older >perf.data.old
	as_other run touch ran
	expect_refused "cannot write 'perf.data.old': Operation not permitted" precious
	[ "$(cat perf.data.old)" = older ] || fail "perf.data.old has changed"
	: >perf.data
	as_other run touch ran
	expect_refused "cannot write 'perf.data': Operation not permitted"
	rm perf.data perf.data.old
	kermon run -o '' touch ran
	expect_refused "cannot write '': No such file or directory"
	[ "$(echo .??*)" = '.??*' ] || fail "there is $(echo .??*)"
}

test_command_not_executable()
{
	echo text >text
	kermon run ./text
	expect_status 126
	expect_line err "cannot run './text': Permission denied"
}

test_too_many_events()
{
	kermon run -e "$(printf 'r%02xc0,' {1..32})rffc0" touch ran
	expect_status 129
	expect_line err '33 events, but a CPU of this machine has 4 programmable'
	expect_line err 'at most 8 sets can be rotated'
	kermon run -e set0 --rotate 20ms touch ran
	expect_status 129
	expect_line err '--rotate requires more events than fit simultaneously'
	[ ! -e ran ] || fail "the command ran"
}

# Enough counters, but one register that both events require.
test_events_of_one_register()
{
	local event=OFFCORE_RESPONSE_0:ANY_REQUEST

	kermon run -e "$event:L3_MISS,$event:LLC_HITM" touch ran
	expect_status 1
	expect_line err 'cannot count all of '.*' simultaneously'
	expect_line err 'offcore events share a register'
	[ ! -e ran ] || fail "the command ran"
}

# This machine has no caches: CPUID reports this for the one architectural event, and the
# selectors do not accept the others.
test_events_that_are_not_there()
{
	kermon run -e set2 touch ran
	expect_status 1
	expect_line err "cannot count all of 'set2'"
	expect_line err 'not supported: L1D:REPLACEMENT:u'
	expect_line err 'not supported: LONGEST_LAT_CACHE:REFERENCE:u'
	expect_line err 'not supported: L2_RQSTS:CODE_RD_MISS:u'
	expect_line err 'not supported: OFFCORE_RESPONSE_0:'
	expect_line err 'virtual machine .*scripts/kermon-vm --caches'
	[ ! -e ran ] || fail "the command ran"
	[ ! -e perf.data ] || fail "perf.data was created"
}

test_held_by_perf()
{
	local holder share=/sys/module/kermon/parameters/share

	perf stat -a -e r1c2:D,r2c2:D,r4c2:D sleep 600 >/dev/null 2>&1 &
	holder=$!
	wait_for '[ "$("$KERMON" status --json | grep -c "\"owner\": \"other\"")" = 1 ]'
	kermon status
	expect_status 0
	expect_line out '^counters +ok .*some in use by perf or another module$'
	kermon run -q -e r00c4 true
	expect_status 0
	kermon run -e set0 touch ran
	expect_status 1
	expect_line err 'perf, the NMI watchdog or other recordings leave too few counters'
	expect_line err 'stop programs that count on all CPUs .*or end other recordings'
	[ ! -e ran ] || fail "the command ran"
	echo 0 >"$share"
	kermon run touch ran
	expect_status 1
	expect_line err 'the counters are in use by perf or another module'
	expect_line err 'perf stat, perf record'
	[ ! -e ran ] || fail "the command ran"
	kermon status
	expect_status 1
	expect_line out '^counters +missing +the counters are in use by perf'
	kill "$holder"
	wait "$holder"
	kermon run -q true
	expect_status 0
	echo 1 >"$share"
}

# kermon spy and kermon run count at the same time if there are counters for both. However
# it ends, they are free.
test_held_by_spy()
{
	# Only one fixed counter has reference cycles.
	kermon run -o /dev/null -- "$KERMON" spy --duration 100ms
	expect_status 1
	expect_line err '^kermon spy: CPU 0: the counters are in use by KerMon$'
	"$KERMON" spy -q -e set0 --duration 1h >/dev/null &
	wait_for 'kermon status; grep -q "in use by" out'
	kermon run -o /dev/null -e set1 -- true
	expect_status 1
	expect_line err 'leave too few counters'
	kill -KILL $!
	wait $! 2>/dev/null
	kermon run -o /dev/null -e set1 -- true
	expect_status 0
	kermon spy -q -e set0,set1 --duration 1s
	expect_status 1
	expect_line err '^kermon spy: CPU [01] has too few counters for '
	sysctl -q kernel.nmi_watchdog=1 2>/dev/null || return 0
	[ "$(cat /proc/sys/kernel/nmi_watchdog)" = 1 ] || return 0
	kermon spy -q -e set0,FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE --duration 1s
	[ "$status" -eq 0 ] || expect_line err 'NMI watchdog'
	sysctl -q kernel.nmi_watchdog=0
}

as_nobody()
{
	chmod 777 .
	as_other "$@"
}

test_no_permission()
{
	as_nobody run -k --sched inherit touch ran
	expect_status 1
	expect_line err 'may not sample kernel mode'
	expect_line err 'as root: setcap cap_perfmon'
	as_nobody run --sched inherit true
	expect_status 0
	expect_line err 'not recording energy, which requires CAP_PERFMON'
	as_nobody status --follow
	expect_status 1
	expect_line err 'of all users and require CAP_SYS_ADMIN'
}

# Counters are those of every CPU: others record times, and perf_event samples.
test_no_counters()
{
	as_nobody status
	expect_line out '^counting +note +this user may not occupy counters of every CPU'
	expect_line out "or, as root, for your group: sysctl kernel.kermon_counters_group='65534 65534'"
	expect_line out "^Recording of times and perf_event's samples works, without counts, "
	as_nobody run --sched inherit -- python3 -c 'sum(range(1000000))'
	expect_status 0
	expect_line err '^kermon run: KerMon records times, and perf_event samples cycles:u .*may not occupy'
	expect_line err "kernel.kermon_counters_group='65534 65534'"
	expect_line err '^kermon run: [0-9]+ samples of KerMon, [0-9]+ of perf_event'
	"$KERMON" report --no-pager -i perf.data >out 2>err
	expect_line out '^oncpu \[s\] +[0-9]+ '
	expect_line out '^cycles:u +[0-9,]+ '
	expect_no_line out instructions
	as_nobody run -q --sched inherit -e set0,set1 --rotate 10ms touch ran
	expect_status 129
	expect_line err '--rotate requires counters'
	[ ! -e ran ] || fail "the command ran"
	sysctl -qw kernel.kermon_counters_group='65534 65534'
	as_nobody status
	expect_line out '^Recording works, with --sched inherit, without energy\.$'
	as_nobody run --sched inherit true
	sysctl -qw kernel.kermon_counters_group='1 0'
	expect_status 0
	expect_no_line err 'records times'
	"$KERMON" report --no-pager -i perf.data >out 2>err
	expect_line out '^instructions:u '
}

test_recorded_twice()
{
	local inner="'$KERMON' run -o inner.data touch ran"

	kermon run -q -- sh -c "$inner; echo status \$?"
	expect_status 0
	expect_line out '^status 1$'
	expect_line err '^kermon run: kermon itself is being recorded, with all commands that it runs$'
	expect_no_line err 'already being recorded'
	[ ! -e ran ] || fail "the command ran"
}

# With setcap cap_perfmon,cap_sys_nice=ep: such a process is not dumpable.
test_file_capabilities()
{
	cp "$KERMON" capable
	/usr/bin/python3 -c 'import os, struct
number = dict(sys_nice=23, perfmon=38)
permitted = sum(1 << n for n in number.values())
os.setxattr("capable", "security.capability", struct.pack("<5I",
    0x02000001, permitted & 0xffffffff, 0, permitted >> 32, 0))' ||
		fail "no file capabilities here"
	chmod 777 .
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		./capable run -k touch ran >out 2>err
	status=$?
	expect_status 0
	[ -e ran ] || fail "the command did not run"
	expect_no_line err 'CAP_'
	"$KERMON" report --header-only --no-pager -i perf.data >notes
	expect_line notes '^kermon +class=kermon$'
}

# Level 3 is Debian's default; there, an unprivileged user records nothing.
test_perf_event_paranoid_for_others()
{
	local text class

	chmod 777 .
	sysctl -qw kernel.perf_event_paranoid=3
	text=$(as_nobody status; sed -n 's/^side-band  *missing  *//p' out)
	[ -n "$text" ] || fail "status reports no problem"
	for class in kermon inherit; do
		as_nobody run -q --sched "$class" touch ran
		expect_status 1
		expect_line err "^kermon run: $text$"
		expect_line err 'as root: sysctl kernel.perf_event_paranoid=2'
		[ ! -e ran ] || fail "the command ran"
	done
	setpriv --reuid 65534 --regid 65534 --clear-groups sleep 1000 &
	wait_for '[ "$(cat /proc/$!/comm)" = sleep ]'
	as_nobody attach -q -p $!
	expect_status 1
	expect_line err "^kermon attach: $text$"
	sysctl -qw kernel.perf_event_paranoid=2
	as_nobody run -q --sched inherit -e r00c0:k touch ran
	expect_status 1
	expect_line err 'may not (count in|sample) kernel mode'
	kill $!
	[ ! -e ran ] || fail "the command ran"
}

# Where perf has that level, CAP_PERFMON is not enough.
test_perf_event_paranoid()
{
	local text as='setpriv --reuid 65534 --regid 65534 --clear-groups
		--inh-caps +perfmon,+sys_nice --ambient-caps +perfmon,+sys_nice'

	chmod 777 .
	sysctl -qw kernel.perf_event_paranoid=3
	$as "$KERMON" status >out
	expect_line out '^side-band +missing +kernel.perf_event_paranoid is 3'
	expect_line out 'sysctl kernel.perf_event_paranoid=2; .*CAP_SYS_ADMIN'
	text=$(sed -n 's/^side-band  *missing  *//p' out)
	$as "$KERMON" run touch ran >out 2>err
	status=$?
	expect_status 1
	expect_line err "^kermon run: $text$"
	expect_line err 'sysctl kernel.perf_event_paranoid=2; .*CAP_SYS_ADMIN'
	[ ! -e ran ] || fail "the command ran"
	kermon run -q true
	expect_status 0
	sysctl -qw kernel.perf_event_paranoid=2
	$as "$KERMON" run -q true
	expect_status 0
}

# Half of the memory that perf may lock is then for the log, and the side-band uses the
# rest.
test_memory_limit()
{
	(
		ulimit -l 0
		as_nobody run -m 64M --sched inherit touch ran
		expect_status 1
		expect_line err 'exceed the memory that this user may lock'
		expect_line err 'use a smaller log: -m SIZE'
		expect_line err 'ulimit -l.* sysctl kernel.perf_event_mlock_kb'
		as_nobody run --sched inherit touch ran
		expect_status 1
		expect_line err 'exceed the memory that this user may lock'
		[ ! -e ran ] || fail "the command ran"
		as_nobody run -q -m 256K --sched inherit touch ran
		expect_status 0
		[ -e ran ] || fail "the command did not run"
	) || exit
}

# The query to the module requires a descriptor, too.
test_open_files()
{
	(
		ulimit -n 5
		kermon run touch ran
		expect_status 1
		expect_line err 'cannot create a process: Too many open files$'
		expect_line err 'raise the limit: ulimit -n$'
		[ ! -e ran ] || fail "the command ran"
	) || exit
}

# The command receives it and exits, which ends the recording, and the shell sees the
# status.
interrupt()
{
	local code pid

	start -- sh -c 'echo $$ >pid; while :; do :; done'
	wait_for '[ -s perf.data ] && [ -s pid ]'
	pid=$(cat pid)
	kill -0 "$pid" || fail "the command does not exist"
	sleep 1
	kill -s "$1" "$tool"
	wait "$tool"
	code=$?
	[ "$code" -eq "$2" ] || fail "status $code, not $2"
	perf report -i perf.data --stdio --sort comm >out 2>err || fail "perf report"
	expect_empty err
	expect_line out '(100|9[0-9])\.[0-9]+% +sh'
	wait_for "! kill -0 $pid 2>/dev/null"
	expect_free_counters
}

test_interrupt()
{
	interrupt INT 130
}

test_terminate()
{
	interrupt TERM 143
}

test_hangup()
{
	interrupt HUP 129
}

# The command neither notices nor remains monitored.
test_kill()
{
	start -- sh -c 'while [ ! -e killed ]; do sleep 0.1; done; echo alive >alive'
	wait_for '"$KERMON" report --no-pager -s comm -i perf.data 2>/dev/null |
		grep -qE "^ *[0-9.]+ +sh +"'
	kill -KILL "$tool"
	wait "$tool" 2>/dev/null
	touch killed
	expect_free_counters
	wait_for '[ -s alive ]'
	kermon report --no-pager -s comm -i perf.data
	expect_status 1
	expect_line err 'the recording was not finished'
	expect_line out '^ *[0-9.]+ +sh +'
}

# Observers are notified of start and exit.
test_notices()
{
	local follower

	"$KERMON" status --follow >notices 2>err &
	follower=$!
	# events before it listens are not delivered
	wait_for '"$KERMON" run -q true && grep -qE "^started +monitored" notices &&
		grep -q ^exited notices'
	kill "$follower"
}

test_applications_are_listed()
{
	start -- sleep 1000
	wait_for '[ -s perf.data ]'
	wait_for '"$KERMON" status | grep -qE "^monitored .* 1 task, "'
	kill "$tool"
	wait "$tool" 2>/dev/null || true
}

# A folder "small" with little space; it is removed when the test ends.
make_small()
{
	mkdir small
	mount -t tmpfs -o size=64k none small || fail "no tmpfs"
	trap 'umount small' EXIT
}

test_disk_full()
{
	make_small
	kermon run -o small/perf.data -- sh -c \
		'for i in $(seq 100); do /bin/true; done; echo done >&2'
	expect_status 1
	expect_line err "cannot write 'small/perf.data': No space left"
	expect_line err '^done$'
}

test_raw_log_disk_full()
{
	make_small
	kermon run --raw-log small/raw -- sh -c \
		'for i in $(seq 100); do /bin/true; done; echo done >&2'
	expect_status 1
	expect_line err "cannot write 'small/raw': No space left"
	expect_line err '^done$'
	expect_line err "perf.data has the recording up to here: its counts are lower bounds"
	kermon report --header-only --no-pager -i perf.data
	expect_status 0
	expect_line out 'ended=failed: No space left'
	expect_no_line out 'complete='
}

# The limit applies to the tool alone: a command with the same limit is killed by a
# signal.
test_file_size_limit()
{
	(
		ulimit -S -f 16
		kermon run -- sh -c 'ulimit -S -f unlimited
			for i in $(seq 100); do /bin/true; done; echo done >&2'
		expect_status 1
	) || exit
	expect_line err "cannot write 'perf.data': File too large"
	expect_line err '^done$'
	kermon run -q -- sh -c 'ulimit -f 0; exec dd if=/dev/zero of=big count=1'
	expect_status 153
}

# Meanwhile the command is unmonitored, counters are free, and signals are forwarded.
test_disk_full_and_terminate()
{
	local code

	make_small
	start -o small/perf.data -- sh -c 'trap "echo told; exit 3" TERM
		for i in $(seq 100); do /bin/true; done
		echo done; while :; do sleep 0.1; done'
	wait_for 'grep -q "still running" err'
	wait_for 'grep -q ^done out'
	expect_free_counters
	kill -TERM "$tool"
	wait "$tool"
	code=$?
	[ "$code" -eq 1 ] || fail "status $code, not 1"
	expect_line out '^told$'
}

# The recording has failed, regardless of how the command exits.
test_disk_full_and_killed()
{
	local code

	make_small
	start -o small/perf.data -- sh -c '
		for i in $(seq 100); do /bin/true; done
		while :; do sleep 0.1; done'
	wait_for 'grep -q "still running" err'
	kill -TERM "$tool"
	wait "$tool"
	code=$?
	[ "$code" -eq 1 ] || fail "status $code, not 1"
}

# Root lets every process read the counters: recording continues, with a warning.
test_counters_are_public()
{
	local policy=/sys/bus/event_source/devices/cpu/rdpmc

	echo 2 >"$policy"
	kermon status
	expect_status 0
	expect_line out '^counters +note .*readable by every process'
	kermon run true
	echo 1 >"$policy"
	expect_status 0
	expect_line err 'every process could read the raw counters'
	"$KERMON" report -i perf.data --no-pager >out 2>err
	expect_line out '^Every process could read the raw counters'
	expect_line out '^Nothing was lost.'
	kermon run true
	expect_no_line err 'raw counters'
	expect_line err '[0-9]+ samples?, [0-9]+\.[0-9] kB in perf.data$'
}

# The last test, because it removes what the others need.
# perf_event records instead, which is said with what to do about it, also with -q.
test_without_module()
{
	rmmod kermon || fail "the module cannot be unloaded"
	kermon run -q touch ran
	expect_status 0
	expect_line err '^kermon run: perf_event samples .*, as kermon\.ko is not loaded; '
	expect_line err '^  as root: modprobe kermon$'
	[ -e ran ] || fail "the command did not run"
	kermon status
	expect_status 1
	expect_line out '^kernel +ok'
	expect_line out '^module +missing'
}

run_tests
