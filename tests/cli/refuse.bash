# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests of recordings that are rejected before the command runs.

export LIBPFM_FORCE_PMU=ivb

# The command of a rejected recording must not have run.
refuse()
{
	kermon run "$@" touch ran
	[ ! -e ran ] || fail "the command ran: $*"
	[ ! -e perf.data ] || fail "perf.data was created: $*"
}

# The furthest it gets is the output file, which cannot be written.
accept()
{
	refuse -o /nonexistent/file "$@"
	expect_status 1
	expect_line err "cannot write '/nonexistent/file'"
}
