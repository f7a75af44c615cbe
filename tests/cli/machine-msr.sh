#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Registers of a processor. Writing them taints the kernel (S), so that these tests have a
# virtual machine of their own.

. "$(dirname "$0")/guest.bash"
make -s -C "$TOP/tests/cli/programs" OUT="$TOP/build/programs" msr "$TOP/build/programs/mix" >&2
make -s -C "$TOP/tests/demo" OUT="$TOP/build/programs" "$TOP/build/programs/phases" >&2
exec_all_in_guest machine-msr/{msr,spy}.sh -- --taint 4
