#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon merge: options, messages and exit statuses. Counts are tested in tests/unit/merge.c
# and merge_cpus.c, and with real runs in tests/cli/machine.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# perf.data with a loss in it.
make_file()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import synthetic
open("perf.data", "wb").write(synthetic.recording())'
}

test_too_few_files()
{
	kermon merge
	expect_status 129
	expect_line err 'need at least two files'
	kermon merge one
	expect_status 129
	expect_line err 'need at least two files'
}

test_no_file()
{
	kermon merge one two -o merged
	expect_status 1
	expect_line err 'one: No such file'
	[ ! -e merged ] || fail "an output file was created"
}

# Reported before the runs are read.
test_no_regular_file()
{
	local path

	mkfifo pipe
	for path in pipe /dev/zero /dev/stdout .; do
		kermon merge -o "$path" one two
		expect_status 1
		expect_line err "cannot write $path: not a regular file"
		expect_no_line err one
	done
	kermon merge -o missing/merged one two
	expect_line err 'cannot write missing/merged: No such file'
}

test_no_perf_data()
{
	echo "#!/bin/sh" >script
	kermon merge -o merged script script
	expect_status 1
	expect_line err 'script: not a perf\.data'
	[ ! -e merged ] || fail "an output file was created"
}

test_lost_samples()
{
	make_file
	kermon merge -o merged perf.data perf.data
	expect_status 1
	expect_line err 'perf\.data has lost samples'
	[ ! -e merged ] || fail "an output file was created"
}

# make_runs NAME...: files that can be merged.
make_runs()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import sys
import synthetic
synthetic.lost = lambda *args: b""
for name in sys.argv[1:]:
    open(name, "wb").write(synthetic.recording())' "$@"
}

# By any name, before anything is modified.
test_output_is_an_input()
{
	local words

	make_runs perf.data perf.data.old other
	ln other hard
	ln -s other soft
	for words in "perf.data.old perf.data" "perf.data other" "-o other perf.data other" \
		"-o hard perf.data other" "-o other perf.data soft" "-o soft perf.data hard"; do
		# shellcheck disable=SC2086	# words
		kermon merge $words
		expect_status 1
		expect_empty out
		expect_line err 'cannot write [a-z.]+: .* input'
		sha256sum -- * | grep -Ev ' (out|err|sums)$' >>sums
	done
	[ "$(sort -u sums | wc -l)" -eq 5 ] || fail "files have changed: $(sort -u sums)"
	kermon merge - other <perf.data
	expect_status 1
	expect_line err 'cannot write perf\.data: it is also an input'
	# what would replace it is missing or empty
	mv perf.data first
	kermon merge -q perf.data.old first
	expect_status 0
	[ -e perf.data ] || fail "no output"
	: >perf.data
	kermon merge -q perf.data.old first
	expect_status 0
	cmp -s perf.data.old first || fail "perf.data.old has changed"
}

# A merged file is a recording: private to its owner, and the previous one is kept.
test_mode_and_old()
{
	make_runs one two
	umask 022
	echo before >perf.data
	kermon merge -q one two
	expect_status 0
	[ "$(stat -c %a perf.data)" = 600 ] || fail "mode $(stat -c %a perf.data)"
	[ "$(cat perf.data.old)" = before ] || fail "the previous file was not kept"
}

# A full disk, or a limit, leaves the previous file, and no other.
test_file_too_large()
{
	make_runs one two
	echo before >perf.data
	note_files
	kermon_limited 1 merge -q one two
	expect_status 1
	expect_line err 'cannot write perf\.data: File too large'
	[ "$(cat perf.data)" = before ] || fail "perf.data has changed"
	expect_same_files
}

# make_spies KIND...: recordings of kermon spy of tests/cli/roofline.py, by these names.
make_spies()
{
	local kind

	for kind in "$@"; do
		PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/roofline.py" make "$kind" "$kind"
	done
}

# By CPU, with the counts of each, in roofline, report, export and diff.
test_spies()
{
	make_spies spy-operations spy-accesses spy
	kermon merge spy-operations spy-accesses
	expect_status 0
	expect_line out '^spy-accesses +2 +1,000,000,000 +\+0.00 +0.00 +0.500000000 +\+0.00$'
	expect_line out '^Counts of other runs are placed where a CPU had executed'
	kermon check
	expect_status 0
	kermon roofline --json perf.data
	mv out merged
	kermon roofline --json spy
	python3 - <<-'END' >wrong 2>&1 || fail "$(cat wrong)"
	import json
	merged, whole = (json.load(open(name)) for name in ("merged", "out"))
	for column in "flop", "bytes", "instructions", "begin", "seconds":
	    own, other = ([values for values, thread in zip(found["samples"][column],
	                                                    found["samples"]["thread"])
	                   if found["threads"][thread]["comm"] == "CPU 0"]
	                  for found in (merged, whole))
	    assert own == other and len(own) == 10, (column, own, other)
	assert set(merged["samples"]["estimated"]) == {True}, merged["samples"]["estimated"]
	assert set(merged["samples"]["error"]) == {0}, merged["samples"]["error"]
	END
	kermon report -s cpu --csv
	expect_line out '^0,.*,250000'
	kermon report --no-pager
	expect_line out '^Merged runs'
	kermon diff spy-operations perf.data
	expect_status 0
}

# Compressed, it is the same.
test_spies_compressed()
{
	make_spies spy-operations spy-accesses
	kermon merge -q -o plain spy-operations spy-accesses
	kermon merge -q -z -o small spy-operations spy-accesses
	expect_status 0
	kermon script -F event,cpu,time,period -i plain
	mv out script
	kermon script -F event,cpu,time,period -i small
	cmp -s out script || fail "the samples differ"
	[ "$(stat -c %s small)" -lt "$(stat -c %s plain)" ] || fail "it is not smaller"
}

test_spies_that_do_not_match()
{
	make_spies spy spy-operations spy-sets spy-watched phases
	kermon merge -o merged spy spy-operations
	expect_line err 'CPU 1 is in spy, but not in spy-operations: record the same CPUs, with -C$'
	kermon merge -o merged spy-sets spy-operations
	expect_line err 'in spy-sets, CPU 0 did not count .* all the time: its set was changed'
	kermon merge -o merged spy-watched spy-operations
	expect_line err 'in spy-watched, CPU [01] has intervals without .*: it had another set than'
	kermon merge -o merged spy phases
	expect_line err 'phases has counts of threads .kermon run., but spy of CPUs .kermon spy.$'
	"$KERMON" spy --backend software -q -f perf-data -o software --duration 60ms 2>err ||
		fail "no recording: $(cat err)"
	kermon merge -o merged software software
	expect_status 1
	expect_line err 'software has no instructions, .*: record it with --backend perf or msr$'
	[ ! -e merged ] || fail "an output file was created"
}

run_tests
