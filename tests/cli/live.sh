#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Pipes that are read while they are written, for any length of time.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# Memory that was released must be counted as such.
export ASAN_OPTIONS=quarantine_size_mb=1

# live MEGABYTES STALL WORD...: a recording through a pipe to "kermon WORD... -i -".
# Sets $samples, $kib and $idle.
live()
{
	python3 "$TOP/tests/cli/live.py" "$1" "$2" "$KERMON" "${@:3}" -i - >out 2>err
	status=$?
	read -r samples kib idle < <(tail -n 1 err)
	sed -i '$d' err
}

# expect_bounded WORD...: a long recording takes as much memory as a short one.
expect_bounded()
{
	local short

	live 4 0 "$@"
	expect_status 0
	expect_empty err
	short=$kib
	live 32 0 "$@"
	expect_status 0
	[ "$kib" -le $((short + short / 20 + 1024)) ] ||
		fail "$*: $kib KiB of memory for 32 MB, $short KiB for 4 MB"
}

test_memory_of_report()
{
	expect_bounded report --json
	grep -q "\"records\": $samples" out || fail "not $samples samples"
}

test_memory_of_others()
{
	expect_bounded script
	[ "$(wc -l <out)" -eq "$samples" ] || fail "not $samples lines"
	expect_bounded export -f folded
	expect_bounded check
}

# It blocks until data arrive, and does not poll in a loop.
test_nothing_comes()
{
	live 2 2 report --json
	expect_status 0
	grep -q "\"records\": $samples" out || fail "not $samples samples"
	awk -v idle="$idle" 'BEGIN { exit idle > 0.1 }' ||
		fail "$idle of 1 s of CPU while nothing came"
}

run_tests
