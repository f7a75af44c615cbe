#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Unit tests of unwinding and symbols under valgrind.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/valgrind.bash"

unit_test()
{
	checked "$TOP/build/unit/$1"
	expect_status 0
	expect_line out '^# Totals: pass:[1-9][0-9]* fail:0 '
}

test_callchain()
{
	unit_test callchain
}

test_stubs()
{
	unit_test stubs
}

test_symbols()
{
	unit_test symbols
}

test_unwind()
{
	unit_test unwind
}

run_tests
