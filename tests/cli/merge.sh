#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon merge: options, messages and exit statuses. Counts are tested in
# tests/unit/merge.c, and with real runs in tests/cli/machine.
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

run_tests
