#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Programs that PAPI and likwid have as examples for reads, unchanged, on the model: KerMon counts
# the same. likwid 5.2.2 runs on Zen 3, where it writes registers, which taints the kernel (S).

. "$(dirname "$0")/guest.bash"
make -s -C "$TOP/tests/cli/programs" OUT="$TOP/build/programs" libraries >&2
exec_all_in_guest machine-libraries/{papi,likwid}.sh -- --cpu zen3 --cpus 1 --taint 4
