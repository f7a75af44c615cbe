#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every feature of perf.data, in files of kermon, of stock perf and of a script: whether it is
# read, printed, written, merged, and understood by stock perf. features.py fills each cell of
# Documentation/features.rst by what it sees.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# Its output is a table; what is unexpected is in err.
test_table()
{
	local maker=$TOP/build/sanitize/unit/made_recording name

	make -s -C "$TOP/tests/unit" "$maker" >out 2>err || fail "made_recording does not build"
	for name in made made-second; do
		"$maker" "$name" >out 2>err || fail "no recording of a made-up machine"
	done
	kermon merge -o made-merge made made-second
	expect_status 0
	"$TOP/scripts/kermon-vm" --strict --cpus 4 --threads 2 --timeout 600 -- \
		"$TOP/tests/cli/machine/make-features" >out 2>err || fail "no recordings"
	PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/cli/features.py" "$KERMON" >out 2>err ||
		fail "a feature is not as it should be"
	cmp -s out "$TOP/Documentation/features.rst" || {
		diff "$TOP/Documentation/features.rst" out >err
		fail "Documentation/features.rst differs; err has how"
	}
}

run_tests
