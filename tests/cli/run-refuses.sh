#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon run: what it refuses on any kernel, or on one that is not patched; machine/refused.sh
# has what requires KerMon.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"
. "$(dirname "$0")/refuse.bash"

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

# As in perf, the next word is the command, not the level.
test_level_ends()
{
	accept -z
	accept -z22 -q
	accept --compression-level=3
}

test_far_too_many_events()
{
	need_unpatched
	refuse -e "$(printf 'r%02xc0,' {1..64})rffc0"
	expect_status 129
	expect_line err "too many events to sample: 64 are the most"
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

test_refused_recording_keeps_the_old_one()
{
	need_unpatched
	echo precious >perf.data
	echo older >perf.data.old
	kermon run --coalesce true
	expect_status 1
	[ "$(cat perf.data)" = precious ] || fail "perf.data has changed"
	[ "$(cat perf.data.old)" = older ] || fail "perf.data.old has changed"
	[ "$(echo perf.data*)" = "perf.data perf.data.old" ] ||
		fail "more files than before: $(echo perf.data*)"
}

# What only KerMon does is not left out.
test_options_of_kermon()
{
	local option

	need_unpatched
	for option in --coalesce --overwrite '--sched kermon' '--raw-log raw' '--rotate 10ms' \
		'--report threads'; do
		# shellcheck disable=SC2086	# words
		refuse $option --
		expect_status 1
		expect_line err 'requires KerMon: Linux .* has no SCHED_KERMON$'
		expect_line err "'kermon status' shows"
		[ ! -e raw ] || fail "an empty log was left"
	done
}

run_tests
