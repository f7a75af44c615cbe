#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon stat, record and spy on Debian's kernel as it comes.

. "$(dirname "$0")/guest.bash"
exec_all_in_guest machine-without/{stat,record}.sh machine/spy.sh -- --kernel stock
