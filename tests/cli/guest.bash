# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests that require a virtual machine of their own.

set -o errexit -o nounset
TOP=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
. "$TOP/tests/chosen.bash"

# exec_in_guest PROGRAM OPTION...: runs a program of this folder with cli.bash on a virtual
# machine with these options. The time limit is for a machine that hangs.
exec_in_guest()
{
	local program=$TOP/tests/cli/$1

	chosen_in_program "$program" >/dev/null || nothing_is_chosen
	mkdir -p "$TOP/build/cli"
	cd "$TOP/build/cli"
	exec "$TOP/scripts/kermon-vm" --strict --timeout 3600 "${@:2}" -- "$program"
}

# exec_all_in_guest PROGRAM... -- OPTION...: several programs, on one virtual machine.
exec_all_in_guest()
{
	local programs=()

	for (( ; $#; )); do
		[ "$1" != -- ] || break
		programs+=("$TOP/tests/cli/$1")
		shift
	done
	mapfile -t programs < <(chosen_programs "${programs[@]}")
	[ ${#programs[@]} -gt 0 ] || nothing_is_chosen
	mkdir -p "$TOP/build/cli"
	cd "$TOP/build/cli"
	exec "$TOP/scripts/kermon-vm" --strict --timeout 3600 "${@:2}" -- \
		env KTAP_TIMEOUT=1500 KTAP_JOBS=1 "$TOP/tests/ktap-programs" "${programs[@]}"
}
