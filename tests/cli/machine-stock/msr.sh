#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon msr with a kernel whose driver is a module: it is not loaded, or rejects writes.
# shellcheck disable=SC2317	# tests are called by run_tests

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"
. "$(dirname "$0")/../msr.bash"

PARAMETER=/sys/module/msr/parameters/allow_writes

# load_driver PARAMETER...
load_driver()
{
	/sbin/insmod "$(realpath "$TOP/build/kernel-stock/modules/msr.ko")" "$@"
}

test_module_not_loaded()
{
	/sbin/rmmod msr || fail "rmmod"
	kermon msr read 0x38f
	expect_status 1
	expect_line err 'the kernel module msr is not loaded$'
	expect_line err '^  as root: modprobe msr; '
	kermon msr list IA32_PERF_GLOBAL_CTRL
	expect_status 0
	# the remedy
	load_driver || fail "insmod"
	kermon msr read 0x38f
	expect_status 0
}

expect_writes_are_off()
{
	expect_status 1
	expect_line err 'module msr rejects all writes, because its parameter allow_writes is off'
	expect_line err '^  as root: echo default >/sys/module/msr/parameters/allow_writes$'
}

# As with msr.allow_writes=off on the kernel's command line. Only root reads the parameter.
test_writes_are_off()
{
	mount -t securityfs none /sys/kernel/security 2>/dev/null
	/sbin/rmmod msr || fail "rmmod"
	load_driver allow_writes=off || fail "insmod"
	kermon msr read -C 1 0x186
	cp out before
	kermon msr write -C 1 0x186 0x100c0
	expect_writes_are_off
	kermon spy --backend msr --samples 2 -q
	expect_writes_are_off
	kermon msr read -C 1 0x186
	expect_status 0
	cmp before out || fail "written"
	install_helper /run/installed
	as 4711 msr write -C 1 0x186 0x100c0
	expect_writes_are_off
	umount /sys/kernel/security || fail "umount"
	as 4711 msr write -C 1 0x186 0x100c0
	expect_status 1
	expect_line err 'permits no writes to registers: it is locked down, or msr.allow_writes is off'
	as 4711 msr restore
	expect_line out '^No register was left to restore\.$'
	rm -r /run/installed
	unset KERMON_MSR_HELPER
	# the remedy
	echo default >"$PARAMETER"
	kermon msr write -C 1 0x186 0x100c0
	expect_status 0
	kermon msr restore
	expect_line out '^Restored 1 register\.$'
}

run_tests
