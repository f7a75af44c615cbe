#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Pid namespaces: pids in a recording are those of the recorder's namespace, with the
# names and mappings of the processes that have them there.
# shellcheck disable=SC2317	# tests are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/recorded.bash"
export HOME=/nonexistent

# Each process runs for a while under a name of its own.
cat >/tmp/family <<'END'
import ctypes, os, sys, time
libc = ctypes.CDLL(None)
def work(name):
    libc.prctl(15, name.encode(), 0, 0, 0)
    os.write(1, f"{name} {os.getpid()}\n".encode())
    end = time.monotonic() + float(sys.argv[1])
    while time.monotonic() < end:
        sum(range(2000))
if not os.fork():
    work("child")
    os._exit(0)
work("parent")
os.wait()
END

# The tasks of all samples: lines "NAME PID", without duplicates.
people()
{
	perf script -i perf.data -F comm,pid 2>err |
		sed 's/^ *//; s/ *$//; s/  */ /' | sort -u
}

test_inside()
{
	unshare --pid --fork --mount-proc "$KERMON" run -q --raw-log raw -- \
		/usr/bin/python3 /tmp/family 0.3 >pids 2>err ||
		fail "kermon run: status $?"
	expect_empty err
	expect_perf_is_content
	expect_equal_sums
	people >out
	[ "$(sed -n 's/^parent //p' pids)" = 2 ] || fail "not the second process"
	while read -r line; do
		expect_line out "^$line\$"
	done <pids
	perf script -i perf.data -F comm,ip,dso >samples 2>err
	expect_line samples '^ *child .*python3'
}

# Inside, the processes have other pids.
test_attach_from_outside()
{
	local outside

	unshare --pid --fork --mount-proc /usr/bin/python3 /tmp/family 100 >pids 2>/dev/null &
	wait_for 'grep -q child pids && grep -q parent pids'
	expect_line pids '^parent 1$'
	expect_line pids '^child 2$'
	outside=$(pgrep -x parent)
	"$KERMON" attach -q -p "$outside" --duration 2s --raw-log raw >out 2>err ||
		fail "kermon attach: status $?"
	expect_perf_is_content
	expect_equal_sums
	[ "$(people)" = "parent $outside" ] || fail "not parent $outside alone"
	pkill -KILL -x parent
	wait
}

# Its capabilities do not apply here, so that it records as any user does.
test_root_of_a_user_namespace()
{
	unshare --user --map-root-user "$KERMON" run --sched inherit --raw-log raw \
		-- true >out 2>err || fail "kermon run: status $?"
	expect_line err 'not recording energy, which requires CAP_PERFMON'
	expect_equal_sums
}

test_proc_of_outside()
{
	unshare --pid --fork "$KERMON" run -q -- true >out 2>err
	status=$?
	expect_status 1
	expect_line err '/proc belongs to another pid namespace than this process'
	expect_line err '--mount-proc'
	[ ! -e perf.data ] || fail "perf.data was created"
}

run_tests
