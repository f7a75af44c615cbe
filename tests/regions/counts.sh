#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Marks with the thread's own counts, from a page that the program itself provides.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/regions.bash"

# Counts of the program, besides the time.
VALUES=4

PAIR="T1 begin A
	T1 end A"

test_counts()
{
	record -c -- counted plain
	expect_marks <<<"T1 counted
		$PAIR
		$PAIR
		$PAIR"
}

# Each change of the set is told before the first mark of it.
test_rotation()
{
	record -c -- counted rotate
	expect_marks <<<"T1 counted
		$PAIR
		T1 begin A
		T1 counted
		T1 end A
		T1 counted
		$PAIR"
}

# Between two counts of a mark: it has all counts of one moment.
test_rotation_within_a_mark()
{
	record -c -- counted moved
	expect_marks <<<"T1 counted
		$PAIR
		T1 counted
		$PAIR"
}

test_without_rdpmc()
{
	record -c -- counted slow
	expect_marks <<<"T1 counted
		$PAIR
		$PAIR"
}

# An end is collected in any case, then without counts.
test_counts_are_lost()
{
	record -c -- counted lost
	expect_marks <<<"T1 counted
		$PAIR
		$PAIR
		$PAIR"
}

test_not_monitored()
{
	record -c -- regions nest
	expect_line out '^marks: begin 4 end 4$'
}

# Of a begin or an end, with the call and with RDPMC; those of the C library are none.
instructions_of()
{
	sed -n "s/^$1 \([0-9]*\)$/\1/p" out
}

test_instructions_of_a_mark()
{
	local kind count

	record -s -- counted steps
	for kind in begin end; do
		count=$(instructions_of "$kind")
		[ "$count" -le 40 ] || fail "$kind takes $count instructions"
		echo "$kind: $count"
	done
	record -s -c -- counted steps
	for kind in begin end; do
		count=$(instructions_of "$kind")
		# RDPMC takes six: its number, itself, two to join the halves, offset, store
		[ "$count" -gt $((6 * VALUES)) ] || fail "$kind has no counts"
		[ "$count" -le $((60 + 6 * VALUES)) ] ||
			fail "$kind takes $count instructions with $VALUES counts"
		echo "$kind: $count"
	done
}

run_tests
