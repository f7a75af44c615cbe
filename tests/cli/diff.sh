#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon diff: files with known content.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# make_file NAME WEIGHT...: samples of the threads a, b... with these periods. With several
# files, -- is between them.
make_file()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import sys
import synthetic as s
for words in " ".join(sys.argv[1:]).split(" -- "):
    name, *weights = words.split()
    data = b""
    for number, weight in enumerate(weights):
        tid = 10 + number
        data += s.comm(10, tid, chr(97 + number), 1000)
        data += s.mmap2(10, 0x1000, 0x1000, "/no/where/program", 1001) if not number else b""
        if int(weight):
            data += s.sample(0, 10, tid, 0, 2000 + number, 0x1000 + number, int(weight))
    open(name, "wb").write(s.build(data))' "$@"
}

test_changes()
{
	make_file one 50 50 0
	make_file two 300 50 50
	kermon diff -s comm one two
	expect_status 0
	expect_empty err
	expect_line out '^1: one$'
	expect_line out '^2: two$'
	sed -n '/^ *%/,$p' out >rows
	expect_line rows '^ *50\.00 +-37\.50 +b +50 +50$'
	expect_line rows '^ *50\.00 +\+25\.00 +a +50 +300$'
	expect_line rows '^ *0\.00 +\+12\.50 +c +0 +50$'
	# the largest change first
	[ "$(awk '$3 ~ /^[abc]$/ { printf "%s", $3 }' rows)" = bac ] ||
		fail "not in the order of the changes"
}

# A key that is only kept on request: files without it, and one that all have.
test_keys_of_samples()
{
	make_file one 50 50
	make_file two 75 25
	kermon diff -s mem one two
	expect_status 0
	expect_line out '^ *100\.00 +\+0\.00 +N/A +100 +100$'
	kermon diff -s comm,time one two
	expect_status 0
	expect_line out '^ *~50\.0 +~\+25\.0 +a +0\.000000 +~50 +~75$'
}

# As perf diff --compute.
test_compute()
{
	make_file one 50 100 0 40
	make_file two 300 50 50 40
	for words in "-c ratio" "--compute=ratio"; do
		# shellcheck disable=SC2086	# words
		kermon diff -s comm $words one two
		expect_status 0
		expect_line out '^ratio: sum in the other file, divided by the sum in file 1\.$'
		expect_line out '^ *% +ratio +comm '
		expect_line out '^ *26\.32 +6\.000 +a +50 +300$'
		expect_line out '^ *0\.00 +- +c +0 +50$'
		[ "$(awk '$3 ~ /^[a-d]$/ { printf "%s", $3 }' out)" = adbc ] ||
			fail "not in the order of the ratios"
	done
	kermon diff -c ratio one two
	expect_line out '^ *~100 +~2\.32 '
	kermon diff -s comm -c delta one two
	expect_line out '^ *26\.32 +\+41\.87 +a '
	[ "$(awk '$3 ~ /^[a-d]$/ { printf "%s", $3 }' out)" = acdb ] ||
		fail "not from increase to decrease"
	kermon diff -s comm -c delta-abs one two
	cp out expected
	kermon diff -s comm one two
	cmp -s out expected || fail "delta-abs is not the default"
	kermon diff -c delta --json -s comm one two
	[ "$(python3 -c 'import json
print("".join(row["comm"] for row in json.load(open("out"))["rows"]))')" = acdb ] ||
		fail "JSON: not from increase to decrease"
	kermon diff -c wdiff:1,2 one two
	expect_status 129
	expect_line err "unknown comparison 'wdiff:1,2'; valid comparisons: delta-abs, delta, ratio"
}

# The letters are those of perf diff.
test_letters()
{
	make_file one 50 50
	make_file two 75 25
	kermon diff -s comm -C a one two
	expect_status 0
	expect_line out ' a +50 +75$'
	expect_no_line out ' b '
	kermon diff -c a one two
	expect_status 129
	expect_empty out
}

test_three_files()
{
	make_file one 50 50
	make_file two 75 25
	make_file three 100 0
	kermon diff -s comm one two three
	expect_status 0
	expect_line out '^ *50\.00 +\+25\.00 +\+50\.00 +a +50 +75 +100$'
	expect_line out '^ *50\.00 +-25\.00 +-50\.00 +b +50 +25 +0$'
}

test_json()
{
	make_file one 1 3
	make_file two 3 1
	kermon diff -s comm,tid one two --json
	expect_status 0
	python3 - <<-'END' || fail "bad JSON"
	import json
	data = json.load(open("out"))
	assert (data["event"], data["field"], data["unit"]) == \
	    ("instructions:u", "instructions:u", "count"), data
	assert [file["estimate"] for file in data["files"]] == [False, False], data
	assert [file["total"] for file in data["files"]] == [4, 4], data
	rows = {(row["comm"], row["tid"]): row for row in data["rows"]}
	assert rows["a", 10]["values"] == [1, 3], rows
	assert rows["b", 11]["percent"] == [75, 25], rows
	END
}

# make_modes NAME EVENT MODES: a file of one event, whose attr says which modes it counts.
make_modes()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import sys
import synthetic as s
name, event, modes = sys.argv[1:]
s.EVENTS[:], s.with_modes, s.ONCPU = [(event, s.SOFTWARE, 0)], True, -1
s.EXCLUDED[event] = s.EXCLUDED.get(modes, 0)
data = s.comm(10, 10, "a", 1000) + s.sample(0, 10, 10, 0, 2000, 0x1000, 5)
open(name, "wb").write(s.build(data))' "$@"
}

# Root and user record the same event in different modes: no comparison, unless requested.
test_modes()
{
	local files

	make_modes both cpu-clock uk
	make_modes user cpu-clock:u u
	make_modes hidden cpu-clock u
	for files in "both user" "user both" "both hidden" "hidden both"; do
		# shellcheck disable=SC2086	# words
		kermon diff -s comm $files
		expect_status 1
		expect_empty out
		expect_line err "modes of cpu-clock differ: ${files#* } \(:uk?\), ${files% *} \(:uk?\)"
		expect_line err '--event cpu-clock$'
	done
	kermon diff -s comm --event cpu-clock user both
	expect_status 0
	expect_line out '^1: user, cpu-clock:u$'
	expect_line out '^2: both, cpu-clock:uk$'
	expect_line out 'counted in different modes'
	kermon diff -s comm --event cpu-clock --json both user
	python3 -c 'import json
data = json.load(open("out"))
assert data["event"] == "cpu-clock", data
assert [(file["event"], file["modes"]) for file in data["files"]] == \
    [("cpu-clock", "uk"), ("cpu-clock:u", "u")], data' || fail "bad JSON"
	kermon diff -s comm --event cpu-clock:u user both
	expect_status 1
	expect_line err "both: no event 'cpu-clock:u'"
	make_file other 1
	kermon diff other both
	expect_status 1
	expect_line err "both: no event 'instructions:u'"
	expect_line err '--event EVENT compares another event than the one of other'
}

# Time and energy have their units in both formats.
test_units()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("one", "wb").write(synthetic.recording())'
	kermon diff -s comm one one
	expect_line out '^ *97\.49 +\+0\.00 +worker +0\.192000000 +0\.192000000$'
	expect_line out '^ .* comm +\[s\] +\[s\]$'
	kermon diff -s comm --event power/energy-pkg/ one one
	expect_line out ' worker +5\.000000 +26\.04 +5\.000000 +26\.04$'
	expect_line out 'shared +shared +shared +shared$'
	kermon diff --json --event power/energy-pkg/ one one
	python3 - <<-'END' || fail "bad JSON"
	import json
	data = json.load(open("out"))
	assert (data["field"], data["unit"]) == ("energy_pkg_J", "J"), data
	assert [file["total"] for file in data["files"]] == [7.5, 7.5], data
	assert all(file["estimate"] for file in data["files"]), data
	assert data["rows"][0]["values"] == [7.5, 7.5], data
	assert abs(data["rows"][0]["watts"][1] - 7.5 / 0.196938268) < 1e-3, data
	END
}

# A single file has the same numbers as report.
test_same_file()
{
	make_file one 50 150
	kermon diff one one
	expect_status 0
	expect_line out '^ *~100 +~\+0\.00 +\[unknown\] +program +~200 +~200$'
	expect_line out '^~: estimates: '
	expect_no_line out '[+-][0-9.]*[1-9]'
	kermon diff -s pid one one
	expect_line out '^ *100\.00 +\+0\.00 +10 +200 +200$'
	expect_no_line out '~'
}

test_filter()
{
	make_file one 50 50
	make_file two 75 25
	kermon diff -s comm -C a one two
	expect_status 0
	expect_line out '^ *100\.00 +\+0\.00 +a +50 +75$'
	expect_no_line out ' b '
}

test_default_files()
{
	make_file perf.data 1
	kermon diff
	expect_status 1
	expect_line err 'perf\.data\.old: no such file'
	make_file perf.data.old 1
	kermon diff
	expect_status 0
	expect_line out '^1: perf\.data\.old$'
}

test_bad_usage()
{
	make_file one 1
	kermon diff one
	expect_status 129
	expect_line err 'need at least two files'
	kermon diff -s nonsense one one
	expect_status 129
	expect_line err "unknown sort key 'nonsense'; valid keys: comm, pid"
	kermon diff --event branches one one
	expect_status 1
	expect_line err "one: no event 'branches'"
	kermon diff one nosuch
	expect_status 1
	expect_line err 'nosuch: no such file'
}

test_truncated()
{
	make_file one 50 50
	cp one two
	truncate -s -1000 two
	kermon diff -s comm one two
	expect_status 1
	expect_line err 'two: at offset'
	expect_line out ' a '
}

# Damage in the first file does not explain why the second one cannot be read.
test_failure_behind_damage()
{
	make_file one 50 50
	truncate -s -1000 one
	kermon diff -s comm one one/two
	expect_status 1
	expect_empty out
	expect_line err 'one: at offset'
	expect_line err 'cannot read one/two: Not a directory'
}

# Many columns: each number is under its own heading.
test_many_files()
{
	local number words=(f1 1 1) files=(f1)

	for number in {2..70}; do
		words+=(-- "f$number" "$number" 1)
		files+=("f$number")
	done
	make_file "${words[@]}"
	kermon diff -s comm "${files[@]}"
	expect_status 0
	awk '$71 == "a" {
		if (NF != 141)
			print NF " columns"
		for (i = 1; i <= 70; i++)
			if ($(71 + i) != i)
				print "column " i ": " $(71 + i)
		found = 1
	}
	END { if (!found) print "no row" }' out >wrong
	expect_empty wrong
}

# It does not suggest options that it does not have.
test_advice()
{
	local files option

	make_file one 1
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("counts", "wb").write(synthetic.counts())'
	"$KERMON" diff --help >help
	for files in "one nosuch" "one counts" "nosuch one" "one ." "perf.data"; do
		# shellcheck disable=SC2086	# words
		kermon diff $files
		[ "$status" -ne 0 ] || fail "no failure: $files"
		grep -oE '(^| )-[-a-z]+' err >advised
		while read -r option; do
			expect_line help "$option"
		done <advised
	done
}

run_tests
