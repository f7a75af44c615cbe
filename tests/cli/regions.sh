#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Marks of regions on their way from a program to perf.data: marks is the program, which speaks
# the protocol without a collector. perf is what reads the files.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

. "$(dirname "$0")/cli.bash"
. "$(dirname "$0")/record.bash"

MARKS=$PROGRAMS/marks
make -s -C "$TOP/tests/cli/programs" OUT="$PROGRAMS" "$MARKS" "$PROGRAMS/denied" >&2

# mark THREADS REGIONS [US [HOW]] -- OPTION...: records only regions.
mark()
{
	local arguments=()

	while [ "$1" != -- ]; do
		arguments+=("$1")
		shift
	done
	kermon record --regions time --no-samples "${@:2}" -- "$MARKS" "${arguments[@]}"
}

# expect_marks NUMBER TEXT: perf prints so many marks that begin like this.
expect_marks()
{
	local nr

	perf script -f -i perf.data >lines 2>lines.err || fail "$(cat lines.err)"
	nr=$(grep -cE "kermon:region: $2" lines)
	[ "$nr" -eq "$1" ] || fail "$nr marks '$2', not $1"
}

# The value of a note.
note()
{
	"$KERMON" header | sed -n "s/^kermon  *$1=//p"
}

# Those of the file, by perf.
expect_events()
{
	local events

	events=$(perf evlist | grep -v '^#' | paste -sd' ')
	[ "$events" = "$1" ] || fail "events: $events"
}

expect_file()
{
	"$KERMON" check >check.out 2>&1 || fail "$(cat check.out)"
}

# 2 threads: "outer", 3 times "inner", and the end.
expect_three_by_two()
{
	expect_status 0
	expect_line err '^kermon record: 18 marks of regions by 2 threads$'
	expect_marks 18 ''
	expect_marks 2 'begin outer'
	expect_marks 6 'begin in\?er'
	expect_marks 6 'end in\?er'
	expect_marks 2 'closed -'
	expect_line lines "kermon:region_name: 2 region 'in\?er'"
	expect_line lines "kermon:region_name: 0 thread 'first'"
	expect_file
}

test_alone()
{
	mark 2 3 --
	expect_three_by_two
	[ "$(note source)" = regions ] || fail "source $(note source)"
	[ "$(note regions)" = time ] || fail "regions $(note regions)"
	[ "$(note marks)" = 18 ] || fail "marks $(note marks)"
	[ "$(note marks_lost)" = 0 ] || fail "lost $(note marks_lost)"
	expect_no_line lines 'cpu-clock|cycles'
}

test_beside_samples()
{
	kermon record --regions time -e cpu-clock -- "$MARKS" 2 3 10000
	expect_three_by_two
	expect_line lines 'cpu-clock'
	expect_events 'cpu-clock dummy:u kermon:region kermon:region_name'
	perf report -i perf.data --stdio >table 2>&1 || fail "perf report"
	expect_line table "Samples: 18  of event 'kermon:region'"
}

test_compressed()
{
	mark 2 3 -- -z
	expect_three_by_two
}

# TRACING_DATA comes before the names, which perf therefore does not know.
test_pipe()
{
	"$KERMON" record -q --regions time --no-samples -o - -- "$MARKS" 2 300 >piped 2>err ||
		fail "status $?"
	perf script -i - <piped >lines 2>lines.err || fail "$(cat lines.err)"
	[ "$(grep -c 'kermon:region: begin 0x2' lines)" -eq 600 ] || fail "marks"
	"$KERMON" check - <piped >check.out 2>&1 || fail "$(cat check.out)"
	"$KERMON" dump - <piped >records || fail "kermon dump"
}

# Any user may, also where tracefs is not readable.
test_any_user()
{
	[ "$(id -u)" -eq 0 ] || skip "not root"
	chmod 777 .
	setpriv --reuid 65534 --clear-groups "$KERMON" record --regions time --no-samples -- \
		"$MARKS" 2 3 >out 2>err
	status=$?
	expect_three_by_two
}

# Also without perf_event; threads have names nevertheless.
test_without_perf_event()
{
	"$PROGRAMS/denied" "$KERMON" record --regions time --no-samples -- "$MARKS" 2 3 >out 2>err
	status=$?
	expect_three_by_two
	expect_line lines '^ *marks '
	expect_line err 'names of threads are those of their first mark'
	[ "$(note marks_blind)" = 1 ] || fail "not noted"
	"$PROGRAMS/denied" "$KERMON" record --regions time -e cpu-clock -- "$MARKS" 2 3 >out 2>err
	status=$?
	expect_status 1
}

# What is in the ring when a process is killed is not lost.
test_killed()
{
	mark 1 1000 0 kill --
	expect_status 137
	expect_marks 1000 'end in\?er'
	expect_marks 0 'end outer'
	expect_marks 2001 ''
	expect_file
}

# Another program has other names with the same numbers.
test_exec()
{
	mark 1 3 0 exec --
	expect_status 0
	expect_line err '16 marks of regions by 2 threads'
	expect_marks 6 'begin in\?er'
	expect_marks 2 'begin 0x1'
	# The name of a mark is the last one with its number.
	perf script -f 2>script.err | grep -o "1 region '[a-z]*\|begin 0x1" >order
	printf "1 region 'before\nbegin 0x1\n1 region 'outer\nbegin 0x1\n" | cmp -s - order ||
		fail "$(cat order)"
}

# Marks that were made are those of the file and those that were lost, in records and notes.
test_losses_are_told()
{
	local lost

	mark 1 200000 -- --ring 4K
	expect_status 0
	lost=$(note marks_lost)
	[ "$lost" -gt 0 ] || fail "nothing was lost"
	expect_line err "^kermon record: $lost marks of regions were lost: threads marked faster"
	perf script -f -i perf.data 2>/dev/null | awk -v lost="$lost" '
		/kermon:region: lost/ { sub(/.*value=/, ""); told += $1; next }
		/kermon:region:/ { nr++ }
		END { print nr, told; exit !(nr + told == 400003 && told == lost) }' >sums ||
		fail "marks, lost: $(cat sums)"
	expect_file
}

test_waiting_loses_nothing()
{
	mark 2 50000 -- --ring 4K --regions-wait
	expect_status 0
	expect_marks 200006 ''
	expect_no_line err lost
}

# A million in a second and a thread. The host may have no CPU for the tool for longer than the
# ring lasts.
test_million_in_a_second()
{
	local try

	for try in 1 2 3 4; do
		mark 1 1000000 1 --
		[ "$(note marks_lost)" -ne 0 ] || break
	done
	[ "$(note marks_lost)" -eq 0 ] || fail "$(note marks_lost) of 2000000 lost, $try times"
	[ "$(note marks)" -eq 2000003 ] || fail "$(note marks) marks"
}

test_options_reach_the_program()
{
	kermon record --no-samples --region-include 'A*,B' --region-exclude C --start-paused \
		--iterations 'ns::loop:10-20' --regions-wait --ring 64K -- "$MARKS" 1 1
	expect_line out "^65536 bytes, flags 6, iterations 10 to 20 of 'ns::loop', with 'A\*,B', without 'C'$"
	[ "$(note region_include)" = 'A*,B' ] || fail "$(note region_include)"
	[ "$(note iterations)" = 'ns::loop:10-20' ] || fail "$(note iterations)"
	mark 1 1 -- --iterations loop:7
	expect_line out "iterations 7 to 7 of 'loop'"
	mark 1 1 -- --iterations loop:7-
	expect_line out "iterations 7 to 0 of 'loop'"
	mark 1 1 -- --iterations ns::loop
	expect_line out "iterations 0 to 0 of 'ns::loop'"
	mark 1 1 -- --iterations loop:-9
	expect_line out "iterations 0 to 9 of 'loop'"
}

test_options_that_are_wrong()
{
	local range

	for range in 0 3-2 0-4 4-5x 1-2-3 -; do
		mark 1 1 -- --iterations "loop:$range"
		expect_status 129
		expect_line err "invalid range '$range'"
	done
	mark 1 1 -- --ring 5000
	expect_status 129
	kermon record --regions off --ring 4K -- true
	expect_line err '\-\-regions off and --ring exclude each other'
	kermon record --no-samples -e cpu-clock -- true
	expect_line err '\-\-no-samples and --event exclude each other'
	kermon record -p $$ --regions time -- true
	expect_line err '\-\-regions is for the regions of a COMMAND'
	kermon attach -p $$ --regions time
	expect_status 129
	expect_line err "kermon run"
}

test_off()
{
	kermon record --regions off -e cpu-clock -- "$MARKS" 1 1
	expect_status 0
	expect_line out '^no tool$'
	expect_no_line err regions
	expect_events 'cpu-clock dummy:u'
}

test_no_marks()
{
	mark 0 --
	expect_line err 'the command has marked no regions'
}

# The collector is that beside the tool; another one of ITT is left alone.
test_environment()
{
	mkdir bin lib
	cp "$KERMON" bin/kermon
	: >lib/libkermon-itt.so
	bin/kermon record -q -e cpu-clock -- env >out 2>err || fail "status $?"
	expect_no_line out '^KERMON_|^INTEL_'
	env -u INTEL_LIBITTNOTIFY64 bin/kermon record --regions time -e cpu-clock -- env \
		>out 2>err || fail "status $?"
	expect_line out '^KERMON_MARKS=kermon-marks-[0-9a-f]{32}$'
	expect_line out "^KERMON_COLLECTOR=$(realpath lib)/libkermon-itt.so$"
	expect_line out "^INTEL_LIBITTNOTIFY64=$(realpath lib)/libkermon-itt.so$"
	expect_no_line err 'INTEL'
	INTEL_LIBITTNOTIFY64=/other.so bin/kermon record --regions time -e cpu-clock -- env \
		>out 2>err ||
		fail "status $?"
	expect_line out '^INTEL_LIBITTNOTIFY64=/other\.so$'
	expect_line out '^KERMON_COLLECTOR='
	[ "$(grep -c 'INTEL_LIBITTNOTIFY64 is set' err)" -eq 1 ] || fail "not said once"
}

run_tests
