#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon cost where it cannot measure anything.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

test_without_module()
{
	[ ! -e /sys/module/kermon ] || skip "the module is loaded"
	kermon cost
	expect_status 1
	expect_empty out
	expect_line err '^kermon cost: kermon.ko is not loaded$'
}

test_too_many_words()
{
	kermon cost set0
	expect_status 129
	expect_line err "unexpected argument 'set0'$"
}

run_tests
