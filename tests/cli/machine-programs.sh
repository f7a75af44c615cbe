#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Programs of many kinds, their exit and signals: on a virtual machine beside that of
# machine.sh.

set -o errexit -o nounset
top=$(realpath "$(dirname "$0")/../..")

make -s -C "$top/tests/cli/programs" OUT="$top/build/programs" >&2
mkdir -p "$top/build/cli"
cd "$top/build/cli"
exec "$top/scripts/kermon-vm" --strict --cpus 1 --timeout 3600 -- env KTAP_TIMEOUT=0 KTAP_JOBS=1 \
	"$top/tests/ktap-programs" "$top"/tests/cli/machine/{ended,programs,signals}.sh
