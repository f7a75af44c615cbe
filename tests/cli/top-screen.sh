#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The live view of kermon top, at a terminal of tmux.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

. "$(dirname "$0")/cli.bash"
. "$(dirname "$0")/tmux.bash"

SPIN=$TOP/build/programs/spin
make -s -C "$TOP/tests/cli/programs" "$SPIN" OUT="$TOP/build/programs" >&2 || exit

# start WORD...: kermon top in a shell at the terminal, with a program to look at, whose
# process that shell knows as $spin: other tests have programs of this name, too.
start()
{
	type -P tmux >/dev/null || skip "needs tmux"
	"$SPIN" 1000000 2 >/dev/null &
	spin=$!
	wait_for '[ "$(ls "/proc/$spin/task" | wc -l)" -eq 2 ]'
	open_terminal spin="$spin"
	keys "$KERMON top $*; echo status \$?" Enter
}

finish()
{
	terminal kill-server
	kill "$spin"
	wait "$spin" || :
}

test_keys()
{
	start -d 200ms
	sees "^ +$spin +$spin .* spin$"
	keys /
	sees '^show only rows with: _'
	keys thread Enter
	sees '^only: thread '
	wait_for 'look | grep -q " thread$" && ! look | grep -q "PID.*spin"'
	keys / C-h C-h C-h C-h C-h C-h "$spin" Enter
	sees " spin$"
	keys t
	sees "^ *PID +THREADS +USER"
	sees "^ +$spin +2 +[a-z]+ .* spin$"
	keys tN
	sees 'sorted by PID'
	keys '>'
	sees 'sorted by TID'
	keys '<' '<'
	sees 'sorted by COMMAND'
	keys h
	sees '^N +PID +process'
	keys x Z
	sees 'key not in use; h shows all keys'
	keys q
	sees '^status 0$'
	finish
}

test_pause()
{
	start -d 100ms -p '$spin'
	sees ' spin$'
	keys ' '
	sees '^PAUSED '
	look >before
	sleep 0.5
	look >after
	cmp before after >out || fail "rows change while paused"
	keys ' '
	wait_for '! look | grep -q PAUSED'
	wait_for '! look | head -n 1 | cmp -s - <(head -n 1 after)'
	keys C-c
	sees '^status 0$'
	finish
}

test_write()
{
	start -d 200ms
	sees ' spin$'
	keys w
	sees '^write to file: _'
	keys rows.csv Enter
	sees "rows written to 'rows.csv'"
	grep -q "^[0-9.]*,[0-9]*,$spin,$spin,1,.*,spin$" rows.csv || fail "not in the file"
	echo keep >rows.csv
	keys w rows.csv Enter
	sees 'it exists; replace it'
	keys n
	sees "not written: 'rows.csv' exists"
	[ "$(cat rows.csv)" = keep ] || fail "replaced without asking"
	keys w rows.csv Enter
	sees 'it exists; replace it'
	keys y
	wait_for 'grep -q ",spin$" rows.csv'
	keys w missing/file Enter
	sees "cannot write 'missing/file': No such file or directory"
	keys w Escape
	sees '^h help'
	finish
}

# The terminal is as before, after a stop and after each way to end.
test_signals()
{
	start -d 200ms
	sees ' spin$'
	keys C-z
	sees 'Stopped'
	keys fg Enter
	sees '^ *PID +TID'
	terminal resize-window -t 0 -x 60 -y 10
	sees '^ *PID +TID +.*COMMAND'
	sees '%CPU'
	# what curses notes of the new size is no key
	keys h
	sees '^r +reverse the order'
	keys x Down
	sees '^h help'
	keys C-z
	keys "kill -TERM %1; fg" Enter
	wait_for '! pgrep -f "$KERMON top -d 200ms" >/dev/null'
	keys "stty -a | grep -o -- ' icanon'; echo e'n'd" Enter
	sees '^ icanon$'
	sees '^end$'
	finish
}

test_other_terminals()
{
	start -d 200ms '-o log.csv -n 3'
	sees '^status 0$'
	[ "$(grep -c ",$spin,$spin,.*,spin$" log.csv)" -eq 3 ] || fail "not three intervals"
	keys "TERM=nosuch $KERMON top; echo status \$?" Enter
	sees 'cannot use this terminal: its type, TERM=nosuch, is unknown'
	sees '^status 1$'
	keys clear Enter
	keys "NO_COLOR=1 $KERMON top" Enter
	sees '^ *PID +TID'
	terminal capture-pane -e -p -t 0 | grep -cE $'\033\\[3[1-6]' >coloured
	keys q
	finish
	[ "$(cat coloured)" -eq 0 ] || fail "colours"
}

run_tests
