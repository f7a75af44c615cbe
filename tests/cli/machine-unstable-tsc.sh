#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings where the kernel's clock is not the TSC, as on many virtual machines: times
# are converted by pairs of clock readings.

. "$(dirname "$0")/guest.bash"
exec_in_guest machine-unstable-tsc/clock.sh --append tsc=unstable
