#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings of programs of many kinds. Each test produces a row of the table in
# Documentation/programs.rst and fails if the table differs.
# shellcheck disable=SC2016,SC2317	# scripts are passed on, tests are run by name

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"
TABLE=$TOP/Documentation/programs.rst
KINDS=$TOP/build/programs/kinds
PYTHON=/usr/bin/python3

COUNT=$TOP/build/programs/count
export HOME=/nonexistent PYTHONHASHSEED=0 PERL_HASH_SEED=0

# need PROGRAM...: skips the test, and its row, if one of them is not installed.
need()
{
	local program

	for program; do
		type -P "$program" >/dev/null || skip "there is no $program"
	done
}

# Writes the names of the sampled threads to the file comms, and sets $threads to their
# number and $instructions to their instructions.
look()
{
	"$KERMON" script -F comm,tid,event,period -i perf.data >samples 2>look.err ||
		[ "$1" = damaged ] || fail "kermon script: $(cat look.err)"
	[ -s samples ] || fail "no samples"
	sed -E 's/^ *//; s/ +[0-9]+ +[0-9]+ +[^ ]+ *$//' samples | sort -u >comms
	expect_no_line comms '^kermon$'
	threads=$(awk '!seen[$(NF - 2)]++ { nr++ }
		END { print nr (nr == 1 ? " thread" : " threads") }' samples)
	instructions=$(awk '/ instructions:u:? *$/ { sum += $(NF - 1) }
		END { printf "%d", sum }' samples)
}

# What is printed about the recording in FILE, without its size and duration.
footer()
{
	tr -d '\r' <"$1" | grep -vE 'samples?, .* in |sampling overhead' |
		grep -E '^(kermon [a-z]+:|  )' |
		sed -E "s|^kermon [a-z]+: ||; s|^ +||; s|'/[^']*/|'|; s|=ep /[^)]*/|=ep |; s|pid [0-9]+|pid N|" |
		paste -s -d '|' | sed 's/|/; /g; s/^$/none/'
}

# compare PERMILLE COMMAND...: compares perf's count of instructions with that of the
# recording, unless PERMILLE is "n/a".
# The environment is the same, including the variable _, which bash sets for each command:
# the loader takes instructions to read it.
compare()
{
	local most=$1 counted

	shift
	cell=$most
	[ "$most" != n/a ] || return 0
	"${as[@]}" env -u _ "$COUNT" count "$@" >/dev/null 2>&1 </dev/null
	counted=$(cat count)
	awk -v a="$counted" -v b="$instructions" -v most="$most" 'BEGIN {
		d = a > b ? a - b : b - a
		exit !(a && d * 1000 <= most * a) }' ||
		fail "perf counts $counted instructions, kermon $instructions"
	if [ "$most" -eq 0 ]; then
		cell=equal
	else
		cell="within $((most / 10)) %"
	fi
}

# expect_row TITLE STATUS SIGTERM SAMPLES INSTRUCTIONS FOOTER
expect_row()
{
	local row

	row=$(printf '%-22s  %-6s  %-7s  %-10s  %-12s  %s' "$@")
	grep -qxF -- "$row" "$TABLE" || fail "the table has a different row than '$row'"
}

# The exit status if kermon receives SIGTERM once the command has printed "ready"; the
# same as if the command alone receives it.
terminate()
{
	local pid alone

	env --default-signal=TERM "$@" >ready </dev/null 2>/dev/null &
	pid=$!
	wait_for 'grep -q ready ready'
	kill "$pid"
	wait "$pid" 2>/dev/null
	alone=$?
	: >ready
	env --default-signal=TERM "$KERMON" run -q -o term.data -- "$@" >ready </dev/null \
		2>term.err &
	pid=$!
	wait_for 'grep -q ready ready'
	kill "$pid"
	wait "$pid" 2>/dev/null
	cell=$?
	[ "$cell" -eq "$alone" ] || fail "SIGTERM: status $cell, alone $alone"
}

# row TITLE PERMILLE COMMAND...: run by the command in the array as (another user); what
# is in the array waiting receives SIGTERM.
row()
{
	local title=$1 most=$2 alone said=n/a equality

	shift 2
	# the shell that prints what killed it is a different one
	"${as[@]}" sh -c '"$@"; exit $?' sh "$@" >alone 2>/dev/null </dev/null
	alone=$?
	"${as[@]}" env -u _ "$KERMON" run -- "$@" >out 2>err </dev/null
	status=$?
	expect_status "$alone"
	cmp -s alone out || fail "it printed something else"
	look whole
	compare "$most" "$@"
	equality=$cell
	if [ ${#waiting[@]} -gt 0 ]; then
		terminate "${waiting[@]}"
		said=$cell
	fi
	expect_row "$title" "$status" "$said" "${several:-$threads}" "$equality" "$(footer err)"
}

as=()
waiting=()
# Instead of the number of threads where it depends on the version of an interpreter.
several=

# kind TITLE PERMILLE KIND: a program of that kind, which receives SIGTERM when it is
# done.
kind()
{
	waiting=("$KINDS" "$3" stay)
	row "$1" "$2" "$KINDS" "$3"
}

test_plain()
{
	kind 'C program' 0 plain
}

test_exit_status()
{
	kind 'fails' 0 exits
}

test_short()
{
	row 'three instructions' 0 "$TOP/build/programs/short"
	[ "$instructions" -eq 3 ] || fail "$instructions instructions"
}

test_handler()
{
	waiting=("$KINDS" handler)
	row 'handles SIGTERM' 0 "$KINDS" plain
}

test_threads()
{
	kind 'threads' 10 threads
}

test_churn()
{
	kind 'threads come and go' 10 churn
}

test_leaderless()
{
	kind 'main thread ends first' 10 leaderless
}

test_openmp()
{
	# waiting threads spin
	waiting=(env OMP_WAIT_POLICY=passive "$TOP/build/programs/openmp" ready)
	OMP_WAIT_POLICY=passive row 'OpenMP' 10 "$TOP/build/programs/openmp"
}

test_opencl()
{
	[ -x "$TOP/build/programs/opencl" ] || skip 'there is no ocl-icd-opencl-dev'
	export POCL_CACHE_DIR=$PWD/cache
	"$TOP/build/programs/opencl" >/dev/null 2>&1
	[ $? -ne 77 ] || skip 'there is no OpenCL device: pocl-opencl-icd'
	waiting=("$TOP/build/programs/opencl" ready)
	several=several
	row 'OpenCL (pocl)' 100 "$TOP/build/programs/opencl"
}

test_forks()
{
	kind 'forks' 0 forks
}

test_spawns()
{
	kind 'spawns programs' 0 spawns
}

test_chain()
{
	kind 'chain of execs' 0 chain
}

test_crash()
{
	row 'crashes' 0 "$KINDS" crash
}

test_abort()
{
	row 'aborts' 0 "$KINDS" abort
}

test_killed()
{
	row 'is killed' 0 "$KINDS" killed
}

test_naps()
{
	kind 'sleeps often' 0 naps
}

test_realtime()
{
	kind 'real-time' 0 realtime
}

test_jit()
{
	kind 'writes its own code' 0 jit
}

test_plugin()
{
	kind 'loads a library' 0 plugin
}

test_daemon()
{
	row 'daemon' 50 "$KINDS" daemon
}

test_background()
{
	kind 'leaves one behind' 50 background
}

test_python()
{
	waiting=("$PYTHON" -S -c 'import time
print("ready", flush=True)
time.sleep(100)')
	row 'Python' 10 "$PYTHON" -S -c 'print(sum(range(20000)))'
}

test_perl()
{
	waiting=(perl -e '$| = 1; $SIG{TERM} = sub { exit 9 }; print "ready\n"; sleep 100')
	row 'Perl' 10 perl -e '$s += $_ for 1..20000; print "$s\n"'
}

test_awk()
{
	waiting=(mawk 'BEGIN { print "ready"; fflush(); while (1) i++ }')
	row 'awk' 10 mawk 'BEGIN { for (i = 0; i < 20000; i++) s += i; print s }'
}

test_shell()
{
	waiting=(bash -c 'trap "exit 5" TERM; echo ready; while :; do sleep 0.1; done')
	row 'shell' 10 bash -c 'for i in 1 2 3; do /bin/true; done; exit 3'
}

test_pipeline()
{
	waiting=(sh -c 'echo ready; while :; do seq 1000 | sort -n | tail -n 1; done')
	row 'pipeline' 10 sh -c 'seq 1000 | sort -n | tail -n 1'
}

test_broken_pipe()
{
	row 'broken pipe' n/a bash -c 'yes | head -n 1; exit ${PIPESTATUS[0]}'
}

test_node()
{
	need node
	several=several
	waiting=(node -e 'console.log("ready"); setInterval(() => 0, 1000)')
	row 'JavaScript (node)' 100 node -e \
		'let s = 0; for (let i = 0; i < 100000; i++) s += i % 7; console.log(s)'
}

test_java()
{
	need java
	[ -e "$TOP/build/programs/Kind.class" ] || skip 'there is no javac'
	several=several
	# One thread collects garbage, and the program waits for its compiler: with
	# parallel ones, the number of instructions varies by a tenth.
	local java=(java -XX:TieredStopAtLevel=1 -Xbatch -XX:+UseSerialGC
		-cp "$TOP/build/programs" Kind)

	waiting=("${java[@]}" ready)
	row 'Java' 20 "${java[@]}"
}

test_container()
{
	waiting=(unshare --user --map-root-user "$KINDS" plain stay)
	row 'namespaces' 10 unshare --user --map-root-user "$KINDS" plain
}

# What is not recorded is not counted by perf either.
test_set_user_id()
{
	chmod 777 .
	cp "$KINDS" kinds
	chmod 4755 kinds
	as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	sysctl -qw kernel.kermon_counters_group='65534 65534'
	row 'set-user-ID program' 10 sh -c './kinds setuser; exit $?'
	sysctl -qw kernel.kermon_counters_group='1 0'
}

test_not_found()
{
	kermon run no-such-command
	[ ! -e perf.data ] || fail "perf.data was created"
	expect_row 'does not exist' "$status" n/a none n/a "$(footer err)"
}

# on_terminal STATUS COMMAND...: writes what the terminal shows to the file terminal.
on_terminal()
{
	local expected=$1

	shift
	script -qec "$*" terminal >/dev/null
	status=$?
	[ "$status" -eq "$expected" ] || fail "status $status: $(cat terminal)"
}

test_terminal()
{
	on_terminal 4 "$KINDS terminal" </dev/null
	on_terminal 4 "env -u _ $KERMON run -- $KINDS terminal" </dev/null
	look whole
	expect_row 'on a terminal' "$status" n/a "$threads" n/a "$(footer terminal)"
}

# Has job control, which requires the foreground of the terminal.
test_interactive()
{
	printf 'sleep 0 & wait\nfg\necho $((6 * 7))\nexit 4\n' >typed
	on_terminal 4 "$KERMON run -- bash --norc -i" <typed
	expect_line terminal '42'
	expect_no_line terminal 'no job control'
	look whole
	expect_row 'interactive shell' "$status" n/a "$threads" n/a "$(footer terminal)"
}

# The program continues, and what was recorded until then can be read.
test_tool_is_killed()
{
	local pid

	"$KERMON" run -- "$KINDS" handler >ready 2>err </dev/null &
	pid=$!
	wait_for 'grep -q ready ready'
	wait_for '"$KERMON" script -F comm -i perf.data 2>/dev/null | grep -q kinds'
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	status=$?
	pkill -TERM -x kinds || fail "the program has exited, too"
	look damaged
	expect_row 'kermon is killed' "$status" n/a "$threads" 'lower bound' \
		"$(sed -E 's/.*: (the recording was not finished).*/\1/' look.err | head -n 1)"
}

test_full_disk()
{
	mkdir small
	mount -t tmpfs -o size=16k none small || fail "no tmpfs"
	"$KERMON" run -o small/perf.data -- "$KINDS" spawns >out 2>err </dev/null
	status=$?
	cp small/perf.data perf.data
	umount small
	look damaged
	# the command may have exited by then, or still run
	expect_row 'disk is full' "$status" n/a several 'lower bound' \
		"$(footer err | sed 's/;.*//')"
}

# The reference is perf stat, where the environment makes no difference.
test_perf_stat()
{
	perf stat -x, -e instructions:u -o stat -- "$TOP/build/programs/short" ||
		fail "perf stat"
	expect_line stat '^3,,instructions:u'
	"$COUNT" count "$TOP/build/programs/short"
	expect_line count '^3$'
}

# Each row belongs to a test, including skipped ones.
test_table()
{
	grep -oE "^	([A-Z_]+=[a-z]+ )?(expect_row|row|kind) '[^']+'" "$0" |
		cut -d "'" -f 2 | sort >tests
	awk '/^=+  =/ { lines++; next } lines == 2' "$TABLE" |
		sed -E 's/  .*//' | sort >rows
	diff tests rows >out || fail "rows without a test, or tests without a row"
}

# The loader takes a few instructions more or less depending on the stack's address.
echo 0 >/proc/sys/kernel/randomize_va_space
run_tests
