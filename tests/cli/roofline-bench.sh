#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kermon roofline bench: what it measures, prints and saves. Values are only compared with
# each other, because the machine is shared.
# shellcheck disable=SC2016,SC2317	# tests and conditions are run by name

. "$(dirname "$0")/cli.bash"

# Sanitizers do not see the assembly, and make everything else slow.
KERMON=$TOP/build/bin/kermon
export XDG_DATA_HOME=/nonexistent

BRIEF=(roofline bench --quick --threads 1 --isa 'scalar,sse')

# check_json FILE: with the variable @all, and a list for each array.
check_json()
{
	/usr/bin/python3 - "$1" >facts 2>&1 || fail "$(cat facts)"
}

test_peaks()
{
	kermon "${BRIEF[@]}" --level peak -o peaks.json
	expect_status 0
	expect_line out '^Measured ceilings of '
	expect_line out '^double ADD  .*[0-9]'
	expect_no_line out '^L1 '
	check_json peaks.json <<-'END'
	import json, sys
	found = json.load(open(sys.argv[1]))
	assert found["format"] == "kermon ceilings 1" and found["kind"] == "measured"
	assert found["complete"] is True and found["bandwidths"] == []
	value = {(row["operation"], row["precision"], row["isa"]): row["value"]
	         for row in found["flops"]}
	assert ("add", "double", "sse") in value and ("add+mul", "single", "scalar") in value
	# twice the elements: at least a third faster, whatever else runs here
	assert value["add", "double", "sse"] > 1.3 * value["add", "double", "scalar"], value
	assert value["add", "single", "sse"] > 1.3 * value["add", "double", "sse"], value
	for row in found["flops"]:
	    assert 1e8 < row["low"] <= row["value"] <= row["high"] < 1e12, row
	    assert row["windows"] >= 20 and row["threads"] == 1 and row["placement"] == "one"
	    assert 5e8 < row["hertz"] < 1e10, row
	END
}

test_bandwidths()
{
	kermon "${BRIEF[@]}" --level L1,L2 --isa sse -j
	expect_status 0
	expect_line err '^Not saved, as only a part was measured; --output FILE saves it\.$'
	check_json out <<-'END'
	import json, sys
	found = json.load(open(sys.argv[1]))
	assert found["flops"] == []
	value = {(row["level"], row["pattern"]): row["value"] for row in found["bandwidths"]}
	assert len(value) == 8, value
	# Where instructions of 16 bytes are the limit, L2 is as fast as L1.
	assert value["L1", "load"] > 0.7 * value["L2", "load"] > 1e8, value
	assert all(row["bytes_per_thread"] % 768 == 0 for row in found["bandwidths"])
	END
}

# No access beyond the memory that was mapped, whatever the caches have.
test_little_memory()
{
	local run='mount --bind meminfo /proc/meminfo && exec "$@"'

	echo 'MemAvailable: 18432 kB' >meminfo
	unshare -m sh -c "$run" - true 2>/dev/null ||
		skip "this process may not mount over /proc/meminfo"
	unshare -m sh -c "$run" - "$KERMON" "${BRIEF[@]}" --isa sse --level L2,L3,DRAM -o - \
		>out 2>err
	status=$?
	expect_status 0
	expect_line out 'DRAM, 1 thread: not measured: it requires [0-9]+ MiB, a third of the available memory is [0-9]+ MiB'
	check_json out <<-'END'
	import json, sys
	found = json.load(open(sys.argv[1]))["bandwidths"]
	assert {"L2"} <= {row["level"] for row in found} <= {"L2", "L3"}, found
	assert all(row["bytes_per_thread"] <= 3 << 20 for row in found if row["level"] == "L3")
	END
}

# The lists of what is measured, without measuring it.
test_list()
{
	kermon roofline bench --list --threads 1 --level peak,DRAM --isa scalar
	expect_status 0
	expect_line out $'^peak\tdouble\tadd\tscalar\t1$'
	expect_line out $'^DRAM\t2:1\t2M\tscalar\t1$'
	expect_no_line out 'L1|sse'
	cp out whole
	kermon roofline-bench --list --threads 1,1 --level peak,DRAM --isa scalar
	cmp -s out whole || fail "the command of one word, or a number given twice, differs"
}

# Any CPU, not CPU 0.
test_cpus_of_the_process()
{
	local last

	last=$(taskset -cp $$ | grep -oE '[0-9]+$')
	[ "$last" -gt 0 ] || skip "this process may use one CPU only"
	taskset -c "$last" "$KERMON" "${BRIEF[@]}" --level L1 --isa sse -o - >out 2>err
	status=$?
	expect_status 0
	expect_line out "\"cpus\": \"$last\""
	taskset -c "$last" "$KERMON" roofline bench --threads 2 >out 2>err
	status=$?
	expect_status 129
	expect_line err '^kermon roofline bench: 2 threads need as many CPUs; this process may use 1$'
	XDG_DATA_HOME=$PWD/data taskset -c "$last" "$KERMON" roofline bench --quick >out 2>err
	status=$?
	expect_status 0
	expect_line err '^Not saved, as this process may use only 1 of [0-9]+ CPUs; --output FILE saves it\.$'
	[ ! -e data ] || fail "ceilings of one CPU were saved as those of the machine"
}

test_interrupted()
{
	# programs in the background ignore SIGINT
	env --default-signal=INT "$KERMON" roofline bench --level L1,peak -o part.json \
		>out 2>err &
	wait_for '[ "$(ls "/proc/$!/task" | wc -l)" -gt 1 ]'
	sleep 0.5
	kill -INT "$!"
	wait "$!"
	status=$?
	expect_status 1
	expect_line err 'interrupted: '
	if [ -e part.json ]; then
		expect_line part.json '"complete": false'
	else
		expect_line err 'nothing was measured'
	fi
}

test_theoretical()
{
	kermon roofline bench --theoretical=i7-3770K -o theory.json
	expect_status 0
	expect_line out '^Theoretical ceilings of Intel\(R\) Core\(TM\) i7-3770K CPU'
	expect_line out '^double ADD\+MUL  .* 28 '
	expect_line out '^DRAM load .* 29\.87'
	check_json theory.json <<-'END'
	import json, sys
	found = json.load(open(sys.argv[1]))
	assert found["kind"] == "theoretical"
	assert found["machine"]["cpuid"] == "GenuineIntel,6,58,9"
	peak, = [row["value"] for row in found["flops"] if row["threads"] == 1 and
	         (row["operation"], row["precision"], row["isa"]) == ("add+mul", "double", "avx")]
	assert peak == 28e9, peak
	assert max(row["value"] for row in found["flops"]) == 4 * 56e9
	dram, = [row for row in found["bandwidths"] if row["level"] == "DRAM" and row["threads"] == 4]
	assert abs(dram["value"] - 29.87e9) < 1e7 and "DDR3-1866" in dram["source"]
	assert not [row for row in found["flops"] if row["operation"] == "fma"]
	END
}

test_theoretical_refused()
{
	kermon roofline bench --theoretical=i7-3770K --threads 2,1000
	expect_status 129
	expect_line err '1000 threads: more than the 4 cores whose ceilings add up$'
	kermon roofline bench --theoretical=i7-3770K --isa avx512
	expect_status 129
	expect_line err 'Ivy Bridge has none of these instruction sets; its widest one is avx$'
	kermon roofline bench --theoretical=i7-3770K --level L3
	expect_status 1
	expect_line err 'no documentation states the bandwidths of these levels$'
	kermon roofline bench --theoretical=i7-3770K --threads 4 --isa sse,avx512
	expect_status 0
}

test_saved_for_this_machine()
{
	XDG_DATA_HOME=$PWD/data kermon roofline bench --theoretical=i7-3770K
	expect_status 0
	expect_line err "^Saved as $PWD/data/kermon/ceilings/GenuineIntel,6,58,9-.*-theoretical\.json$"
	[ -s "$(sed 's/^Saved as //' err)" ] || fail "no file"
}

test_refused()
{
	kermon roofline bench --isa mmx
	expect_status 129
	expect_line err "unknown instruction set 'mmx'; valid instruction sets: scalar, sse, avx, avx512"
	kermon roofline bench --level L1,L9
	expect_status 129
	expect_line err "unknown level 'L9'"
	for threads in 0 x '1,' -1 '1,,2'; do
		kermon roofline bench --threads="$threads"
		expect_status 129
		expect_line err "invalid numbers of threads '$threads'"
	done
	kermon roofline bench --threads 100000
	expect_status 129
	kermon roofline bench --theoretical=486
	expect_status 129
	expect_line err "unknown CPU '486'; valid: i7-3770K"
	kermon roofline bench file
	expect_status 129
	kermon roofline bench -o /nonexistent/file
	expect_status 1
	expect_line err 'cannot write /nonexistent/file: No such file or directory$'
}

run_tests
