#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings on Linux 6.1: those tests of machine.sh that depend on the kernel. The
# behaviour of the tool itself is the same on both.

set -o errexit -o nounset
top=$(realpath "$(dirname "$0")/../..")
. "$top/tests/chosen.bash"

mapfile -t programs < <(chosen_programs "$top"/tests/cli/machine/{attach,ended,recording}.sh)
[ ${#programs[@]} -gt 0 ] || nothing_is_chosen

tests="$(echo attach.{process,refused,thread} \
	recording.{coalesce,inherit,kernel_mode,losses,sets,sets_by_turns,threads} \
	ended.{class_is_left_by_{all,orphans_of_privileged_programs},from_exec_on,outlived,the_first_exec_is_meant,unrecorded})"
mkdir -p "$top/build/cli"
cd "$top/build/cli"
exec "$top/scripts/kermon-vm" --kernel 6.1 --strict --timeout 3600 -- \
	env KTAP_TIMEOUT=1500 KTAP_JOBS=1 \
	KTAP_TESTS="$tests" \
	"$top/tests/ktap-programs" \
	"${programs[@]}"
