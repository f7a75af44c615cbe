#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon stat on Debian's kernel as it comes.

. "$(dirname "$0")/guest.bash"
exec_in_guest machine-without/stat.sh --kernel stock
