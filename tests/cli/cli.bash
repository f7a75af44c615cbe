# SPDX-License-Identifier: GPL-2.0
#
# For tests of the command line. A test is a function test_*; it fails at the first
# expectation that is not met, and reports it. Each test runs in an empty folder of its
# own.

set -o nounset
. "$(dirname "${BASH_SOURCE[0]}")/../chosen.bash"

# shellcheck disable=SC2034	# for the tests
TOP=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
KERMON=${KERMON:-$TOP/build/sanitize/bin/kermon}

# Runs kermon; its output goes to the files out and err, its exit status to $status.
kermon()
{
	"$KERMON" "$@" >out 2>err
	status=$?
}

# The reason comes last, because only the last lines may be shown. Programs that the test
# left running would keep the output open, and the suite waiting.
fail()
{
	local left

	head -n 40 out | sed 's/^/#   out: /'
	head -n 40 err | sed 's/^/#   err: /'
	echo "# $*"
	mapfile -t left < <(jobs -p)
	[ ${#left[@]} -eq 0 ] || kill "${left[@]}" 2>/dev/null
	exit 1
}

expect_status()
{
	[ "$status" -eq "$1" ] || fail "status $status, not $1"
}

# expect_line FILE PATTERN: a line of FILE matches the extended expression.
expect_line()
{
	grep -qE -- "$2" "$1" || fail "no '$2' in $1"
}

expect_no_line()
{
	! grep -qE -- "$2" "$1" || fail "'$2' in $1"
}

expect_empty()
{
	[ ! -s "$1" ] || fail "$1 is not empty"
}

# The recording of tests/golden has lost three samples: exactly this is reported.
expect_only_losses()
{
	[ "$(wc -l <err)" -eq 1 ] || fail "not one line in err"
	expect_line err '^kermon [a-z]+: perf.data: 3 samples were lost: counts are lower bounds\.$'
}

# as_perf COMMAND...: with the environment that perf gives a program. It adds variables and
# a folder of PATH, which the loader reads: the program would execute more instructions.
as_perf()
{
	local environment

	mapfile -t environment < <(perf stat -o /dev/null -- env)
	env -i "${environment[@]}" "$@"
}

# kermon_limited KIB WORD...: limits the size of files, as on a full disk.
kermon_limited()
{
	(ulimit -f "$1" && exec "$KERMON" "${@:2}" >out 2>err)
	status=$?
}

# What expect_same_files compares with: names of the files in this folder.
note_files()
{
	files=$(echo ./*)
}

expect_same_files()
{
	[ "$(echo ./*)" = "$files" ] || fail "files: $(echo ./*), not $files"
}

# wait_for CONDITION: waits until that command succeeds; for a long time, because the host
# may be busy and the virtual machine may have to wait for its CPU.
wait_for()
{
	local limit=$((SECONDS + 240))

	until eval "$1"; do
		[ "$SECONDS" -lt "$limit" ] || fail "not within 240 s: $1"
		sleep 0.1
	done
}

# Ends the test and shows the reason.
skip()
{
	echo "$*" >reason
	exit 4
}

run_one()
{
	local number=$1 name=$2 code

	(
		"test_$name" </dev/null 2>&1
	)
	code=$?
	case $code in
	0) echo "ok $number $name" ;;
	4) echo "ok $number $name # SKIP $(cat reason)" ;;
	*) echo "not ok $number $name" ;;
	esac
	[ "$code" -eq 0 ] || [ "$code" -eq 4 ]
}

# Those of this program among the words PROGRAM.TEST of KTAP_TESTS, or all.
all_names_of_tests()
{
	local word

	[ -n "${KTAP_TESTS-}" ] || compgen -A function test_ | sed 's/^test_//'
	for word in ${KTAP_TESTS-}; do
		[ "${word%%.*}" != "$(basename "$0" .sh)" ] || echo "${word#*.}"
	done
}

names_of_tests()
{
	local name

	all_names_of_tests | while IFS= read -r name; do
		! is_chosen "$name" || echo "$name"
	done
}

run_tests()
{
	local names name folder number=0 failed=0

	mapfile -t names < <(names_of_tests)
	echo "KTAP version 1"
	echo "1..${#names[@]}"
	for name in "${names[@]}"; do
		number=$((number + 1))
		folder=$(mktemp -d)
		cd "$folder" || exit 1
		: >out
		: >err
		run_one "$number" "$name" || failed=1
		cd / && rm -rf "$folder"
	done
	exit "$failed"
}
