#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon under valgrind with stacks that stock perf records here: of programs whose text
# is at several addresses, or not where their file says.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/valgrind.bash"

# record COMMAND...: user mode, to perf.data
record()
{
	perf record -q --call-graph dwarf,2048 -e cpu-clock:u -F 500 "$@" >out 2>err ||
		fail "no recording of $*"
}

# Each command that unwinds; the stacks are written to the file out.
read_by_all()
{
	checked "$KERMON" report -g caller
	expect_status 0
	checked "$KERMON" script
	expect_status 0
	checked "$KERMON" export
	expect_status 0
}

# expect_whole NAME: all chains of the program NAME from inner() lead up to main(), and
# there are some.
expect_whole()
{
	expect_line out "^$1;.*;main;outer;inner [0-9]+\$"
	! grep "^$1;.*inner " out | grep -qv ';main;outer;inner ' ||
		fail "chains of $1 are cut short"
}

# Programs REMAP-MODE linked in one way, and what they are recorded as, all in one file.
remap()
{
	local name=$1 mode
	shift

	gcc -O1 -g -Wall -Wextra -Werror "$@" -o "$name" "$(dirname "$SELF")/remap.c" ||
		fail "cannot build remap.c"
	for mode in twice behind huge told gone memory; do
		cp "$name" "$name-$mode"
		echo "./$name-$mode $mode || exit 1" >>all
	done
	record sh all
	read_by_all
	for mode in twice behind huge; do
		expect_whole "$name-$mode"
	done
	# code in memory that no longer has a file is counted nevertheless
	for mode in told gone memory; do
		expect_line out "^$name-$mode;.*\\["
	done
}

test_without_pie()
{
	remap exec -no-pie
}

test_pie()
{
	remap pie -pie -fPIE
}

test_static()
{
	remap static -static
}

# Its built-in functions are at a different address.
test_node()
{
	command -v node >/dev/null || skip "node is not installed"
	cat >program.js <<-'END'
	const fib = n => n < 2 ? n : fib(n - 1) + fib(n - 2);
	const text = {}, numbers = [];

	for (let round = 0; round < 4; round++) {
		fib(22);
		for (let i = 0; i < 10000; i++)
			text['key' + i] = JSON.stringify({ i, values: [1, 2, 3] });
	}
	for (let i = 0; i < 100000; i++)
		numbers.push(Math.random());
	numbers.sort();
	END
	record node program.js
	read_by_all
	expect_line out '^node;.*v8::'
}

SELF=$(realpath "$0")
run_tests
