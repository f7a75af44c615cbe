#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings where the kernel's clock is not the TSC, as on many virtual machines: times
# are converted by pairs of clock readings.

set -o errexit -o nounset
top=$(realpath "$(dirname "$0")/../..")
. "$top/tests/chosen.bash"

chosen_in_program "$top/tests/cli/machine-unstable-tsc/clock.sh" >/dev/null || nothing_is_chosen

mkdir -p "$top/build/cli"
cd "$top/build/cli"
exec "$top/scripts/kermon-vm" --strict --timeout 3600 --append tsc=unstable -- \
	"$top/tests/cli/machine-unstable-tsc/clock.sh"
