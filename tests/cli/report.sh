#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon report: options, messages and exit statuses. tests/golden covers the tables.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# perf.data with three threads of two processes.
make_file()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.recording())'
}

test_default_file()
{
	make_file
	kermon report
	expect_status 0
	expect_empty err
	expect_line out '^Threads$'
	expect_line out '^Functions$'
	expect_line out ' worker +100 +100 '
}

test_no_file()
{
	kermon report
	expect_status 1
	expect_empty out
	expect_line err 'perf\.data: no such file'
	expect_line err 'kermon run'
}

test_no_perf_data()
{
	echo "#!/bin/sh" >script
	kermon report -i script
	expect_status 1
	expect_line err 'script: at offset 0: not a perf\.data'
	: >empty
	kermon report -i empty
	expect_status 1
	expect_line err ': empty: the file is empty'
	kermon report -i .
	expect_status 1
	expect_line err '^kermon report: \.: is a directory'
}

test_unreadable()
{
	local somebody=()

	make_file
	chmod 755 .
	chmod 0 perf.data
	# root may read everything
	[ "$(id -u)" -ne 0 ] ||
		somebody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	"${somebody[@]}" "$KERMON" report >out 2>err
	status=$?
	expect_status 1
	expect_line err 'cannot read .*: Permission denied'
}

test_one_byte_missing()
{
	make_file
	truncate -s -1 perf.data
	kermon report
	expect_status 1
	expect_line err ': the file ends behind its records, but before the end of 1 of its [0-9]+ header sections$'
}

# Intact data are shown, damage is reported, also by the exit status.
test_truncated()
{
	make_file
	truncate -s 3000 perf.data
	kermon report
	expect_status 1
	expect_line err 'at offset 3000: the file ends [0-9]+ bytes before'
	expect_line out ' worker +100 +100 '
	kermon report --json
	expect_status 1
	python3 -c 'import json; d = json.load(open("out"))
assert d["damages"] and d["damage"][0]["offset"] == 3000, d
assert d["threads"], d' || fail "bad JSON"
}

test_sort_keys()
{
	make_file
	kermon report --sort cpu,comm
	expect_status 0
	expect_line out '^ +% +cpu +comm '
	expect_no_line out '^Threads$'
	for keys in '' thread 'comm,'; do
		kermon report -s "$keys"
		expect_status 129
		expect_empty out
		expect_line err "unknown sort key '${keys%comm,}'; valid keys: comm, pid, tid, cpu, dso, sym, event, srcline"
	done
	kermon report -s comm,comm
	expect_status 129
	expect_line err "sort key 'comm' is given twice"
}

test_csv()
{
	make_file
	kermon report --csv -s comm,tid,event --percent-limit 0.5
	expect_status 0
	python3 -c 'import csv
rows = list(csv.DictReader(open("out")))
found = {(row["comm"], row["event"]): row for row in rows}
assert len(rows) == 2, rows
assert found["worker", "oncpu"]["oncpu_ns"] == "192000000", found
assert found["worker", "oncpu"]["records"] == "4", found
assert "samples" not in rows[0] and rows[0]["ipc"] == "", found
assert found["worker", "oncpu"]["estimate"] == "no", found' 2>err || fail "CSV"
	kermon report --csv
	expect_line out '^comm,pid,tid,dso,sym,samples,percent,estimate,instructions:u,'
	expect_line out '^"?a b ""c"" '
	python3 -c 'import csv
rows = {row["tid"]: row for row in csv.DictReader(open("out"))}
worker, other = rows["100"], rows["200"]
assert (worker["sym"], worker["dso"], other["dso"]) == \
    ("[unknown]", "worker", "[unknown]"), rows
assert (worker["energy_pkg_J"], worker["energy_pkg_alone_J"]) == ("5", "2"), worker
assert (worker["ipc"], other["ipc"]) == ("1.5", ""), rows
assert (worker["flop_single"], worker["samples"]) == ("16000016", "4"), worker
assert all(row["estimate"] == "yes" for row in rows.values()), rows' 2>err ||
		fail "CSV"
	kermon report --csv --json
	expect_status 129
	expect_line err "'--csv' cannot be used with '--json'"
	kermon report --csv -g caller
	expect_status 129
	expect_line err "'--csv' cannot be used with '--call-graph'"
	kermon report --csv --header-only
	expect_status 129
	kermon report --json --color always
	expect_status 129
}

# A file without call chains has neither graphs nor callees.
# 5 J in 192 ms, and 2.5 J in 4.938 ms.
test_power()
{
	local bad

	make_file
	kermon report -s tid
	expect_line out ' package +package +peak +package'
	expect_line out '\[J\] +\[W\] +\[W\] +\[J\]'
	expect_line out 'shared +shared +shared +alone'
	expect_line out '^power/energy-pkg/: .* W on average, 20\.83 W at the peak\.$'
	expect_line out ' 100 .* 5\.000000 +26\.04 +20\.83 +2\.000000'
	expect_line out ' 200 .* 0\.000000 +0\.00 +- +0\.000000'
	kermon report -s tid --idle-power pkg=20
	expect_line out ' above '
	expect_line out ' W above idle on average, 0\.83 W at the peak\.$'
	expect_line out ' 100 .* 5\.000000 +6\.04 +0\.83 +2\.000000'
	kermon report --csv -s tid --idle-power pkg=20
	expect_line out ',energy_pkg_above_idle_W,energy_pkg_peak_above_idle_W,ipc,'
	kermon report --idle-power pkg=20,ram=1
	expect_status 1
	expect_line err "cannot subtract the idle power of 'ram' from 'perf.data', which has no such energy"
	for bad in pkg pkg= pkg=x pkg=0 pkg=-1 pkg=inf pkg=1,cores; do
		kermon report --idle-power "$bad"
		expect_status 129
		expect_line err "invalid power '${bad#pkg=1,}' for '--idle-power'; valid: a number of watts"
	done
	kermon report --idle-power package=3
	expect_status 129
	expect_line err "unknown energy domain 'package'; valid domains: pkg, cores, gpu, ram, psys"
}

test_no_calls()
{
	make_file
	kermon report -s sym --children -g callee
	expect_status 0
	expect_no_line out 'children'
	for graph in '' tree graph,x -1 address; do
		kermon report "--call-graph=$graph"
		expect_status 129
		expect_line err "unknown kind of call graph '${graph#graph,}'; valid words: none, graph, "
	done
	for graph in 1,2,3 101; do
		kermon report -g "$graph"
		expect_status 129
		expect_line err "invalid number in '$graph' for '-g'; valid: a percentage, and a number of branches after it"
	done
}

test_sort_event()
{
	make_file
	kermon report --event Instructions
	expect_status 0
	expect_line out '^% refers to the total of instructions:u\.$'
	kermon report --event branches
	expect_status 1
	expect_line err ": no event 'branches'"
	expect_line err '^  cycles:u$'
}

test_percent_limit()
{
	make_file
	kermon report -s comm --percent-limit 5%
	expect_status 0
	expect_line out ' worker '
	expect_no_line out ' helper '
	for limit in '' x -1 101 5x nan; do
		kermon report --percent-limit "$limit"
		expect_status 129
		expect_line err "invalid percentage '$limit'"
	done
}

# Slices belong to the key time only.
test_time_quantum()
{
	make_file
	kermon report -s comm,time --time-quantum 1s
	expect_status 0
	for keys in comm comm,pid; do
		kermon report -s "$keys" --time-quantum 1s
		expect_status 129
		expect_line err "'--time-quantum' requires '-s time'"
	done
	kermon report --time-quantum 1s
	expect_status 129
	kermon report -s time --time-quantum 1
	expect_status 129
	expect_line err "duration '1' for '--time-quantum' has no unit; append ns, us, ms, s, m or h"
	kermon report -s time --time-quantum 0s
	expect_status 129
}

test_filters()
{
	make_file
	kermon report -s comm --comms helper -C 1 --time 1,1.1
	expect_status 0
	expect_line out '^~100 +helper '
	expect_no_line out ' worker '
	expect_line out '^oncpu \[s\] +2 '
	kermon report -s comm --time '50%-100%' --pid 100 --tid 100
	expect_line out '^~100 +worker '
	expect_line out '^oncpu \[s\] +3 '
	kermon report -s comm --time '50%/1' --tid 100
	expect_line out '^oncpu \[s\] +1 '
	kermon report -s comm -d '[unknown]' -S '[unknown]'
	expect_line out '^oncpu \[s\] +1 '
	for bad in --pid=x --tid=1- --cpu=3-2 --time=2,1 --time=10:60 --comms= "--dsos=,"; do
		kermon report "$bad"
		expect_status 129
		expect_line err "invalid (list of [a-z ]+|CPU list|time range) '${bad#*=}' for '${bad%%=*}'; valid: "
	done
}

test_header()
{
	make_file
	kermon report --header-only
	expect_status 0
	expect_line out '^host name +golden$'
	expect_line out "^command line +kermon run 'two words'$"
	expect_no_line out '^Events$'
	kermon report --header
	expect_line out '^host name +golden$'
	expect_line out '^Events$'
}

test_symfs()
{
	make_file
	kermon report
	expect_line out '^No symbols: /no/where/worker: there is no such file'
	mkdir -p root/no/where
	cp /bin/true root/no/where/worker
	kermon report --symfs root
	expect_status 0
	expect_no_line out 'there is no such file'
	kermon report --symfs missing
	expect_status 129
	expect_line err "invalid folder 'missing' for '--symfs': No such file or directory$"
	kermon report --symfs root/no/where/worker
	expect_status 129
	expect_line err "invalid folder 'root/no/where/worker' for '--symfs': Not a directory$"
}

# As in perf: without a file, a pipe is read, but no other kind of standard input.
test_pipe_without_a_name()
{
	make_file
	kermon report -s comm
	cp out expected
	: | "$KERMON" report -s comm >out 2>err || fail "status $?"
	cmp -s out expected || fail "not the file beside a closed pipe"
	mv perf.data other
	"$KERMON" report -s comm < <(cat other) >out 2>err || fail "status $?"
	cmp -s out expected || fail "other output"
	"$KERMON" script < <(cat other) >out 2>err || fail "status $?"
	expect_line out ' worker +100 '
	kermon report -s comm <other
	expect_status 1
	expect_line err '^kermon report: perf\.data: no such file'
	"$KERMON" report -s comm other < <(echo none) >out 2>err || fail "status $?"
	cmp -s out expected || fail "not the file"
}

test_missing_kallsyms()
{
	local command

	make_file
	for command in report script export readperf "diff perf.data perf.data"; do
		# shellcheck disable=SC2086	# words
		kermon $command --kallsyms /no/such/file
		expect_status 1
		expect_empty out
		expect_line err "^kermon ${command%% *}: perf.data: cannot read the kernel's symbols from /no/such/file: No such file or directory$"
		[ "$(wc -l <err)" -eq 1 ] || fail "more is told"
	done
	[ ! -e stat.csv ] || fail "tables of nothing"
	kermon report --kallsyms .
	expect_status 1
	expect_line err "cannot read the kernel's symbols from \.: Is a directory$"
}

test_usage()
{
	kermon report perf.data second
	expect_status 129
	expect_line err "unexpected argument 'second'"
	kermon report --nonsense
	expect_status 129
	kermon report --help
	expect_status 0
	expect_empty err
	expect_line out '^Usage: kermon report '
}

test_full_disk()
{
	make_file
	"$KERMON" report >/dev/full 2>err
	status=$?
	expect_status 1
	expect_line err 'cannot write to standard output'
}

# A pager is only used on terminals, and quitting it early is not an error.
test_pager()
{
	make_file
	PAGER="touch paged; cat" kermon report
	expect_status 0
	[ ! -e paged ] || fail "a pager without a terminal"
	PAGER="touch paged; head -1" script -qec "$KERMON report" /dev/null \
		>out 2>err </dev/null
	status=$?
	expect_status 0
	[ -e paged ] || fail "no pager on a terminal"
	rm paged
	PAGER="touch paged" script -qec "$KERMON report --no-pager" /dev/null \
		>out 2>err </dev/null
	[ ! -e paged ] || fail "a pager in spite of --no-pager"
	expect_line out 'Threads'
}

# on_terminal COMMAND: writes what the terminal shows to the file out.
on_terminal()
{
	script -qec "$1" /dev/null >out 2>err </dev/null
	status=$?
}

# The command that should have written to the pipe has failed.
test_empty_pipe()
{
	local command

	for command in report script export header dump check; do
		: | "$KERMON" "$command" -i - >out 2>err
		status=$?
		expect_status 1
		expect_empty out
		expect_line err "^kermon $command: -: the pipe is empty"
	done
}

# A whole file that arrives through a pipe requires space, unrelated to the input.
test_pipe_without_room()
{
	make_file
	cat -- perf.data | TMPDIR=/nonexistent "$KERMON" report -i - >out 2>err
	status=$?
	expect_status 1
	expect_empty out
	expect_line err '^kermon report: -: cannot store the data from the pipe in /nonexistent: No such file or directory \(set TMPDIR'
	[ "$(wc -l <err)" -eq 1 ] || fail "there are more messages"
	cat -- perf.data | (ulimit -f 1 && exec "$KERMON" report -i - >out 2>err)
	status=$?
	expect_status 1
	expect_line err 'File too large'
}

# Without a pager the report is shown anyway, or its loss is reported.
test_missing_pager()
{
	make_file
	on_terminal "env PAGER=nosuch $KERMON report"
	expect_status 0
	expect_line out "cannot run the pager 'nosuch' \(from .PAGER\)"
	expect_line out 'Threads'
	on_terminal "env PAGER=/no/such $KERMON report"
	expect_status 0
	expect_line out 'Threads'
	on_terminal "env -u PAGER PATH=$PWD $KERMON report"
	expect_status 0
	expect_line out 'Threads'
	expect_no_line out 'pager'
	on_terminal "env PAGER='(nosuch)' $KERMON report"
	expect_status 1
	expect_line out "nothing was shown: cannot run the pager '\(nosuch\)'"
	expect_line out 'no-pager'
}

# make_jit PID...: samples of processes in JIT code.
make_jit()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import sys
import synthetic as s
data = b""
for pid in map(int, sys.argv[1:]):
    data += s.comm(pid, pid, "jit", 1000) + s.mmap2(pid, 0x1000, 0x1000, "//anon", 1001) + \
        s.sample(0, pid, pid, 0, 2000, 0x1010, 5)
open("perf.data", "wb").write(s.build(data))' "$@"
}

# Any user may write a perf-PID.map. An untrusted one is named, with its owner and advice,
# by all commands that print names of functions.
test_untrusted_map()
{
	local pid=$((BASHPID + 1000000000)) map command text

	[ "$(id -u)" -eq 0 ] || skip "only root can give a file away"
	map=/tmp/perf-$pid.map
	echo "1000 100 made" >"$map"
	chown 65534 "$map"
	make_jit "$pid"
	text="$map is not trusted.*: it belongs to uid 65534,.* chown root $map"
	kermon report -s sym
	cp out shown
	for command in script export "report --csv" "readperf -q" "diff perf.data perf.data"; do
		# shellcheck disable=SC2086	# words
		"$KERMON" $command >out 2>err
		echo "$command: $?" >>shown
		grep -E "^kermon [a-z]+: perf.data: $text" err >>told || echo "$command" >>untold
	done
	kermon report -s sym --json
	cp out json
	chown 0 "$map"
	kermon report -s sym
	rm "$map"
	ln -s /etc/hostname "$map"
	kermon script
	mv err link
	rm "$map"
	expect_line out 'unknown'
	expect_line link "$map is not trusted.*: it is not a regular file\\."
	expect_line shown "^$text"
	expect_no_line shown 'No symbols'
	expect_line json '"id": "untrusted"'
	[ ! -e untold ] || fail "not reported by $(cat untold)"
	[ "$(sort -u told | wc -l)" -eq 5 ] || fail "messages differ: $(cat told)"
}

test_trusted_map()
{
	local pid=$((BASHPID + 1000000000))

	echo "1000 100 made" >"/tmp/perf-$pid.map"
	make_jit "$pid"
	kermon report -s sym
	rm "/tmp/perf-$pid.map"
	expect_line out ' made '
	expect_no_line out 'trusted|No symbols'
}

# A file that the user may not read is not reported as missing.
test_forbidden_binary()
{
	[ "$(id -u)" -eq 0 ] || skip "only root can be another user"
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import os, sys
import synthetic as s
open("perf.data", "wb").write(s.build(s.comm(10, 10, "a", 1000) +
    s.mmap2(10, 0x1000, 0x1000, os.getcwd() + "/program", 1001) +
    s.sample(0, 10, 10, 0, 2000, 0x1010, 5)))'
	cp /bin/true program
	chmod 700 program
	chmod 755 .
	chmod 644 perf.data
	cp "$KERMON" kermon
	setpriv --reuid 65534 --regid 65534 --clear-groups ./kermon report -s sym >out 2>err
	status=$?
	expect_status 0
	expect_line out "^No symbols: $PWD/program: this user may not read it"
}

# As many columns as there are events with counts.
test_many_events()
{
	local events

	events=$(seq -s, -f 'cpu-clock/name=e%g/' 60)
	# shellcheck disable=SC2016	# for that shell
	perf record -q -F 1000 -e "$events" -- sh -c \
		'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' >out 2>err ||
		fail "no recording"
	kermon report -s comm
	expect_status 0
	grep -E '^ +e1 ' out | grep -oE '\be[0-9]+\b' | sort -u | wc -l >columns
	[ "$(cat columns)" -eq 60 ] || fail "$(cat columns) columns"
}

# Chains are looked up many at once, or one by one if their length is limited.
test_many_chains()
{
	local keys

	perf record -q -g -F 5000 -e cpu-clock -- sh -c \
		'for i in 1 2 3 4 5 6 7 8; do ls -lR /usr/include | sort | tail -n 1; done' \
		>out 2>err || fail "no recording"
	for keys in "" "-s sym" "-s pid,comm" "-s comm,dso,sym" "-s cpu"; do
		# shellcheck disable=SC2086	# words
		kermon report --no-children $keys
		expect_status 0
		mv out many
		# shellcheck disable=SC2086	# words
		kermon report --no-children $keys --max-stack 10000
		expect_status 0
		cmp out many || fail "with $keys, the reports differ"
		grep -q -e '--' out || fail "no call graph with $keys"
	done
}

run_tests
