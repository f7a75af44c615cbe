#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon stat, record, spy and msr on Debian's kernel as it comes. Writing registers taints
# it (S), and the lockdown remains.

. "$(dirname "$0")/guest.bash"
exec_all_in_guest machine-without/{stat,record}.sh machine/spy.sh machine-stock/{msr,lockdown}.sh \
	-- --kernel stock --taint 4
