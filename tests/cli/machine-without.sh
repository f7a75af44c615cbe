#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon stat and record where kermon.ko is not loaded, but perf_event has counters and
# energy.

. "$(dirname "$0")/guest.bash"
exec_all_in_guest machine-without/{stat,record}.sh -- --no-module
