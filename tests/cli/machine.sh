#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests that require a patched kernel, on the virtual machine. They use the tool without
# sanitizers, as installed. The time limit is for a machine that hangs: a busy host may
# need many times what an idle one does.

. "$(dirname "$0")/guest.bash"
exec_all_in_guest machine/{attach,cost,namespaces,recording,refused,revoked,sampled,self,spy,stat,top,trouble}.sh --
