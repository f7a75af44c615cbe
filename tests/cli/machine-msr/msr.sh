#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon-msr-helper on a processor: what it reads and writes, for whom, and what remains of
# clients that misbehave or are killed. Registers are compared with those that the kernel
# shows without KerMon, and the writes counted by the model of the processor and by the
# kernel's tracepoint.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"
. "$(dirname "$0")/../msr.bash"
CLIENT=$TOP/build/programs/msr
LIST=$TOP/build/share/kermon/msr/intel-core.list

registers()
{
	"$TOP/build/programs/registers" "$@"
}

value_of()
{
	registers get "$1" "$2"
}

# expect_same_registers [counters|perf]: as they were at "registers save before", except for
# those.
expect_same_registers()
{
	registers compare before "$@" >differences
	[ ! -s differences ] || fail "$(head -n 3 differences)"
}

helpers()
{
	pgrep kermon-msr-help
}

test_reads_what_the_kernel_reads()
{
	local register

	for register in 0x345 0x606 0x38f 0xce; do
		kermon msr read -C 1 "$register"
		expect_status 0
		expect_line out " $register +$(value_of 1 "$register")\$"
	done
	kermon msr read --json MSR_PKG_ENERGY_STATUS IA32_TIME_STAMP_COUNTER
	expect_status 0
	[ "$(grep -c '"value"' out)" -eq 4 ] || fail "not both registers of two CPUs"
	! helpers || fail "a helper remains"
}

# Instructions retired, counted by a fixed counter that is programmed here.
test_counts()
{
	local first second

	registers save before
	kermon msr write -C 1 IA32_FIXED_CTR_CTRL 0x3
	expect_status 0
	kermon msr write -C 1 IA32_PERF_GLOBAL_CTRL 0x10000000e
	expect_status 0
	first=$(value_of 1 0x309)
	taskset -c 1 sh -c 'i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); done'
	kermon msr read -C 1 IA32_FIXED_CTR0
	second=$(sed -n 's/.* //p' out | tail -n 1)
	[ $((second - first)) -gt 10000 ] || fail "counted from $first to $second"
	[ "$(value_of 0 0x38d)" = 0x0000000000000000 ] || fail "CPU 0 was written"
	kermon msr restore
	expect_line out '^Restored 2 registers\.$'
	expect_same_registers counters
}

test_refused()
{
	registers save before
	kermon msr write IA32_PERFEVTSEL0 0x5000c0
	expect_status 1
	expect_line err '0x5000c0 would change or set bits of register 0x186'
	kermon msr write 0x1a0 0
	expect_status 1
	expect_line err 'register 0x1a0 is not in the allow-list'
	kermon msr write MSR_PKG_ENERGY_STATUS 0
	expect_status 1
	expect_line err 'register 0x611 may only be read'
	# a bit that the list permits, but this processor has not
	kermon msr write IA32_PERF_GLOBAL_CTRL 0x1f
	expect_status 1
	expect_line err 'CPU 0 does not have register 0x38f, or does not accept this value'
	kermon msr restore
	expect_same_registers
}

test_members_of_the_group()
{
	registers save before
	install_helper /run/installed
	as 4711 msr read -C 1 0x38f
	expect_status 0
	expect_line out "^  1 .* $(value_of 1 0x38f)\$"
	as 4711 msr write -C 1 0x186 0x100c0
	expect_status 0
	[ "$(value_of 1 0x186)" = 0x00000000000100c0 ] || fail "not written"
	[ "$(stat -c %a:%u /run/kermon)" = 700:0 ] || fail "$(stat /run/kermon)"
	as 4711 msr restore
	expect_line out '^Restored 1 register\.$'
	as 4711 msr write 0x1a0 0
	expect_status 1
	expect_line err 'not in the allow-list'
	as 4712 msr read 0x38f
	expect_status 1
	expect_line err "this user may not execute '/run/installed/.*'"
	# the user's own lists are ignored
	mkdir -p root/share root/dev/cpu/0
	KERMON_MSR_ROOT=$PWD/root as 4711 msr list
	expect_line out '^Registers of /run/installed/share/kermon/msr/intel-core.list:$'
	expect_same_registers
	rm -r /run/installed
}

# The helper has capabilities only until it serves, and cannot be debugged.
test_gives_up_privilege()
{
	local pid

	registers save before
	install_helper /run/installed
	setpriv --reuid 65534 --regid 4711 --clear-groups \
		"$CLIENT" hold 0x187 0x100c0 >pid 2>err &
	wait_for '[ -s pid ] || [ -s err ]'
	expect_empty err
	pid=$(helpers) || fail "no helper"
	cp "/proc/$pid/status" out
	expect_line out '^CapPrm:\s0+$'
	expect_line out '^CapEff:\s0+$'
	expect_line out '^NoNewPrivs:\s1$'
	expect_line out '^Uid:\s65534'
	[ "$(stat -c %u "/proc/$pid/fd")" = 0 ] || fail "its user can see its files"
	setpriv --reuid 65534 --regid 4711 --clear-groups \
		ls "/proc/$pid/fd" >out 2>&1 && fail "its user can open its files"
	kill -INT "$pid"; kill -TERM "$pid"; kill -HUP "$pid"
	kill -KILL "$(<pid)"
	wait_for '! helpers >/dev/null'
	expect_same_registers
	rm -r /run/installed
}

# A link to the helper beside lists of the user, or a folder that others may write to.
test_lists_of_others()
{
	install_helper /run/installed
	chmod 777 /run/installed/share
	as 4711 msr list
	expect_status 1
	expect_line err "cannot use '/run/installed/share/kermon/msr/index': others than root"
	chmod 755 /run/installed/share
	chown 65534 /run/installed/share/kermon/msr/intel-core.list
	as 4711 msr list
	expect_status 1
	expect_line err "cannot use '.*intel-core.list': others than root"
	rm -r /run/installed
}

test_lacks_capabilities()
{
	install_helper /run/installed
	setfattr -x security.capability "$KERMON_MSR_HELPER" 2>/dev/null ||
		/usr/bin/python3 -c 'import os, sys
os.removexattr(sys.argv[1], "security.capability")' "$KERMON_MSR_HELPER"
	as 4711 msr read 0x38f
	expect_status 1
	expect_line err 'the helper may not open /dev/cpu/0/msr: Permission denied'
	expect_line err '^  as root: setcap cap_sys_rawio,cap_dac_override=ep /run/installed/'
	rm -r /run/installed
	unset KERMON_MSR_HELPER
	setpriv --bounding-set -sys_rawio --inh-caps -sys_rawio \
		"$KERMON" msr read 0x38f >out 2>err && fail "it worked"
	expect_line err 'may not open /dev/cpu/0/msr: Operation not permitted'
	expect_line err 'CAP_SYS_RAWIO is missing, as in a container'
	unshare --mount sh -c 'mount -t tmpfs none /dev/cpu && exec "$0" msr read 0x38f' \
		"$KERMON" >out 2>err && fail "it worked"
	expect_line err 'the driver msr is loaded, but /dev/cpu/0/msr does not exist, as in a container'
}

test_offline_cpu()
{
	trap 'echo 1 >/sys/devices/system/cpu/cpu1/online' EXIT
	echo 0 >/sys/devices/system/cpu/cpu1/online
	kermon msr read -C 1 0x38f
	expect_status 1
	expect_line err 'there is no CPU 1, or it is offline'
	kermon msr read 0x38f
	expect_status 0
	expect_no_line out '^  1 '
}

# start_holding VALUE: a client that has written, as root.
start_holding()
{
	rm -f pid err
	"$CLIENT" hold 0x186 "$1" >pid 2>err &
	wait_for '[ -s pid ] || [ -s err ]'
	expect_empty err
	[ "$(value_of 0 0x186)" = "$(printf '0x%016x' "$1")" ] || fail "not written"
}

test_killed()
{
	registers save before
	start_holding 0x4100c0
	kermon msr write 0x186 0x4100c1
	expect_status 1
	expect_line err "CPU 0 is in use by process $(<pid) \(msr\), which has written to its registers"
	kermon msr restore -C 1
	expect_status 1
	expect_line err "CPU 1 is in use by process $(<pid) \(msr\)"
	kill -KILL "$(<pid)"
	wait_for '! helpers >/dev/null'
	expect_same_registers
	# the helper alone
	start_holding 0x4100c0
	kill -KILL "$(helpers)"
	[ "$(value_of 0 0x186)" = 0x00000000004100c0 ] || fail "restored by nobody"
	kermon msr read -C 1 0x38f
	expect_line err 'restored 4 registers that a helper had left when it was killed'
	expect_same_registers
	kill -KILL "$(<pid)"
	# both
	start_holding 0x4100c0
	kill -KILL "$(helpers)" "$(<pid)"
	kermon msr read -C 1 0x38f
	expect_line err 'restored 4 registers'
	expect_same_registers
}

# A user stops the own helper: others may read, and root kills it.
test_stopped()
{
	registers save before
	start_holding 0x4100c0
	kill -STOP "$(helpers)"
	kermon msr read 0x38f
	expect_status 0
	kermon msr write -C 1 0x186 0x4100c1
	expect_status 1
	expect_line err "CPU 1 is in use by process $(<pid) \(msr\)"
	kill -KILL "$(helpers)"
	kermon msr read 0x38f
	expect_line err 'restored 4 registers'
	kill -KILL "$(<pid)"
	expect_same_registers
}

# Thirty at the same time, of which one at most writes to a CPU.
test_many_clients()
{
	local number pids=() written=0

	registers save before
	for number in {1..30}; do
		"$KERMON" msr write -C 1 0x186 0x100c0 >"out$number" 2>"err$number" &
		pids+=($!)
	done
	for number in "${!pids[@]}"; do
		wait "${pids[number]}" && written=$((written + 1))
	done
	[ "$written" -gt 0 ] || fail "nobody has written"
	cat err* | sort -u >err
	[ "$(grep -vc -e 'CPU 1 is in use by process' -e '^  wait until' err)" -eq 0 ] || fail "err"
	wait_for '! helpers >/dev/null'
	kermon msr restore
	expect_line out '^Restored 1 register\.$'
	expect_same_registers
}

# A signal to all processes of a terminal, as Ctrl-C sends it.
test_terminal()
{
	registers save before
	setsid env --default-signal=INT "$CLIENT" hold 0x186 0x4100c0 >pid 2>err &
	wait_for '[ -s pid ] || [ -s err ]'
	expect_empty err
	kill -INT -- "-$(<pid)"
	wait_for '! helpers >/dev/null'
	expect_same_registers
}

test_flooded()
{
	registers save before
	"$CLIENT" flood >flooded 2>err &
	wait_for '[ -s flooded ]'
	expect_line flooded '^[1-9][0-9]+ requests$'
	cp "/proc/$(helpers)/status" out
	kill -KILL $!
	[ "$(awk '/RssAnon/ { print $2 }' out)" -lt 500 ] || fail "the helper has grown"
	wait_for '! helpers >/dev/null'
	expect_same_registers
}

# Without writable registers, 100,000 requests cause no write, as the processor counts.
test_fuzzed_with_nothing_to_write()
{
	local writes reads

	registers save before
	mkdir -p lists/libexec/kermon lists/share/kermon
	cp "$TOP/build/libexec/kermon/kermon-msr-helper" lists/libexec/kermon
	cp -r "$TOP/build/share/kermon/msr" lists/share/kermon
	sed -E 's/^(0x[0-9a-f]+) 0x[0-9a-f]+/\1 0x0000000000000000/' "$LIST" \
		>lists/share/kermon/msr/intel-core.list
	KERMON_MSR_HELPER=$PWD/lists/libexec/kermon/kermon-msr-helper \
		perf stat -x, -o counts -a -e r2ff:k -e r1ff:k "$CLIENT" fuzz 100000 2 >out 2>err
	expect_line out '^100000 requests, [1-9][0-9]{3,} reads, 0 writes, '
	writes=$(sed -n 's/,.*r2ff.*//p' counts)
	# tasks and timers of the kernel cause a few
	[ "$writes" -lt 200 ] || fail "$writes WRMSR"
	reads=$(sed -n 's/.*requests, \([0-9]*\) reads.*/\1/p' out)
	[ "$(sed -n 's/,.*r1ff.*//p' counts)" -ge "$reads" ] || fail "RDMSR is not counted"
	expect_same_registers perf
}

# 100,000 requests: only what the list permits is written, and all of it restored.
test_fuzzed()
{
	# what perf itself leaves
	perf record -q -a -m 1M -e msr:write_msr -o written.data true >out 2>err || fail "perf"
	registers save before
	perf record -q -a -m 1M -e msr:write_msr -o written.data "$CLIENT" fuzz 100000 1 \
		>fuzzed 2>err || fail "status $?"
	expect_line fuzzed '^100000 requests, [1-9][0-9]{3,} reads, [1-9][0-9]{3,} writes, '
	perf script -i written.data -F event,trace 2>/dev/null | grep -v ' #GP$' |
		/usr/bin/python3 "$TOP/tests/cli/machine-msr/written.py" "$LIST" >out ||
		fail "perf script"
	expect_no_line out 'was written:'
	# all but the selectors and counters 4 to 7, which this CPU does not have
	expect_line out '^16 of 24 registers were written$'
	! helpers || fail "a helper remains"
	expect_same_registers counters
}

run_tests
