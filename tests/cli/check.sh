#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon check, and messages of dump and header for the same files. tests/golden covers
# the output for intact files.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# make_file CODE: writes the file to "data"; CODE may damage it.
make_file()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c "
import struct, synthetic
data = bytearray(synthetic.recording(turns=12))
begin, size = struct.unpack_from('<QQ', data, 40)
$1
open('perf.data', 'wb').write(data)"
}

# Gives every third record an impossible size and writes the offsets to the file "broken".
break_records='
at, broken = begin, []
for number in range(40):
    length = struct.unpack_from("<H", data, at + 6)[0]
    if number % 3 == 0:
        struct.pack_into("<H", data, at + 6, 1)
        broken.append(at)
    at += length
open("broken", "w").writelines(f"{at}\n" for at in broken)'

test_intact_file()
{
	make_file ''
	kermon check
	expect_status 0
	expect_empty err
	expect_line out '^perf.data conforms to the format$'
}

test_every_damage()
{
	make_file "$break_records"
	kermon check
	expect_status 1
	expect_no_line out 'conforms to the format'
	grep -oP '^kermon check: perf.data: at offset \K[0-9]+(?=: record of type )' err |
		diff broken - >differences || fail "not the offsets: $(cat differences)"
	expect_no_line err 'more damages'
}

# Other commands print some damages, and how many more there are.
test_first_damages()
{
	make_file "$break_records"
	kermon dump
	expect_status 1
	[ "$(grep -c 'at offset' err)" -eq 8 ] || fail "not 8 damages"
	expect_line err "and $(($(wc -l <broken) - 8)) more damages"
}

# The command line, the fifth feature, is truncated: all others are intact.
test_feature_that_is_cut_off()
{
	local command

	make_file 'struct.pack_into("<Q", data, begin + size + 4 * 16 + 8, 70)'
	for command in header check; do
		kermon "$command"
		expect_status 1
		expect_line err "^kermon $command: perf.data: at offset [0-9]+: feature 11 is truncated"
	done
	kermon header
	expect_line out '^samples from'
}

# Everything before the cut is printed, and what is missing is reported.
test_table_of_features_that_is_cut_off()
{
	make_file 'del data[begin + size + 3 * 16 + 5:]'
	kermon check
	expect_status 1
	expect_line err 'the file ends behind its records, but before the end of [0-9]+ of its [0-9]+ header'
	[ "$(wc -l <err)" -eq 1 ] || fail "not one line: $(cat err)"
	expect_line out '^SAMPLE +25 records'
}

test_no_file()
{
	kermon check
	expect_status 1
	expect_line err 'no such file'
}

run_tests
