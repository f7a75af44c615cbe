#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon export: each format contains what is in a file with known content.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

make_file()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.recording())'
}

# by_report EVENT: "comm sum" of each thread name, from kermon report; "_" for spaces.
by_report()
{
	"$KERMON" report --json -s comm 2>err | python3 -c '
import json, sys
data = json.load(sys.stdin)
field = {event["name"]: event["field"] for event in data["events"]}[sys.argv[1]]
for row in data["rows"]:
    if row["values"][field]:
        print(row["comm"].replace(" ", "_"), row["values"][field])' "$1" | sort
}

# sums: the same of folded stacks.
sums()
{
	awk '{ n = $NF; sub(/;.*/, ""); sum[$0] += n }
		END { for (comm in sum) printf "%s %.0f\n", comm, sum[comm] }' |
		sort
}

test_folded()
{
	local event

	make_file
	kermon export
	expect_status 0
	expect_only_losses
	expect_line out '^worker;\[worker\] [0-9]+$'
	for event in oncpu instructions:u cycles:u; do
		kermon export -f folded --event "$event"
		expect_status 0
		sums <out >ours
		by_report "$event" >theirs
		[ -s theirs ] || fail "no sums of $event"
		cmp -s ours theirs || fail "sums of $event: $(diff ours theirs)"
	done
}

test_json()
{
	make_file
	kermon export -f json
	expect_status 0
	python3 - >ours <<-'END' || fail "bad JSON"
	import json
	data = json.load(open("out"))
	names = [event["name"] for event in data["events"]]
	assert data["estimate"], data
	energy = data["events"][-1]
	assert energy == {"name": "power/energy-pkg/", "field": "energy_pkg_J", "unit": "J",
	                  "total": 7.5}, energy
	assert [stack["samples"] for stack in data["stacks"]] == [4, 4, 1], data["stacks"]
	sums = [0] * len(names)
	for stack in data["stacks"]:
	    assert stack["frames"] and stack["samples"], stack
	    assert all(f < len(data["frames"]) for f in stack["frames"]), stack
	    sums = [a + b for a, b in zip(sums, stack["values"])]
	assert sums == [event["total"] for event in data["events"]], sums
	at = names.index("instructions:u")
	by_comm = {}
	for stack in data["stacks"]:
	    by_comm[stack["comm"]] = by_comm.get(stack["comm"], 0) + stack["values"][at]
	for comm, value in sorted(by_comm.items()):
	    if value:
	        print(comm.replace(" ", "_"), value)
	END
	by_report instructions:u >theirs
	cmp -s ours theirs || fail "sums differ: $(diff ours theirs)"
}

test_pprof()
{
	make_file
	kermon export -f pprof -o profile.pb.gz
	expect_status 0
	expect_empty out
	python3 -B "$TOP/tests/cli/pprof.py" profile.pb.gz >out 2>err ||
		fail "bad profile"
	kermon export --event cycles:u
	sed 's/^/cycles:u /' out | sort >theirs
	python3 -B "$TOP/tests/cli/pprof.py" profile.pb.gz |
		grep '^cycles:u ' | sort >ours
	cmp -s ours theirs || fail "stacks differ: $(diff ours theirs)"
	"$KERMON" export -f pprof >piped || fail "to a pipe"
	cmp -s piped profile.pb.gz || fail "another profile to a pipe"
}

test_firefox()
{
	make_file
	kermon export -f firefox --event instructions
	expect_status 0
	python3 - <<-'END' || fail "bad profile"
	import json
	data = json.load(open("out"))
	assert data["meta"]["version"] == 24
	number = 0
	for thread in data["threads"]:
	    stacks, frames = thread["stackTable"]["data"], thread["frameTable"]["data"]
	    for prefix, frame in stacks:
	        assert prefix is None or prefix < len(stacks)
	        location = frames[frame][thread["frameTable"]["schema"]["location"]]
	        assert thread["stringTable"][location]
	    times = [time for _, time, _ in thread["samples"]["data"]]
	    assert times == sorted(times)
	    assert all(stack < len(stacks) for stack, _, _ in thread["samples"]["data"])
	    number += len(times)
	names = {thread["name"] for thread in data["threads"]}
	assert {"worker", "helper"} <= names, names
	open("number", "w").write(str(number))
	END
	"$KERMON" script -F event | grep -c instructions >theirs
	[ "$(cat number)" = "$(cat theirs)" ] ||
		fail "$(cat number) samples, not $(cat theirs)"
}

test_filter()
{
	make_file
	kermon export -c helper
	expect_status 0
	expect_line out '^helper;'
	expect_no_line out '^worker;'
}

# Empty output is reported, with the reason: other events have samples, or match.
test_no_samples_of_event()
{
	make_file
	kermon export --event SIMD_FP_256:PACKED_DOUBLE -c worker
	expect_status 0
	expect_empty out
	expect_line err 'perf.data: no sample of SIMD_FP_256:PACKED_DOUBLE:u matches the filter$'
	kermon export --event SIMD_FP_256:PACKED_DOUBLE -c helper
	expect_no_line err 'no sample of'
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.build(
    synthetic.sample(0, 1, 1, 0, 5, 0x1000, 5)))'
	kermon export --event oncpu
	expect_status 0
	expect_empty out
	expect_line err 'perf.data: the file has no samples of oncpu$'
}

test_output()
{
	make_file
	kermon export -o graph
	expect_status 0
	expect_empty out
	expect_line graph '^worker;'
	cp graph first
	kermon export --event cycles -o graph
	expect_status 0
	! cmp -s graph first || fail "the old file is still there"
	[ "$(echo graph*)" = graph ] || fail "more files than before: $(echo graph*)"
	kermon export -o /no/such/folder/file
	expect_status 1
	expect_line err 'cannot write /no/such/folder/file'
	kermon export -o .
	expect_status 1
	expect_line err 'cannot write \.: not a regular file'
	"$KERMON" export >/dev/full 2>err
	status=$?
	expect_status 1
	expect_line err 'cannot write to standard output'
}

# Other files than regular ones are written in place and not replaced. The names are safe
# should that fail: no file can be created below /proc, and links are in this folder.
test_devices_and_pipes()
{
	local format path

	make_file
	kermon export
	cp out graph
	kermon export -o /dev/fd/1
	expect_status 0
	cmp -s out graph || fail "not to a file by /dev/fd"
	echo before >log
	"$KERMON" export -o /dev/fd/3 3>>log 2>err || fail "not appended to the open file"
	{ echo before; cat graph; } | cmp -s - log || fail "not appended to the open file"
	"$KERMON" export -o /dev/fd/1 2>err | cmp - graph || fail "not to a pipe"
	ln -s /dev/null null
	ln -s /dev/full full
	kermon export -o null
	expect_status 0
	[ -c null ] || fail "a file in place of /dev/null"
	mkfifo pipe
	cat pipe >piped &
	kermon export -o pipe
	expect_status 0
	wait
	cmp -s piped graph || fail "not to a FIFO"
	for format in folded pprof json firefox; do
		kermon export -f "$format" -o full
		expect_status 1
		expect_line err 'cannot write full: No space left on device'
		"$KERMON" export -f "$format" >/dev/full 2>err && fail "no failure"
		expect_line err 'No space left on device'
	done
	# before anything is read
	for path in . /no/such/file; do
		kermon export -i missing -o "$path"
		expect_line err "cannot write $path: "
		expect_no_line err missing
	done
}

# As if a shell had redirected output to it, with the permissions of the umask.
test_mode()
{
	local format

	make_file
	for format in folded pprof json firefox; do
		(umask 022 && "$KERMON" export -f "$format" -o "$format" 2>err)
		[ "$(stat -c %a "$format")" = 644 ] || fail "mode $(stat -c %a "$format")"
	done
	(umask 077 && "$KERMON" export -o private 2>err)
	[ "$(stat -c %a private)" = 600 ] || fail "mode $(stat -c %a private)"
	chmod 640 folded
	(umask 022 && "$KERMON" export -o folded 2>err)
	[ "$(stat -c %a folded)" = 640 ] || fail "mode $(stat -c %a folded)"
	ln -s folded link
	(umask 022 && "$KERMON" export --event cycles -o link 2>err)
	[ -L link ] || fail "the link was replaced"
	! cmp -s folded private || fail "not written to the target of the link"
	mkdir folder
	ln -s folder/second first
	ln -s ../new folder/second
	(umask 022 && "$KERMON" export --event cycles -o first 2>err)
	[ -L first ] || fail "the link to no file was replaced"
	cmp new folded >out || fail "not written to the target of the link to no file"
}

# What is protected from being written is not replaced, either.
test_protected_output()
{
	[ "$(id -u)" -eq 0 ] || skip "only root can be another user"
	make_file
	cp "$KERMON" kermon
	echo precious >graph
	chmod 444 graph perf.data
	chown 65534 . graph
	setpriv --reuid 65534 --regid 65534 --clear-groups ./kermon export -o graph >out 2>err
	status=$?
	expect_status 1
	expect_line err 'cannot write graph: Permission denied'
	[ "$(cat graph)" = precious ] || fail "graph has changed"
}

# By any name, before anything is modified.
test_output_is_an_input()
{
	local path

	make_file
	cp perf.data before
	ln perf.data hard
	ln -s perf.data soft
	for path in perf.data ./perf.data hard soft /dev/fd/9; do
		kermon export -o "$path" 9>>perf.data
		expect_status 1
		expect_line err "cannot write $path: it is also an input"
		# shellcheck disable=SC2094	# that is refused
		kermon export -i - -o "$path" <perf.data 9>>perf.data
		expect_status 1
		expect_line err "cannot write $path: it is also an input"
	done
	cp /proc/kallsyms symbols
	for option in --kallsyms --vmlinux; do
		kermon export "$option" symbols -o symbols
		expect_status 1
		expect_line err 'cannot write symbols: it is also an input'
	done
	mkdir folder
	cp perf.data folder/data
	kermon export -i folder -o folder/data
	expect_status 1
	expect_line err 'cannot write folder/data: it is also an input'
	cmp -s perf.data before || fail "perf.data has changed"
	cmp -s folder/data before || fail "folder/data has changed"
	kermon export -i folder -o perf.data
	expect_status 0
}

# A full disk, or a limit, leaves the previous file, and no other.
test_file_too_large()
{
	local format

	# each sample in a different program with an unrelated name
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import hashlib
import synthetic as s
names = [hashlib.sha256(b"%d" % i).hexdigest() for i in range(200)]
open("perf.data", "wb").write(s.build(b"".join(
    s.mmap2(10, 0x10000 * i, 0x1000, f"/{name}", 1000 + i) +
    s.sample(0, 10, 10, 0, 2000 + i, 0x10000 * i, 5) for i, name in enumerate(names, 1))))'
	for format in folded pprof json firefox; do
		echo before >graph
		note_files
		kermon_limited 1 export -f "$format" -o graph
		expect_status 1
		expect_line err 'cannot write graph: File too large'
		[ "$(cat graph)" = before ] || fail "graph has changed"
		expect_same_files
	done
}

test_bad_usage()
{
	make_file
	kermon export -f svg
	expect_status 129
	expect_line err "unknown format 'svg'; valid formats: folded, pprof, firefox, perfetto, json$"
	kermon export --event branches
	expect_status 1
	expect_line err ": no event 'branches'"
	expect_line err '^  cycles:u$'
	expect_empty out
	kermon export perf.data second
	expect_status 129
	script -qec "$KERMON export -f pprof" /dev/null >out 2>err </dev/null
	status=$?
	expect_status 129
	expect_line out 'not for a terminal'
}

test_truncated()
{
	make_file
	truncate -s 3000 perf.data
	kermon export
	expect_status 1
	expect_line err 'at offset 3000: the file ends'
	expect_line out '^worker;'
}

run_tests
