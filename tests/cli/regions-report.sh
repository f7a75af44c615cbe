#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon regions, and regions in report, diff, script and export: of files whose contents are
# known. tests/unit/regions.c has the rules, one by one.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

export PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1

# make_file [COUNTS]: perf.data, where Track has Fit twice; with counts as "kermon run" has.
make_file()
{
	COUNTS=${1-} python3 -c '
import os
import marked as m
import synthetic
f = m.Marked(counts=bool(os.environ["COUNTS"]))
f.add(0, synthetic.comm(10, 10, "prog", 0))
track, fit, hits = f.name(10, "Track"), f.name(10, "Fit"), f.name(10, "hits", m.NAMED_VALUE)
f.name(10, "main loop", m.THREAD, thread=10)
f.work(10, oncpu=5, instructions=7)
f.begin(10, 10, 1000000, track)
f.work(10, oncpu=100, instructions=1000, cycles=2000)
f.begin(10, 10, 2000000, fit)
f.work(10, oncpu=50, instructions=500, LOADS=3)
f.mark(m.VALUE, 10, 10, 2000001, hits, (42, 0))
if f.counts:
    f.interval(10, 10, 2000005)
else:
    for turn in range(1, 6):
        f.sample(10, 10, turn * 1000000 + 500, 1000000)
f.end(10, 10, 3000000, fit)
f.begin(10, 10, 3000010, fit)
f.end(10, 10, 3000400)
f.end(10, 10, 5000000, track)
f.work(10, oncpu=1)
f.mark(m.CLOSED, 10, 10, 6000000)
if f.counts:
    f.interval(10, 10, 6000001)
open("perf.data", "wb").write(f.build())'
}

# make_marks PYTHON: perf.data, of the marks that these statements make in f.
make_marks()
{
	MARKS=$1 python3 -c '
import os
import marked as m
f = m.Marked()
exec(os.environ["MARKS"])
open("perf.data", "wb").write(f.build())'
}

# Sums of calls that were made up, against all commands: independent of the marks.
test_sums()
{
	"$TOP/tests/cli/regions_report.py" "$KERMON" >out 2>err || fail "sums differ"
}

test_tree()
{
	make_file counts
	kermon regions
	expect_status 0
	expect_empty err
	expect_line out '^Track +80\.00 +1 +0\.004000000 +0\.002999610 +0\.000000150 +1,500 +2,000 +3 +4 ms'
	expect_line out '^  Fit +20\.01 +2 +0\.001000390 +0\.001000390 +0\.000000050 +500 +0 +3 '
	expect_line out '^\(outside\) +20\.00 +0 +0\.001000000 +0\.001000000 +0\.000000006 +7 +0 +0 +-'
	expect_line out '^Track/Fit +hits +1 +42 +42 +42 +42$'
	kermon regions --thread
	expect_line out '^main loop +10 +Track '
	kermon regions --flat
	expect_line out '^Fit +20\.01 +2 '
	expect_line out '^\(outside\) +20\.00 +0 '
}

test_csv()
{
	make_file counts
	kermon regions --csv
	expect_status 0
	expect_line out '^region,kind,calls,total_ns,self_ns,percent,oncpu_ns,instructions,cycles,LOADS,self_oncpu_ns,'
	expect_line out '^Track,region,1,4000000,2999610,80,150,1500,2000,3,100,1000,2000,0,4000000,4000000,4000000,'
	expect_line out '^Track/Fit,region,2,1000390,1000390,20\.0078,50,500,0,3,50,500,0,3,500195,390,1000000,'
	expect_line out '^\(outside\),region,0,1000000,1000000,20,6,7,0,0,6,7,0,0,,,,,,,0,0,0,0$'
	kermon regions --values --csv
	expect_line out '^Track/Fit,hits,1,42,42,42,42$'
	kermon regions --pie --csv
	expect_line out '^Track,4000000,100,80$'
	expect_line out '^\(outside\),1000000,,20$'
	expect_no_line out 'Fit'
	kermon regions --calls 'F?t' --csv
	expect_line out '^10,10,main loop,Track/Fit,1,2000000,1000000,no,50,500,0,3$'
	expect_line out '^10,10,main loop,Track/Fit,2,3000010,390,no,0,0,0,0$'
	kermon regions --calls 'Track/*' --csv
	[ "$(wc -l <out)" -eq 3 ] || fail "a pattern of branches"
}

test_json()
{
	make_file counts
	kermon regions --json
	expect_status 0
	python3 -c '
import json
report = json.load(open("out"))
assert report["counts"] == ["oncpu_ns", "instructions", "cycles", "LOADS"], report["counts"]
track, fit, outside = report["regions"]
assert track["counts"] == [150, 1500, 2000, 3] and track["self_counts"] == [100, 1000, 2000, 0]
assert fit["region"] == "Track/Fit" and fit["depth"] == 1 and fit["values"][0]["sum"] == 42
assert sum(nr for _, _, nr in fit["durations"]["histogram"]) == 2
assert report["whole_ns"] == 5000000 and report["inside_ns"] == 4000000' 2>err ||
		fail "not what it should be"
	kermon regions --calls Fit --json
	python3 -c '
import json
assert [call["duration_ns"] for call in json.load(open("out"))["iterations"]] == [1000000, 390]' \
		2>err || fail "not these iterations"
}

# Without KerMon: times are exact, and time on the CPU is by samples.
test_stock()
{
	make_file
	kermon regions
	expect_status 0
	expect_line out '^Track +80\.00 +1 +0\.004000000 +0\.002999610 +~0\.00400 '
	expect_line out '^No counts: KerMon did not count'
	kermon report -s module,sym
	expect_line out '^20\.00 +Fit '
	expect_line out '^20\.00 +\(outside\) '
}

# What stock perf and KerMon take for events are none of them: no samples, no counts.
test_marks_are_no_samples()
{
	local words

	make_file counts
	for words in report "report -s event" "report --csv" "report --json" "export -f json" \
		     "export -f pprof -o profile" "roofline" "roofline --json" "diff perf.data perf.data"; do
		# shellcheck disable=SC2086
		kermon $words
		expect_no_line out 'kermon:region'
		expect_no_line err 'kermon:region'
	done
	kermon readperf -q
	! grep -q 'kermon:region' processes.csv results.csv overview.csv || fail "marks in readperf"
	kermon check
	expect_status 0
	kermon dump
	expect_line out 'SAMPLE.*kermon:region'
	kermon header
	expect_line out 'kermon:region_name: type 2'
}

test_script()
{
	make_file counts
	kermon script
	expect_status 0
	expect_line out 'kermon:region_name: region 2: Fit$'
	expect_line out 'kermon:region: begin Fit in Track set 0: 105 1007 2000 0$'
	expect_line out 'kermon:region: value hits 42 in Track/Fit$'
	expect_line out 'kermon:region: thread ended set 0: 156 1507 2000 3$'
	kermon script --tid 11
	expect_no_line out 'begin'
}

# Exact by region and thread, estimates with functions; all add up to the total.
test_report()
{
	make_file counts
	kermon report -s region,comm --csv
	expect_status 0
	expect_line out '^Track,prog,0,64\.10[0-9]*,no,1000,2000,0,100,'
	expect_line out '^Track/Fit,prog,1,32\.05[0-9]*,no,500,0,3,50,'
	expect_line out '^\(outside\),prog,1,3\.84[0-9]*,no,7,0,0,6,'
	kermon report -s region,sym
	expect_line out '^~99\.4 +Track/Fit '
	kermon report -s region --tid 10 --csv
	expect_line out '^Track/Fit,.*,no,500'
	kermon report -s region --time 0,100 --csv
	expect_line out '^Track/Fit,.*,yes,'
	kermon report -s pid,region,tid
	expect_line out '^64\.10 +10 +Track +10 '
}

test_diff()
{
	make_file
	cp perf.data before
	make_marks '
name = f.name(10, "Track")
f.begin(10, 10, 100, name)
for turn in range(9):
    f.sample(10, 10, 200 + turn, 1000000)
f.end(10, 10, 500, name)'
	kermon diff -s region before perf.data
	expect_status 0
	expect_line out 'Track/Fit'
	expect_line out '\(outside\)'
}

# What is incomplete is said, each in a sentence.
test_limits()
{
	make_marks '
name = f.name(10, "A")
f.begin(10, 10, 100, name)
f.begin(10, 10, 110, name)
f.end(10, 10, 120, 99)
f.mark(m.LOST, 10, 10, 125, 0, (1000, 0))
f.mark(m.PAUSE, 10, 10, 130)
f.mark(m.RESUME, 10, 10, 140)
f.mark(m.SKIP, 10, 10, 150, f.name(10, "B"))
f.end(10, 10, 160)'
	kermon regions
	expect_status 0
	expect_line out '^1000 marks were lost: regions around them are incomplete\.$'
	expect_line out '^2 regions were open when their threads ended'
	expect_line out '^1 end of a region without a begin was ignored\.$'
	expect_line out '^Paused: 0\.000000 s'
	expect_line out '^    B \(excluded\) '
	expect_line out '^\(paused\) '
	kermon regions --csv
	expect_line out '^A/A,region,1,40,.*,0,1,1000,0$'
	expect_line out '^A/A/B \(excluded\),excluded,1,10,10,'
	expect_line out '^\(paused\),paused,0,10,10,'
}

# Names as Gaudi's auditor writes them.
test_branches_in_names()
{
	make_marks '
top = f.name(10, " Top", m.NAMED_EVENT)
one = f.name(10, " Top Alg1", m.NAMED_EVENT)
time = 1000
for turn in range(10):
    for number, length in (top, 10), (one, 100), (top, 20), (one, 50), (top, 20):
        f.begin(10, 10, time, number)
        f.end(10, 10, time + length, number)
        time += length + 1'
	kermon regions --csv
	expect_line out '^Top,region,10,2000,500,[0-9.]*,(0,0,)?204,204,204,'
	expect_line out '^Top/Alg1,region,20,1500,1500,'
}

# They overlap: no part of the time of threads.
test_tasks_and_frames()
{
	make_marks '
f.begin(10, 10, 100, f.name(10, "A"))
job = f.name(10, "job", m.TASK)
for number in range(3):
    f.mark(m.OPEN, 10, 10, 110 + number, job, (1 + number, 0))
for number in range(3):
    f.mark(m.CLOSE, 10, 11, 150 + number, 0, (1 + number, 0))
f.mark(m.FRAME, 10, 10, 180, f.name(10, "frame", m.NAMED_FRAME), (50, 0))
f.mark(m.EVENT, 10, 10, 190, f.name(10, "tick", m.NAMED_EVENT))
f.end(10, 10, 200)'
	kermon regions
	expect_line out '^A +[0-9.]+ +1 +0\.000000100 '
	expect_line out '^  tick \[event\] +- +1 '
	expect_line out '^job \[task\] +- +3 +0\.000000120 '
	expect_line out '^frame \[frame\] +- +1 +0\.000000130 '
	kermon regions --csv
	expect_line out '^job,task,3,120,0,,.*40,40,40,'
	kermon regions --pie
	expect_no_line out 'job|frame'
	kermon export -f perfetto -o trace
	expect_status 0
}

test_nothing()
{
	python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.recording())'
	kermon regions
	expect_status 1
	expect_line err 'no program has marked regions in this recording$'
	kermon export -f perfetto -o trace
	expect_status 1
	expect_line err 'no program has marked regions'
	kermon report -s region
	expect_status 0
	expect_line out '^100\.00 +\(outside\)'
	make_file
	kermon regions --calls nothing
	expect_status 1
	expect_line err "no region matches 'nothing'"
	kermon regions --csv --json
	expect_status 129
	kermon regions perf.data perf.data
	expect_status 129
}

# Marks alone: there is nothing else to report.
test_only_marks()
{
	make_marks '
f.begin(10, 10, 100, f.name(10, "A"))'
	kermon report
	expect_line out 'There are no samples in the file, only marks of regions\.'
	kermon export -f firefox
	expect_line out '"Region","branch":"A"'
}

run_tests
