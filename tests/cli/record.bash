# SPDX-License-Identifier: GPL-2.0
#
# For tests of kermon record on a kernel without KerMon, where perf_event samples.
# shellcheck disable=SC2016,SC2034	# for the tests; conditions are evaluated

PROGRAMS=$TOP/build/programs
SPIN=$PROGRAMS/spin
make -s -C "$TOP/tests/cli/programs" OUT="$PROGRAMS" "$SPIN" >&2

if ! "$KERMON" status --json | grep -q '"patched": false'; then
	echo "1..0 # SKIP this machine has a patched kernel"
	exit 4
fi

record()
{
	kermon record "$@"
	expect_status 0
}

# The samples of perf.data by perf, one a line: COMM PID TID EVENT.
samples()
{
	perf script -f -i perf.data -F comm,pid,tid,event -G 2>perf.err | sed 's|/| |; s/: *$//'
	[ "${PIPESTATUS[0]}" -eq 0 ] || fail "$(cat perf.err)"
}

number_of_samples()
{
	samples | wc -l
}

# expect_near WHAT NUMBER EXPECTED PERCENT
expect_near()
{
	awk -v n="$2" -v e="$3" -v p="$4" 'BEGIN { exit !(n >= e * (1 - p / 100) &&
		n <= e * (1 + p / 100)) }' || fail "$1: $2, not about $3"
}

# CPU time of spin, in ms, as it has written to out.
spun()
{
	awk '{ sum += $1 } END { print sum }' out
}

# As many samples as time and rate give, of which KerMon, perf and the message have the same
# number. The start of the program is in the samples, but not in the time.
expect_samples()
{
	local nr

	nr=$(number_of_samples)
	expect_near samples "$nr" "$(awk -v ms="$(spun)" -v hz="$1" 'BEGIN { print ms * hz / 1000 }')" 20
	expect_line err "^kermon record: $nr samples, .* in perf.data$"
	"$KERMON" script -F comm,pid,tid,event >ours 2>err || fail "kermon script"
	expect_empty err
	[ "$(wc -l <ours)" -eq "$nr" ] || fail "kermon script has $(wc -l <ours) of $nr samples"
	"$KERMON" check >check.out 2>&1 || fail "$(cat check.out)"
}

# spin in the background; its pid is in $pid.
spin_on()
{
	setpriv --pdeathsig KILL "$SPIN" 60000 "$@" >/dev/null &
	pid=$!
	wait_for '[ "$(ls /proc/$pid/task | wc -l)" -eq '"${1-1}"' ]'
}
