#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The examples for <kermon/profile.h> and <kermon/report.h>, built with what is installed.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# The program of that name on libkermon.so, and perf.data.
build_example()
{
	make -s -C "$TOP/tools" install DESTDIR="$PWD/root" PREFIX=/usr \
		>out 2>err || fail "make install"
	gcc -std=c11 -Wall -Wextra -Werror -pthread -I root/usr/include -o "$1" \
		"$TOP/tools/examples/$1.c" -L root/usr/lib -lkermon \
		>out 2>err || fail "the example cannot be built"
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.recording())'
}

# run_example NAME ARGUMENT...
run_example()
{
	local name=$1

	shift
	LD_LIBRARY_PATH=$PWD/root/usr/lib "./$name" "$@" >out 2>err
	status=$?
}

test_example()
{
	build_example busiest
	run_example busiest perf.data
	expect_status 0
	expect_empty err
	expect_line out '^100 100 worker 100\.0% \[unknown\]$'
	# as many threads as the report has with samples of this event
	"$KERMON" report --json -s pid,tid | python3 -c '
import json, sys
data = json.load(sys.stdin)
event = data["events"][0]["field"]
print(sum(1 for row in data["rows"] if row["values"].get(event)))' >theirs
	[ "$(wc -l <out)" = "$(cat theirs)" ] ||
		fail "$(wc -l <out) threads, not $(cat theirs)"
}

test_example_and_damage()
{
	build_example busiest
	truncate -s 3000 perf.data
	run_example busiest perf.data
	expect_status 1
	expect_line err '^at offset 3000: the file ends'
	expect_line out '^100 100 worker '
	run_example busiest nosuch
	expect_status 1
	expect_line err 'No such file'
}

test_example_with_progress()
{
	build_example patient
	run_example patient perf.data
	expect_status 0
	expect_line out '^ *[0-9.]+% worker 100$'
	truncate -s 3000 perf.data
	run_example patient perf.data
	expect_status 1
	expect_line out 'worker'
	run_example patient nosuch
	expect_status 1
	expect_line err '^nosuch: No such file'
}

# No data comes through the pipe. The main thread cancels, or the user does with Ctrl-C.
test_example_that_is_cancelled()
{
	build_example patient
	mkfifo pipe
	run_example patient pipe 0.2
	expect_status 2
	expect_line err '^pipe: Operation canceled$'
	rm err
	LD_LIBRARY_PATH=$PWD/root/usr/lib ./patient pipe >out 2>err &
	# not before the program runs: a signal would end the shell that starts it
	until grep --quiet reading err 2>/dev/null; do
		sleep 0.1
	done
	while kill -INT $! 2>reason; do
		sleep 0.1
	done
	wait $!
	status=$?
	expect_status 2
	expect_line err '^pipe: Operation canceled$'
}

# The program in the examples of a manual page of section 3.
build_manual_example()
{
	awk '/^\.Sh EXAMPLES/ { in_examples = 1 }
		/^\.Ed/ { in_code = 0 }
		in_code { gsub(/\\e/, "\\"); print }
		in_examples && /^\.Bd -literal/ { in_code = 1 }' \
		"root/usr/share/man/man3/$1.3" >"$1.c"
	gcc -std=gnu11 -Wall -Wextra -Werror -I root/usr/include -o "$1" "$1.c" \
		-L root/usr/lib -lkermon >out 2>err ||
		fail "the example of $1(3) cannot be built"
}

test_examples_of_manual_pages()
{
	local page

	build_example busiest	# installs, and makes perf.data
	for page in "$TOP"/tools/man/*.3; do
		build_manual_example "$(basename "$page" .3)"
	done
	run_example libkermon perf.data
	expect_status 0
	expect_line out '^perf.data: intact \(libkermon [0-9.]+\)$'
	run_example kermon_report perf.data
	expect_status 0
	expect_line out '^worker +100 +[0-9]+$'
	run_example kermon_profile perf.data
	expect_status 0
	run_example kermon_file perf.data
	expect_status 0
	expect_line out '^ +[0-9]+ SAMPLE \([0-9]+ bytes\): .+'
	run_example kermon_filter perf.data worker
	expect_status 0
	expect_line out '^instructions:u +[0-9]+$'
	run_example kermon_filter perf.data nobody
	expect_line out '^instructions:u +0$'
	run_example kermon_operations
	expect_line out '^4000 FLOP, 96000 bytes, from 24000 to 96000: 0\.042 FLOP/byte$'
	run_example kermon_merge perf.data perf.data merged
	expect_status 1
	expect_line err '^perf.data has lost samples'
	truncate -s 1000 perf.data
	run_example libkermon perf.data
	expect_line out '^perf.data: the file ends '
}

# Without a kernel that has KerMon.
test_example_of_a_recorder()
{
	build_example busiest
	build_manual_example kermon_recorder
	run_example kermon_recorder true
	expect_status 1
	expect_line err '^cannot record: '
}

# In a thread that is not monitored, whatever the kernel.
test_example_of_reading_itself()
{
	build_example busiest
	build_manual_example kermon_self
	run_example kermon_self
	expect_status 1
	expect_line err '^cannot read: '
}

# Without a tool that collects.
test_example_of_regions()
{
	build_example busiest
	build_manual_example kermon_region
	run_example kermon_region
	expect_status 0
	expect_empty err
}

run_tests
