# SPDX-License-Identifier: GPL-2.0
#
# For tests of recordings: what perf.data and the log say.

HERE=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
. "$HERE/../cli.bash"

# Nothing but comments of perf's own.
expect_perf_is_content()
{
	local command

	for command in "report --stdio" "script" "evlist -v" \
		"report --header-only" "report --stdio --sort comm,dso,sym"; do
		# shellcheck disable=SC2086	# words
		perf $command -i perf.data >out 2>err || fail "perf $command"
		expect_empty err
	done
}

# Log, perf and report agree to the last count.
expect_equal_sums()
{
	"$KERMON" report --json -i perf.data >report.json 2>err ||
		fail "kermon report"
	/usr/bin/python3 "$HERE/check-log" raw perf.data report.json >out 2>err ||
		fail "sums differ"
}
