#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# usage: guest.sh DRIVER
#
# kermon-msr-helper with the driver msr_safe. What it reads and writes is compared with what the
# driver msr shows.
# shellcheck disable=SC2317	# tests are called by run_tests

KERMON=$(type -P kermon)
. "$(dirname "$0")/../../cli/cli.bash"
. "$(dirname "$0")/../../cli/msr.bash"
CLIENT=$TOP/build/programs/msr
LISTS=$TOP/tools/share/msr
LIST=/dev/cpu/msr_allowlist

/sbin/insmod "$1" || exit 1

registers()
{
	"$TOP/build/programs/registers" "$@"
}

value_of()
{
	registers get "$1" "$2"
}

# set_value CPU REGISTER VALUE: by the driver msr.
set_value()
{
	/usr/bin/python3 - "$@" <<-'END'
	import os, struct, sys
	cpu, register, value = (int(word, 0) for word in sys.argv[1:])
	file = os.open(f"/dev/cpu/{cpu}/msr", os.O_WRONLY)
	os.pwrite(file, struct.pack("<Q", value), register)
	END
}

# permit LINE...: the list of the driver
permit()
{
	printf '%s\n' "$@" >list
	cat list >"$LIST" || fail "the driver rejects the list"
}

permit_ours()
{
	cat "$LISTS/intel-core.list" >"$LIST" || fail "the driver rejects the list"
}

# The driver reads our lists as we do: registers and masks.
test_lists()
{
	local list

	for list in "$LISTS"/*.list; do
		cat "$list" >"$LIST" || fail "the driver rejects $list"
		grep -v '^#' "$LIST" | tr 'A-FX' 'a-fx' | sort >theirs
		sed -n 's/^\(0x[^ ]*\) *\(0x[^ ]*\).*/\1 \2/p' "$list" | tr 'A-FX' 'a-fx' | sort >ours
		[ -s ours ] || fail "$list is empty"
		cmp ours theirs || fail "$(diff ours theirs | head)"
	done
}

# Also without CAP_SYS_RAWIO, which only the driver msr demands.
test_read()
{
	local register

	permit_ours
	for register in 0x345 0x606 0x38f 0xce; do
		kermon msr read -C 1 "$register"
		expect_status 0
		expect_line out " $register +$(value_of 1 "$register")\$"
	done
	setpriv --bounding-set -sys_rawio --inh-caps -sys_rawio "$KERMON" msr read -C 1 0x38f >out 2>err ||
		fail "not by msr_safe"
	expect_line out " $(value_of 1 0x38f)\$"
}

test_refused_register()
{
	permit '0x345 0x0'
	kermon msr read 0x345
	expect_status 0
	kermon msr read 0x38f
	expect_status 1
	expect_line err 'the driver msr_safe denies access to register 0x38f of CPU 0'
	expect_line err '/dev/cpu/msr_allowlist'
	kermon msr write 0x38f 0
	expect_status 1
	expect_line err 'msr_safe denies access to register 0x38f'
	permit_ours
	kermon msr read 0x1a0
	expect_status 1
	expect_line err 'register 0x1a0 is not in the allow-list'
}

# The driver drops bits that its list does not have, and reports success.
test_masked_write()
{
	permit_ours
	kermon msr write -C 1 0x186 0x100c0
	expect_status 0
	[ "$(value_of 1 0x186)" = 0x00000000000100c0 ] || fail "$(value_of 1 0x186)"
	[ "$(value_of 0 0x186)" = 0x0000000000000000 ] || fail "CPU 0 was written"
	kermon msr restore
	expect_line out '^Restored 1 register\.$'
	[ "$(value_of 1 0x186)" = 0x0000000000000000 ] || fail "not restored"
	permit '0x186 0xff'
	kermon msr write -C 1 0x186 0x100c0
	expect_status 1
	expect_line err 'msr_safe denies access to register 0x186 of CPU 1, or to bits that would change'
	[ "$(value_of 1 0x186)" = 0x0000000000000000 ] || fail "written in part"
	kermon msr write -C 1 0x186 0xc0
	expect_status 0
	[ "$(value_of 1 0x186)" = 0x00000000000000c0 ] || fail "not written"
	kermon msr restore
	expect_line out '^Restored 1 register\.$'
}

# The interrupt bit, as perf leaves it: a write must clear it, if the driver lets it.
test_bits_to_clear()
{
	permit_ours
	set_value 1 0x186 0x1000c0
	kermon msr write -C 1 0x186 0x100c0
	expect_status 1
	expect_line err 'msr_safe denies access to register 0x186 of CPU 1, or to bits that would change'
	[ "$(value_of 1 0x186)" = 0x00000000001000c0 ] || fail "written in part"
	permit '0x186 0xffffffff'
	kermon msr write -C 1 0x186 0x100c0
	expect_status 0
	[ "$(value_of 1 0x186)" = 0x00000000000100c0 ] || fail "$(value_of 1 0x186)"
	kermon msr restore
	[ "$(value_of 1 0x186)" = 0x00000000001000c0 ] || fail "not restored"
	set_value 1 0x186 0
}

# What perf has left, too.
test_spy()
{
	perf stat -a -e instructions:u,r00c4 true 2>/dev/null || fail "perf"
	permit_ours
	kermon spy --backend msr -e r00c0,r00c4 -I 10ms --samples 3 -q
	expect_status 1
	expect_line err 'msr_safe denies access to register 0x18[0-9a-f] of CPU [01], or to bits'
	sed 's/0x00000000ffc7ffff/0x00000000ffffffff/' "$LISTS/intel-core.list" >list
	cat list >"$LIST" || fail "the driver rejects the list"
	kermon spy --backend msr -e r00c0,r00c4 -I 10ms --samples 3 -f json -o samples -q
	expect_status 0
	[ "$(wc -l <samples)" -gt 6 ] || fail "not three samples of two CPUs"
}

# Of a batch with a register that the driver rejects, the others are read.
test_batch()
{
	permit_ours
	"$TOP/build/msr_safe/cost" batch 1 13 10 >out 2>err || fail "the driver rejects batches"
	"$TOP/build/msr_safe/cost" helper 1 13 10 >out 2>err || fail "status $?"
	expect_line out "^0x38f $(value_of 1 0x38f)\$"
	[ "$(grep -c '^0x[0-9a-f]* 0x' out)" -eq 13 ] || fail "not 13 registers"
	permit '0x309 0x0' '0x30a 0x0' '0x38f 0x0'
	"$TOP/build/msr_safe/cost" helper 1 13 1 >out 2>err || fail "status $?"
	expect_line out "^0x38f $(value_of 1 0x38f)\$"
	expect_line out '^0x30b Permission denied$'
	[ "$(grep -c 'Permission denied$' out)" -eq 10 ] || fail "not ten registers"
}

# Killed, and fuzzed, as in tests/cli/machine-msr.
test_restores()
{
	permit_ours
	registers save before
	"$CLIENT" hold 0x186 0x4100c0 >pid 2>err &
	wait_for '[ -s pid ] || [ -s err ]'
	expect_empty err
	[ "$(value_of 0 0x186)" = 0x00000000004100c0 ] || fail "not written"
	kill -KILL "$(pgrep kermon-msr-help)" "$(<pid)"
	kermon msr read -C 1 0x38f
	expect_line err 'restored 4 registers'
	"$CLIENT" fuzz 20000 1 >out 2>err || fail "status $?"
	expect_line out '^20000 requests, [1-9][0-9]{3,} reads, [1-9][0-9]{2,} writes, '
	registers compare before counters >differences
	[ ! -s differences ] || fail "$(head -n 3 differences)"
}

run_tests
