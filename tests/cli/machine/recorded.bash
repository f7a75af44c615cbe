# SPDX-License-Identifier: GPL-2.0
#
# For tests of recordings: checks of perf.data and the log.

HERE=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
. "$HERE/../cli.bash"

# Only comments of perf itself.
expect_perf_is_content()
{
	local command

	for command in "script" "evlist -v" "report --stdio --header --sort comm,dso,sym"; do
		# shellcheck disable=SC2086	# words
		perf $command -i perf.data >out 2>err || fail "perf $command"
		expect_empty err
	done
}

# Log, perf and report agree exactly.
expect_equal_sums()
{
	"$KERMON" report --json -i perf.data >report.json 2>err ||
		fail "kermon report"
	# -IS: without site packages of Python, which take time to load
	/usr/bin/python3 -IS "$HERE/check-log" raw perf.data report.json >out 2>err ||
		fail "sums differ"
}

# Times of day of a program's samples are between those that the shell saw before and after it,
# and are those that perf computes.
expect_times_of_day()
{
	local command

	# shellcheck disable=SC2016	# by that shell
	"$KERMON" run -q -e set1 -- bash -c '
		date "+%F %T.%N" >began; gzip -9c /etc/services >/dev/null; date "+%F %T.%N" >ended'
	for command in "$KERMON" perf; do
		"$command" script -i perf.data --ns -F comm,tod >out 2>err ||
			fail "$command script"
		expect_empty err
		sed -n 's/^ *gzip \(.*[0-9]\) *$/\1/p' out >"times-of-${command##*/}"
	done
	cmp -s times-of-kermon times-of-perf || fail "perf has other times"
	[ "$(wc -l <times-of-perf)" -gt 5 ] || fail "no samples of gzip"
	sort -c <(cat began times-of-kermon ended) 2>err || fail "not between them"
	"$KERMON" script -i perf.data --time "$(cat began),$(cat ended)" -F comm >out 2>err
	[ "$(grep -c gzip out)" -eq "$(wc -l <times-of-kermon)" ] ||
		fail "--time does not pass the samples of gzip"
	"$KERMON" script -i perf.data --time "$(cat ended)" -F comm >out 2>err
	expect_no_line out gzip
}
