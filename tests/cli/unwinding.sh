#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Copies of stacks (perf record --call-graph dwarf) that cannot be unwound to the end, and
# the messages about them.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# make_file REGISTERS: perf.data of a program with a function that aligns its stack, so
# that its frame depends on rbp.
make_file()
{
	cat >aligned.c <<-'END'
	__attribute__((noinline)) int leaf(volatile int *p, int n)
	{
		int sum = 0;

		for (int i = 0; i < n; i++)
			sum += p[i & 7];
		return sum;
	}

	__attribute__((noinline)) int aligned(int n)
	{
		volatile int values[8] __attribute__((aligned(64)));

		values[n & 7] = n;
		return leaf(values, n) + values[0];
	}

	int main(void)
	{
		int sum = 0;

		for (int i = 0; i < 40; i++)
			sum += aligned(1000000);
		return sum == 1;
	}
	END
	gcc -O1 -w -o aligned aligned.c || fail "no program"
	perf record -q --call-graph dwarf,8192 --user-regs="$1" -e cpu-clock:u -F 500 \
		./aligned >out 2>err || fail "no recording"
}

test_missing_registers()
{
	local said="perf.data: ([0-9]+) of [0-9]+ stacks could not be unwound to the end: "

	make_file ip,sp
	kermon script
	expect_status 0
	expect_line err "^kermon script: $said.*--user-regs"
	expect_line out ' leaf\+'
	expect_line out ' aligned\+'
	expect_no_line out ' main\+'
	kermon export
	expect_status 0
	expect_line err "^kermon export: $said"
	expect_line out '^aligned;aligned;leaf [0-9]+$'
	kermon report -g caller
	expect_status 0
	expect_empty err
	expect_line out '^Call chains: ([0-9]+) of [0-9]+ stacks could not be unwound'
	kermon report --csv -s sym
	expect_line err "^kermon report: $said"
	kermon report --json -g caller
	expect_line out '"lacking_registers": [1-9]'
}

# These functions have all that they need.
test_enough_registers()
{
	make_file ip,sp,bp,r12
	kermon script
	expect_status 0
	expect_empty err
	expect_line out ' main\+'
	expect_line out ' _start\+'
	kermon report -g caller
	expect_no_line out '^Call chains:'
}

# If there are many, files that stacks are unwound by are closed again. Inlined functions
# are left out, because files in which they are looked up remain open.
test_few_descriptors()
{
	local i

	make_file ip,sp,bp
	for i in $(seq 60); do
		cp aligned "aligned-$i"
		echo "./aligned-$i"
	done >all
	perf record -q --call-graph dwarf,1024 -e cpu-clock:u -F 500 sh all >out 2>err ||
		fail "no recording"
	kermon export --no-inline
	expect_status 0
	grep -c '^aligned-.*;main;aligned;leaf ' out >whole
	(
		ulimit -n 48
		kermon export --no-inline
		expect_status 0
	) || exit 1
	grep -c '^aligned-.*;main;aligned;leaf ' out >few
	[ "$(cat whole)" -ge 50 ] || fail "chains of $(cat whole) programs"
	cmp -s whole few || fail "chains of $(cat few) programs, not of $(cat whole)"
}

# Source lines need the chain a second time: a stack counts once.
test_counted_once()
{
	make_file ip,sp
	kermon report --json -g caller
	grep -A 7 '"unwinding"' out >once
	kermon report --json -g caller -s srcline
	grep -A 7 '"unwinding"' out >lines
	[ -s once ] || fail "no object unwinding"
	cmp -s once lines || fail "$(cat once lines)"
}

run_tests
