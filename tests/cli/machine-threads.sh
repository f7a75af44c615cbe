#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings on hyperthreads.

. "$(dirname "$0")/guest.bash"
exec_in_guest machine-threads/erratum.sh --threads 2
