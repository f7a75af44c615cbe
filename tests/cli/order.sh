#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon check --order: text and picture of files whose order is known, compared with
# order.py, which computes them in another way.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

order()
{
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/cli/order.py" "$@"
}

# expect_order FILE: the text is that of order.py, and so are the extremes of the picture.
expect_order()
{
	kermon check --order --svg "$1.svg" "$1"
	expect_status 0
	expect_empty err
	order expect "$1" >wanted || fail "no answer for $1"
	diff out wanted >differences || fail "$1: $(cat differences)"
	order picture "$1" "$1.svg" >wrong || fail "$1: $(cat wrong)"
}

# A file is well-formed XML.
parse()
{
	python3 -c 'import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])' \
		"$1" 2>wrong || fail "$1: $(cat wrong)"
}

test_known_disorder()
{
	local kind

	for kind in two-cpus late no-rounds in-order; do
		order make "$kind" "$kind"
		expect_order "$kind"
	done
	grep -q '^later than rounds allow  *0 ' wanted || fail "in order, but late"
	kermon check --order late
	expect_line out '^later than rounds allow +[1-9]'
	expect_line out '^held back at least .* by the order in which rounds deliver$'
}

# Columns of the picture have many points: the extremes are drawn nevertheless.
test_picture_keeps_extremes()
{
	order make outliers outliers
	expect_order outliers
	[ "$(stat -c %s outliers.svg)" -lt 120000 ] || fail "a large picture"
	# a picture without them does not pass
	sed 's/\(aria-label="records" d="M[^"]*\)V48H/\1H/' outliers.svg >without
	! cmp -s without outliers.svg || fail "no extreme to remove"
	! order picture outliers without >wrong || fail "the check passes any picture"
}

# Files of stock perf: software events, which all machines have.
# Not of page faults or other events that the kernel itself announces: Linux 6.18 gives their
# samples the id of another session that counts them at the same time.
test_stock_perf()
{
	perf record -q -a -e cpu-clock -o clock -- \
		sh -c 'find /usr/include >/dev/null & find /usr/lib >/dev/null; wait; sleep 0.3' \
		2>err || fail "perf record failed"
	[ "$(stat -c %s clock)" -gt 50000 ] || fail "hardly any samples"
	expect_order clock
	expect_line out '^ +CPU +records '
	expect_line clock.svg 'command line: .*perf record -q -a'
}

test_records_without_time()
{
	order make no-times no-times
	kermon check --order --svg no-times.svg no-times
	expect_status 0
	order expect no-times | diff out - >differences || fail "$(cat differences)"
	expect_no_line no-times.svg 'nan|inf'
	parse no-times.svg
}

test_pipe_is_read_once()
{
	order make two-cpus two-cpus
	order expect two-cpus >wanted
	kermon check --order --svg picture - < <(cat two-cpus)
	expect_status 0
	cmp -s out wanted || fail "other numbers than those of the file"
	order picture two-cpus picture >wrong || fail "$(cat wrong)"
}

# "-" is standard output, as for other commands.
test_picture_on_standard_output()
{
	order make two-cpus two-cpus
	kermon check --order --svg picture two-cpus
	kermon check --order --svg - two-cpus
	expect_status 0
	cmp -s out picture || fail "not the picture"
}

# One file for all screens; names that are special in XML.
test_picture_is_self_contained()
{
	local name='a<b>&"c".data'

	order make two-cpus "$name"
	kermon check --order --svg picture.svg "$name"
	expect_status 0
	parse picture.svg
	expect_line picture.svg 'a&lt;b&gt;&amp;&quot;c&quot;\.data'
	expect_line picture.svg 'prefers-color-scheme:dark'
	sed 's|xmlns="http://www.w3.org/2000/svg"||' picture.svg >rest
	expect_no_line rest 'http:|https:|href|url\(|@import'
}

test_refuses()
{
	order make two-cpus two-cpus
	cp two-cpus before
	kermon check --svg picture.svg two-cpus
	expect_status 129
	expect_line err '^kermon check: --svg requires --order$'
	kermon check --order --svg nowhere/picture.svg two-cpus
	expect_status 1
	expect_line err 'cannot write nowhere/picture\.svg: No such file'
	expect_empty out
	kermon check --order --svg two-cpus two-cpus
	expect_status 1
	cmp -s two-cpus before || fail "the input was changed"
	note_files
	kermon_limited 4 check --order --svg picture.svg two-cpus
	expect_status 1
	expect_line err 'cannot write picture\.svg: '
	expect_same_files
}

run_tests
