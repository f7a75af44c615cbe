#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon script: options, fields, messages and exit statuses. tests/compare compares its
# lines with perf's.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

make_file()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.recording())'
}

test_default_fields()
{
	make_file
	kermon script
	expect_status 0
	expect_only_losses
	expect_line out '^ {10}worker +100 \[000\] +1\.[0-9]{6}: +[0-9]+ +instructions:u: +[0-9a-f]+ \[unknown\] \(/no/where/worker\)$'
}

test_fields()
{
	make_file
	kermon script -F event,pid,tid
	expect_status 0
	expect_line out '^  100/100    +instructions:u: $'
	expect_no_line out 'worker'
	kermon script -F +pid,-comm,-sym,-dso,-symoff
	expect_line out '^  100/100   \[000\] +1\.[0-9]{6}: +[0-9]+ +instructions:u: +[0-9a-f]+$'
}

# instructions is a hardware event, SIMD_FP_256 raw, oncpu software.
test_fields_of_kinds()
{
	make_file
	kermon script -F hw: -F sw:pid -F raw:event
	expect_status 0
	expect_no_line out 'instructions'
	expect_line out '^  100 $'
	expect_line out '^ +SIMD_FP_256:PACKED_DOUBLE:u: $'
}

test_bad_fields()
{
	local list

	make_file
	for list in '' nonsense 'ip,' ',ip' '+nonsense' 'ip,+sym' 'dummy:ip' \
		'sw:nonsense' 'ip,symoff'; do
		kermon script -F "$list"
		expect_status 129
		grep -qE "invalid list of fields '${list//+/\\+}'|unknown field '(nonsense|)'" err ||
			fail "$list: no reason"
		expect_empty out
	done
}

test_unknown_field()
{
	kermon script -F ip,bogus
	expect_status 129
	expect_line err "unknown field 'bogus'; valid fields: comm, pid, .*, code_page_size$"
	kermon script -F sw:ip,+sym
	expect_line err "invalid list of fields 'sw:ip,\+sym': either all fields or none"
}

test_missing_field()
{
	make_file
	kermon script -F raw:phys_addr
	expect_status 1
	expect_line err "the samples of '[^']+' have no phys_addr"
	expect_empty out
}

# by default, missing fields are left out
test_default_fields_that_are_missing()
{
	make_file
	kermon script -F raw:phys_addr -F raw:pid -F hw: -F sw:
	expect_status 0
	expect_line out '^  100 $'
}

# The first event is not a software event; other records have their thread's name.
test_other_records()
{
	make_file
	kermon script --show-task-events --show-lost-events
	expect_status 0
	expect_line out '^ {10}worker +100 \[000\] +0\.000000: PERF_RECORD_COMM: worker:100/100$'
	expect_line out 'PERF_RECORD_FORK\(200:200\):\(100:100\)$'
	expect_line out 'PERF_RECORD_COMM exec: a b "c" .*:200/200$'
	expect_line out 'PERF_RECORD_LOST lost 3$'
	expect_no_line out 'MMAP'
	kermon script --show-mmap-events -F comm,misc
	expect_line out '^ {10}worker U     PERF_RECORD_MMAP2 100/100: \[0x400000\(0x10000\) @ 0 00:00 0 0\]: r-xp /no/where/worker$'
	kermon script
	expect_no_line out PERF_RECORD
	kermon script --show-lost-events -C 1
	expect_no_line out PERF_RECORD
}

test_clocks()
{
	make_file
	kermon script -F time --ns
	expect_status 0
	expect_line out '^    1\.[0-9]{9}: $'
	kermon script -F time --reltime
	head -1 out >first
	expect_line first '^    0\.000000: $'
	kermon script -F time --reltime --ns
	tail -1 out >last
	expect_line last '^    0\.[0-9]*[1-9][0-9]*: $'
	kermon script -F time --deltatime --ns
	awk '{ sum += $1 } END { printf "    %.9f: \n", sum }' out >sum
	cmp -s sum last || fail "the differences do not add up"
}

# make_timed PATTERN CLOCK: CLOCK_DATA, by which the second 1.0 is 10:37:57.852106290 UTC.
make_timed()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 - "$@" <<-'END'
	import sys
	import synthetic
	values = int(sys.argv[3]), int(sys.argv[2]), 1795603077852106290, 1000000000
	data = synthetic.pack(sys.argv[1], *values[:len(sys.argv[1])])
	open("perf.data", "wb").write(synthetic.recording(
	    file=lambda records: synthetic.build(records, {29: data})))
	END
}

# As by perf script, which does not ask what the clock is.
test_time_of_day()
{
	local zone

	make_timed IIQQ $((2 ** 32 - 1)) 1
	for zone in UTC Asia/Kolkata; do
		TZ=$zone kermon script -F comm,tid,tod,time,event
		expect_status 0
		expect_only_losses
		cp out ours
		TZ=$zone perf script -F comm,tid,tod,time,event >theirs 2>err ||
			fail "perf script"
		cmp -s ours theirs || fail "other lines than perf's"
	done
	expect_line ours '^ +worker +100 2026-11-25 16:07:57\.902106 +1\.050000: +instructions:u: $'
	TZ=UTC kermon script --ns -F tod,event --show-task-events
	expect_line out '^2026-11-25 10:37:57\.902106290 +instructions:u: $'
	expect_line out '^2026-11-25 10:37:57\.852106300 PERF_RECORD_COMM: helper:100/101$'
	TZ=UTC kermon script -F +tod --reltime
	expect_line out '\] 2026-11-25 10:37:57\.952106 +0\.050000: '
}

test_no_time_of_day()
{
	make_file
	kermon script -F tod
	expect_status 1
	expect_empty out
	expect_line err "^kermon script: perf.data: no time of day for 'tod': it has no CLOCK_DATA, which perf record writes with -k$"
	make_timed IIQQ 4 1
	kermon script -F +tod
	expect_status 1
	expect_line err "for 'tod': its CLOCK_DATA is about another clock than that of its samples$"
	make_timed IIQQ $((2 ** 32 - 1)) 2
	kermon script -F +tod
	expect_line err "for 'tod': its CLOCK_DATA is of an unknown version$"
	make_timed IIQ $((2 ** 32 - 1)) 1
	kermon script -F +tod
	expect_line err "for 'tod': its CLOCK_DATA is truncated$"
}

# Every command that reads samples.
test_filter_by_time_of_day()
{
	local command

	export TZ=UTC
	make_timed IIQQ $((2 ** 32 - 1)) 1
	kermon script -F time --time '2026-11-25 10:37:57.9,10:37:57.96'
	expect_status 0
	cp out expected
	kermon script -F time --time 1.05,1.1
	cmp -s out expected || fail "other samples"
	[ "$(sort -u out | wc -l)" -eq 2 ] || fail "not two times"
	for command in "report --csv" "report --json -s cpu,event" "export -f folded" \
		"diff perf.data"; do
		# shellcheck disable=SC2086	# words
		kermon $command --time 10:37:57.9,10:37:57.96 perf.data
		expect_status 0
		cp out expected
		# shellcheck disable=SC2086	# words
		kermon $command --time 1.05,1.1 perf.data
		cmp -s out expected || fail "$command: other output"
		# shellcheck disable=SC2086	# words
		kermon $command perf.data
		! cmp -s out expected || fail "$command: the filter has no effect"
	done
	TZ=Europe/Berlin kermon script -F time --time 10:37:57.9,10:37:57.96
	expect_empty out
	make_timed IIQQ 4 1
	kermon script --time 10:37
	expect_status 1
	expect_line err 'perf.data: cannot filter by time of day: its CLOCK_DATA is about another clock than that of its samples; give times in seconds$'
}

test_truncated()
{
	make_file
	truncate -s 3000 perf.data
	kermon script
	expect_status 1
	expect_line err 'at offset 3000: the file ends [0-9]+ bytes before'
	expect_line out ' 3000000 +instructions: '
}

test_no_file()
{
	kermon script
	expect_status 1
	expect_empty out
	expect_line err 'kermon script: perf\.data: no such file'
	kermon script perf.data second
	expect_status 129
	expect_line err "unexpected argument 'second'"
}

test_full_disk()
{
	make_file
	"$KERMON" script >/dev/full 2>err
	status=$?
	expect_status 1
	expect_line err 'cannot write to standard output'
}

# Closing the pipe early is not an error.
test_closed_pipe()
{
	make_file
	"$KERMON" script 2>err | head -1 >out
	[ ! -s err ] || expect_only_losses
	expect_line out 'worker|main'
}

make_counts()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.counts())'
}

# Differences from one interval to the next, scaled to the full time.
test_counts_of_perf_stat()
{
	make_counts
	kermon script
	expect_status 0
	expect_empty err
	sed -n '1,5p;14,15p' out | diff - <(cat <<-EOF
		CPU   THREAD             VAL             ENA             RUN            TIME EVENT
		  0       -1             200              10               5             100 instructions:u
		  1       -1             101              10              10             100 instructions:u
		  0       -1               0               0               0             100 cycles:u
		  1       -1               0               0               0             100 cycles:u
		  0       -1             200              10               5             200 instructions:u
		  1       -1             100              10              10             200 instructions:u
	EOF
	) >differences || fail "$(cat differences)"
	kermon check
	expect_status 0
}

test_others_want_samples()
{
	make_counts
	for command in report 'report --json' export readperf 'diff perf.data perf.data'; do
		# shellcheck disable=SC2086	# words
		kermon $command
		expect_status 1
		expect_empty out
		expect_line err 'perf.data: the file has no samples, only counts of perf stat'
		expect_line err "'kermon script' prints the counts"
	done
}

run_tests
