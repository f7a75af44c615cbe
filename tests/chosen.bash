# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Selection of tests by name, to be sourced: KTAP_TEST is a shell pattern that the name of
# a test must contain. In a full name, as in the results, ": " separates programs and test.

# is_chosen NAME
is_chosen()
{
	# shellcheck disable=SC2053	# a pattern
	[[ $1 == *${KTAP_TEST-}* ]]
}

# pattern_within PROGRAM: print the pattern for the tests in PROGRAM; it is empty if the
# name of PROGRAM itself matches, which selects all of them.
pattern_within()
{
	local pattern=${KTAP_TEST-} first

	first=${pattern%%: *}
	# shellcheck disable=SC2053	# a pattern
	if [[ $1 != *$first* ]]; then
		echo "$pattern"
	elif [ "$first" != "$pattern" ]; then
		echo "${pattern#*: }"
	fi
}

# names_in_program PROGRAM: print the names of the tests in a shell program that uses
# cli.bash, or in a binary that uses the kernel's kselftest harness.
names_in_program()
{
	case $1 in
	*.sh) sed -n 's/^test_\([a-zA-Z0-9_]*\)()$/\1/p' "$1" ;;
	*) "$1" -l 2>&1 | awk 'NF && !/^(# FIXTURE|---)/ { print $NF }' ;;
	esac
}

# chosen_in_program PROGRAM: print the selected ones of these; fail if there are none.
chosen_in_program()
{
	local name within found=1

	within=$(pattern_within "$(basename "$1")")
	local KTAP_TEST=$within
	for name in $(names_in_program "$1"); do
		is_chosen "$name" && echo "$name" && found=0
	done
	return $found
}

# chosen_programs PROGRAM...: print those that contain selected tests.
chosen_programs()
{
	local program

	for program; do
		! chosen_in_program "$program" >/dev/null || echo "$program"
	done
}

# Report an empty plan and exit.
nothing_is_chosen()
{
	printf 'KTAP version 1\n1..0\n'
	exit
}
