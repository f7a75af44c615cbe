#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The PMU and energy counters of the model under stock perf and the kernel's own drivers;
# runs in the virtual machine.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/../cli/cli.bash"

KNOWN=$TOP/build/perf/known
LOOPS=$(<"$TOP/build/perf/loops")
PERIOD=10007

# Any number of samples between two ticks, which a busy host delays, must not be
# throttled; with the limit on CPU time disabled, the rate is kept.
for setting in cpu_time_max_percent=25 event_max_sample_rate=10000000 cpu_time_max_percent=0; do
	echo "${setting#*=}" >"/proc/sys/kernel/perf_${setting%=*}" || exit
done

# perf ARGUMENT...: runs it, with out and err as for kermon; it must succeed.
perf()
{
	command perf "$@" >out 2>err
	status=$?
	expect_status 0
}

# The count of an event in the output of "perf stat -x,".
counted()
{
	awk -F, -v event="$1" '$3 == event { print $1 }' err
}

expect_count()
{
	[ "$(counted "$1")" = "$2" ] || fail "$1: $(counted "$1"), not $2"
}

test_stat_counts_instructions_branches_loads_and_stores()
{
	perf stat -x, -e instructions:u,branches:u,r81d0:u,r82d0:u "$KNOWN"
	expect_count instructions:u $((6 * LOOPS + 5))
	expect_count branches:u $((LOOPS + 1))
	expect_count r81d0:u "$LOOPS"
	expect_count r82d0:u "$LOOPS"
}

test_stat_counts_cycles_and_floating_point()
{
	perf stat -x, -e cycles:u,ref-cycles:u,r8010:u,r4010:u,r2010:u "$KNOWN"
	expect_count cycles:u $((6 * LOOPS + 5))
	expect_count ref-cycles:u $((6 * LOOPS + 5))
	expect_count r8010:u "$LOOPS"
	expect_count r4010:u "$LOOPS"
	expect_count r2010:u 0
}

test_stat_says_what_is_not_counted()
{
	perf stat -x, -e cache-references,cache-misses,branch-misses "$KNOWN"
	expect_count cache-references '<not supported>'
	expect_count cache-misses '<not supported>'
	expect_count branch-misses '<not supported>'
}

# Multiplexed counts of perf are estimates; six general events need two rotations.
test_stat_multiplexes()
{
	perf stat -x, -e r00c4:u,r81d0:u,r82d0:u,r8010:u,r4010:u,r2010:u "$KNOWN"
	awk -F, '$3 ~ /^r/ && $5 < 100 { found = 1 } END { exit !found }' err ||
		fail "six events on four counters were not multiplexed"
}

test_stat_reads_energy()
{
	local domain

	perf stat -a -x, -e power/energy-pkg/,power/energy-cores/,power/energy-ram/ \
		sleep 0.5
	for domain in pkg cores ram; do
		counted "power/energy-$domain/" | grep -q '^[0-9.]*[1-9]' ||
			fail "no energy of $domain"
	done
}

# samples EVENT: the number of them in the output of "perf script".
samples()
{
	perf script -i perf.data -F event
	grep -c "^ *$1: *$" out
}

# expect_samples EVENT COUNT: as many as there are periods in the count.
expect_samples()
{
	local found

	found=$(samples "$1")
	[ "$found" = $(($2 / PERIOD)) ] ||
		fail "$found samples of $1, not $(($2 / PERIOD))"
}

# record EVENTS: perf.data of the known program, on one CPU: perf record opens an event
# per CPU, and a program that migrates leaves part of a period behind.
record()
{
	taskset -c 0 perf record -o perf.data -c "$PERIOD" -e "$1" "$KNOWN" >out 2>err
	status=$?
	expect_status 0
}

# One sample may fall after the loop, and percentages are rounded.
test_record_samples_every_period()
{
	record instructions:u
	expect_samples instructions:u $((6 * LOOPS + 5))
	perf report -i perf.data --stdio --percent-limit 1
	expect_line out '(100\.00|99\.[89].)% +known +known +\[\.\] known_loop'
	perf report -i perf.data --stats
	expect_no_line out 'LOST|THROTTLE'
}

test_record_samples_two_events()
{
	record branches:u,r81d0:u
	expect_samples branches:u $((LOOPS + 1))
	expect_samples r81d0:u "$LOOPS"
}

run_tests
