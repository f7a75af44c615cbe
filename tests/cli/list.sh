#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon list: needs no hardware, because libpfm4 is told which CPU to assume.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"
export LIBPFM_FORCE_PMU=ivb

test_sets()
{
	local name

	kermon list
	expect_status 0
	for name in fixed set0 set1 set2; do
		expect_line out "^  $name +"
	done
	expect_line out '^ +FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE$'
	expect_line out '^Events of Intel Ivy Bridge \(ivb\)'
}

test_names()
{
	kermon list --names
	expect_status 0
	expect_line out '^set1$'
	expect_line out '^MEM_UOPS_RETIRED:ALL_LOADS$'
	expect_no_line out '[ a-z]{4} '
}

# Everything that is listed can be requested.
test_names_can_be_used()
{
	local name

	kermon list --names
	cp out names
	[ "$(wc -l <names)" -gt 100 ] || fail "hardly any events"
	while read -r name; do
		kermon run -e "$name" -o /nonexistent/file true
		expect_no_line err "no event or set|lacks a unit mask|libpfm4"
	done < <(shuf -n 40 --random-source=/dev/zero names)
}

test_pattern()
{
	kermon list scalar_double
	expect_status 0
	expect_line out 'SSE_SCALAR_DOUBLE'
	expect_no_line out 'L1D'
	kermon list no-such-thing
	expect_status 1
	expect_line err "no set or event has 'no-such-thing'"
	expect_no_line err 'did you mean'
	kermon list l1d_replacement
	expect_status 1
	expect_line err "did you mean 'L1D:REPLACEMENT'"
}

test_verbose()
{
	kermon list -v L1D:REPLACEMENT
	expect_status 0
	expect_line out '^ {10}[A-Z].*L1D'
	kermon list -v set
	expect_line out '^ {14}4 FLOP, double precision, 256 bits; counted when executed$'
	expect_line out '^ {14}stores of a core$'
	expect_line out '^ {14}64 bytes from memory$'
	expect_line out '^ {14}instruction fetches that miss the L2$'
}

test_other_cpu()
{
	LIBPFM_FORCE_PMU=skl kermon list set1
	expect_status 0
	expect_line out 'FP_ARITH_INST_RETIRED:SCALAR_DOUBLE'
}

# CPUs that this libpfm4 does not know have what is in a file.
test_cpu_of_a_file()
{
	LIBPFM_FORCE_PMU=gnr kermon list
	expect_status 0
	expect_line out '^  roofline +floating point by precision and width; loads and stores$'
	expect_line out '^  FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE$'
	LIBPFM_FORCE_PMU=gnr kermon run -e roofline -o /nonexistent/file true
	expect_no_line err 'no event or set|libpfm4'
}

# A set of the user; and a file with an error, which changes nothing else.
test_files_of_the_user()
{
	local files=config/kermon/events

	export XDG_CONFIG_HOME=$PWD/config
	mkdir -p "$files"
	printf 'cpu ivb\nset mine "my set"\nuse r01c0\n' >"$files/mine.events"
	kermon list mine
	expect_status 0
	expect_line out '^  mine +my set$'
	expect_empty err
	printf 'cpu ivb\nset other "another"\nuse\n' >"$files/other.events"
	kermon list mine
	expect_status 0
	expect_line out '^  mine +my set$'
	expect_line err "^kermon list: this event file is not used: $PWD/$files/other.events:3: 'use' without an event$"
	kermon --version
	expect_empty err
	unset XDG_CONFIG_HOME
}

# As many events as files may have: no look-up is slow.
test_many_files_of_the_user()
{
	local files=config/kermon/events number

	export XDG_CONFIG_HOME=$PWD/config
	mkdir -p "$files"
	for number in {1..64}; do
		seq -f "event FILE$number:EVENT%g access=load" 512 >"$files/$number.events"
	done
	ulimit -t 2
	kermon list
	expect_status 0
	expect_empty err
	unset XDG_CONFIG_HOME
}

test_unknown_cpu()
{
	LIBPFM_FORCE_PMU=none kermon list
	expect_status 0
	expect_line out 'libpfm4 does not know this CPU'
	expect_line out '^  fixed '
}

run_tests
