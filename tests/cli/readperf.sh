#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon readperf: options, files and exit statuses. tests/golden compares the tables with
# stock perf.
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
	kermon readperf perf.data -q --output-dir tables
	expect_status 0
	expect_empty out
	[ ! -e stat.csv ] || fail "a table beside the folder"
	echo before >tables/stat.csv
	kermon readperf -q --output-dir tables -i perf.data
	expect_status 0
	expect_line tables/stat.csv '^type,records$'
	[ "$(cd tables && echo ./*)" = "./overview.csv ./processes.csv ./results.csv ./stat.csv" ] ||
		fail "more than the tables: $(ls tables)"
}

test_refuses()
{
	make_file
	kermon readperf --output-dir nowhere
	expect_status 1
	expect_line err 'cannot write .*nowhere/stat\.csv: No such file'
	kermon readperf perf.data perf.data
	expect_status 129
	kermon readperf missing
	expect_status 1
	expect_line err 'no such file'
	[ ! -e stat.csv ] || fail "a table of nothing"
}

# As if a shell had redirected output to them, with the permissions of the umask.
test_mode()
{
	make_file
	(umask 027 && "$KERMON" readperf -q 2>err)
	[ "$(stat -c %a -- *.csv | sort -u)" = 640 ] || fail "modes $(stat -c %a -- *.csv)"
	chmod 600 stat.csv
	(umask 022 && "$KERMON" readperf -q 2>err)
	[ "$(stat -c %a stat.csv)" = 600 ] || fail "mode $(stat -c %a stat.csv)"
}

# By any name, before anything is modified.
test_output_is_an_input()
{
	make_file
	cp perf.data results.csv
	ln results.csv hard
	ln -s results.csv soft
	for name in results.csv hard soft; do
		kermon readperf "$name"
		expect_status 1
		expect_line err 'cannot write \./results\.csv: it is also an input'
		expect_line err '^ +choose another output file or folder$'
	done
	cmp -s perf.data results.csv || fail "results.csv has changed"
	[ ! -e stat.csv ] || fail "a table of it"
	rm results.csv hard soft
	cp /proc/kallsyms stat.csv
	kermon readperf --kallsyms stat.csv
	expect_status 1
	expect_line err 'cannot write \./stat\.csv: it is also an input'
}

# make_large: perf.data with enough samples that the overview exceeds a buffer.
make_large()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic as s
open("perf.data", "wb").write(s.build(b"".join(
    s.sample(0, 10, 10, 0, 2000 + i, 0x1000, 5) for i in range(3000))))'
}

# A full disk, or a limit, leaves all tables unchanged, and no other files.
test_file_too_large()
{
	local name

	for name in stat overview processes results; do
		echo before >"$name.csv"
	done
	make_file
	note_files
	for _ in small large; do
		kermon_limited 1 readperf -q
		expect_status 1
		expect_line err '^kermon readperf: cannot write \./overview\.csv: File too large$'
		[ "$(cat -- *.csv | sort -u)" = before ] || fail "tables have changed"
		expect_same_files
		make_large
	done
}

# Incomplete files are removed.
test_killed()
{
	local name

	mkfifo fifo
	note_files
	for name in INT TERM HUP; do
		sleep 60 >fifo &
		env --default-signal "$KERMON" readperf -i fifo >out 2>err &
		wait_for 'compgen -G "results.csv*" >/dev/null'
		kill -s "$name" $!
		wait $! 2>/dev/null
		status=$?
		expect_status $((128 + $(kill -l "$name")))
		expect_same_files
		kill %1 2>/dev/null
		wait
	done
}

# Output does not get into a file that has the descriptor of a closed stream.
test_closed_streams()
{
	make_file
	"$KERMON" readperf >/dev/null 2>err
	cat -- *.csv >wanted
	rm -- *.csv
	"$KERMON" readperf 2>&- >/dev/null
	cat -- *.csv | cmp -s - wanted || fail "other tables without standard error"
	rm -- *.csv
	"$KERMON" readperf >&- 2>err
	status=$?
	expect_status 1
	expect_line err 'cannot write to standard output: Bad file descriptor'
	cat -- *.csv | cmp -s - wanted || fail "other tables without standard output"
	"$KERMON" readperf -i - <&- >out 2>err
	status=$?
	expect_status 1
	expect_line err '^kermon readperf: cannot read -: Bad file descriptor'
}

# Intact data are in the tables, and the exit status says that some are missing.
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
