#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon readperf: options, files and exit statuses. What the tables say is
# compared with stock perf in tests/golden.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# perf.data with three threads of two processes.
make_file()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.recording())'
}

test_tables()
{
	make_file
	kermon readperf
	expect_status 0
	expect_only_losses
	expect_line out '^function +binary '
	expect_line stat.csv '^FORK,2$'
	expect_line stat.csv '^LOST,1$'
	expect_line overview.csv '^[0-9]+,COMM,100,100,,,worker$'
	expect_line overview.csv '^[0-9]+,MMAP2,100,100,,,/no/where/worker 400000 10000 0$'
	expect_line overview.csv '^[0-9]+,FORK,200,200,1000000020,,100$'
	expect_line processes.csv '^100,worker,1,,,8,'
	expect_line processes.csv '^200,"a b ""c"" .",0,1000000020,,1,12,'
	expect_line processes.csv ',oncpu_records,oncpu_ns,.*,energy_pkg_J$'
	expect_line processes.csv '^100,worker,.*,8,196938268,8,7\.5$'
	expect_line results.csv '^\[unknown\],\[unknown\],/no/where/worker,yes,8,'
}

test_folder_and_quiet()
{
	make_file
	mkdir tables
	kermon readperf perf.data -q -o tables
	expect_status 0
	expect_empty out
	[ ! -e stat.csv ] || fail "a table beside the folder"
	cp tables/stat.csv before
	kermon readperf -q -o tables -i perf.data
	cmp tables/stat.csv.old before || fail "the table before is not kept"
}

test_refuses()
{
	make_file
	kermon readperf -o nowhere
	expect_status 1
	expect_line err 'nowhere/stat\.csv: cannot write it: No such file'
	kermon readperf perf.data perf.data
	expect_status 129
	kermon readperf missing
	expect_status 1
	expect_line err 'there is no such file'
	[ ! -e stat.csv ] || fail "a table of nothing"
}

# What is intact is in the tables, and the status says that it is not all.
test_damaged()
{
	make_file
	truncate -s 3000 perf.data
	kermon readperf
	expect_status 1
	expect_line err 'at offset 3000'
	expect_line processes.csv '^100,worker,1,'
}

run_tests
