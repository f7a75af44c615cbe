#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests that require a patched kernel, on the virtual machine. They use the tool without
# sanitizers, as installed. The time limit is for a machine that hangs: a busy host may
# need many times what an idle one does.

set -o errexit -o nounset
top=$(realpath "$(dirname "$0")/../..")
. "$top/tests/chosen.bash"

mapfile -t programs < <(chosen_programs "$top"/tests/cli/machine/{attach,cost,namespaces,recording,refused,spy,stat,trouble}.sh)
[ ${#programs[@]} -gt 0 ] || nothing_is_chosen

mkdir -p "$top/build/cli"
cd "$top/build/cli"
exec "$top/scripts/kermon-vm" --strict --timeout 3600 -- env KTAP_TIMEOUT=0 KTAP_JOBS=1 \
	"$top/tests/ktap-programs" \
	"${programs[@]}"
