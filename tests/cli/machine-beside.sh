#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tables of kermon-stat(1): kermon stat and perf stat count the same, to the last
# instruction, and print what the page has.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

test_page()
{
	/usr/bin/python3 "$TOP/tests/cli/beside.py" check >out 2>err || fail "they differ"
}

run_tests
