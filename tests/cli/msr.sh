#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon msr, on registers that are files. machine/msr.sh tests those of a processor.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

. "$(dirname "$0")/cli.bash"

# Two CPUs with registers 0 to 0xfff, and a list of six of them.
make_root()
{
	local cpu

	export KERMON_MSR_ROOT=$PWD/root
	mkdir -p root/dev/cpu/{0,1} root/share root/run
	mkdir -m 700 root/run/kermon
	for cpu in 0 1; do
		truncate -s $((8 * 0x1000)) "root/dev/cpu/$cpu/msr"
	done
	/usr/bin/python3 - >root/share/index <<-'END'
	print("\n".join(f"{vendor} 0x{family:x} * test.list" for family in range(32)
	                for vendor in ("GenuineIntel", "AuthenticAMD", "HygonGenuine")))
	END
	cat >root/share/test.list <<-'END'
	0x00000010 0x0000000000000000 # TIME: time stamp counter
	0x00000186 0x00000000ffc7ffff # SELECT0: an event
	0x0000038f 0x000000070000000f # CONTROL: enables counters
	0x00002000 0x00000000000000ff # MISSING: in the list of the family
	END
}

# set_register CPU NUMBER BYTE: its lowest byte.
set_register()
{
	printf '%b' "\\x$3" |
		dd of="root/dev/cpu/$1/msr" bs=8 seek=$(($2)) conv=notrunc status=none
}

test_read()
{
	make_root
	set_register 1 0x10 2a
	kermon msr read 0x10 select0
	expect_status 0
	expect_empty err
	expect_line out '^CPU  name     register    value$'
	expect_line out '^  1  TIME     0x10        0x000000000000002a$'
	expect_line out '^  0  SELECT0  0x186       0x0000000000000000$'
	[ "$(wc -l <out)" -eq 5 ] || fail "not five lines"
	kermon msr read --cpu 1 -j TIME
	expect_status 0
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	assert json.load(open("out")) == [{"cpu": 1, "name": "TIME", "register": "0x10",
	                                   "value": "0x000000000000002a"}]
	END
}

test_write_until_restored()
{
	make_root
	set_register 0 0x38f 01
	kermon msr write CONTROL 0x700000007 -C 0
	expect_status 0
	expect_line out '^CPU 0: CONTROL \(0x38f\) was 0x0+1, is 0x0000000700000007$'
	expect_line out "^The value is kept until 'kermon msr restore'\.$"
	kermon msr write CONTROL 3
	expect_status 0
	[ "$(wc -l <out)" -eq 3 ] || fail "not three lines"
	kermon msr read CONTROL
	expect_line out '^  0 .* 0x0000000000000003$'
	kermon msr restore -C 1
	expect_line out '^Restored 1 register\.$'
	kermon msr restore
	expect_line out '^Restored 1 register\.$'
	kermon msr read CONTROL
	expect_line out '^  0 .* 0x0000000000000001$'
	expect_line out '^  1 .* 0x0000000000000000$'
	kermon msr restore
	expect_status 0
	expect_line out '^No register was left to restore\.$'
	kermon msr write --json -C 1 CONTROL 3
	expect_line out '"before": "0x0000000000000000"'
	kermon msr restore --json
	expect_line out '"restored": 1$'
}

# expect_refused REASON WORD...: nothing is written or printed.
expect_refused()
{
	local pattern=$1

	cp root/dev/cpu/0/msr before
	shift
	kermon msr "$@"
	expect_status 1
	expect_line err "$pattern"
	expect_empty out
	cmp before root/dev/cpu/0/msr || fail "a register has changed"
}

test_refused()
{
	make_root
	expect_refused 'register 0x11 is not in the allow-list' read 0x11
	expect_line err 'test\.list'
	expect_refused 'register 0x11 is not in the allow-list' write 0x11 1
	expect_refused 'register 0x10 may only be read' write TIME 1
	expect_refused '0x100000 would change or set bits of register 0x186 on CPU 0' \
		write SELECT0 0x100000
	expect_refused 'CPU 0 does not have register 0x2000' write MISSING 1
	expect_refused 'there is no CPU 1000, or it is offline' read TIME -C 1000
	rm -r root/dev/cpu
	kermon msr read TIME
	expect_status 1
	expect_line err 'the kernel module msr is not loaded|/dev/cpu/0/msr does not exist'
	kermon msr list
	expect_status 0
}

test_list()
{
	make_root
	kermon msr list
	expect_status 0
	expect_line out '^Registers of .*/root/share/test\.list:$'
	expect_line out '^TIME +0x10 +read only +time stamp counter$'
	expect_line out '^CONTROL +0x38f +0x000000070000000f +enables counters$'
	kermon msr list sel
	[ "$(wc -l <out)" -eq 3 ] || fail "not three lines"
	kermon msr list --json CONTROL
	expect_line out '"write_mask": "0x000000070000000f"'
	kermon msr list nothing
	expect_status 1
	expect_line err "no register has 'nothing' in its name"
}

test_lists_that_are_wrong()
{
	make_root
	echo '0x10 0x0 nonsense' >>root/share/test.list
	kermon msr list
	expect_status 1
	expect_line err "line 5 of '.*/test\.list' is not valid"
	echo 'None 0x6 * test.list' >root/share/index
	kermon msr list
	expect_status 1
	expect_line err 'there is no allow-list for this processor'
	rm root/share/index
	kermon msr list
	expect_status 1
	expect_line err "cannot use '.*/index': No such file or directory"
}

test_command_line()
{
	make_root
	kermon msr
	expect_status 129
	expect_line err 'need an action: read, write, list or restore'
	kermon msr peek
	expect_status 129
	expect_line err "unknown action 'peek'; valid actions: read, write, list, restore"
	kermon msr read
	expect_status 129
	expect_line err "'read' requires registers to read"
	kermon msr write TIME
	expect_status 129
	kermon msr restore TIME
	expect_status 129
	expect_line err "'restore' requires no register"
	kermon msr list -C 0
	expect_status 129
	kermon msr read -C 1-0 TIME
	expect_status 129
	expect_line err "invalid list of CPUs '1-0'"
	kermon msr write SELECT0 many
	expect_status 129
	expect_line err "invalid value 'many'"
	kermon msr read SELECT
	expect_status 129
	expect_line err "unknown register 'SELECT'"
	expect_line err "did you mean 'SELECT0'"
}

test_installation()
{
	make_root
	KERMON_MSR_HELPER=$PWD/none kermon msr list
	expect_status 1
	expect_line err 'kermon-msr-helper cannot be executed: No such file'
	expect_line err 'sudo make install'
	: >none
	KERMON_MSR_HELPER=$PWD/none kermon msr list
	expect_line err "this user may not execute '.*/none'"
	expect_line err 'usermod -aG kermon'
	chmod 755 root/run/kermon
	kermon msr write CONTROL 1
	expect_status 1
	expect_line err 'cannot save values in /run/kermon/msr'
	expect_line err 'install -d -m 700 /run/kermon'
}

# The value that a helper had written when it was killed, in the format of state.h.
test_killed_helper()
{
	make_root
	set_register 0 0x38f 01
	kermon msr write CONTROL 7 -C 0
	/usr/bin/python3 - <<-'END'
	import struct
	with open("root/run/kermon/msr", "r+b") as file:
	    file.seek(20)
	    file.write(struct.pack("=I", 0))    # not kept
	END
	kermon msr read CONTROL -C 1
	expect_status 0
	expect_line err 'restored 1 register'
	kermon msr read CONTROL -C 0
	expect_empty err
	expect_line out ' 0x0000000000000001$'
}

run_tests
