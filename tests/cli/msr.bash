# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests of kermon-msr-helper on a virtual machine, to be sourced after cli.bash.

# install_helper FOLDER: as "make install" does, for the group 4711.
install_helper()
{
	local helper=$1/libexec/kermon/kermon-msr-helper

	mkdir -p "$1/libexec/kermon" "$1/share/kermon"
	chmod 755 "$1"
	cp -r "$TOP/build/share/kermon/msr" "$1/share/kermon"
	chown -R root:root "$1"
	install -m 750 -g 4711 "$TOP/build/libexec/kermon/kermon-msr-helper" "$helper"
	# cap_sys_rawio and cap_dac_override, permitted and effective
	/usr/bin/python3 -c 'import os, struct, sys
os.setxattr(sys.argv[1], "security.capability", struct.pack("<5I", 0x02000001,
            1 << 17 | 1 << 1, 0, 0, 0))' "$helper" || fail "no file capabilities here"
	install -d -m 700 /run/kermon
	export KERMON_MSR_HELPER=$helper
}

# as GROUP ARGUMENT...: kermon, as a user
as()
{
	setpriv --reuid 65534 --regid "$1" --clear-groups "$KERMON" "${@:2}" >out 2>err
	# shellcheck disable=SC2034	# for cli.bash
	status=$?
}
