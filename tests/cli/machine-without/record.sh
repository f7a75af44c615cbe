#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon record by perf_event, beside perf record: on the virtual machine, whose PMU has
# counters. ../record.sh has what needs none.
# shellcheck disable=SC2317	# tests are called by run_tests

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"

samples_of()
{
	perf script -i "$1" -F event 2>/dev/null | wc -l
}

# A sample per COUNT instructions: exactly as many as perf has.
is_about()
{
	[ $(($1 - $2)) -ge -1 ] && [ $(($1 - $2)) -le 1 ]
}

instructions_of_gzip()
{
	perf stat -x, -e instructions:u -- gzip -9c /etc/services 2>&1 >/dev/null | cut -d, -f1
}

# Runs of a program differ by some instructions, which may be those up to one more sample.
test_period()
{
	local total count nr

	total=$(instructions_of_gzip)
	for count in 10007 100003; do
		as_perf "$KERMON" record -q -e instructions:u -c "$count" -- \
			gzip -9c /etc/services >/dev/null || fail "kermon record"
		perf record -q -e instructions:u -c "$count" -o perf.perf -- \
			gzip -9c /etc/services >/dev/null || fail "perf record"
		nr=$(samples_of perf.data)
		is_about "$nr" "$(samples_of perf.perf)" || fail "$nr, perf $(samples_of perf.perf)"
		is_about "$nr" $((total / count)) || fail "$nr samples of $total / $count"
	done
}

test_default_event()
{
	kermon record -g -- gzip -9c /etc/services
	expect_status 0
	expect_line err '^kermon record: perf_event samples cycles at 4000 Hz, as '
	[ "$(perf evlist -i perf.data 2>/dev/null | tr '\n' ' ')" = 'cycles dummy:u ' ] ||
		fail "other events"
	kermon record -e cycles,set1 -F 500 -- gzip -9c /etc/services
	expect_line err 'samples cycles and 4 more at 500 Hz'
}

# Terms of a PMU, in both: the same events, and as many samples of each. A run ends half a period
# after the last one, as runs of a program differ by some instructions.
test_terms()
{
	local period events

	period=$(($(instructions_of_gzip) * 2 / 41))
	events="cpu/event=0xc0,umask=0,period=$period/u,cpu/instructions,name=mine/u,r00c0:u"
	kermon record -c "$period" -e "$events" -- gzip -9c /etc/services
	expect_status 0
	perf record -q -c "$period" -e "$events" -o perf.perf -- gzip -9c /etc/services >/dev/null ||
		fail "perf record"
	perf evlist -v -i perf.data 2>/dev/null | grep -v ^dummy | sed 's/sample_type.*//' >ours
	perf evlist -v -i perf.perf 2>/dev/null | grep -v ^dummy | sed 's/sample_type.*//' >theirs
	cmp -s ours theirs || fail "$(diff ours theirs)"
	perf script -i perf.data -F event 2>/dev/null | sort | uniq -c >ours
	perf script -i perf.perf -F event 2>/dev/null | sort | uniq -c >theirs
	cmp -s ours theirs || fail "$(diff ours theirs)"
	[ "$(awk '{ print $1 }' ours | sort -u)" = 20 ] || fail "$(cat ours)"
	kermon record -a -e power/energy-pkg/ -- touch ran
	expect_status 1
	expect_line err "cannot sample 'power/energy-pkg/': perf_event refuses it, as of PMUs that only count$"
	[ ! -e ran ] || fail "the command ran"
}

# Functions of the kernel and its modules are those that perf shows.
test_kernel()
{
	kermon record -g -e cpu-clock -F 2000 -- find /usr/bin -newer /etc/passwd
	expect_status 0
	"$KERMON" script -i perf.data -F ip,sym >all 2>err || fail "kermon script"
	grep -E '^\s+ffffffff' all >ours
	perf script -i perf.data -F ip,sym 2>/dev/null | grep -E '^\s+ffffffff' >perfs
	cmp -s ours perfs || fail "$(diff ours perfs | head -n 5)"
	[ "$(wc -l <ours)" -gt 1000 ] || fail "few functions of the kernel"
	perf buildid-list -i perf.data >out 2>err
	expect_line out '^[0-9a-f]{40} \[kernel\.kallsyms\]$'
	[ ! -s /proc/modules ] || grep -q ' 0x0\+$' /proc/modules ||
		expect_line out '^[0-9a-f]{40} .*9p'
}

run_tests
