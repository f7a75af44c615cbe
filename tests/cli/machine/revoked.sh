#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Who holds logs, and what a recording says that root ends by "kermon revoke".
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"
export HOME=/nonexistent

loop=(sh -c 'echo $$ >pid; while [ ! -e end ]; do sleep 0.02; done; exit 7')

# Its status is that of the tool, which recorded it.
expect_end()
{
	local code

	touch end
	wait "$1"
	code=$?
	[ "$code" -eq "$2" ] || fail "status $code, not $2"
}

# find_id PID: the application whose log this process has opened.
find_id()
{
	"$KERMON" status --holders >holders || fail "status $?"
	id=$(sed -nE "s/^([0-9]+) .*, opened by pid $1 \\(kermon\\): .*/\\1/p" holders)
	[ -n "$id" ] || fail "pid $1 is not in: $(cat holders)"
}

expect_revoked_report()
{
	"$KERMON" report --header-only --no-pager -i perf.data >notes 2>&1 ||
		fail "the recording cannot be read"
	expect_line notes '^kermon +ended=revoked$'
	expect_line notes '^kermon +complete=1$'
	"$KERMON" report --no-pager -i perf.data >out 2>err
	expect_line out 'ended by an administrator \(kermon revoke\): counts only cover the run up to then'
}

test_run()
{
	local tool id

	"$KERMON" run -e set1 -- "${loop[@]}" >out.run 2>err.run &
	tool=$!
	wait_for '[ -s pid ]'
	find_id "$tool"
	expect_line holders ': pid [0-9]+, [12] tasks?, 1 descriptor, counters with (up to )?[0-9]+ events?( in each of [0-9]+ sets)?, log of '
	kermon revoke "$id"
	expect_status 0
	expect_line out "^revoked $id +root, opened by pid $tool \\(kermon\\)"
	wait_for 'grep -q "longer recorded" err.run'
	kill -0 "$(cat pid)" || fail "the command has ended"
	expect_end "$tool" 7
	expect_line err.run '^kermon run: the recording was ended by an administrator \(kermon revoke\)$'
	expect_line err.run ' still running and (is|are) no longer recorded'
	expect_revoked_report
}

# They are counted, too, though none is monitored any more.
test_descendants()
{
	local tool id

	mkfifo end
	"$KERMON" run -- sh -c 'sleep 1000 & echo $! >child; echo $$ >pid; read -r _ <end' \
		>out.run 2>err.run &
	tool=$!
	wait_for '[ -s pid ]'
	find_id "$tool"
	kermon revoke "$id"
	expect_status 0
	wait_for 'grep -q "longer recorded" err.run'
	kill "$(cat child)"
	echo >end
	wait "$tool"
	expect_line err.run "the command \\(pid $(cat pid)\\) and 1 other process are still running"
}

test_attach()
{
	local tool id

	"${loop[@]}" &
	wait_for '[ -s pid ]'
	"$KERMON" attach -p "$(cat pid)" >out.attach 2>err.attach &
	tool=$!
	wait_for '"$KERMON" status --holders | grep -q "opened by pid $tool "'
	find_id "$tool"
	kermon revoke --all
	expect_status 0
	expect_line out "^revoked $id "
	wait "$tool" || fail "status $?"
	expect_line err.attach '^kermon attach: the recording was ended by an administrator'
	expect_revoked_report
	touch end
	kermon status --holders
	expect_line out '^No application is monitored\.$'
	kermon revoke --all
	expect_status 0
	expect_line out '^No application is monitored\.$'
}

# Like Ctrl-C, it ends the series.
test_repeated()
{
	local tool

	"$KERMON" stat -r 3 -- sh -c 'echo >>runs; while [ ! -e end ]; do sleep 0.02; done' \
		2>err.stat &
	tool=$!
	wait_for '[ -s runs ]'
	kermon revoke --all
	expect_status 0
	expect_end "$tool" 0
	expect_line err.stat '^kermon stat: the recording was ended by an administrator'
	[ "$(wc -l <runs)" -eq 1 ] || fail "$(wc -l <runs) runs"
}

test_json()
{
	local tool

	"$KERMON" run -q -- "${loop[@]}" &
	tool=$!
	wait_for '[ -s pid ]'
	"$KERMON" status --holders --json >holders || fail "status $?"
	/usr/bin/python3 -c 'import json, sys
[holder] = json.load(sys.stdin)["holders"]
assert holder["opened_by_pid"] == int(sys.argv[1]) and holder["opened_by_comm"] == "kermon"
assert holder["pid"] == int(sys.argv[2]) and holder["tasks"] in (1, 2)
assert holder["uid"] == 0 and holder["user"] == "root" and holder["descriptors"] == 1
assert holder["counts"] and holder["sets"] == 1 and not holder["revoked"]
assert holder["log_bytes"] >= 4096' "$tool" "$(cat pid)" <holders || fail "$(cat holders)"
	expect_end "$tool" 7
}

test_refused()
{
	local invisible='that this user may see \(those of others require CAP_PERFMON\)\.$'

	kermon revoke 4294967295
	expect_status 1
	expect_line err '^kermon revoke: there is no application 4294967295$'
	expect_line err "'kermon status --holders' lists them"
	setpriv --reuid 65534 --regid 65534 --clear-groups "$KERMON" revoke 1 >out 2>err
	expect_line err '^kermon revoke: cannot revoke 1: this requires CAP_SYS_ADMIN$'
	expect_line err 'as root: kermon revoke 1$'
	setpriv --reuid 65534 --regid 65534 --clear-groups "$KERMON" status --holders >out 2>err
	expect_line out "$invisible"
	setpriv --reuid 65534 --regid 65534 --clear-groups "$KERMON" revoke --all >out 2>err &&
		fail "all are revoked, as far as a user knows who sees none"
	expect_line out "$invisible"
	# Those of others are visible without being root, and invisible to a root without it.
	setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps +perfmon \
		--ambient-caps +perfmon "$KERMON" status --holders >out 2>err
	expect_line out '^No application is monitored\.$'
	setpriv --bounding-set -perfmon,-sys_admin --inh-caps -perfmon,-sys_admin \
		"$KERMON" status --holders >out 2>err
	expect_line out "$invisible"
}

run_tests
