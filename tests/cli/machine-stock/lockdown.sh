#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A kernel that is locked down, as Secure Boot does it. Nothing but a boot ends this: these
# tests are the last ones of their machine.
# shellcheck disable=SC2317	# tests are called by run_tests

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"
. "$(dirname "$0")/../msr.bash"

lock_down()
{
	mount -t securityfs none /sys/kernel/security 2>/dev/null
	echo "$1" >/sys/kernel/security/lockdown || fail "$(cat /sys/kernel/security/lockdown)"
}

expect_locked_down()
{
	expect_status 1
	expect_line err 'the kernel is locked down \(/sys/kernel/security/lockdown\): registers may be read, but not written$'
	expect_line err "^  remove lockdown= from the kernel's command line, and boot again; "
}

test_locked_down()
{
	local mode

	install_helper /run/installed
	kermon msr read 0x186
	cp out before
	for mode in integrity confidentiality; do
		lock_down "$mode"
		kermon msr write 0x186 0x100c0
		expect_locked_down
		kermon spy --backend msr --samples 2 -q
		expect_locked_down
		kermon msr read 0x186
		expect_status 0
		cmp before out || fail "written"
		as 4711 msr write 0x186 0x100c0
		expect_locked_down
		# what the message says of other commands
		kermon stat --json -o json -- true
		expect_status 0
	done
	kermon msr restore
	expect_line out '^No register was left to restore\.$'
	rm -r /run/installed
}

run_tests
