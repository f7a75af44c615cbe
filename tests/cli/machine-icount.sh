#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Where time is counted in instructions, a recording is the same every time: two
# runs give the same log, byte for byte.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"
phases=$TOP/build/demo/phases
script='kermon run -q -e set0 -o /d --raw-log /r -- phases 1000 >/dev/null &&
	cat /r'

record_on()
{
	"$TOP/scripts/kermon-vm" --icount --cpus "$1" --timeout 300 \
		--with "$TOP/build/bin/kermon" --with "$phases" \
		--with /bin/cat --with /bin/sh -- sh -c "$script" >"$2" 2>err ||
		fail "status $?"
}

# The program has three threads and a first one.
expect_same_logs()
{
	record_on "$1" one
	record_on "$1" two
	cmp one two >out || fail "two runs differ"
	/usr/bin/python3 "$TOP/tests/cli/machine/check-log" one >out 2>err ||
		fail "the log makes no sense"
	expect_line out '^samples [1-9][0-9]* lost 0 threads 4$'
}

test_one_cpu()
{
	expect_same_logs 1
}

test_two_cpus()
{
	expect_same_logs 2
}

make -s -C "$TOP/tests/demo" OUT="$TOP/build/demo" >&2 || exit
run_tests
