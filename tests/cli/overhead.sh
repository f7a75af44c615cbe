#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon bench overhead with software events, which every machine has. Times are only
# checked to be in order.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"

# The programs that are measured are those without sanitizers.
OVERHEAD=(bench overhead --probes "$TOP/build/libexec/kermon" --software)
BRIEF=("${OVERHEAD[@]}" -r 5 --reads 3)

# instead_of LINKED: standard input is a script that is run instead of this probe; $real is that.
instead_of()
{
	mkdir -p fake
	cp -n "$TOP"/build/libexec/kermon/kermon-probe-* fake
	mv "fake/kermon-probe-$1" "fake/real-$1"
	{
		echo '#!/bin/bash'
		echo "real=$PWD/fake/real-$1"
		cat
	} >"fake/kermon-probe-$1"
	chmod +x "fake/kermon-probe-$1"
	BRIEF+=(--probes fake)
}

# check PYTHON: with the cells of the JSON in out.
check()
{
	/usr/bin/python3 - "$1" >facts 2>&1 <<-'END' || fail "$(cat facts)"
	import json, sys
	found = json.load(open("out"))
	cells = {(cell["method"], cell["events"]): cell for cell in found["cells"]}
	ORDER = "min", "low", "median", "high", "max"
	def in_order(box):
	    values = [box[name] for name in ORDER]
	    return values == sorted(values) and values[0] > 0
	exec(sys.argv[1])
	END
}

test_json()
{
	kermon "${BRIEF[@]}" --events 2 --method perf-read,perf-syscall-static -j
	expect_status 0
	expect_empty err
	check '
assert found["unit"] == "TSC cycles" and found["software events"] is True
assert found["cycles are instructions"] is False and found["kernel mode"] is False
assert sorted(cells) == [("perf-read", 1), ("perf-read", 2),
                         ("perf-syscall-static", 1), ("perf-syscall-static", 2)]
for cell in cells.values():
    assert cell["processes"] == 5 and len(cell["reads"]) == 3, cell
    assert all(in_order(box) for box in cell["reads"]), cell
    steps = [cell[name] for name in ("start", "first read", "later read", "stop", "total")]
    assert all(in_order(box) for box in steps), cell
    assert cell["reads"][0] == cell["first read"], cell
    for step, empty in cell["empty function"].items():
        assert 0 < empty < cell[step]["median"], cell
    assert "counted in work" not in cell and "accesses" not in cell, cell
    assert [len(boxes) for boxes in cell["counted until read"]] == 3 * [cell["events"]], cell
    assert cell["total"]["min"] >= sum(cell[name]["min"] for name in
                                       ("start", "first read", "stop")), cell
assert cells["perf-read", 1]["linked"] == "dynamic"
assert cells["perf-syscall-static", 1]["linked"] == "static"
'
}

test_table()
{
	kermon "${BRIEF[@]}" --method perf-read-static
	expect_status 0
	expect_line out '^TSC cycles of a thread that counts itself, in 5 fresh processes each$'
	expect_line out '^Each step includes an empty function, the total three of them\. It takes [0-9]+( to [0-9]+)? cycles \(median\)\.$'
	for step in 'start' 'first read' 'later read' 'stop' 'total'; do
		expect_line out "^$step  *events  *minimum  *median  *maximum  *[0-9]+ +[0-9]+$"
	done
	[ "$(grep -cE '^perf-read-static +1 +[0-9]+ +[0-9]+ +[0-9]+  .*\[?.*\|' out)" -eq 5 ] ||
		fail "not five rows"
}

test_csv()
{
	kermon "${BRIEF[@]}" --method perf-syscall --csv --accesses
	expect_status 0
	expect_line out '^method,linked,events,step,read,unit,processes,min,low,median,high,max$'
	for wanted in '5 ".*, empty function",,TSC cycles,5' '3 read,[123],TSC cycles,5' \
		'5 (start|stop|total|first read|later read),,TSC cycles,5' \
		'0 "counted in work, event 1".*' '3 "counted until read, event 1",[123],events,5' \
		'25 "[a-z ]*, (instructions of user mode|system calls|RD[A-Z]*|WRMSR)",,executions,3'; do
		[ "$(grep -cE "^perf-syscall,dynamic,1,${wanted#* }," out)" -eq "${wanted%% *}" ] ||
			fail "not $wanted"
	done
	kermon "${BRIEF[@]}" --method perf-rdpmc,perf-syscall --csv
	expect_status 0
	expect_no_line out rdpmc
	expect_line err '^kermon bench overhead: perf-rdpmc: not measured with 1 event: software events'
}

# Nothing is a later read, whatever is printed.
test_one_read()
{
	local one=("${OVERHEAD[@]}" -r 2 --reads 1 --accesses --method perf-syscall)

	for format in --json --csv; do
		kermon "${one[@]}" "$format"
		expect_status 0
		expect_line out 'first read'
		expect_no_line out 'later read'
	done
	kermon "${one[@]}" --svg boxes.svg
	expect_status 0
	expect_no_line out 'later read'
	expect_no_line boxes.svg 'later read'
	[ "$(grep -c '^first read' out)" -eq 2 ] || fail "not two tables"
}

# Instructions and system calls are the same on every machine: the system call alone takes less
# of user mode than the linker that looks for read().
test_accesses()
{
	kermon "${BRIEF[@]}" --accesses --method perf-read,perf-read-static -j
	expect_status 0
	check '
steps = {method: cell["accesses"] for (method, _), cell in cells.items()}
for method, accesses in steps.items():
    for name in ("start", "first read", "later read", "stop"):
        assert accesses[name]["system calls"] == 1, accesses
        # The kernel may have read counters for the call.
        unknown = "of the kernel are unknown" in accesses.get("reason", "")
        assert accesses[name]["RDPMC"] == (None if unknown else 0), accesses
        assert (accesses[name]["WRMSR"] is None) == unknown, accesses
    assert accesses["total"]["system calls"] == 3, accesses
    assert 10 < accesses["later read"]["instructions of user mode"] < 100, accesses
static, dynamic = steps["perf-read-static"], steps["perf-read"]
assert static["first read"] == static["later read"], static
assert dynamic["first read"]["instructions of user mode"] > 300, dynamic
assert abs(dynamic["later read"]["instructions of user mode"] -
           static["later read"]["instructions of user mode"]) < 5, steps
'
	kermon "${BRIEF[@]}" --accesses --method perf-read-static
	expect_line out '^first read  *events  *user mode  *system calls  *RDPMC  *RDMSR  *WRMSR$'
	expect_line out '^perf-read-static  *1  *[0-9]+  *1(  *0  *0  *0|(  *unknown){3})$'
}

# Its times and the accesses of the others stay, and each reason is said once.
test_accesses_of_some_methods()
{
	instead_of dynamic <<-'END'
	case " $* " in *" steps "*) echo "kermon-probe: no trap flag" >&2; exit 1 ;; esac
	exec "$real" "$@"
	END
	kermon "${BRIEF[@]}" --accesses --method perf-read,perf-syscall,perf-read-static
	expect_status 0
	for method in perf-read perf-syscall; do
		[ "$(grep -cE "^$method +1 " out)" -eq 5 ] || fail "accesses of $method"
	done
	[ "$(grep -cE '^perf-read-static +1 ' out)" -eq 10 ] || fail "no accesses"
	[ "$(grep -c 'no trap flag' out)" -eq 1 ] || fail "not one reason"
	[ "$(grep -c 'of the kernel are unknown' out)" -le 1 ] || fail "a reason recurs"
	expect_line out '^perf-read: accesses of all modes are unknown: no trap flag$'
}

# What a probe reports: struct probe_report.
test_counted_less_with_work()
{
	instead_of dynamic <<-'END'
	exec /usr/bin/python3 -c '
	import struct, sys
	sys.stdout.buffer.write(struct.pack("<QII644Q8q12Q", 0x34626f7270, 1, 2,
	    *[10] * 132, *[100, 107] + [0] * 510, -7, *[0] * 19))'
	END
	kermon bench overhead -r 2 --reads 2 --method perf-syscall --probes fake --json
	expect_status 0
	check '
cell, = cells.values()
assert [box["median"] for box in cell["counted in work"]] == [-7], cell
assert [boxes[0]["median"] for boxes in cell["counted until read"]] == [100, 7], cell
assert cell["total"]["median"] == 30, cell
'
	kermon bench overhead -r 2 --reads 2 --method perf-syscall --probes fake --csv
	expect_line out '^perf-syscall,dynamic,1,"counted in work, event 1",,events,2,-7,-7,-7,-7,-7$'
}

# A library of which one function fails. The reason names that, and what to do.
test_reasons_of_papi()
{
	local function reason hint='; .*software events need none \(--software\)'

	cat >papi.c <<-'END'
	#define FUNCTION(name, ...) int PAPI_##name(__VA_ARGS__) { return name; }
	int PAPI_library_init(int version) { return version; }
	char *PAPI_strerror(int error) { return error == -7 ? "no event" : "no memory"; }
	FUNCTION(set_domain, int domain)
	FUNCTION(create_eventset, int *set)
	FUNCTION(add_named_event, int set, const char *name)
	FUNCTION(start, int set)
	FUNCTION(read, int set, long long *values)
	FUNCTION(stop, int set, long long *values)
	END
	while read -r function reason; do
		"${CC:-cc}" -shared -fPIC -o libpapi.so.7.1 papi.c -D{set_domain,create_eventset}=0 \
			-D{add_named_event,start,read,stop}=0 -U"${function%=*}" -D"$function" ||
			fail "cannot build a library"
		LD_LIBRARY_PATH=$PWD kermon bench overhead --probes "$TOP/build/libexec/kermon" \
			-r 1 --method papi
		expect_status 1
		expect_line out "^papi: not measured with 1 event: $reason$"
	done <<-END
		set_domain=-2 PAPI_set_domain\(\): no memory
		create_eventset=-2 PAPI_create_eventset\(\): no memory
		add_named_event=-2 PAPI: event 1: no memory
		add_named_event=-7 PAPI: event 1: no event$hint
	END
}

# More than a pipe holds; and a reason among it.
test_talkative_probe()
{
	instead_of dynamic <<-'END'
	head -c 1000000 /dev/zero | tr '\0' '\n' >&2
	[ "$1" != perf-read ] || {
		echo "a library gives up" >&2
		echo "kermon-probe: that is why" >&2
		echo "a library ends" >&2
		exit 1
	}
	exec "$real" "$@"
	END
	timeout 200 "$KERMON" "${BRIEF[@]}" --method perf-read,perf-syscall >out 2>err
	status=$?
	expect_status 0
	expect_line out '^perf-read: not measured with 1 event: that is why$'
	expect_no_line out '^perf-syscall: not measured'
}

test_probe_that_fails()
{
	instead_of dynamic <<-'END'
	case $1 in
	perf-read) kill -SEGV $$ ;;
	perf-syscall) echo "cannot load a library" >&2; exit 127 ;;
	perf-rdpmc) exit 3 ;;
	*) echo text ;;
	esac
	END
	kermon "${BRIEF[@]}" --method perf-read,perf-syscall,perf-rdpmc,perf-rdpmc-touched
	expect_status 1
	expect_line out '^perf-read: .*: the probe was killed by signal 11 \(Segmentation fault\)$'
	expect_line out '^perf-syscall: .*: cannot load a library$'
	expect_line out '^perf-rdpmc: .*: the probe has failed and did not say why$'
	expect_line out '^perf-rdpmc-touched: .*: the report of the probe is not as expected: '
}

# The others are measured, and each format says how many they are.
test_processes_that_fail()
{
	local said='perf-syscall: 2 of 5 processes could not be measured with 1 event: out of luck'

	instead_of dynamic <<-'END'
	case " $* " in *" steps "*) echo "kermon-probe: no trap flag" >&2; exit 1 ;; esac
	echo >>processes
	case $(wc -l <processes) in
	1 | 3) echo "kermon-probe: out of luck" >&2; exit 1 ;;
	esac
	exec "$real" "$@"
	END
	BRIEF+=(--accesses --method perf-syscall)
	kermon "${BRIEF[@]}"
	expect_status 0
	expect_line out "^$said$"
	[ "$(grep -cE '^perf-syscall +1 +[0-9]' out)" -eq 5 ] || fail "not five rows"
	rm processes
	kermon "${BRIEF[@]}" --csv
	expect_status 0
	expect_line out '^perf-syscall,dynamic,1,start,,TSC cycles,3,'
	expect_line err "^kermon bench overhead: $said$"
	rm processes
	kermon "${BRIEF[@]}" -j
	expect_status 0
	check '
cell, = cells.values()
assert (cell["processes"], cell["failed processes"], cell["reason"]) == (3, 2, "out of luck"), cell
assert "no trap flag" in cell["accesses"]["reason"] and in_order(cell["start"]), cell
'
}

# It is not tried as often as one that works.
test_method_that_never_works()
{
	instead_of dynamic <<-'END'
	echo >>processes
	echo "kermon-probe: never" >&2
	exit 1
	END
	kermon "${BRIEF[@]}" --method perf-syscall,perf-syscall-static
	expect_status 0
	expect_line out '^perf-syscall: not measured with 1 event: never$'
	[ "$(wc -l <processes)" -eq 3 ] || fail "not three processes"
}

# Another compiler makes other programs.
test_programs_of_another_compiler()
{
	make -s -C "$TOP/tools" BUILD="$PWD/other" CC=clang CFLAGS=-O0 probes >out 2>&1 ||
		fail "cannot build the programs"
	kermon "${BRIEF[@]}" --accesses --method perf-syscall-static -j
	cp out usual
	kermon "${BRIEF[@]}" --accesses --method perf-syscall-static -j --probes other/libexec/kermon
	expect_status 0
	check '
usual, = json.load(open("usual"))["cells"]
other, = cells.values()
name = "instructions of user mode"
assert other["accesses"]["start"][name] > usual["accesses"]["start"][name], (other, usual)
'
}

test_svg()
{
	kermon "${BRIEF[@]}" --method perf-syscall,perf-read --svg boxes.svg
	expect_status 0
	rsvg-convert -o boxes.png boxes.svg || fail "not SVG"
	for word in perf-syscall 'first read \[TSC cycles\]'; do
		expect_line boxes.svg "$word"
	done
	kermon "${BRIEF[@]}" --method perf-syscall --svg /dev/full
	expect_status 1
	expect_line err '^kermon bench overhead: cannot write /dev/full: No space left on device$'
}

# It is found before anything is measured, and stays as it is if nothing could be.
test_svg_that_is_not_written()
{
	kermon "${BRIEF[@]}" --method perf-syscall --svg nowhere/boxes.svg
	expect_status 1
	expect_empty out
	expect_line err '^kermon bench overhead: cannot write nowhere/boxes\.svg: No such file or directory$'
	echo before >boxes.svg
	kermon "${BRIEF[@]}" --method perf-rdpmc --svg boxes.svg
	expect_status 1
	expect_line err 'no method could be measured'
	expect_line boxes.svg '^before$'
	kermon "${BRIEF[@]}" --method perf-rdpmc --svg other.svg
	[ ! -e other.svg ] || fail "a picture of nothing"
}

# The plot has what the numbers leave of the terminal.
test_narrow_terminal()
{
	for columns in 100 80 70 10; do
		COLUMNS=$columns kermon "${BRIEF[@]}" --method perf-rdpmc,perf-syscall-static
		expect_status 0
		[ "$(grep -cE '^perf-syscall-static +1 +[0-9]+ +[0-9]+ +[0-9]+' out)" -eq 5 ] ||
			fail "not five rows in $columns columns"
		[ "$columns" -lt 80 ] || [ "$(grep -c '|' out)" -eq 5 ] || fail "no plots in $columns"
		[ "$columns" -ge 80 ] || expect_no_line out '[|]'
		sed '/^$/,/not measured/!d; /not measured/d' out >table
		[ "$(wc --max-line-length <table)" -le $((columns < 64 ? 64 : columns)) ] ||
			fail "a table is wider than $columns columns"
	done
}

# Software events of user mode only, which everybody may count.
test_without_rights()
{
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] ||
		skip "kernel.perf_event_paranoid is more than 2"
	cp "$KERMON" kermon.copy
	cp -r "$TOP/build/libexec/kermon" probes
	chmod -R a+rX .
	setpriv --reuid 65534 --regid 65534 --clear-groups ./kermon.copy "${BRIEF[@]}" \
		--probes probes --method perf-read,perf-syscall-static >out 2>err ||
		fail "status $?"
	expect_no_line out 'not measured'
}

# One that does not work here is a result; if none does, the command fails.
test_methods_that_do_not_work()
{
	kermon "${BRIEF[@]}" --method perf-rdpmc,perf-syscall
	expect_status 0
	expect_line out '^perf-rdpmc: not measured with 1 event: software events have no counter to '
	kermon "${BRIEF[@]}" --method kermon-page,perf-syscall
	expect_status 0
	expect_line out '^kermon-page: not measured with 1 event: KerMon counts no software events$'
	kermon bench overhead --probes "$TOP/build/libexec/kermon" -r 1 \
		--method kermon-call,perf-read
	expect_no_line out 'not measured .*: (No such file or directory|Permission denied|Operation not permitted|Function not implemented|No such device)$'
	kermon "${BRIEF[@]}" --method kermon-page,kermon-call,kermon-call-static -j
	expect_status 1
	check '
assert [cell["linked"] for cell in cells.values()] == ["static", "dynamic", "static"], cells
for cell in cells.values():
    assert cell["processes"] == 0 and cell["reason"] == "KerMon counts no software events"
'
}

test_what_is_wrong()
{
	for value in 'events 0 8' 'events 9 8' 'reads 65 64' 'repeat 1000001 1000000'; do
		read -r option number most <<<"$value"
		kermon bench overhead "--$option" "$number"
		expect_status 129
		expect_line err "invalid number '$number' for '--$option'; valid: 1 to $most$"
	done
	kermon bench overhead --help
	expect_line out 'unit mask and event select'
	kermon bench overhead --raw 01c0,
	expect_status 129
	expect_line err "invalid value '01c0,' for 'raw'; valid: up to 8 hexadecimal numbers"
	for value in 10151 0x1c0 0000000000000c0 1c0,c0,c0,c0,c0,c0,c0,c0,c0; do
		kermon bench overhead --raw "$value"
		expect_status 129
		expect_line err "invalid value '$value' for 'raw'; valid: up to 8 hexadecimal numbers of up to 4 digits"
	done
	"$TOP/build/libexec/kermon/kermon-probe-static" perf-read 1 1 raw=10151 >out 2>err
	status=$?
	expect_status 2
	kermon bench overhead --software --raw 01c0
	expect_status 129
	expect_line err "'--software' cannot be used with '--raw'"
	kermon bench overhead --method perf
	expect_status 129
	expect_line err "unknown method 'perf'"
	kermon bench overhead --csv --json
	expect_status 129
	kermon bench
	expect_status 129
	expect_line err "unknown command 'bench'"
}

test_without_the_programs()
{
	mkdir bin
	cp "$KERMON" bin
	KERMON=$PWD/bin/kermon
	kermon bench overhead --software --method perf-syscall
	expect_status 1
	expect_line err 'the programs that are measured are missing: kermon-probe-dynamic '
	kermon "${BRIEF[@]}" --method perf-syscall --probes nowhere
	expect_status 1
	expect_line err 'the programs that are measured are missing: kermon-probe-dynamic '
}

# expect_interrupted PROCESS: the kermon that was interrupted.
expect_interrupted()
{
	wait "$1"
	status=$?
	expect_status 1
	expect_empty out
	expect_line err '^kermon bench overhead: interrupted$'
}

# A terminal interrupts the process that is measured as well; one method has results.
test_interrupted_at_a_terminal()
{
	instead_of dynamic <<-'END'
	: >started
	sleep 1000
	END
	setsid env --default-signal=INT "$KERMON" "${BRIEF[@]}" \
		--method perf-read-static,perf-syscall >out 2>err &
	wait_for '[ -e started ]'
	kill -INT -- -$!
	expect_interrupted $!
}

# While accesses are counted, a process that ends is a remark otherwise.
test_interrupted_with_accesses()
{
	instead_of dynamic <<-'END'
	case " $* " in *" steps "*) : >started; sleep 1000 ;; esac
	exec "$real" "$@"
	END
	setsid env --default-signal=INT "$KERMON" "${BRIEF[@]}" --accesses \
		--method perf-syscall >out 2>err &
	wait_for '[ -e started ]'
	kill -INT -- -$!
	expect_interrupted $!
}

# The process that is measured is killed, however long it takes.
test_interrupted()
{
	instead_of dynamic <<-'END'
	echo $$ >process
	: >started
	exec sleep 1000
	END
	for signal in INT QUIT TERM HUP; do
		rm -f started
		env --default-signal="$signal" "$KERMON" "${BRIEF[@]}" -r 100000 \
			--method perf-syscall >out 2>err &
		wait_for '[ -e started ]'
		kill -"$signal" $!
		expect_interrupted $!
		! kill -0 "$(cat process)" 2>/dev/null || fail "the process continues"
	done
}

run_tests
