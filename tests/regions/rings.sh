#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rings that are full: what is lost is counted, or nothing is lost.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/regions.bash"

# expect_conserved MARKS: those written and those lost, without what the collector adds.
expect_conserved()
{
	local begins ends

	begins=$(sum_of begin)
	ends=$(sum_of end)
	[ $((begins + ends + $(lost))) -eq "$1" ] ||
		fail "$begins begins, $ends ends and $(lost) lost are not $1"
	[ "$begins" -gt 0 ] || fail "nothing was collected"
}

expect_balanced()
{
	[ "$(sum_of begin)" -eq "$(sum_of end)" ] || fail "begins are not as many as ends"
}

test_losses_are_counted()
{
	record -s -b 4096 -- regions many 4 100000
	expect_conserved 800000
	expect_balanced
	[ "$(lost)" -gt 0 ] || fail "nothing was lost: the test does not test anything"
	[ "$(sum_of lost)" -gt 0 ] || fail "no mark tells of losses"
	expect_line out ' 4 closed'
}

test_losses_without_a_reader()
{
	record -s -n -b 4096 -- regions many 1 10000
	expect_conserved 20000
	expect_balanced
	[ "$(sum_of begin)" -gt 100 ] || fail "a ring of 4096 bytes holds more"
}

test_waiting_loses_nothing()
{
	record -s -w -b 4096 -- regions many 4 1000000
	expect_conserved 8000000
	expect_sums 4 4 0
}

# A million regions a second: 16 MB, which a ring of 1 MB passes on.
test_a_million_regions()
{
	record -s -w -- regions many 2 1000000
	expect_conserved 4000000
	expect_sums 2 2 0
}

# Ends are kept for what is open only.
test_missing_ends_keep_no_room()
{
	record -s -w -b 4096 -- regions missing-ends
	[ "$(sum_of begin)" -eq 200000 ] || fail "$(sum_of begin) begins"
	[ "$(sum_of end)" -eq 100000 ] || fail "$(sum_of end) ends"
	expect_sums 1 0 0
}

# More open regions than a ring has room for: none waits for ever.
test_deep_recursion()
{
	local options

	for options in "" -w; do
		# shellcheck disable=SC2086	# none or one
		record -s $options -b 4096 -- regions deep 100
		expect_conserved 200
		expect_sums 1 0 0
		# shellcheck disable=SC2086	# none or one
		record -s $options -b 4096 -- regions deep 10000
		expect_conserved 20000
		expect_balanced
	done
}

# The tool quits; the application, whose output is not lost with it, goes on.
test_tool_is_gone()
{
	mkfifo ended
	timeout "$LIMIT" "$PROGRAMS/recorder" -s -w -b 4096 -q 200 \
		sh -c "'$PROGRAMS/regions' slowly; echo \$? >ended" >out 2>err
	expect_line out '^quit$'
	read -t "$LIMIT" -r status <ended || fail "the application hangs"
	expect_status 0
}

# Rings that the tool would not have asked for.
test_sizes_of_rings()
{
	local bytes

	for bytes in 0 1 2048 5000 12288; do
		record -s -b "$bytes" -- regions nest
		expect_line out ', 0 threads'
	done
}

run_tests
