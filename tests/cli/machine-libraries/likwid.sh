#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The example of likwid's marker API: a region that sleeps, ten times; and before it, a region of
# beside.c with ten million instructions. KerMon counts by other counters at the same time:
# likwid's are 4 and 5.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/../cli.bash"
. "$(dirname "$0")/beside.bash"

test_marker()
{
	export OMP_NUM_THREADS=1 LIKWID_MODE=0 LIKWID_FORCE=1 LIKWID_THREADS=0
	export LIKWID_FILEPATH=$PWD/marker
	export LIKWID_EVENTS=RETIRED_INSTRUCTIONS:PMC4,CPU_CLOCKS_UNHALTED:PMC5
	counted "$TOP/build/programs/likwid-marker"
	expect_status 0
	expect_line out '^Region example measures 2 events'
	expect_line out '^The region was called 10 times$'
	expect_same_counts 20 100 10000001
}

run_tests
