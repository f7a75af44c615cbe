#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The example for <kermon/profile.h>, built with what is installed.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# The program "busiest" on libkermon.so, and perf.data.
build_example()
{
	make -s -C "$TOP/tools" install DESTDIR="$PWD/root" PREFIX=/usr \
		>out 2>err || fail "make install"
	gcc -std=c11 -Wall -Wextra -Werror -I root/usr/include -o busiest \
		"$TOP/tools/examples/busiest.c" -L root/usr/lib -lkermon \
		>out 2>err || fail "the example cannot be built"
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.recording())'
}

busiest()
{
	LD_LIBRARY_PATH=$PWD/root/usr/lib ./busiest "$@" >out 2>err
	status=$?
}

test_example()
{
	build_example
	busiest perf.data
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
	build_example
	truncate -s 3000 perf.data
	busiest perf.data
	expect_status 1
	expect_line err '^at offset 3000: the file ends'
	expect_line out '^100 100 worker '
	busiest nosuch
	expect_status 1
	expect_line err 'No such file'
}

run_tests
