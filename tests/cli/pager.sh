#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The pager: which process gets the terminal's signals, and what remains when it exits
# early.
# shellcheck disable=SC2016,SC2317	# tests and what is typed are run by name

. "$(dirname "$0")/cli.bash"
unset COLUMNS LESS NO_COLOR

# A pager that shows everything, prints which signals it gets, and quits on "q".
make_pager()
{
	cat >pager <<-'END'
	#!/usr/bin/env python3
	import os, signal, sys
	for number in signal.SIGINT, signal.SIGQUIT:
	    signal.signal(number, lambda number, frame: print("pager got", number, flush=True))
	if os.environ.get("CTRL_C_ENDS"):
	    signal.signal(signal.SIGINT, signal.SIG_DFL)
	print(sys.stdin.read(), "pager is at the end", flush=True)
	if os.environ.get("TERMINATES"):
	    os.kill(os.getppid(), signal.SIGTERM)
	    print("pager has sent its signal", flush=True)
	with open("/dev/tty") as terminal:
	    while terminal.readline() != "q\n":
	        pass
	print("pager is left")
	END
	chmod +x pager
	export PAGER=./pager KERMON
}

# perf.data with this many samples.
make_file()
{
	PYTHONPATH=$TOP/tests/golden PYTHONDONTWRITEBYTECODE=1 python3 -c '
import sys
import synthetic as s
data = s.comm(10, 10, "a", 1000) + b"".join(
    s.sample(0, 10, 10, 0, 2000 + i, 0x1000 + i, 1) for i in range(int(sys.argv[1])))
open("perf.data", "wb").write(s.build(data))' "$1"
}

# terminal: an interactive shell on a terminal, whose script is on standard input.
terminal()
{
	TERMINAL_LIMIT=20 python3 "$TOP/tests/cli/machine/terminal.py" >out 2>err ||
		fail "on the terminal"
}

# The terminal sends its signals to both; only the pager decides what they mean.
test_interrupted()
{
	make_file 1
	make_pager
	terminal <<-'END'
	type "$KERMON" report; echo status=$?\n
	expect pager is at the end
	type \x03
	expect pager got 2
	type \x1c
	expect pager got 3
	sleep 0.5
	type q\n
	expect pager is left
	expect status=0
	END
}

# If kermon is killed, it waits for the pager: until then the terminal is in use.
test_terminated()
{
	make_file 1
	make_pager
	TERMINATES=1 terminal <<-'END'
	type "$KERMON" report; echo status=$?\n
	expect pager has sent
	sleep 0.5
	type q\n
	expect pager is left
	expect status=143
	END
}

# If Ctrl-C ends the pager, kermon is killed by it, too, so that a shell ends its loop.
test_killed()
{
	make_file 1
	make_pager
	CTRL_C_ENDS=1 terminal <<-'END'
	type for i in 1 2; do "$KERMON" report; done\n
	expect pager is at the end
	type \x03
	expect ready>
	type echo status=$?\n
	expect status=130
	END
	[ "$(grep -c 'pager is at the end' out)" -eq 1 ] || fail "the loop continued"
}

# Quitting early is not an error.
test_left_early()
{
	local command

	make_file 5000
	for command in report script dump header "diff perf.data perf.data"; do
		PAGER="head -n 1" script -qec "$KERMON $command" /dev/null >out 2>err </dev/null
		status=$?
		expect_status 0
		expect_no_line out 'cannot|Broken'
		PAGER="true" script -qec "$KERMON $command" /dev/null >out 2>err </dev/null
		status=$?
		expect_status 0
		expect_no_line out 'cannot|Broken'
	done
}

# While there is no output yet, Ctrl-C ends kermon.
test_left_while_nothing_comes()
{
	make_pager
	mkfifo fifo
	sleep 60 >fifo 2>/dev/null &
	PAGER=true terminal <<-'END'
	type "$KERMON" script -i fifo; echo status=$?\n
	sleep 1
	type \x03
	expect ready>
	type echo status=$?\n
	expect status=130
	END
	kill $!
}

test_names_the_command()
{
	local command

	make_file 1
	for command in report script dump header diff; do
		PAGER="(nosuch)" script -qec "$KERMON $command" /dev/null >out 2>err </dev/null
		[ "$command" = diff ] ||
			expect_line out "^kermon $command: nothing was shown: cannot run the pager '\(nosuch\)'"
		PAGER=nosuch script -qec "$KERMON $command" /dev/null >out 2>err </dev/null
		[ "$command" = diff ] ||
			expect_line out "^kermon $command: cannot run the pager 'nosuch' \(from .PAGER\)"
	done
	PAGER="(nosuch)" script -qec "$KERMON diff perf.data perf.data" /dev/null \
		>out 2>err </dev/null
	status=$?
	expect_status 1
	expect_line out "^kermon diff: nothing was shown: cannot run the pager"
}

# Tables are as wide as the terminal, not as the pipe to the pager.
test_width()
{
	local command

	make_file 1
	make_pager
	for command in report "diff perf.data perf.data perf.data perf.data"; do
		terminal <<-END
		type stty cols 60; PAGER="tee shown" "\$KERMON" $command; echo status=\$?\n
		expect status=0
		END
		sed -n '/^ *[%0-9]/p' shown >table
		[ -s table ] || fail "no table of $command"
		awk 'length > 60 { exit 1 }' table || fail "too wide: $(cat table)"
		rm shown
	done
}

run_tests
