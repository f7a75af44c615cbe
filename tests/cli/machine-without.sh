#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon stat where kermon.ko is not loaded, but perf_event has counters and energy.

. "$(dirname "$0")/guest.bash"
exec_in_guest machine-without/stat.sh --no-module
