# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests of kermon spy: what is true of its samples.

# check_samples FILE PYTHON: runs statements on lines of JSON. Each of the samples has the
# counts "by" name of its event; by_cpu has those of each CPU, between which there is no gap.
# total() sums an event of a CPU, and counted() reads perf stat -a -A -x, of an event.
check_samples()
{
	/usr/bin/python3 - "$@" <<-'END' >facts 2>&1 || fail "$(cat facts)"
	import itertools, json, sys, textwrap
	lines = [json.loads(line) for line in open(sys.argv[1])]
	sets = {line["number"]: line for line in lines if line["type"] == "set"}
	samples = [line for line in lines if line["type"] == "sample"]
	for sample in samples:
	    events = sets[sample["set"]]["events"]
	    assert len(events) == len(sample["counts"]), sample
	    sample["by"] = dict(zip((event["name"] for event in events), sample["counts"]))
	by_cpu = {cpu: list(group) for cpu, group in itertools.groupby(
	    sorted(samples, key=lambda sample: sample["cpu"]), lambda sample: sample["cpu"])}
	for cpu, group in by_cpu.items():
	    for one, other in zip(group, group[1:]):
	        assert one["end_ns"] == other["begin_ns"], (one, other)
	def total(cpu, event):
	    return sum(sample["by"].get(event, 0) for sample in by_cpu[cpu])
	def counted(path):
	    rows = [line.strip().split(",") for line in open(path)]
	    return {(int(row[0][3:]), row[3]): int(row[1]) for row in rows if row[0][:3] == "CPU"}
	exec(textwrap.dedent(sys.argv[2]))
	END
}

# spy_between_perfs BACKEND NUMBER PYTHON: perf stat counts the CPUs from before the spies until
# after them, and within, while CPU 1 counts to NUMBER. On a CPU where neither tool runs, only
# the start and the end of a spy or the switches to perf lie between. Then runs statements as
# check_samples does; least, own and most are those of CPU 1.
spy_between_perfs()
{
	local work="i=0; while [ \$i -lt $2 ]; do i=\$((i+1)); done"

	taskset -c 0 perf stat -a -A -x, -o outer -e instructions -- \
		"$KERMON" spy --backend "$1" --monitor-cpu 0 -I 10ms -f json -o samples -q -- \
		perf stat -a -A -x, -o inner -e instructions -- taskset -c 1 sh -c "$work" ||
		fail "status $?"
	check_samples samples '
	outer, inner = counted("outer"), counted("inner")
	for cpu in 0, 1:
	    least, most = inner[cpu, "instructions"], outer[cpu, "instructions"]
	    own = total(cpu, "instructions")
	    print(cpu, least, own, most)
	    assert least <= own <= most, (cpu, least, own, most)
	# What the spy executed for its samples is less than 40,000 instructions for each.
	# A busy host has few samples, and more of what the kernel does by the clock.
	spied = 40e3 * len(by_cpu[1]) + 4e6
	'"$3"
}

# spy_on_mix BACKEND SET INTERVAL ROUNDS: a recording of a program on CPU 1 by the name of the
# set; the program begins after so many rounds of a shell on CPU 0.
# shellcheck disable=SC2016	# the variables are those of sh
spy_on_mix()
{
	ROUNDS=$4 kermon spy --backend "$1" -q -f perf-data -I "$3" -e "$2" -o "$2" -- \
		taskset -c 0 sh -c 'while [ $((i += 1)) -lt "$ROUNDS" ]; do :; done
			taskset -c 1 "$0"' "$TOP/build/programs/mix"
	expect_status 0
}
