#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings on hyperthreads.

set -o errexit -o nounset
top=$(realpath "$(dirname "$0")/../..")
. "$top/tests/chosen.bash"

chosen_in_program "$top/tests/cli/machine-threads/erratum.sh" >/dev/null || nothing_is_chosen

mkdir -p "$top/build/cli"
cd "$top/build/cli"
exec "$top/scripts/kermon-vm" --strict --timeout 3600 --threads 2 -- \
	"$top/tests/cli/machine-threads/erratum.sh"
