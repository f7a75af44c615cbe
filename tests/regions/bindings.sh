#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# <kermon/region.h> in C and C++, and the modules for Fortran and Python.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/regions.bash"

WARNINGS="-Wall -Wextra -Wpedantic -Werror -Wcast-align -Wredundant-decls"

# write_programs: one that includes the header first, and one that does so last.
write_programs()
{
	local includes="#include <dlfcn.h>
#include <stdlib.h>"
	local program='int main(void)
{
	struct kermon_region *region = kermon_region("A");

	kermon_region_begin(region);
	kermon_region_value(region, 1);
	kermon_region_value_double(region, 1.5);
	kermon_region_thread("main");
	kermon_pause();
	kermon_resume();
	kermon_region_end(region);
	return 0;
}'

	printf '#include <kermon/region.h>\n%s\n%s\n' "$includes" "$program" >first.c
	printf '#define _GNU_SOURCE 1\n%s\n#include <kermon/region.h>\n%s\n' "$includes" \
		"$program" >last.c
	cp first.c first.cpp
	sed '/_GNU_SOURCE/d' last.c >last.cpp
}

# build COMPILER WORD...
build()
{
	# shellcheck disable=SC2086	# words
	"$@" $WARNINGS -I "$TOP/tools/lib/include" -o program >out 2>err || fail "$*"
	expect_empty err
}

test_c()
{
	local compiler standard file

	write_programs
	for compiler in gcc clang; do
		command -v "$compiler" >/dev/null || continue
		for standard in gnu99 c11 c17; do
			for file in first.c last.c; do
				build "$compiler" -Wshadow "-std=$standard" "$file"
				"$PROGRAMS/recorder" ./program >out
				expect_line out '^T1 begin A$'
			done
		done
	done
}

test_cplusplus()
{
	local compiler standard file

	write_programs
	for compiler in g++ clang++; do
		command -v "$compiler" >/dev/null || continue
		for standard in c++11 c++20; do
			for file in first.cpp last.cpp; do
				build "$compiler" "-std=$standard" "$file"
				"$PROGRAMS/recorder" ./program >out
				expect_line out '^T1 begin A$'
			done
		done
	done
}

# Linked without a warning of dlopen(), and nothing is collected.
test_static()
{
	local how

	write_programs
	for how in "gcc -static first.c" "gcc -static-pie -fPIE last.c" \
		"g++ -static first.cpp"; do
		# shellcheck disable=SC2086	# words
		build $how
		"$PROGRAMS/recorder" ./program >out
		expect_line out '^sums: 0 processes, 0 threads'
		expect_no_line out '^(status|signal)'
	done
}

# At most 2 ns: some cycles. The host may be busy, and the best of many rounds counts.
test_cost_without_collection()
{
	KERMON_COLLECTOR='' "$PROGRAMS/regions" cost >out
	awk '{ exit !($1 <= 1) }' out || fail "$(cat out), and a begin and an end are two"
}

test_cost_of_a_mark()
{
	record -s -- regions cost
	awk '/ns per mark/ { found = 1; if ($1 > 20) exit 1 } END { exit !found }' out ||
		fail "a mark takes more than 20 ns"
}

test_fortran()
{
	[ -x "$PROGRAMS/fortran" ] || skip "gfortran is not installed: scripts/setup tests"
	RECORDER_NAMES=1 record -- fortran
	expect_marks <<<"P1 thread main is first
		P1 region Outer
		P1 region Inner
		P1 region hits
		T1 begin Outer
		T1 begin Inner
		T1 value hits 42
		T1 value hits 0.5
		T1 end Inner
		T1 pause
		T1 resume
		T1 end Outer"
	KERMON_COLLECTOR='' "$PROGRAMS/fortran" >out 2>err || fail "status $?"
	expect_empty err
}

test_python()
{
	local inner="T1 value hits 42
		T1 value mass 0.5"

	export PYTHONPATH=$TOP/tools/share/region PYTHONDONTWRITEBYTECODE=1
	"$PROGRAMS/recorder" /usr/bin/python3 "$TOP/tests/regions/python.py" >out 2>err
	expect_empty err
	expect_marks <<<"T1 begin Outer
		T1 begin Inner
		$inner
		T1 begin Inner
		$inner
		T1 end Inner
		T1 end Inner
		T1 pause
		T1 resume
		T1 end Outer
		T1 begin Outer
		T1 end Outer"
	KERMON_COLLECTOR='' /usr/bin/python3 "$TOP/tests/regions/python.py" >out 2>err ||
		fail "status $?"
	expect_empty err
}

run_tests
