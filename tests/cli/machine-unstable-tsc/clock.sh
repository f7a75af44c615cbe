#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Times in a recording are in order, and are those of the clock that it names.
# shellcheck disable=SC2016,SC2317	# tests are run by name, and scripts passed on

KERMON=$(type -P kermon)
. "$(dirname "$0")/../machine/recorded.bash"
export HOME=/nonexistent

raw_clock()
{
	/usr/bin/python3 -c 'import time
print(time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW))'
}

test_clock()
{
	local before after

	grep -qvx tsc /sys/devices/system/clocksource/clocksource0/current_clocksource ||
		fail "this machine uses the TSC"
	before=$(raw_clock)
	kermon run -q -e set1 -- sh -c 'for i in 1 2 3 4 5 6 7 8; do
		gzip -9c /etc/services >/dev/null & done; wait'
	after=$(raw_clock)
	expect_status 0
	perf evlist -v -i perf.data >out 2>err
	expect_line out 'use_clockid: 1, clockid: 4$'
	perf report -i perf.data --stdio >out 2>err || fail "perf report"
	expect_empty err
	perf script -i perf.data --ns -F time >stamps 2>err
	expect_empty err
	tr -d ' :.' <stamps | awk -v before="$before" -v after="$after" '
		$1 < before || $1 > after { exit 1 }' ||
		fail "times are not between $before and $after"
}

test_times_of_day()
{
	expect_times_of_day
	"$KERMON" header -i perf.data >out 2>err
	expect_line out '^clock +CLOCK_MONOTONIC_RAW \(4\) was '
}

run_tests
