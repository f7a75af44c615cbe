#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The ITT collector.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/regions.bash"

# record_itt CASE: with __itt_api_init(); by name, it has to be the same.
record_itt()
{
	record -- itt old "$1"
	sort -s -k 1,1 out >old
	record -- itt new "$1"
	sort -s -k 1,1 out | cmp -s - old ||
		fail "marks are others if functions are looked up by name"
}

test_tasks()
{
	record_itt tasks
	expect_no_line out 'differ'
	expect_marks <<<"T1 begin Outer
		T1 begin Inner
		T1 end Inner
		T1 begin Inner
		T1 end Inner
		T1 begin Early
		T1 end Early
		T1 end Outer
		T1 begin Outer
		T1 begin Inner
		T1 end Outer
		T1 end other"
}

# Tasks with the same name in two domains are two.
test_names()
{
	RECORDER_NAMES=1 record -- itt new tasks
	grep '^P1' out >names
	expect_line names '^P1 task Inner of test$'
	expect_line names '^P1 task Inner of other$'
	expect_line names '^P1 task Early of early$'
	[ "$(wc -l <names)" -eq 7 ] || fail "$(wc -l <names) names"
}

test_disabled_domain()
{
	record_itt disabled
	expect_marks <<<"T1 begin On
		T1 end On"
}

test_functions()
{
	record_itt functions
	expect_line out '^T1 begin (__)?getpid$'
	expect_line out '^T1 begin .*/itt\+0x[0-9a-f]+$'
}

test_overlapped()
{
	record_itt overlapped
	expect_marks <<<"T1 open A in none
		T1 open B in another
		T1 close
		T1 open test in none
		T1 close
		T2 close
		T2 closed"
}

test_events()
{
	record_itt events
	expect_no_line out 'wrong'
	expect_marks <<<"T1 begin  Top
		T1 end  Top
		T1 begin  Top Child
		T1 end  Top Child
		T1 begin  Top
		T1 end  Top"
}

# Two that nest, and two that are submitted; an end without a begin is none.
test_frames()
{
	record_itt frames
	expect_marks <<<"T1 frame test forward
		T1 frame test forward
		T1 frame test forward
		T1 frame test forward"
}

test_counters()
{
	record_itt counters
	expect_marks <<<"T1 counter count 1
		T1 counter count 11
		T1 counter count 10
		T1 counter typed 0.25"
}

test_metadata()
{
	record_itt metadata
	expect_marks <<<"T1 begin Task
		T1 value large 9223372036854775808
		T1 value large 7
		T1 value small -3
		T1 value text: hello 1
		T1 end Task"
}

test_other_functions()
{
	RECORDER_NAMES=1 record -- itt new others
	expect_line out '^P1 thread main is first$'
	record_itt others
	expect_marks <<<"T1 event Here
		T1 event There
		T1 pause
		T1 resume
		T1 begin Resumed
		T1 end Resumed"
}

test_unsupported()
{
	record -- itt new pointers
	expect_no_line out '(static|group)'
}

test_without_tool()
{
	"$PROGRAMS/itt" new tasks >out 2>err || fail "status $?"
	expect_line out '^nothing is collected$'
	"$PROGRAMS/itt" old tasks >out 2>err || fail "status $?"
	expect_empty out
}

# Undefined behaviour of the collector is a trap.
test_with_sanitizer()
{
	local case

	INTEL_LIBITTNOTIFY64=$TOP/build/sanitize/lib/libkermon-itt.so
	for case in tasks functions overlapped events frames counters metadata others; do
		record -s -- itt new "$case"
		expect_no_line out '^(status|signal)'
		expect_line out '^marks: [a-z]'
	done
}

# Only these: others would come before functions of the application.
test_exports()
{
	nm -D --defined-only "$COLLECTOR" | awk '{ print $3 }' >names
	expect_line names '^kermon_collector$'
	expect_line names '^__itt_api_init$'
	grep -vE '^(kermon_collector|__itt_[a-z0-9_]+)$' names >out
	expect_empty out
	objdump -p "$COLLECTOR" | awk '$1 == "NEEDED" { print $2 }' >needed
	[ "$(cat needed)" = libc.so.6 ] || fail "it needs more than the C library"
}

run_tests
