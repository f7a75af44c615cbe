#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Events that leak from one hyperthread to the other are named.
# shellcheck disable=SC2317	# tests are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"
export HOME=/nonexistent

test_memory_events()
{
	kermon run -e set1 true
	expect_status 0
	expect_line err 'rotating 2 sets'
	expect_line err 'MEM_UOPS_RETIRED:ALL_LOADS.* may also .* the other hyperthread .*erratum BV98'
	expect_line err 'disable hyperthreading'
}

test_other_events()
{
	kermon run -q -e set0 true
	expect_status 0
	expect_empty err
}

run_tests
