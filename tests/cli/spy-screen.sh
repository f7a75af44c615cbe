#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The live table of kermon spy, at a terminal of tmux.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

. "$(dirname "$0")/cli.bash"
. "$(dirname "$0")/tmux.bash"

# start WORD...: kermon spy on CPU 0 and others, whose events every machine has.
start()
{
	open_terminal XDG_RUNTIME_DIR="$PWD"
	keys "$KERMON spy --backend software $*; echo status \$?" Enter
	sees '^ *CPU +BUSY% +SAMPLES .* OWN%$'
	wait_for 'look | grep -qE "^ +0 +[0-9.]+ +[0-9]+ .* [0-9]\.[0-9]{3}$"'
}

# What it shows: rates, own cost, a bottom line; totals replace it at the end.
test_keys()
{
	start
	sees '^[0-9]+ CPUs by software, a sample per 50 ms; times in steps of 10 ms$'
	keys h
	sees '^< > +sort by the column'
	keys x '>'
	sees '^sorted by BUSY%'
	keys '<' '<'
	sees '^sorted by OWN%'
	keys '<'
	sees '^sorted by steal-time%'
	sees 'steal-time% +OWN%$'
	keys x
	sees 'key not in use; h shows all keys'
	keys ' '
	sees '^PAUSED '
	keys q
	sees '^Counts per CPU, by software:$'
	sees '^status 0$'
	terminal kill-server
}

# A low and narrow terminal has fewer columns; order, messages of other terminals, signals.
test_signals()
{
	local pid

	start -e context-switches,idle-time -e user-time
	keys r
	[ "$(nproc)" -lt 2 ] || sees '^ +1 +[0-9.]+ '
	# other tests have spies, too
	pid=$(cd kermon && printf '%s' spy-*)
	XDG_RUNTIME_DIR=$PWD kermon spy --set "${pid#spy-}:0=user-time"
	expect_status 0
	sees ' user-time% '
	terminal resize-window -t 0 -x 45 -y 7
	sees '^ *CPU +BUSY% +SAMPLES +OWN%$|^ *CPU +BUSY% +SAMPLES +[a-z/-]+ +OWN%$'
	terminal resize-window -t 0 -x 110 -y 24
	sees '^ *CPU +BUSY% .* user-time% +OWN%$'
	keys C-z
	sees 'Stopped'
	keys fg Enter
	sees '^h help'
	keys C-c
	sees '^130 ready> *$'
	keys "stty -a | grep -o -- ' icanon'; echo e'n'd" Enter
	sees '^ icanon$'
	terminal kill-server
}

run_tests
