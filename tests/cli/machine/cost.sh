#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon cost, on a patched kernel.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"

# machine-icount.sh checks the numbers.
expect_figures()
{
	local figure=' +[0-9]+' cycles=' +[0-9.]+' access

	expect_line out '^This is a virtual machine \(QEMU without KVM\)'
	for access in rdtsc rdpmc rdmsr wrmsr energy; do
		expect_line out "^$access$cycles$cycles$cycles\$"
	done
	expect_line out "^instruction$cycles\$"
	expect_line out "^one set$figure +0 +0.00 +14 +4$figure$figure +-?[0-9]+\$"
	expect_line out "^two sets$figure +4 +0.00 +14 +6$figure$figure +-?[0-9]+\$"
	expect_line out "^with energy$figure +0$cycles +14 +4$figure$figure +-?[0-9]+\$"
}

# Monitored tasks are not disturbed, and nothing remains afterwards.
test_beside_a_recording()
{
	"$KERMON" run -q -- sh -c 'while [ ! -e stop ]; do :; done' &
	wait_for '"$KERMON" status | grep -q ^monitored'
	kermon cost
	touch stop
	wait $! || fail "the recording failed"
	expect_status 0
	expect_figures
	kermon status
	expect_line out '^counters +ok .* free$'
}

test_held_by_perf()
{
	local holder

	perf stat -a -e instructions sleep 600 >/dev/null 2>&1 &
	holder=$!
	wait_for '[ "$("$KERMON" status --json | grep -c "\"owner\": \"other\"")" = 1 ]'
	kermon cost
	expect_status 1
	expect_line err 'the counters are in use by perf or another module'
	kill "$holder"
	wait "$holder" || true
}

test_no_permission()
{
	chmod 777 .
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$KERMON" cost >out 2>err
	status=$?
	expect_status 1
	expect_line err 'this user may not access registers'
	expect_line err 'CAP_PERFMON'
}

run_tests
