#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon run: what it refuses before it needs a patched kernel, and what it says on one
# that is not.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"
export LIBPFM_FORCE_PMU=ivb

# The command of a rejected recording must not have run.
refuse()
{
	kermon run "$@" touch ran
	[ ! -e ran ] || fail "the command ran: $*"
	[ ! -e perf.data ] || fail "perf.data was created: $*"
}

need_unpatched()
{
	"$KERMON" status --json | grep -q '"patched": false' ||
		skip "this machine has a patched kernel"
}

test_unknown_event()
{
	refuse -e FP_COMP_OPS_EXE:SSE_SCALR_DOUBLE
	expect_status 129
	expect_line err "no event or set 'FP_COMP_OPS_EXE:SSE_SCALR_DOUBLE'"
	expect_line err "did you mean 'FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE'"
	expect_line err "'kermon list' shows"
}

test_level()
{
	local option

	for option in -z0 -z23 -z1.5 --compression-level=; do
		refuse "$option"
		expect_status 129
		expect_line err "invalid level .* valid: 1 to 22"
	done
}

test_missing_mask()
{
	refuse -e set0,MEM_UOPS_RETIRED
	expect_status 129
	expect_line err "'MEM_UOPS_RETIRED' lacks a unit mask"
	expect_line err 'MEM_UOPS_RETIRED:ALL_LOADS'
}

test_event_without_name()
{
	refuse -e set0,,set1
	expect_status 129
	expect_line err 'event without a name'
}

# The furthest it gets is the output file, which cannot be written.
accept()
{
	refuse -o /nonexistent/file "$@"
	expect_status 1
	expect_line err "cannot write '/nonexistent/file'"
}

# As in perf, the next word is the command, not the level.
test_level_ends()
{
	accept -z
	accept -z22 -q
	accept --compression-level=3
}

test_fixed_event()
{
	accept -e cycles,set1,instructions:u
	expect_line err 'are always recorded: -e need not name them'
	accept -q -e cycles
	expect_no_line err 'always recorded'
	refuse -e instructions:k
	expect_status 129
	expect_line err "'instructions:k': the fixed counters .* count user mode"
	expect_line err '-k has them count the kernel as well'
	refuse -k -e cycles:u
	expect_status 129
	expect_line err "'cycles:u': the fixed counters .* user and kernel mode"
	expect_line err 'leave out -k'
}

# Without fixed counters, they are events like others.
test_fixed_event_of_amd()
{
	export LIBPFM_FORCE_PMU=amd64_fam19h_zen4
	accept -e instructions,cycles:u
	expect_line err 'instructions and cycles are programmed events on this CPU, those of the set fixed'
	accept -q -e cycles
	expect_no_line err 'programmed events'
	accept -e fixed
	expect_no_line err 'programmed events'
	refuse -e ref-cycles
	expect_status 129
	expect_line err "'ref-cycles': this CPU has no such event"
	expect_line err '-e fixed counts instructions and cycles'
	expect_no_line err 'did you mean'
	refuse -e fixed,cycles
	expect_line err "'cycles' is named twice, or is part of a set"
}

test_named_twice()
{
	refuse -e set1,set1
	expect_status 129
	expect_line err "'set1' is named twice"
	refuse -e set1,MEM_UOPS_RETIRED:ALL_LOADS
	expect_status 129
	expect_line err "'MEM_UOPS_RETIRED:ALL_LOADS' is named twice, or is part of a set"
	accept -e MEM_UOPS_RETIRED:ALL_LOADS:u,MEM_UOPS_RETIRED:ALL_LOADS:k
}

test_set_in_capitals()
{
	accept -e SET1,Set0
}

test_far_too_many_events()
{
	refuse -e "$(printf 'r%02xc0,' {1..64})rffc0"
	expect_status 129
	expect_line err "'rffc0' is one event too many"
}

test_unknown_cpu()
{
	LIBPFM_FORCE_PMU=none refuse -e L1D:REPLACEMENT
	expect_status 129
	expect_line err 'libpfm4 does not know this CPU'
}

test_no_command()
{
	kermon run
	expect_status 129
	expect_line err 'need a COMMAND to run'
	kermon run -e set0 --
	expect_status 129
}

test_rotate()
{
	local time

	for time in 0ms 999us 11s; do
		refuse --rotate "$time"
		expect_status 129
		expect_line err "'$time' is out of range for '--rotate'; valid: 1ms to 10s"
	done
	refuse --rotate x
	expect_status 129
	expect_line err "invalid value 'x' for '--rotate'; valid: a duration or 'signal'"
	refuse --rotate 20
	expect_status 129
	expect_line err "duration '20' for '--rotate' has no unit"
}

test_interval()
{
	local time

	for time in 0s 999us 11s 1h 99999999999999999999s 9999999999999999999h; do
		refuse --interval "$time"
		expect_status 129
		expect_line err "'$time' is out of range for '--interval'; valid: 1ms to 10s"
	done
	for time in 5min -5ms 1e3 ''; do
		refuse --interval "$time"
		expect_status 129
		expect_line err "invalid duration '$time' for '--interval'; valid: a number followed by"
	done
	for time in 0 50; do
		refuse --interval "$time"
		expect_status 129
		expect_line err "duration '$time' for '--interval' has no unit; append ns, us, ms, s, m or h"
	done
}

test_log_size()
{
	local size

	for size in 0B 1K 5000B 3M 128M 99999999999999999999; do
		refuse -m "$size"
		expect_status 129
		expect_line err "'$size' is out of range for '-m'; valid: a power of two from 4K to 64M"
	done
	for size in 1T -1K ''; do
		refuse --log-size "$size"
		expect_status 129
		expect_line err "invalid size '$size' for '--log-size'; valid: a number followed by B, K, M or G"
	done
	refuse -m 65536
	expect_status 129
	expect_line err "size '65536' for '-m' has no unit; append B, K, M or G"
}

test_class()
{
	refuse --sched fifo
	expect_status 129
	expect_line err "unknown scheduling class 'fifo'; valid classes: kermon, inherit"
}

test_output_cannot_be_written()
{
	refuse -o /nonexistent/perf.data
	expect_status 1
	expect_line err "cannot write '/nonexistent/perf.data': No such file"
	mkdir folder
	refuse -o folder
	expect_status 1
	expect_line err "'folder': not a regular file"
	refuse -o /dev/full
	expect_status 1
	expect_line err "'/dev/full': not a regular file"
	expect_line err '^  use another file, or standard output, which may be a pipe: -o -$'
	[ -c /dev/full ] || fail "/dev/full is gone"
	"$KERMON" run -o - -- touch ran >&- 2>err
	status=$?
	expect_status 1
	expect_line err '^kermon run: cannot write to standard output: Bad file descriptor$'
	[ ! -e ran ] || fail "the command was run"
}

test_raw_log_cannot_be_written()
{
	need_unpatched
	refuse --raw-log /nonexistent/raw
	expect_status 1
	expect_line err "cannot write '/nonexistent/raw'"
}

# Not before it is known that recording can begin.
test_raw_log_is_left_alone()
{
	need_unpatched
	echo precious >OLD
	refuse --raw-log OLD
	expect_status 1
	[ "$(cat OLD)" = precious ] || fail "the previous log was removed"
	refuse --raw-log new
	[ ! -e new ] || fail "an empty log was left"
}

# By any name, whether it exists or not.
test_raw_log_is_the_output()
{
	local folder=$PWD name

	mkdir sub
	ln -s ../perf.data sub/link
	for name in perf.data ./perf.data "$folder/perf.data" sub/link perf.data.old; do
		refuse --raw-log "$name"
		expect_status 129
		expect_line err "--raw-log $name: this is the file of the recording or of the previous one"
		[ "$(ls)" = "$(printf '%s\n' err out sub)" ] || fail "more files: $(ls)"
	done
	[ -L sub/link ] || fail "the link was replaced"
	echo precious >perf.data
	ln perf.data hard
	for name in perf.data hard sub/link; do
		kermon run --raw-log "$name" touch ran
		expect_status 129
		[ "$(cat perf.data)" = precious ] || fail "perf.data has changed"
	done
	[ ! -e ran ] || fail "the command ran"
}

# It prints the same as 'kermon status'.
test_unpatched_kernel()
{
	local text

	need_unpatched
	refuse
	expect_status 1
	text=$("$KERMON" status | sed -n 's/^kernel  *missing  *//p')
	[ -n "$text" ] || fail "status reports no problem with the kernel"
	expect_line err "^kermon run: $text$"
	expect_line err 'kermon-vm'
	expect_line err "'kermon status' shows"
}

test_refused_recording_keeps_the_old_one()
{
	need_unpatched
	echo precious >perf.data
	echo older >perf.data.old
	kermon run true
	expect_status 1
	[ "$(cat perf.data)" = precious ] || fail "perf.data has changed"
	[ "$(cat perf.data.old)" = older ] || fail "perf.data.old has changed"
	[ "$(echo perf.data*)" = "perf.data perf.data.old" ] ||
		fail "more files than before: $(echo perf.data*)"
}

run_tests
