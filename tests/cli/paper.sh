#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The experiments of Documentation/papers.rst that take seconds: they fail when perf no
# longer does what the document says. "make paper" runs all of them.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

paper()
{
	KERMON=$KERMON "$TOP/tests/paper/run" --out "$PWD/results" "$@" >out 2>err
	status=$?
}

test_claims_about_perf()
{
	paper readperf-claims format-claims
	expect_status 0
	expect_line out '^paper: 2 experiments done, 0 failed'
	expect_line results/format-claims.rst '^Machine: .*; Linux [0-9].*; perf version [0-9]'
}

# A perf that does not work.
test_experiment_that_fails()
{
	mkdir bin
	printf '#!/bin/sh\necho broken >&2\nexit 3\n' >bin/perf
	chmod +x bin/perf
	PATH=$PWD/bin:$PATH paper times
	expect_status 1
	expect_line err '^paper: times failed: perf record .*: status 3$'
	expect_line err '^broken$'
	expect_line out '^paper: 0 experiments done, 1 failed'
	[ ! -e results/times.rst ] || fail "a table of nothing"
}

# What the document says about -T is checked: here, perf record always has times.
test_claim_that_does_not_hold()
{
	local perf

	perf=$(command -v perf)
	mkdir bin
	cat >bin/perf <<-END
		#!/bin/bash
		[ "\$1" != record ] || set -- record -T "\${@:2}"
		exec $perf "\$@"
	END
	chmod +x bin/perf
	PATH=$PWD/bin:$PATH paper times
	expect_status 1
	expect_line err '^paper: times failed: other options have times than the document says'
}

test_unknown_experiment()
{
	paper nonsense
	expect_status 2
	expect_line err 'no experiment nonsense; see --list'
}

run_tests
