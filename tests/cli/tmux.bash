# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests at a terminal of tmux.

# A server of its own, without the user's configuration; its socket is in the folder.
terminal()
{
	tmux -S "$PWD/socket" -f /dev/null "$@"
}

# open_terminal WORD...: a shell at a terminal, with these assignments in its environment.
# Its prompt has the status of what was run, so that it differs from those before.
open_terminal()
{
	type -P tmux >/dev/null || skip "needs tmux"
	trap 'terminal kill-server 2>/dev/null' EXIT
	terminal new-session -d -x 110 -y 24 env PS1='$? ready> ' "$@" bash --norc --noprofile
	sees '^0 ready>'
}

# What is on the screen.
look()
{
	terminal capture-pane -p -t 0 2>/dev/null
}

# Waits until a line of the screen matches.
# shellcheck disable=SC2016,SC2034	# the condition in quotes uses it
sees()
{
	pattern=$1
	wait_for 'look | grep -qE -- "$pattern"'
}

keys()
{
	terminal send-keys -t 0 "$@"
}
