#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon run: what it refuses on a patched kernel, before it runs the command.
# shellcheck disable=SC2317	# tests are called by run_tests

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"
. "$(dirname "$0")/../refuse.bash"

test_fixed_event()
{
	accept -e cycles,set1,instructions:u
	expect_line err 'are always recorded: -e need not name them'
	accept -q -e cycles
	expect_no_line err 'always recorded'
	refuse -e instructions:k
	expect_status 129
	expect_line err "'instructions:k': the fixed counters .* count user mode"
	expect_line err '-k has them count the kernel as well'
	refuse -k -e cycles:u
	expect_status 129
	expect_line err "'cycles:u': the fixed counters .* user and kernel mode"
	expect_line err 'leave out -k'
}

# Without fixed counters, they are events like others.
test_fixed_event_of_amd()
{
	export LIBPFM_FORCE_PMU=amd64_fam19h_zen4
	accept -e instructions,cycles:u
	expect_line err 'instructions and cycles are programmed events on this CPU, those of the set fixed'
	accept -q -e cycles
	expect_no_line err 'programmed events'
	accept -e fixed
	expect_no_line err 'programmed events'
	refuse -e ref-cycles
	expect_status 129
	expect_line err "'ref-cycles': this CPU has no such event"
	expect_line err '-e fixed counts instructions and cycles'
	expect_no_line err 'did you mean'
	refuse -e fixed,cycles
	expect_line err "'cycles' is named twice, or is part of a set"
}

test_named_twice()
{
	refuse -e set1,set1
	expect_status 129
	expect_line err "'set1' is named twice"
	refuse -e set1,MEM_UOPS_RETIRED:ALL_LOADS
	expect_status 129
	expect_line err "'MEM_UOPS_RETIRED:ALL_LOADS' is named twice, or is part of a set"
	accept -e MEM_UOPS_RETIRED:ALL_LOADS:u,MEM_UOPS_RETIRED:ALL_LOADS:k
}

test_set_in_capitals()
{
	accept -e SET1,Set0
}

test_raw_log_cannot_be_written()
{
	refuse --raw-log /nonexistent/raw
	expect_status 1
	expect_line err "cannot write '/nonexistent/raw'"
}

# Not before it is known that recording can begin.
test_raw_log_is_left_alone()
{
	echo precious >OLD
	refuse --raw-log OLD -o /nonexistent/file
	expect_status 1
	[ "$(cat OLD)" = precious ] || fail "the previous log was removed"
	refuse --raw-log new -o /nonexistent/file
	[ ! -e new ] || fail "an empty log was left"
}

# By any name, whether it exists or not.
test_raw_log_is_the_output()
{
	local folder=$PWD name

	mkdir sub
	ln -s ../perf.data sub/link
	for name in perf.data ./perf.data "$folder/perf.data" sub/link perf.data.old; do
		refuse --raw-log "$name"
		expect_status 129
		expect_line err "--raw-log $name: this is the file of the recording or of the previous one"
		[ "$(ls)" = "$(printf '%s\n' err out sub)" ] || fail "more files: $(ls)"
	done
	[ -L sub/link ] || fail "the link was replaced"
	echo precious >perf.data
	ln perf.data hard
	for name in perf.data hard sub/link; do
		kermon run --raw-log "$name" touch ran
		expect_status 129
		[ "$(cat perf.data)" = precious ] || fail "perf.data has changed"
	done
	[ ! -e ran ] || fail "the command ran"
}

test_far_too_many_events()
{
	refuse -e "$(printf 'r%02xc0,' {1..64})rffc0"
	expect_status 129
	expect_line err "'rffc0' is one event too many"
}

run_tests
