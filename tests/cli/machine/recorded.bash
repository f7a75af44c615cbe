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
