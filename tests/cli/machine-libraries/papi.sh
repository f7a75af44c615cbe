#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Examples of PAPI for start, read, accumulate, reset and stop.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/../cli.bash"
. "$(dirname "$0")/beside.bash"

# The loop of the examples executes that many operations at least.
FLOPS=20000000

expect_example()
{
	counted "$TOP/build/programs/papi-$1"
	expect_status 0
	expect_line out 'PASSED'
	expect_same_counts "$2" "$FLOPS"
}

test_first()
{
	expect_example first 8
}

test_low_level()
{
	expect_example low-level 9
}

test_reset()
{
	expect_example reset 16
}

run_tests
