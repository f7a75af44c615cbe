#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon merge: options, messages and exit statuses. What becomes of the counts is
# tested in tests/unit/merge.c, and on real runs in tests/cli/machine.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# perf.data with a loss in it.
make_file()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.recording())'
}

test_too_few_files()
{
	kermon merge
	expect_status 129
	expect_line err 'two files at least'
	kermon merge one
	expect_status 129
	expect_line err 'two files at least'
}

test_no_file()
{
	kermon merge one two -o merged
	expect_status 1
	expect_line err 'one: No such file'
	[ ! -e merged ] || fail "there is an output"
}

# Told before the runs are read.
test_no_regular_file()
{
	local path

	mkfifo pipe
	for path in pipe /dev/null /dev/stdout .; do
		kermon merge -o "$path" one two
		expect_status 1
		expect_line err "cannot write $path: not a regular file"
		expect_no_line err one
	done
	kermon merge -o missing/merged one two
	expect_line err 'cannot write missing/merged: No such file'
}

test_no_perf_data()
{
	echo "#!/bin/sh" >script
	kermon merge -o merged script script
	expect_status 1
	expect_line err 'script: this is no perf\.data'
	[ ! -e merged ] || fail "there is an output"
}

test_lost_samples()
{
	make_file
	kermon merge -o merged perf.data perf.data
	expect_status 1
	expect_line err 'perf\.data has lost samples'
	[ ! -e merged ] || fail "there is an output"
}

run_tests
