#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon spy by the registers of an AMD processor; writing them taints the kernel (S).

. "$(dirname "$0")/guest.bash"
make -s -C "$TOP/tests/demo" OUT="$TOP/build/programs" "$TOP/build/programs/phases" >&2
exec_all_in_guest machine-msr/zen.sh -- --cpu zen3 --no-module --taint 4
