# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the tests of this folder, to be sourced.

. "$(dirname "${BASH_SOURCE[0]}")/../cli/cli.bash"

PROGRAMS=$TOP/build/regions
COLLECTOR=$TOP/build/lib/libkermon-itt.so
export KERMON_COLLECTOR=$COLLECTOR INTEL_LIBITTNOTIFY64=$COLLECTOR

# What takes longer has a fault; the host may be busy.
LIMIT=240

# record [OPTION]... -- PROGRAM [ARGUMENT]...: the marks of a program, in the file out.
record()
{
	local options=()

	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	timeout "$LIMIT" "$PROGRAMS/recorder" "${options[@]}" "$PROGRAMS/$2" "${@:3}" >out 2>err
	status=$?
	expect_no_line out '^error:'
	expect_empty err
}

# expect_marks: the marks are those of standard input, in any order of the threads.
expect_marks()
{
	grep '^[TP][0-9]' out | sort -s -k 1,1 >marks
	sed 's/^[[:blank:]]*//' | sort -s -k 1,1 >expected
	diff expected marks >err || fail "err: < is expected, > is there"
}

# expect_sums THREADS CLOSED LOST
expect_sums()
{
	expect_line out "^sums: [0-9]+ processes, $1 threads, $2 closed, $3 lost"
}

# sum_of KIND: number of marks of a kind.
sum_of()
{
	sed -n "s/^marks:.* $1 \([0-9]*\).*/\1/p" out
}

# lost, told: what the tool has seen of losses.
lost()
{
	sed -n 's/^sums:.* \([0-9]*\) lost.*/\1/p' out
}
