#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Programs of many kinds, their exit and signals: on a virtual machine beside that of
# machine.sh.

set -o errexit -o nounset
top=$(realpath "$(dirname "$0")/../..")
. "$top/tests/chosen.bash"

mapfile -t programs < <(chosen_programs "$top"/tests/cli/machine/{ended,programs,signals}.sh)
[ ${#programs[@]} -gt 0 ] || nothing_is_chosen

make -s -C "$top/tests/cli/programs" OUT="$top/build/programs" >&2
mkdir -p "$top/build/cli"
cd "$top/build/cli"
exec "$top/scripts/kermon-vm" --strict --cpus 1 --timeout 3600 -- env KTAP_TIMEOUT=1500 KTAP_JOBS=1 \
	"$top/tests/ktap-programs" "${programs[@]}"
