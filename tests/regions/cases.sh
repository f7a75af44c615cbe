#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Regions that do not simply nest, and what ends a thread or a process.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/regions.bash"

NEST="T1 begin A
	T1 begin B
	T1 begin C
	T1 end C
	T1 end B
	T1 begin B
	T1 end B
	T1 end A"

test_nesting()
{
	record -- regions nest
	expect_marks <<<"$NEST"
	expect_sums 1 0 0
}

test_without_tool()
{
	"$PROGRAMS/regions" nest >out 2>err || fail "status $?"
	KERMON_MARKS=nobody-listens "$PROGRAMS/regions" nest >out 2>err || fail "status $?"
	KERMON_COLLECTOR=/nosuch "$PROGRAMS/regions" nest >out 2>err || fail "status $?"
	expect_empty out
	expect_empty err
}

test_recursion()
{
	record -- regions recursion
	expect_marks <<<"T1 begin A
		T1 begin A
		T1 begin A
		T1 end A
		T1 end A
		T1 end A"
}

test_missing_end()
{
	record -- regions missing-end
	expect_marks <<<"T1 begin A
		T1 begin B
		T1 begin C
		T1 end A
		T1 begin B
		T1 end B"
}

test_end_without_begin()
{
	record -- regions missing-begin
	expect_marks <<<"T1 end C
		T1 begin A
		T1 end B
		T1 end A
		T1 end A"
}

test_values()
{
	record -- regions values
	expect_marks <<<"T1 begin A
		T1 value hits 42
		T1 value mass 0.25
		T1 end A"
}

test_threads()
{
	RECORDER_NAMES=1 record -- regions threads
	expect_marks <<<"P1 region A
		P1 region B
		P1 region C
		P1 thread worker is other
		T1 begin A
		T1 end A
		${NEST//T1/T2}
		T2 closed"
	expect_sums 2 1 0
}

test_thread_exits()
{
	record -- regions thread-exit
	expect_marks <<<"T1 begin A
		T1 begin B
		T1 closed"
	record -- regions cancel
	expect_marks <<<"T1 begin A
		T1 closed"
	expect_sums 1 1 0
}

# Keys that were made after the collector's are destroyed after them.
test_destructor_of_thread()
{
	record -- regions destructor
	expect_marks <<<"$NEST
		T1 begin B
		T1 end B
		T1 closed"
}

test_longjmp()
{
	record -- regions jump
	expect_marks <<<"T1 begin A
		T1 begin B
		T1 begin C
		T1 end A
		$NEST"
}

test_exception()
{
	local scope="T1 begin leave
		T1 begin inner
		T1 end inner
		T1 end leave"

	record -- exceptions
	expect_marks <<<"T1 begin main
		T1 begin leave
		T1 begin inner
		T1 begin leave
		T1 end leave
		T1 end inner
		T1 end leave
		$scope
		$scope
		T1 begin catch
		T1 end catch
		T1 end main"
}

# The child has no region open, whatever its parent had, and gets to know no names of others.
test_fork()
{
	record -- regions fork
	expect_marks <<<"T1 begin A
		T1 end A
		T2 end A
		T2 begin child
		${NEST//T1/T2}
		T2 end child
		T2 end again"
	expect_line out '^sums: 2 processes, 2 threads'
}

test_fork_while_others_hold_the_lock()
{
	record -s -- regions fork-threads
	expect_line out '^sums: 51 processes, 50 threads'
	expect_line out '^marks: begin 50 end 50$'
	expect_no_line out 'failed'
}

test_exec()
{
	record -- regions exec
	expect_marks <<<"T1 begin A
		T1 begin B
		${NEST//T1/T2}"
}

test_kill()
{
	record -- regions killed
	expect_line out '^signal 9$'
	expect_marks <<<"T1 begin A
		T1 begin B
		T1 end B
		T1 begin C"
}

test_pause()
{
	record -- regions pause
	expect_marks <<<"T1 begin A
		T1 pause
		T1 end A
		T1 resume
		T1 begin B
		T1 end B"
	record -p -- regions pause
	expect_marks <<<"T1 pause
		T1 resume
		T1 begin B
		T1 end B"
}

test_exclude()
{
	record -x 'B,X*' -- regions nest
	expect_marks <<<"T1 begin A
		T1 skip B
		T1 end B
		T1 skip B
		T1 end B
		T1 end A"
}

test_include()
{
	record -i '[BX]' -- regions nest
	expect_marks <<<"T1 begin B
		T1 begin C
		T1 end C
		T1 end B
		T1 begin B
		T1 end B"
	record -i B -x C -- regions nest
	expect_marks <<<"T1 begin B
		T1 skip C
		T1 end C
		T1 end B
		T1 begin B
		T1 end B"
	# what is included inside of what is excluded is not collected
	record -i C -x B -- regions nest
	expect_marks </dev/null
}

test_iterations()
{
	local one="T1 begin A
		T1 begin B
		T1 end B
		T1 end A"

	record -I A -f 2 -l 3 -- regions iterations
	expect_marks <<<"$one
		$one"
	record -I A -f 5 -- regions iterations
	expect_marks <<<"$one"
	record -I A -f 6 -- regions iterations
	expect_marks </dev/null
	record -I A -l 1 -i B -- regions iterations
	expect_marks <<<"T1 begin B
		T1 end B"
}

test_application_is_not_disturbed()
{
	record -- regions errno
	expect_no_line out '^errno'
	record -- regions descriptors
	expect_no_line out 'not closed'
	# a limit of the size of files would end it by SIGXFSZ
	(ulimit -f 100 && exec timeout "$LIMIT" "$PROGRAMS/recorder" "$PROGRAMS/regions" nest >out)
	expect_line out '^sums: 0 processes, 0 threads'
	expect_no_line out '^signal'
}

# It is not collected, and that is told.
test_thread_without_ring()
{
	record -- regions without-ring
	expect_line out '^sums: 1 processes, 0 threads'
	expect_line out '^without a ring: 1$'
}

# Undefined behaviour of the collector is a trap; the program has ASan and UBSan.
test_with_sanitizers()
{
	local case

	KERMON_COLLECTOR=$TOP/build/sanitize/lib/libkermon-itt.so
	for case in nest missing-end missing-begin values threads thread-exit destructor jump fork \
		pause; do
		record -s -- regions-sanitized "$case"
		[ "$status" -eq 0 ] || fail "$case: status $status"
		expect_no_line out '^(status|signal)'
		expect_line out '^marks: begin'
	done
	record -s -b 4096 -x B -- regions-sanitized many 4 10000
	expect_no_line out '^(status|signal)'
	expect_line out ' skip [0-9]'
}

run_tests
