#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Signals, typed at a terminal and sent by kill, and how they affect a recording.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

KERMON=$(type -P kermon)
HERE=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
. "$HERE/../cli.bash"
export HOME=/nonexistent

# Counts the signals in its arguments until a file "end" exists; then prints the number of
# each and exits with status 7.
cat >/tmp/count-signals <<'END'
import os, signal, sys, time
counts = {}
def count(number, frame): counts[number] = counts.get(number, 0) + 1
for name in sys.argv[1:]: signal.signal(getattr(signal, name), count)
with open("pid.new", "w") as file: print(os.getpid(), file=file)
os.rename("pid.new", "pid")
while not os.path.exists("end"): time.sleep(0.02)
print("counted", *sorted(f"{signal.Signals(n).name}={c}" for n, c in counts.items()))
sys.exit(7)
END
count=(/usr/bin/python3 /tmp/count-signals)

# type_all: the script of terminal.py is on standard input.
type_all()
{
	/usr/bin/python3 "$HERE/terminal.py" >out || fail "on the terminal"
}

# expect_note KEY VALUE: the recording has this note.
expect_note()
{
	"$KERMON" report --header-only --no-pager -i perf.data >notes 2>&1 ||
		fail "the recording cannot be read"
	expect_line notes "^kermon +$1=$2\$"
}

# In the background bash ignores SIGINT; this one must not.
start()
{
	env --default-signal=INT,QUIT,TERM,HUP "$KERMON" run "$@" >out 2>err &
	tool=$!
	wait_for '[ -e pid ]'
}

# It has ended: the tool exits with the status of the command.
expect_end()
{
	local code

	touch end
	wait "$tool"
	code=$?
	[ "$code" -eq "$1" ] || fail "status $code, not $1"
}

# Runs its arguments as the leader of a session on a terminal, without a shell, so that
# nothing continues stopped processes. Hangs up when a file "hang" exists, and prints the
# exit status.
cat >/tmp/lead-session <<'END'
import os, pty, select, sys, time
pid, terminal = pty.fork()
if not pid: os.execvp(sys.argv[1], sys.argv[1:])
with open("tool", "w") as file: print(pid, file=file)
while not os.path.exists("hang"):
    if select.select([terminal], [], [], 0.05)[0]:
        try: os.read(terminal, 4096)
        except OSError: break
os.close(terminal)
print("ended with", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END

# The terminal has sent it to both; the recording continues.
test_typed_once()
{
	type_all <<-END
	type kermon run -q ${count[*]} SIGINT\n
	wait pid
	sleep 0.3
	type \x03
	sleep 2.5
	type \x03
	sleep 0.5
	type \x1a
	expect Stopped
	type touch end; fg; echo status=\$?\n
	expect counted SIGINT=2\r
	expect status=7\r
	END
	expect_no_line out 'Ctrl-C was typed twice'
	expect_note ended exit
	expect_note complete 1
}

# If it is sent to the tool alone, the command still receives it.
test_sent_once()
{
	local number names=(INT HUP QUIT TERM USR1 USR2 ALRM VTALRM PROF PWR RTMIN
		ABRT TRAP SYS XCPU)

	start -q -- "${count[@]}" "${names[@]/#/SIG}"
	for number in "${names[@]}"; do
		kill -s "$number" "$tool"
		sleep 0.1
	done
	kill -WINCH "$tool"
	kill -CONT "$tool"
	sleep 0.3
	expect_end 7
	for number in "${names[@]}"; do
		expect_line out "\\bSIG$number=1\\b"
	done
	expect_note ended exit
}

# A command in a process group of its own also receives them.
test_other_group()
{
	type_all <<-END
	type kermon run -q timeout 1000 ${count[*]} SIGUSR1\n
	wait pid
	sleep 0.3
	type \x1a
	expect Stopped
	type ps -o stat= -p \$(cat pid) | grep -c ^T\n
	expect \n1\r
	type fg\n
	sleep 0.5
	type \x03
	expect ready> 
	type echo status=\$?\n
	expect status=130\r
	END
	expect_note ended 'signal 2'
	expect_note complete 1
}

# The kernel signals only the leader of the session.
test_hang_up()
{
	/usr/bin/python3 /tmp/lead-session "$KERMON" run -q -- "${count[@]}" SIGUSR1 >out 2>err &
	wait_for '[ -e pid ]'
	touch hang
	wait_for '[ -s out ]'
	expect_line out '^ended with -1$'
	wait_for '! kill -0 "$(cat pid)" 2>/dev/null'
	expect_note ended 'signal 1'
	expect_note complete 1
}

# A timer survives exec(2), and so it belongs to the command.
test_alarm()
{
	local alarm='import os, signal, sys
signal.alarm(int(sys.argv[1]))
os.execvp(sys.argv[2], sys.argv[2:])'

	env /usr/bin/python3 -c "$alarm" 10 "$KERMON" run -q -- \
		"${count[@]}" SIGALRM >out 2>err &
	tool=$!
	wait_for '[ -e pid ]'
	sleep 10
	expect_end 7
	expect_line out '^counted SIGALRM=1$'
	expect_empty err
	expect_note ended exit
	sleep 1000 &
	/usr/bin/python3 -c "$alarm" 5 "$KERMON" attach -q -p $! >out 2>err ||
		fail "status $?"
	expect_note ended detached
	/usr/bin/python3 -c "$alarm" 1000 "$KERMON" attach -q --duration 1s -p $! \
		>out 2>err || fail "status $?"
	kill $!
	expect_note ended detached
}

# Signals that an option uses are not forwarded to the command.
test_used_by_options()
{
	start -q --overwrite -- "${count[@]}" SIGUSR1 SIGUSR2
	kill -USR2 "$tool"
	kill -USR1 "$tool"
	sleep 0.5
	expect_end 7
	expect_line out '^counted SIGUSR1=1$'
}

# A signal from the command to its whole process group is not forwarded to it again.
test_sent_by_the_command()
{
	kermon run -q -- setsid -w /usr/bin/python3 -c 'import os, signal, time
counts = []
signal.signal(signal.SIGUSR1, lambda *args: counts.append(1))
os.kill(os.getppid(), signal.SIGUSR1)
time.sleep(0.5)
print("counted", len(counts))'
	expect_status 0
	expect_line out '^counted 0$'
}

# Nor is one from a child of the command.
test_sent_by_a_child()
{
	setsid -w "$KERMON" run -q -- /usr/bin/python3 -c 'import os, signal, time
counts = []
signal.signal(signal.SIGUSR1, lambda *args: counts.append(1))
if not os.fork():
    os.killpg(0, signal.SIGUSR1)
    time.sleep(1)
    os._exit(0)
time.sleep(1)
os.wait()
print("counted", len(counts))' >out 2>err || fail "status $?"
	expect_line out '^counted 1$'
}

# A program that has changed its user, like those that sudo runs.
test_not_permitted()
{
	local as=(setpriv --reuid 65534 --regid 65534 --clear-groups)

	cp "$(realpath /usr/bin/python3)" raised
	chmod 4755 raised
	chmod 777 .
	"${as[@]}" "$KERMON" run -q --sched inherit -- ./raised -c 'import os, time
os.setuid(0)
open("pid", "w").close()
while not os.path.exists("end"): time.sleep(0.02)
os._exit(7)' >out 2>err &
	tool=$!
	wait_for '[ -e pid ]'
	kill -USR2 "$tool"
	wait_for 'grep -q USR2 err'
	expect_no_line err 'no longer recorded'
	kill -TERM "$tool"
	wait_for 'grep -q "no longer recorded" err'
	expect_line err "^kermon run: cannot forward SIGUSR2 to pid [0-9]+: it runs as another user\$"
	expect_line err "^kermon run: cannot forward SIGTERM to pid [0-9]+: it runs as another user\$"
	expect_end 7
	expect_note ended interrupted
}

# The pid of a process that has been waited for may have been reused.
test_rotate_when_the_command_has_ended()
{
	start -q -e set0,set1 --rotate signal --wait-all -- \
		sh -c 'while [ ! -e end ]; do sleep 0.1; done & echo >pid'
	wait_for '! pgrep -P "$tool"'
	kill -USR1 "$tool"
	wait_for '[ -s err ]'
	expect_line err '^kermon run: cannot switch to the next set: the command has ended$'
	expect_end 0
	expect_note complete 1
}

# There is no command to forward it to: it ends the recording, and is named.
test_signal_when_the_command_has_ended()
{
	local name

	for name in 'SIGINT (Ctrl-C)' SIGTERM; do
		rm -f pid
		start --wait-all -- sh -c 'sleep 1000 & echo $! >pid'
		wait_for '[ -s pid ] && ! pgrep -P "$tool"'
		kill -s "${name%% *}" "$tool"
		wait "$tool"
		grep -qxF "kermon run: the recording ended early: received $name" err ||
			fail "'$name' is not named"
		kill "$(cat pid)"
	done
}

test_ctrl_c_twice()
{
	type_all <<-END
	type kermon run ${count[*]} SIGINT\n
	wait pid
	sleep 0.3
	type \x03
	sleep 0.3
	type \x03
	expect the recording ended early: Ctrl-C was typed twice
	expect the command \(pid [0-9]+\) is still running and is no longer recorded
	type \x1a
	expect Stopped
	type grep -c policy.*0\$ /proc/\$(cat pid)/sched; touch end; fg; echo status=\$?\n
	expect \n1\r
	expect counted SIGINT=2\r
	expect status=7\r
	END
	expect_note ended interrupted
}

# While the command is still running, its children are counted together with it. All
# commands that read the file report the interruption.
test_ctrl_c_twice_with_others()
{
	type_all <<-'END'
	type kermon run sh -c 'trap "" INT; sleep 1000 & touch pid; read line; kill $!'\n
	wait pid
	sleep 0.5
	type \x03
	sleep 0.3
	type \x03
	expect the command \(pid [0-9]+\) and 1 other process are still running
	type \n
	expect ready> 
	END
	expect_no_line out 'left 1 process|--wait-all'
	expect_note ended interrupted
	expect_note outlived 2
	kermon report --json -i perf.data
	expect_line out '"complete": false'
	expect_no_line out 'Nothing was lost'
	kermon script -i perf.data
	expect_line err 'interrupted while the program was running: counts only cover the run up to then'
}

# A command that is killed by the second one is recorded to its end.
test_ctrl_c_twice_ends_the_command()
{
	type_all <<-'END'
	type kermon run -q sh -c 'trap "trap - INT; touch once" INT; touch pid; while :; do sleep 0.1; done'\n
	wait pid
	sleep 0.3
	type \x03
	wait once
	type \x03
	expect ready> 
	type echo status=$?\n
	expect status=130\r
	END
	expect_note ended 'signal 2'
	expect_note complete 1
}

# A loop in a shell ends, too, as it does with the command alone.
test_loop_ends()
{
	type_all <<-'END'
	type for i in 1 2 3; do echo $((i * 7)); kermon run -q sh -c 'touch pid; exec sleep 1000'; done\n
	expect 7\r
	wait pid
	sleep 0.5
	type \x03
	expect ready> 
	type echo $((6 * 7))\n
	expect 42\r
	END
	expect_no_line out '^14'
}

# Ctrl-Z, typed, and by a command that stops only itself.
test_stop_and_continue()
{
	type_all <<-'END'
	type kermon run -q sh -c 'touch pid; while read line; do echo "<$line>"; done'\n
	wait pid
	sleep 0.3
	type \x1a
	expect Stopped
	type ps -o stat= -p $(jobs -p),$(pgrep -P $(jobs -p)) | grep -c ^T\n
	expect \n2\r
	type fg; echo status=$?\n
	sleep 0.3
	type word\n
	expect <word>
	type \x04
	expect status=0\r
	type kermon run -q sh -c 'kill -TSTP $$; echo $((6 * 7))'\n
	expect Stopped
	type fg; echo status=$?\n
	expect 42\r
	expect status=0\r
	END
}

# It stops together with the processes that the command left behind.
test_stop_when_the_command_has_ended()
{
	type_all <<-'END'
	type kermon run -q --wait-all sh -c 'while [ ! -e end ]; do sleep 0.1; done & touch pid'\n
	wait pid
	sleep 1
	type \x1a
	expect Stopped
	type touch end; fg; echo status=$?\n
	expect status=0\r
	END
	expect_note ended exit
}

# The kernel does not stop an orphaned process group, because nothing would continue it.
test_stop_without_a_shell()
{
	/usr/bin/python3 /tmp/lead-session "$KERMON" run -q -- "${count[@]}" SIGUSR1 >out 2>err &
	wait_for '[ -e pid ]'
	kill -STOP "$(cat pid)"
	sleep 0.5
	[ "$(ps -o stat= -p "$(cat tool)" | cut -c1)" != T ] || fail "the tool has stopped"
	[ "$(ps -o stat= -p "$(cat pid)" | cut -c1)" = T ] || fail "the command continues"
	kill -CONT "$(cat pid)"
	touch end
	wait_for '[ -s out ]'
	expect_line out '^ended with 7$'
}

# A command that handles SIGTSTP otherwise may be stopped for other reasons.
test_not_stopped_later()
{
	start -q -- "${count[@]}" SIGTSTP
	kill -TSTP "$tool"
	sleep 2
	kill -STOP "$(cat pid)"
	sleep 0.3
	[ "$(ps -o stat= -p "$tool" | cut -c1)" != T ] || fail "the tool has stopped"
	kill -CONT "$(cat pid)"
	expect_end 7
	expect_line out '^counted SIGTSTP=1$'
}

# Nothing would continue the tool if it stopped without a terminal.
test_stop_without_a_terminal()
{
	start -q -- "${count[@]}" SIGUSR1
	setsid -w kill -STOP "$(cat pid)"
	sleep 0.3
	[ "$(ps -o stat= -p "$tool" | cut -c1)" != T ] || fail "the tool has stopped"
	kill -CONT "$(cat pid)"
	expect_end 7
}

# It has the terminal, as it would without the tool.
test_terminal_program()
{
	seq 1000 >numbers
	type_all <<-'END'
	type stty -a >before; TERM=xterm kermon run -q less numbers\n
	expect \n23
	type G
	expect \n1000
	type \x1a
	expect Stopped
	type fg; echo status=$?; stty -a >new; mv new after\n
	sleep 0.5
	type q
	expect status=0\r
	wait after
	END
	cmp before after || fail "the modes of the terminal have changed"
}

# A shell in a recording has jobs of its own.
test_shell_in_the_recording()
{
	type_all <<-'END'
	type kermon run -q bash --norc --noprofile -i; echo status=$?\n
	expect ready> 
	type sleep 1000\n
	sleep 0.5
	type \x03
	expect ready> 
	type sleep 1000\n
	sleep 0.5
	type \x1a
	expect Stopped
	type kill %1; exit 5\n
	type exit 5\n
	expect status=5\r
	END
}

# Such a shell is a job itself, which stops, and gets the terminal back when it continues.
test_shell_in_the_recording_suspends()
{
	type_all <<-'END'
	type kermon run -q bash --norc --noprofile -i\n
	expect ready> 
	type suspend\n
	expect Stopped
	type jobs | grep -c kermon; fg; echo status=$?\n
	expect \n1\r
	sleep 0.5
	type echo $((6 * 7)); suspend\n
	expect \n42\r
	expect Stopped
	type fg; echo status=$?\n
	sleep 0.5
	type exit 5\n
	expect status=5\r
	END
	expect_note ended exit
	expect_note complete 1
}

# An ignored signal remains ignored, for both.
test_nohup()
{
	nohup "$KERMON" run -q -- "${count[@]}" SIGUSR1 >out 2>err &
	tool=$!
	wait_for '[ -e pid ]'
	kill -HUP "$tool"
	kill -HUP "$(cat pid)"
	sleep 0.5
	kill -0 "$tool" || fail "the tool has exited"
	grep SigIgn /proc/"$(cat pid)"/status >ignored
	expect_line ignored '[13579bdf]$'
	expect_end 7
	expect_note complete 1
	(
		trap '' CHLD PIPE INT
		"$KERMON" run -q -- grep -E 'Sig(Ign|Blk)' /proc/self/status >within
		grep -E 'Sig(Ign|Blk)' /proc/self/status >without
	)
	cmp within without || fail "the command ignores other signals"
}

# Losing the reader of messages does not end the recording.
test_messages_without_a_reader()
{
	(
		"$KERMON" run -e set0,set1 -- sh -c 'sleep 0.5; touch end; exit 7' >out
		echo $? >code
	) 2>&1 | true
	wait_for '[ -s code ]'
	[ "$(cat code)" -eq 7 ] || fail "status $(cat code)"
	expect_note complete 1
}

# In the words of a shell.
test_death()
{
	(
		ulimit -c unlimited
		kermon run -- sh -c 'kill -SEGV $$'
		expect_status 139
	) || exit
	expect_line err "^kermon run: 'sh' was killed: Segmentation fault \(core dumped\)\$"
	ulimit -c 0
	kermon run -q -- sh -c 'kill -BUS $$'
	expect_status 135
	expect_line err "^kermon run: 'sh' was killed: Bus error\$"
	expect_note ended 'signal 7'
}

run_tests
