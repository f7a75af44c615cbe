#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon bench overhead where instructions are counted: the order of the methods, and that all of
# them count the same. "make paper" has the whole matrix.
# shellcheck disable=SC2317	# tests are called by run_tests

. "$(dirname "$0")/cli.bash"
PAPI=$(ldconfig -p | sed -n 's/^\tlibpapi\.so\.7\.0 .*=> //p')
LIKWID=$(ldconfig -p | sed -n 's/^\tliblikwid\.so\.5\.2 .*=> //p')
# It looks for its daemon by a shell.
NEEDED=(/usr/sbin/likwid-accessD /bin/bash /usr/bin/which /usr/bin/tr)

# on_machine OPTION... -- COMMAND...: output goes to out, on a machine with the libraries.
on_machine()
{
	local file options=()

	if [ -z "$PAPI" ] || [ -z "$LIKWID" ]; then
		fail "PAPI 7.0 or likwid 5.2 is missing; install them: scripts/setup tests"
	fi
	for file in "$TOP"/build/libexec/kermon/kermon-probe-* "$TOP/build/bin/kermon" \
		"$PAPI" "$LIKWID" "${NEEDED[@]}"; do
		options+=(--with "$file")
	done
	"$TOP/scripts/kermon-vm" --icount --cpus 1 --timeout 3600 "${options[@]}" "$@" >out 2>err ||
		fail "status $?"
}

# overhead KERNEL CPU OPTION...: the cells of the JSON go to out.
overhead()
{
	on_machine --kernel "$1" --cpu "$2" -- \
		kermon bench overhead --json --reads 3 --repeat 3 --accesses "${@:3}"
}

# check PYTHON: with cells by method, number of events
check()
{
	/usr/bin/python3 - "$1" >facts 2>&1 <<-'END' || fail "$(cat facts)"
	import json, sys
	found = json.load(open("out"))
	cells = {(cell["method"], cell["events"]): cell for cell in found["cells"]
	         if cell["processes"]}
	reasons = {cell["method"]: cell["reason"] for cell in found["cells"] if not cell["processes"]}
	def medians(step, events=1):
	    return {method: cell[step]["median"] for (method, number), cell in cells.items()
	            if number == events}
	def accesses(method, step, events=1):
	    return cells[method, events]["accesses"][step]
	def ascending(*values):
	    assert all(1.3 * less <= more for less, more in zip(values, values[1:])), values
	exec(sys.argv[1])
	END
}

# That all methods work, except for what is said here.
ORDER='
assert found["cycles are instructions"] is True and found["unit"] == "instructions"
first, start, total = medians("first read"), medians("start"), medians("total")
ascending(first["perf-rdpmc-touched"], first["perf-syscall-static"])
ascending(first["perf-rdpmc-touched"], first["perf-rdpmc"])
ascending(first["perf-rdpmc-populated"], first["perf-read-static"], first["perf-read"])
ascending(first["kermon-page"], first["kermon-call"])
ascending(total["kermon-page"], total["kermon-call-static"], total["perf-rdpmc-touched-static"])
ascending(total["kermon-page"], total["kermon-call"], total["perf-read"])
ascending(start["kermon-call-static"], start["kermon-call"], start["perf-read"])
# The linker has found read() at the start, which is a read, too.
assert first["kermon-call"] <= 1.1 * medians("later read")["kermon-call"], first
ascending(total["kermon-page"], total["perf-rdpmc-touched-static"], total["papi"])
assert first["kermon-page"] <= 1.2 * medians("later read")["kermon-page"], first
assert total["kermon-page"] < total["perf-rdpmc-running"], total
for (method, events), cell in cells.items():
    counts = [box["median"] for box in cell["counted in work"]]
    assert counts[:2] == [10001, 5000][:events], (method, counts)
# Their counters run before the start, which is not counted.
for method in ("kermon-page", "kermon-call", "kermon-call-static", "perf-rdpmc-running"):
    first, later, *_ = (boxes[0]["median"] for boxes in cells[method, 1]["counted until read"])
    assert 0 < first < 2 * later, (method, first, later)
'
# A read of the page is RDPMC and some instructions, and no registers are written at all.
PAGE='
for events in range(1, max(number for _, number in cells) + 1):
    for step in ("start", "first read", "later read", "stop"):
        seen = accesses("kermon-page", step, events)
        assert seen["WRMSR"] == seen["RDMSR"] == seen["system calls"] == 0, seen
        assert seen["RDPMC"] == events, seen
        took = medians(step, events)["kermon-page"] - cells["kermon-page", events]["empty function"][step]
        assert seen["instructions of user mode"] == took, (seen, took)
        for method in ("kermon-call", "kermon-call-static"):
            seen = accesses(method, step, events)
            assert seen["WRMSR"] == 0 and seen["system calls"] == 1, seen
    for step in ("start", "stop"):
        assert accesses("perf-read", step, events)["WRMSR"] > 1
'

# The study varies the number of events.
test_intel()
{
	overhead 6.12 ivy-bridge --events 2
	check "$ORDER$PAGE"
	check '
first = medians("first read")
ascending(first["perf-syscall-static"], first["perf-rdpmc"])
assert reasons == {"likwid": "likwid cannot count on this processor: likwid_markerInit() failed"}, reasons
'
}

# There a page fault takes less than a system call.
test_old_kernel()
{
	overhead 6.1 ivy-bridge
	check "$ORDER$PAGE"
}

# likwid reads registers by a driver, twice for each value.
test_amd()
{
	overhead 6.12 zen3
	check "$ORDER$PAGE"
	check '
assert not reasons, reasons
assert accesses("likwid", "later read")["RDMSR"] >= 2, accesses("likwid", "later read")
assert medians("later read")["likwid"] > 10 * medians("later read")["kermon-page"]
'
}

# Where the kernel's accesses cannot be told, they are unknown, not none: in a namespace, whose
# process ids the trace does not have, and with the instance of a process that was killed.
test_unknown_accesses()
{
	local brief='kermon bench overhead --json --repeat 1 --reads 1 --accesses'
	local methods='kermon-page,perf-read-static'

	on_machine --cpu ivy-bridge --with /usr/bin/unshare --with /usr/bin/mkdir -- bash -c "
		unshare --pid --fork $brief --method $methods || exit 1
		echo ==
		mkdir /sys/kernel/tracing/instances/kermon-\$\$ || exit 1
		exec $brief --method $methods"
	/usr/bin/python3 - >facts 2>&1 <<-'END' || fail "$(cat facts)"
	import json
	for text, reason in zip(open("out").read().split("==\n"),
	                        ("the trace lacks marks", "is left of a process that was killed"),
	                        strict=True):
	    for cell in json.loads(text)["cells"]:
	        accesses = cell["accesses"]
	        assert reason in accesses["reason"], accesses
	        for step in "start", "first read", "stop", "total":
	            calls = accesses[step]["system calls"]
	            assert (calls > 0) == (cell["method"] == "perf-read-static"), accesses
	            assert accesses[step]["WRMSR"] is None and accesses[step]["RDMSR"] is None, accesses
	            assert (accesses[step]["RDPMC"] is None) == (calls > 0), accesses
	        assert "later read" not in accesses, accesses
	END
}

run_tests
