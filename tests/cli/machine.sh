#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tests that need a patched kernel, on the virtual machine. They use the
# tool without sanitizers, the one that is installed.

set -o errexit -o nounset
cd "$(dirname "$0")/../.."

mkdir -p build/cli
cd build/cli
exec ../../scripts/kermon-vm --timeout 580 -- \
	"$(realpath ../../tests/ktap-programs)" "$(realpath ../..)"/tests/cli/machine/*.sh
