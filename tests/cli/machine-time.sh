#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Where instructions and lines take a known time and energy, there is an exact oracle for
# ceilings, samples and energy: modelled.py.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

roofs=$TOP/build/programs/roofs
recorded=$TOP/build/cli/time
exact=SIMD_FP_256:PACKED_DOUBLE,MEM_UOPS_RETIRED:ALL_LOADS,MEM_UOPS_RETIRED:ALL_STORES

# The clock and the memory are slower than by default, so that there is less to execute in
# a millisecond; operations and lines take more energy, to have a larger part of it. Ceilings
# of the default, 28 GFLOP/s and 29.9 GB/s, are those of machine-icount.sh.
properties=(time-mhz=1000 time-l2-mbs=20000 time-l3-mbs=12000 time-dram-mbs=8000
	    power-flop-pj=1000 power-line-pj=10000 power-dram-line-pj=40000)

# All on one machine: booting it takes longer than most of this.
record_all()
{
	local options=() property

	for property in "${properties[@]}"; do
		options+=(--time-property "$property")
	done
	mkdir -p "$recorded" && cd "$recorded" || exit
	"$TOP/scripts/kermon-vm" --strict --time --cpus 1 --timeout 3600 "${options[@]}" \
		--with "$TOP/build/bin/kermon" --with "$roofs" --with /bin/sh --with /bin/tar -- \
		sh -c "cd /tmp && {
			kermon roofline bench --quick --threads 1 --isa scalar,sse,avx \
				--level peak,L1 -o core.json &&
			kermon roofline bench --quick --threads 1 --isa avx \
				--level L2,L3,DRAM -o memory.json &&
			kermon run -q --interval 4ms -e set0 -o set0 -- roofs &&
			kermon run -q --interval 4ms -e set1 -o set1 -- roofs &&
			kermon run -q --interval 4ms -e $exact -o one -- roofs &&
			kermon spy -q -I 4ms -f perf-data -e $exact -o spy -- roofs &&
			for set in 0 1 2; do
				kermon spy -q -I 4ms -f perf-data -e set\$set -o spy\$set -- roofs || exit
			done; } >/dev/null &&
			tar c core.json memory.json set0 set1 one spy spy0 spy1 spy2" >files.tar || exit
	tar xf files.tar || exit
}

modelled()
{
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/modelled.py" "$@" "${properties[@]}" >facts 2>&1 ||
		fail "$(cat facts)"
}

# roofline_of FILE: as JSON, in "out".
roofline_of()
{
	kermon roofline --json "$1"
	expect_status 0
}

test_ceilings()
{
	modelled ceilings "$recorded/core.json"
	expect_line facts '^18 peaks, 12 bandwidths$'
	modelled ceilings "$recorded/memory.json"
	expect_line facts '^0 peaks, 12 bandwidths$'
}

test_phases()
{
	roofline_of "$recorded/one"
	modelled recording out
	# operations of 256 bits are not bound by those of 128
	kermon roofline --ceilings "$recorded/core.json" --view none "$recorded/one"
	expect_line out 'bound by double ADD\+MUL avx'
}

test_phases_of_merged_runs()
{
	kermon merge -q -o merged "$recorded/set0" "$recorded/set1"
	expect_status 0
	roofline_of merged
	modelled recording out
}

test_phases_of_a_spy()
{
	roofline_of "$recorded/spy"
	modelled spy out
}

# The sets of the paper, a run each: they lie where those of KerMon are.
test_phases_of_merged_spies()
{
	kermon merge -q -o merged "$recorded/spy0" "$recorded/spy1" "$recorded/spy2"
	expect_status 0
	roofline_of merged
	mv out spies.json
	modelled spies spies.json
	kermon merge -q -o merged "$recorded/set0" "$recorded/set1"
	roofline_of merged
	modelled both out spies.json
}

make -s -C "$TOP/tests/cli/programs" OUT="$TOP/build/programs" "$roofs" >&2 || exit
[ -z "$(names_of_tests)" ] || (record_all) || exit
run_tests
