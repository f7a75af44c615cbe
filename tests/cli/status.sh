#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon status, on any machine.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# Text, JSON and exit status are consistent.
test_forms_agree()
{
	local name verdict

	kermon status
	cp out text
	[ "$status" -eq 0 ] || [ "$status" -eq 1 ] || fail "status $status"
	kermon status --json
	python3 - "$status" >facts <<-'END' || fail "bad JSON"
	import json, sys
	facts = json.load(open("out"))
	missing = [f for f in facts["findings"] if f["verdict"] == "missing"]
	assert facts["ready"] == (not missing) == (sys.argv[1] == "0"), facts
	for finding in facts["findings"]:
	    assert finding["text"], finding
	    print(finding["name"].replace(" ", "_"), finding["verdict"])
	END
	while read -r name verdict; do
		expect_line text "^${name/_/ } +$verdict +"
	done <facts
	[ "$(wc -l <facts)" -ge 7 ] || fail "too few findings"
}

# Without capabilities less is possible, and status prints how to get them.
test_unprivileged()
{
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$KERMON" status >out 2>err
	status=$?
	expect_line out '^class +note +this user may not'
	expect_line out 'CAP_SYS_NICE'
	expect_line out "--sched inherit; as root: setcap cap_perfmon,cap_sys_nice=ep $(realpath "$KERMON")\$"
}

test_follow_without_module()
{
	[ ! -e /sys/module/kermon ] || skip "the module is loaded"
	kermon status --follow
	expect_status 1
	expect_line err 'kermon.ko is not loaded'
}

run_tests
