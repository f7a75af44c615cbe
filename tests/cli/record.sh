#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon record on a kernel without KerMon, where perf_event samples; perf record is what it
# is compared with. Clocks count time on the CPU, so that numbers of samples follow from it
# on a busy machine, too.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

. "$(dirname "$0")/cli.bash"
. "$(dirname "$0")/record.bash"

test_source_is_said()
{
	record -e cpu-clock -- true
	expect_line err '^kermon record: perf_event samples cpu-clock at 4000 Hz, as Linux .* has no SCHED_KERMON; KerMon would add exact counts per thread and switch, -g call chains$'
	record -g -e cpu-clock -- true
	expect_no_line err 'call chains'
	record -q -e cpu-clock -- true
	expect_empty err
	"$KERMON" header >out 2>err || fail "status $?"
	expect_line out 'source=perf_event$'
	expect_line out 'complete=1$'
}

# cycles if the machine has them, else a clock, and why.
test_default_event()
{
	record -- "$SPIN" 100
	if perf stat -e cycles:u true 2>&1 | grep -q 'not supported'; then
		expect_line err 'cpu-clock at 4000 Hz \(this machine has no counter of cycles\)'
	else
		expect_line err 'samples cycles'
	fi
	"$KERMON" header >noted || fail "kermon header"
	expect_line noted ' events=(cycles|cpu-clock)(:u)?$'
	kermon record -e cycles -- touch ran
	[ "$status" -eq 0 ] || {
		expect_status 1
		expect_line err "no event 'cycles' that perf_event can sample"
		expect_line err 'use -e cpu-clock'
		[ ! -e ran ] || fail "the command ran"
	}
}

test_frequency()
{
	record -e cpu-clock -F 1000 -- "$SPIN" 400
	expect_samples 1000
}

test_period()
{
	record -e cpu-clock -c 500000 -- "$SPIN" 300
	expect_line err 'cpu-clock every 0\.5 ms'
	expect_samples 2000
	[ "$(perf script -F period 2>/dev/null | sort -u | tr -d ' ')" = 500000 ] ||
		fail "other periods"
}

# As with KerMon: 10 ms is a sample per 10 ms on the CPU.
test_interval()
{
	record --interval 1ms -- "$SPIN" 300
	expect_line err 'cpu-clock every 1 ms'
	expect_samples 1000
	kermon record --interval 10ms -F 99 -- touch ran
	expect_status 129
	expect_line err '^kermon record: --interval and -F or -c exclude each other'
	[ ! -e ran ] || fail "the command ran"
}

test_frequency_that_is_too_high()
{
	local max

	max=$(</proc/sys/kernel/perf_event_max_sample_rate)
	record -e cpu-clock -F $((max + 1)) -- true
	expect_line err "sampling at $max Hz, not $((max + 1)): kernel.perf_event_max_sample_rate"
	record -e cpu-clock -F max -- true
	expect_line err "cpu-clock at $max Hz"
	expect_no_line err 'max_sample_rate'
}

# How many samples there are of each chain of functions, without the kernel's.
chains_of()
{
	perf script -i "$1" -F ip,sym 2>/dev/null | awk '
		/^$/ { if (chain != "") print chain; chain = ""; next }
		$1 !~ /^ffffffff/ { chain = chain " " $2 }
		END { if (chain != "") print chain }' | sort | uniq -c | sort -rn | head -n 1 |
		awk '{ print $2, $3, $4, $5 }'
}

# Most samples have the same chain, in both: that of a function without a frame, so that its
# caller is missing.
test_chains()
{
	# in user mode: what interrupts it on a busy host has other chains
	record -g -e cpu-clock:u -F 1000 -- "$SPIN" 300
	expect_samples 1000
	perf record -q -g -e cpu-clock:u -F 1000 -o perf.perf -- "$SPIN" 300 >/dev/null 2>&1 ||
		fail "perf record"
	[ "$(chains_of perf.data)" = "$(chains_of perf.perf)" ] ||
		fail "$(chains_of perf.data), not $(chains_of perf.perf)"
	[[ $(chains_of perf.data) == "leaf spin run_process"* ]] ||
		fail "$(chains_of perf.data)"
	"$KERMON" report -g caller >out 2>err || fail "kermon report"
	expect_empty err
	expect_line out '(9[0-9]|100)\.[0-9]+ +(9[0-9]|100)\.[0-9]+ +leaf '
}

# "-ga" is two options, "-g true" one and the command.
test_option_without_argument()
{
	record -qag -e cpu-clock -F 99 -- true
	record -qga -e cpu-clock -F 99 -- true
	record -qg true
	record -q --call-graph fp true
	record -q --call-graph=no -F 99 true
	kermon record --call-graph lbr true
	expect_status 129
	expect_line err "'lbr' with '--call-graph' is not supported: use 'perf record'"
	kermon record --call-graph dwarf,70000 true
	expect_line err "invalid stack size '70000' .* valid: 1 to 65528 bytes"
	kermon record --call-graph fp,5 true
	expect_line err 'only dwarf has a size'
}

test_stacks()
{
	record --call-graph dwarf,4096 -e cpu-clock -F 500 -- "$SPIN" 200
	expect_samples 500
	"$KERMON" report -g caller >out 2>err || fail "kermon report"
	expect_line out 'middle'
	"$KERMON" script -F ip,sym >out 2>err || fail "kermon script"
	expect_line out ' middle$'
	expect_line out ' main$'
	perf evlist -v 2>/dev/null | grep -q 'sample_stack_user: 4096' || fail "another size"
}

# Samples per comm, pid and tid are those of the tasks that there were.
test_threads_and_children()
{
	record -e cpu-clock -F 1000 -- "$SPIN" 150 2 2
	expect_samples 1000
	samples | awk '{ print $1, $2, $3 }' | sort | uniq -c | awk '$1 > 75' >tasks
	[ "$(wc -l <tasks)" -eq 6 ] || fail "$(cat tasks)"
	[ "$(awk '{ print $2 }' tasks | sort | uniq -c | tr -s ' \n' ' ')" = ' 2 child 1 spin 3 thread ' ] ||
		fail "$(cat tasks)"
	[ "$(awk '{ print $3 }' tasks | sort -u | wc -l)" -eq 3 ] || fail "not three processes"
	"$KERMON" report --csv -s comm,pid,tid >out 2>err || fail "kermon report"
	[ "$(grep -cE '^"?(child|thread|spin)' out)" -ge 6 ] || fail "kermon report has fewer"
}

# Each fault is a sample: their number is nearly the same in each run.
test_page_faults()
{
	local nr

	record -e page-faults:u -c 1 -- "$SPIN" 1
	nr=$(number_of_samples)
	perf record -q -e page-faults:u -c 1 -o perf.perf -- "$SPIN" 1 >/dev/null 2>&1 ||
		fail "perf record"
	expect_near faults "$nr" "$(perf script -i perf.perf -F comm | wc -l)" 20
	record -e page-faults:u -c 10 -- "$SPIN" 1
	expect_near 'each tenth fault' "$(number_of_samples)" "$((nr / 10))" 40
	"$KERMON" report --csv -s comm >out 2>err || fail "kermon report"
	expect_near 'sum of faults' "$(tail -n 1 out | sed 's/.*,//')" "$nr" 40
	record -e cpu-clock,page-faults -e context-switches -c 1000 -o other -- true
	expect_line err 'cpu-clock and 2 more every 0\.001 ms'
	perf evlist -i other 2>/dev/null >out
	[ "$(tr '\n' ' ' <out)" = 'cpu-clock page-faults context-switches dummy:u ' ] ||
		fail "other events"
}

# As in perf: without its build id, its functions would be unknown, and stacks end there.
test_vdso()
{
	record -q -e cpu-clock -- true
	perf record -q -e cpu-clock -o perf.perf -- true >/dev/null 2>&1 || fail "perf record"
	perf buildid-list -i perf.perf 2>/dev/null | grep -F '[vdso]' >perf.out
	"$KERMON" header >out 2>err || fail "kermon header"
	expect_line out "^build id +$(sed 's/[][]/\\&/g' perf.out)$"
}

# In a file, a long name is whole, and moves the values of its own row alone.
test_long_name()
{
	local name

	name=$(printf 'x%.0s' {1..150})
	cp "$SPIN" "$name"
	record -q -e cpu-clock -F 1000 -- "./$name" 50
	"$KERMON" report -s dso >out 2>err || fail "kermon report"
	expect_line out "^ *[0-9.]+  $name  [0-9.]+$"
	[ "$(awk 'length > 120' out | wc -l)" -eq 1 ] || fail "other rows are as long"
}

test_events_that_do_not_exist()
{
	# The CPU of this machine may be newer than libpfm4.
	LIBPFM_FORCE_PMU=ivb kermon record -e page-fualts true
	expect_status 129
	expect_line err "no event or set 'page-fualts'"
	kermon record -e mem:0x1000:w true
	expect_status 129
	expect_line err "cannot sample 'mem:0x1000:w': breakpoints are not supported"
	kermon record -e '{cycles,instructions}' true
	expect_status 129
	expect_line err "cannot sample '\\{cycles': groups of events are not supported"
	expect_line err "^  use 'perf record', whose files kermon reads$"
}

need_tracefs()
{
	[ "$(id -u)" -eq 0 ] || skip "this user is not root"
	[ -r /sys/kernel/tracing/events/sched/sched_switch/id ] || skip "no tracefs"
}

# Events of a file by perf, one a line with its number.
events_of()
{
	perf script -i "$1" -F event 2>perf.err | sed 's/: *$//; s/^ *//' | sort | uniq -c
	[ "${PIPESTATUS[0]}" -eq 0 ] || fail "$(cat perf.err)"
}

# Of a program that does the same each time, perf records the same, in a file and in a pipe.
test_tracepoints()
{
	local events='sched:sched_process_fork,syscalls:sys_enter_execve,sched:sched_process_ex*'
	local run='/bin/true; /bin/true; :' how

	need_tracefs
	perf record -q -e "$events" -o perf.perf -- sh -c "$run" 2>perf.err || fail "$(cat perf.err)"
	for how in -q -z -g; do
		record "$how" -e "$events" -- sh -c "$run"
		[ "$how" = -q ] ||
			expect_line err '^kermon record: perf_event samples sched:sched_process_fork and 3 more, each time, as '
		[ "$(events_of perf.data)" = "$(events_of perf.perf)" ] ||
			fail "$(events_of perf.data)"
	done
	[ "$(perf evlist -i perf.data | grep -v dummy)" = "$(perf evlist -i perf.perf | grep -v dummy)" ] ||
		fail "other events: $(perf evlist -i perf.data)"
	perf script -i perf.data -F event,trace -G 2>/dev/null | sed 's/pid=[0-9]*//g; s/0x[0-9a-f]*//g' >ours
	perf script -i perf.perf -F event,trace -G 2>/dev/null | sed 's/pid=[0-9]*//g; s/0x[0-9a-f]*//g' >theirs
	cmp -s ours theirs || fail "$(diff ours theirs)"
	grep -q 'comm=sh' ours || fail "no data: $(cat ours)"
	"$KERMON" script -F event,trace -G -i perf.data >out 2>err || fail "kermon script"
	expect_line out 'sched_process_fork: comm=sh pid='
	"$KERMON" check >out 2>&1 || fail "$(cat out)"
	"$KERMON" record -q -e "$events" -o - -- sh -c "$run" 2>err >piped || fail "$(cat err)"
	perf script -i - -F event <piped 2>/dev/null | sed 's/: *$//; s/^ *//' | sort | uniq -c >ours
	[ "$(<ours)" = "$(events_of perf.perf)" ] || fail "a pipe has $(<ours)"
	"$KERMON" script -F event,trace -i piped >out 2>err || fail "kermon script of a pipe"
	expect_line out 'sched_process_fork: comm=sh pid='
}

# In both, -c does not apply to tracepoints, but to other events.
test_tracepoints_of_all_tasks()
{
	need_tracefs
	record -e sched:sched_process_fork -c 3 -- sh -c 'for i in 1 2 3 4 5 6 7; do /bin/true; done; :'
	[ "$(number_of_samples)" -eq 7 ] || fail "$(number_of_samples) samples"
	record -a -e sched:sched_process_fork -- sh -c '/bin/true; :'
	samples | grep -q '^ *sh .*sched:sched_process_fork$' || fail "not of all tasks"
}

test_tracepoints_that_are_refused()
{
	need_tracefs
	kermon record -e sched:no_such -- touch ran
	expect_status 129
	expect_line err "^kermon record: this kernel has no tracepoint 'sched:no_such'$"
	kermon record -e 'sched:no_such*' -- touch ran
	expect_status 129
	expect_line err "this kernel has no tracepoint 'sched:no_such\\*'"
	need_root
	as_nobody -e sched:sched_switch -- touch ran
	expect_status 129
	expect_line err "cannot find tracepoint 'sched:sched_switch': this user may not read tracefs"
	expect_line err '^  as root, for a group of this user: mount -o remount,mode=750,gid=GROUP /sys/kernel/tracing$'
	unshare -m sh -c 'umount -l /sys/kernel/tracing && exec "$@"' - \
		"$KERMON" record -e sched:sched_switch -- touch ran >out 2>err
	expect_line err "cannot find tracepoint 'sched:sched_switch': tracefs is not mounted"
	expect_line err '^  as root: mount -t tracefs nodev /sys/kernel/tracing$'
	[ ! -e ran ] || fail "the command ran"
}

# The terms of a PMU are those of sysfs. This one exists everywhere, and counts tracepoints.
test_terms()
{
	local id

	need_tracefs
	id=$(</sys/kernel/tracing/events/sched/sched_process_fork/id)
	record -e "software/config=0/,software/config=2,period=1,name=faults/u" -- "$SPIN" 50
	perf evlist -i perf.data 2>/dev/null | tr '\n' ' ' >out
	[ "$(<out)" = 'software/config=0/ faults dummy:u ' ] || fail "$(<out)"
	perf evlist -v -i perf.data 2>/dev/null >out
	expect_line out '^faults: type: 1, .*config: 0x2,.*sample_period, *sample_freq \}: 1,|^faults: type: 1,.*config: 0x2, \{ sample_period'
	kermon record -e no-such-pmu/event=1/ true
	expect_status 129
	expect_line err "'no-such-pmu/event=1/': this machine has no PMU 'no-such-pmu'"
	expect_line err '^  its PMUs: .*software'
	kermon record -e software/umask=1/ true
	expect_status 129
	expect_line err "PMU 'software' has no such term or event"
	expect_line err '^  its terms: config, config1'
	[ ! -d /sys/bus/event_source/devices/uprobe ] || {
		kermon record -e uprobe/retprobe=2/ true
		expect_status 129
		expect_line err 'a value is too large for its term'
	}
	kermon record -e software/config=/ true
	expect_status 129
	expect_line err 'is no list of terms; valid: PMU/TERM=NUMBER'
}

test_pipe()
{
	"$KERMON" record -q -e cpu-clock -F 1000 -o - -- "$SPIN" 200 2>err | cat >piped
	expect_no_line err kermon
	"$KERMON" report -i piped -s comm,sym >out 2>err || fail "kermon report"
	expect_line out ' leaf'
	perf report -i - --stdio <piped 2>/dev/null | grep -q leaf || fail "perf report"
}

test_compressed()
{
	record -z -g -e cpu-clock -F 1000 -- "$SPIN" 300
	expect_samples 1000
	perf report --header-only 2>/dev/null | grep -qi 'compressed' || fail "not compressed"
}

# What users type in a terminal, of the kernel alone: programs, libraries and kernel have
# their build ids.
test_build_ids()
{
	local id

	record -e cpu-clock -- "$SPIN" 50
	perf buildid-list 2>/dev/null >out
	id=$(readelf -n "$SPIN" | sed -n 's/.*Build ID: //p')
	expect_line out "^$id $SPIN$"
	expect_line out '^[0-9a-f]{40} .*/libc\.so\.6$'
	id=$(perf buildid-list -k 2>/dev/null)
	[ -z "$id" ] || expect_line out "^$id \[kernel\.kallsyms\]$"
	record -e cpu-clock:u -- "$SPIN" 50
	perf buildid-list 2>/dev/null >out
	expect_no_line out 'kernel'
}

# While the tool is stopped, the rings fill: what is lost is said, and is in the file.
test_losses()
{
	local tool nr lost

	"$KERMON" record -m 4K -e cpu-clock -F 1000 -- "$SPIN" 1500 >out 2>err &
	tool=$!
	wait_for '[ -s perf.data ]'
	kill -STOP "$tool"
	wait_for '[ -s out ]'
	kill -CONT "$tool"
	wait "$tool" || fail "status $?"
	nr=$(number_of_samples)
	lost=$(sed -n 's/^kermon record: \([0-9]*\) records of perf_event .* were lost$/\1/p' err)
	[ "${lost:-0}" -gt 500 ] || fail "no losses"
	expect_line err '^  use larger rings, -m SIZE, or fewer samples: -F, -c$'
	expect_near 'samples and losses' $((nr + lost)) "$(spun)" 20
	"$KERMON" report >out 2>err
	expect_line out "^$lost records were lost \(samples, names or mappings\): counts are lower bounds"
	[ "$(perf report --stdio 2>/dev/null | sed -n 's/^# Total Lost Samples: //p')" -eq "$lost" ] ||
		fail "perf has another number"
}

# Nothing that was read is lost if the tool is killed; at most a second is missing.
test_killed_tool()
{
	local tool

	"$KERMON" record -e cpu-clock -F 1000 -- "$SPIN" 3000 >out 2>err &
	tool=$!
	wait_for '[ "$(stat -c %s perf.data 2>/dev/null || echo 0)" -gt 50000 ]'
	kill -KILL "$tool"
	wait "$tool"
	wait_for '[ -s out ]'
	"$KERMON" report -s comm >out 2>err
	expect_line out 'The recording is unfinished'
	expect_line out ' spin'
}

# Ctrl-C ends a recording of what is there already, and twice that of a command.
test_interrupt()
{
	local pid

	spin_on 1
	env --default-signal=INT "$KERMON" record -e cpu-clock -F 1000 -p "$pid" >out 2>err &
	wait_for '[ "$(stat -c %s perf.data 2>/dev/null || echo 0)" -gt 20000 ]'
	kill -INT $!
	wait $!
	status=$?
	kill "$pid"
	expect_status 0
	expect_line err '^kermon record: [0-9]+ samples'
	"$KERMON" check >out 2>&1 || fail "not conforming"
}

# Ctrl-C goes to both programs of a pipeline. The first one writes what is left.
test_interrupted_pipeline()
{
	# shellcheck disable=SC2016	# for the shell that is started
	env --default-signal=INT KERMON="$KERMON" SPIN="$SPIN" setsid bash -c \
		'"$KERMON" record -o - -e cpu-clock -F 1000 -- "$SPIN" 60000 2>err |
		 "$KERMON" report --no-progress -s comm -i - >out 2>err2' &
	pid=$!
	wait_for 'pgrep -g "$pid" spin >pgrep'
	sleep 1
	kill -INT "-$pid"
	wait "$pid"
	expect_line err '^kermon record: [0-9]+ samples'
	expect_line out '100\.00 +spin'
	expect_no_line err2 'not finished'
}

# Removing a large file takes longer than rings have room for: not before the recording ends.
test_former_files()
{
	kermon record -q true
	kermon record -q true
	# shellcheck disable=SC2016	# by that shell
	kermon record -q sh -c 'until ls -l /proc/$PPID/fd | grep "/perf.data.* (deleted)"; do
		sleep .1; done'
	expect_status 0
	expect_line out 'deleted'
	[ "$(echo perf.data*)" = "perf.data perf.data.old" ] || fail "$(echo perf.data*)"
}

test_full_disk()
{
	kermon_limited 60 record -e cpu-clock -F 4000 -- "$SPIN" 600
	expect_status 1
	expect_line err "^kermon record: cannot write 'perf.data': "
	expect_line err 'perf.data has the recording up to here'
	"$KERMON" report -s comm >out 2>err
	expect_line out ' spin'
}

test_status_is_passed_on()
{
	kermon record -q -- sh -c 'exit 42'
	expect_status 42
	kermon record -q -- no-such-command
	expect_status 127
	expect_line err "^kermon record: cannot run 'no-such-command'"
}

test_report_at_the_end()
{
	record --report -e cpu-clock -F 1000 -- "$SPIN" 200
	expect_line err "^ Counts of '.*spin 200', by perf_event"
	expect_line err '^ +[2-9][0-9]{2}\.[0-9]+  task-clock ms'
	[ "$(number_of_samples)" -gt 150 ] || fail "no samples"
}

# as_nobody WORD...: kermon record as a user without rights.
as_nobody()
{
	chmod 777 .
	cp "$KERMON" kermon.copy 2>/dev/null
	setpriv --reuid 65534 --regid 65534 --clear-groups ./kermon.copy record "$@" >out 2>err
	status=$?
}

need_root()
{
	[ "$(id -u)" -eq 0 ] || skip "this user is not root"
	[ "$(</proc/sys/kernel/perf_event_paranoid)" -eq 2 ] ||
		skip "kernel.perf_event_paranoid is not 2"
}

test_another_user()
{
	need_root
	cp "$SPIN" spin
	as_nobody -g -e cpu-clock -F 1000 -- ./spin 200
	expect_status 0
	[ "$(grep -c 'sampling user mode alone' err)" -eq 1 ] || fail "not said once"
	expect_line err '^  as root: sysctl kernel\.perf_event_paranoid=1$'
	samples | awk '{ print $NF }' | sort -u | grep -qx 'cpu-clock:u' || fail "another name"
	as_nobody -k -- true
	expect_status 1
	expect_line err 'this user may not sample kernel mode: kernel\.perf_event_paranoid is 2'
	expect_line err '^  or sample user mode: -e cpu-clock:u$'
	as_nobody -a -- true
	expect_status 1
	expect_line err 'this user may not sample all tasks: kernel\.perf_event_paranoid is 2'
	expect_line err 'sysctl kernel\.perf_event_paranoid=0$'
	as_nobody -p 1 -- true
	expect_status 1
	expect_line err 'this user is not permitted to monitor process 1$'
	as_nobody -m 64M -- true
	expect_status 1
	expect_line err '^kermon record: the rings exceed the memory that this user may lock$'
	expect_line err 'sysctl kernel\.perf_event_mlock_kb=KB'
}

# The kernel checks permission before it looks for the event: what is missing is the event.
test_another_user_without_counters()
{
	need_root
	perf stat -e cycles:u true 2>&1 | grep -q 'not supported' || skip "there are counters"
	as_nobody -e cycles -- true
	expect_status 1
	expect_line err "this machine has no event 'cycles' that perf_event can sample"
	as_nobody -- true
	expect_status 0
	expect_line err 'this machine has no counter of cycles'
}

# As in a container, whose filter of system calls forbids perf_event_open(2).
test_filter_of_system_calls()
{
	python3 - "$KERMON" record -- touch ran >out 2>err <<-'END'
	import ctypes, os, struct, sys
	# load the number; if it is 298, perf_event_open, return EPERM, else allow
	code = [(0x20, 0, 0, 0), (0x15, 0, 1, 298), (6, 0, 0, 0x50001), (6, 0, 0, 0x7fff0000)]
	program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *op) for op in code))
	class Filter(ctypes.Structure):
	    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
	libc = ctypes.CDLL(None)
	libc.prctl(38, 1, 0, 0, 0)
	if libc.prctl(22, 2, ctypes.byref(Filter(len(code), ctypes.addressof(program))), 0, 0):
	    sys.exit(99)
	os.execv(sys.argv[1], sys.argv[1:])
	END
	status=$?
	[ "$status" -ne 99 ] || skip "no filters of system calls"
	expect_status 1
	expect_line err 'perf_event_open\(2\) fails \(Operation not permitted\)'
	expect_line err '^  check the system call filter of the container, '
	[ ! -e ran ] || fail "the command ran"
}

# The command ends before a process that it leaves behind.
test_wait_all()
{
	record --wait-all -e cpu-clock -F 1000 -- sh -c '"$0" 200 &' "$SPIN"
	[ "$(number_of_samples)" -gt 150 ] || fail "$(number_of_samples) samples"
	record -e cpu-clock -F 1000 -- sh -c '"$0" 500 >/dev/null &' "$SPIN"
	expect_line err 'left 1 process running, no longer recorded \(to record them, use --wait-all\)'
}

test_merge_is_refused()
{
	record -q -e cpu-clock -o one -- true
	kermon merge -o both one one
	expect_status 1
	expect_line err 'one has no counts of KerMon'
}

run_tests
