#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon stat by perf_event, beside perf stat: on the virtual machine, whose PMU has
# counters and whose packages have energy.
# shellcheck disable=SC2016,SC2317	# tests are called by run_tests

KERMON=$(type -P kermon)
. "$(dirname "$0")/../cli.bash"

# The default of Linux. Debian's kernel begins with 3, which refuses everything to users.
echo 2 >/proc/sys/kernel/perf_event_paranoid

test_same_as_perf()
{
	as_perf "$KERMON" stat --json -o json -- gzip -9c /etc/services >/dev/null ||
		fail "status $?"
	perf stat -x, -o csv -e instructions:u,cycles:u,page-faults -- \
		gzip -9c /etc/services >/dev/null || fail "perf failed"
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	stat = json.load(open("json"))
	perf = {words[2]: int(words[0]) for words in
	        (line.split(",") for line in open("csv") if "," in line)}
	counts = {count["event"]: count["value"]["mean"] for count in stat["counts"]}
	assert stat["source"] == "perf_event" and stat["model_cycles"], stat
	for name in ("instructions:u", "cycles:u"):
	    assert perf[name] > 100000 and abs(counts[name] / perf[name] - 1) < 1e-3, (stat, perf)
	assert perf["page-faults"] > 20, perf
	assert abs(stat["page_faults"]["mean"] - perf["page-faults"]) < 5, (stat, perf)
	END
}

# Energy is counted from just before the command runs until just after it: at least what it
# measures itself with perf, at most what a perf around it measures. Both read the register.
test_same_energy_as_perf()
{
	local events=power/energy-pkg/,power/energy-cores/,power/energy-ram/

	perf stat -x, -o outer -a -e "$events" -- kermon stat --all-domains --json -o json -- \
		perf stat -x, -o inner -a -e "$events" -- sleep 3 || fail "status $?"
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	def joules(name):
	    return {words[2]: float(words[0]) for words in
	            (line.split(",") for line in open(name) if "," in line)}
	stat = json.load(open("json"))
	counts = {count["event"]: count for count in stat["counts"] if count["unit"] == "J"}
	inner, outer = joules("inner"), joules("outer")
	assert counts.keys() == inner.keys() == outer.keys(), (counts, inner)
	for name, least in inner.items():
	    count = counts[name]
	    assert count["counted"] and count["packages"] == 1 and not count["alone"], count
	    # perf rounds to a hundredth
	    assert least > 5 and least - 0.01 < count["value"]["mean"] < outer[name] + 0.01, \
	        (name, inner, count, outer)
	END
}

# A program that multiplies and adds 100,000 times: exact, and scaled if events took turns.
test_flop()
{
	local program='x = 1.5
for i in range(100000): x = x * 1.0000001 + 0.5'

	kermon stat -e FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE,FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE \
		--json -o json -- python3 -c "$program"
	expect_status 0
	/usr/bin/python3 - <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import json
	stat = json.load(open("json"))
	counts = {count["event"].split(":")[1]: count for count in stat["counts"]
	          if count["event"].startswith("FP_")}
	assert all(count["share"] == 1 for count in counts.values()), counts
	flop = counts["SSE_SCALAR_DOUBLE"]["value"]["mean"] + \
	    2 * counts["SSE_FP_PACKED_DOUBLE"]["value"]["mean"]
	assert flop > 200000 and stat["flop_double"]["mean"] == flop, stat
	assert "flop_single" not in stat, stat
	END
	kermon stat -e set0,set1 -- python3 -c "$program"
	expect_line err 'SSE_SCALAR_DOUBLE:u .* \[[0-9.]+%\]$'
	expect_line err '^ +[0-9,]+  floating-point operations, double +# [0-9.]+ [KM]?FLOP/s$'
	[ "$(wc -L <err)" -le 100 ] || fail "more than 100 columns"
}

test_table_of_energy()
{
	kermon stat -r 2 -- sleep 0.2
	expect_status 0
	expect_line err "^ Counts of 'sleep 0\.2', by perf_event \(without KerMon\), mean of 2 runs:$"
	expect_line err '^ +[0-9.]+  power/energy-pkg/ J, whole package +# [0-9.]+ W(, peak [0-9.]+ W)?  \(\+- [0-9.]+%\)$'
	expect_line err ' instructions:u +# [0-9.]+ per model cycle '
	expect_no_line err 'energy-(ram|cores)'
	expect_no_line err '^kermon stat:'
	[ "$(wc -L <err)" -le 100 ] || fail "more than 100 columns"
	kermon stat --all-domains -- true
	expect_line err 'power/energy-ram/ J, whole package'
	expect_line err 'power/energy-cores/ J, whole package'
}

# One note, with the remedy, which works.
test_energy_that_is_not_permitted()
{
	chmod 777 .
	setpriv --reuid 65534 --clear-groups "$KERMON" stat -- true >out 2>err
	status=$?
	expect_status 0
	expect_line err '^ +<not counted>  power/energy-pkg/ J +# not permitted$'
	expect_line err '^kermon stat: energy was not counted: this user may not count that of the whole machine$'
	expect_line err '^  as root: sysctl kernel\.perf_event_paranoid=0$'
	[ "$(grep -c '^kermon stat:' err)" -eq 1 ] || fail "more than one note"
	echo 0 >/proc/sys/kernel/perf_event_paranoid
	setpriv --reuid 65534 --clear-groups "$KERMON" stat -- true >out 2>err
	status=$?
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	expect_status 0
	expect_line err '^ +[0-9.]+  power/energy-pkg/ J, whole package'
	expect_no_line err '^kermon stat:'
}

# without_power COMMAND...: where perf has no PMU for energy, and powercap is a folder whose
# files are ours. A zone of a package wraps at 1000 joules.
without_power()
{
	unshare --mount bash -c '
	mount -t tmpfs none /sys/bus/event_source/devices/power &&
	mount -t tmpfs none /sys/class || exit 99
	zone()
	{
		mkdir -p "/sys/class/powercap/$1"
		cd "/sys/class/powercap/$1"
		echo "$2" >name; echo "$3" >energy_uj; echo 1000000000 >max_energy_range_uj
		chmod 400 energy_uj
	}
	if [ -n "$ZONES" ]; then
		mkdir -p /sys/class/powercap/intel-rapl
		zone intel-rapl:0 package-0 999000000
		zone intel-rapl:0:0 core 100
		zone intel-rapl:0:1 dram 0
		zone intel-rapl:1 package-1 5
		zone intel-rapl-mmio:0 package-0 7
	fi
	[ "$ZONES" != damaged ] || rm /sys/class/powercap/intel-rapl:1/energy_uj
	cd "$0"
	exec "$@"' "$PWD" "$@" >out 2>err
	status=$?
}

test_powercap()
{
	# written over, because the tool reads them meanwhile: never empty
	local script='cd /sys/class/powercap; echo 002500000 1<>intel-rapl:0/energy_uj
		echo 1500100 1<>intel-rapl:0:0/energy_uj; echo 250005 1<>intel-rapl:1/energy_uj
		echo 9 1<>intel-rapl-mmio:0/energy_uj'

	ZONES=1 without_power "$KERMON" stat --all-domains -- sh -c "$script"
	expect_status 0
	# 1 J to the end of the range, 2.5 J from its start, and 0.25 J of the other package
	expect_line err '^ +3\.750  power/energy-pkg/ J, all packages +# [0-9.]+ [KM]?W(, peak [0-9.]+ [KM]?W)?$'
	expect_line err '^ +1\.500  power/energy-cores/ J, whole package'
	expect_line err '^ +0\.000  power/energy-ram/ J, whole package'
	chmod 777 .
	ZONES=1 without_power setpriv --reuid 65534 --clear-groups "$KERMON" stat -- true
	expect_status 0
	expect_line err '^kermon stat: energy was not counted: only root can read /sys/class/powercap$'
	expect_line err "^  as root, load perf's PMU 'power': modprobe rapl$"
	# One package must not pass for both.
	ZONES=damaged without_power "$KERMON" stat -- true
	expect_status 0
	expect_line err '^ +<not counted>  power/energy-pkg/ J +# not offered by this machine$'
	ZONES='' without_power "$KERMON" stat -- true
	expect_status 0
	expect_line err '^ +<not counted>  power/energy-pkg/ J +# not offered by this machine$'
	expect_no_line err '^kermon stat:'
}

run_tests
