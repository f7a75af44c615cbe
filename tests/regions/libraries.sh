#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Libraries of Debian that carry ITT, unchanged.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/regions.bash"

# record_library PROGRAM PACKAGE: its marks, with the names.
record_library()
{
	[ -x "$PROGRAMS/$1" ] || skip "$2 is not installed: scripts/setup tests"
	RECORDER_NAMES=1 record -- "$1"
	expect_no_line out '^(status|signal)'
}

test_onetbb()
{
	record_library onetbb libtbb-dev
	expect_line out '^P1 task tbb_parallel_for of tbb$'
	expect_line out '^T[0-9]+ begin tbb_parallel_for$'
	expect_line out '^T[0-9]+ end tbb_parallel_for$'
	expect_line out '^T[0-9]+ begin tbb_flow_graph$'
	expect_line out '^T[0-9]+ open tbb.flow in none$'
	expect_line out '^T[0-9]+ close$'
}

test_openmp()
{
	record_library openmp "clang or libomp-dev"
	expect_line out '^P1 frame main.omp.parallel:[0-9]+@.*openmp.c:'
	[ "$(grep -c '^T1 frame main.omp.parallel.* forward$' out)" -eq 3 ] ||
		fail "not three parallel regions"
	expect_line out '^P1 thread OMP'
}

test_onednn()
{
	record_library onednn libdnnl-dev
	expect_line out '^P1 task matmul of dnnl::primitive::execute$'
	[ "$(grep -c '^T[0-9]* begin matmul$' out)" -ge 1 ] || fail "no task"
}

functions_in()
{
	strings -a "$1" | grep -E '^__itt_[a-z0-9_]+$' | sort -u
}

# Each function that a library may call is in the table.
test_table_of_functions()
{
	local library libraries

	mapfile -t libraries < <(ls /usr/lib/x86_64-linux-gnu/libtbb.so.12 \
		/usr/lib/x86_64-linux-gnu/libtbbmalloc.so.2 /usr/lib/llvm-*/lib/libomp.so.5 \
		/usr/lib/x86_64-linux-gnu/libdnnl.so.2 2>/dev/null)
	[ ${#libraries[@]} -gt 0 ] || skip "no library with ITT is installed: scripts/setup tests"
	functions_in "$COLLECTOR" >known
	for library in "${libraries[@]}"; do
		functions_in "$library" >called
		[ "$(wc -l <called)" -gt 100 ] || fail "$library has no ITT"
		comm -23 called known >out
		[ ! -s out ] || fail "$library may call what the table does not have"
	done
}

run_tests
