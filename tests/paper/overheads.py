# SPDX-License-Identifier: GPL-2.0
"""What the monitors of the KerMon paper cost. The virtual machine executes one instruction per
nanosecond, and nothing else passes its time: durations are instructions of the machine."""

import shutil

from machine import KERMON, Failed, build, run, VM
from tables import Table

INTERVALS = (50, 10, 1)
CPUS = 2
# Part of the instructions that a monitor adds at 50 ms, at most.
SMALL = 0.01
PROGRAMS = ["sh", "perf", "sleep", "sha256sum", "taskset", "true", "sed", "yes", "head", "tr"]
TIMEOUT = 600

# One process that computes, and many that hardly do. In the second, a process waits for the
# other ones.
COMPUTES = "taskset -c 1 sha256sum /usr/bin/perf"
FORKS = "taskset -c 1 sh -c '" + "".join(f"for {name} in 1 2 3 4 5 6 7 8 9 10; do "
                                         for name in "ij") + "{}; done; done'"
FIXED = "instructions,cycles,ref-cycles"
MONITORS = {
    "SpyMon": "kermon spy -q -e fixed -I {}ms -f csv -o /tmp/spied",
    "KerMon": "kermon run -q -k -e fixed --interval {}ms -o /tmp/run.data",
    "KerMon, class of all": "kermon run -q -k -e fixed --interval {}ms --sched inherit "
                            "-o /tmp/run.data",
    "perf stat -I": "perf stat -o /tmp/stat -x, -e " + FIXED + " -I {}",
}


def exact(lab, commands, *programs):
    """What each shell command prints, a line each, on one machine whose time is the number of
    its instructions."""
    files = [shutil.which(program) for program in PROGRAMS] + [KERMON, *programs]
    options = sum((["--with", file] for file in files), [])
    said, _ = run([VM, "--icount", "--cpus", CPUS, "--timeout", TIMEOUT, *options, "--", "sh", "-c",
                   " && ".join(commands)], lab.folder)
    lines = said.splitlines()
    if len(lines) != len(commands):
        raise Failed(f"{len(lines)} results, not {len(commands)}:\n{said}")
    return lines


def took(command):
    """A shell command that prints how long another one takes."""
    return (f"perf stat -x, -o /tmp/took -e duration_time -- {command} >/dev/null && "
            "sed -n 's/^\\([0-9]*\\),.*/\\1/p' /tmp/took")


def more(after, before):
    return f"{100 * (after / before - 1):+.2f} %"


def durations(lab, intervals, works):
    """{(monitor, interval): [duration of each program, without start and end of the monitor]};
    "" is without a monitor. The first run of a program, during which the kernel still has to do
    for its boot, is not counted."""
    cases = [("", 0), *((name, interval) for name in MONITORS for interval in intervals)]
    before = {("", 0): "", **{case: f"{MONITORS[case[0]].format(case[1])} -- "
                              for case in cases[1:]}}
    lines = exact(lab, [took(work) for work in works] +
                  [f"{before[case]}{took(work)}" for case in cases for work in works])
    numbers = [int(line) for line in lines[len(works):]]
    return {case: numbers[at * len(works):(at + 1) * len(works)]
            for at, case in enumerate(cases)}


def program(lab):
    """Section 5 and figure 7: the "small constant overhead", of both monitors."""
    table = Table("monitor", "interval", "instructions of the machine", "more than without")
    found = durations(lab, INTERVALS, [COMPUTES])
    bare = found["", 0][0]
    for (name, interval), (seen,) in found.items():
        table.add(name or "none", f"{interval} ms" if name else "", seen,
                  more(seen, bare) if name else "")
    expect_small(found, bare)
    table.note(f"Machine: {lab.guest.facts()}, one instruction per nanosecond.")
    return table


def expect_small(found, bare):
    """What the document says: at 50 ms less than SMALL, and more at 1 ms."""
    for name in MONITORS:
        costs = [found[name, interval][0] / bare - 1 for interval in (50, 1)]
        if costs[0] > SMALL or (name != "KerMon" and costs[1] < costs[0]):
            raise Failed(f"{name}: {costs[0]:.2%} more at 50 ms, {costs[1]:.2%} at 1 ms")


def processes(lab):
    """Section 2.1: a monitor of CPUs does not care which process runs."""
    works = [COMPUTES, FORKS.format(shutil.which("true"))]
    table = Table("monitor", "one process", "101 processes")
    found = durations(lab, (10,), works)
    for (name, interval), seen in found.items():
        table.add(f"{name}, {interval} ms" if name else "none, instructions",
                  *(more(own, bare) if name else own
                    for own, bare in zip(seen, found["", 0])))
    table.note(f"Machine: {lab.guest.facts()}, one instruction per nanosecond.")
    return table


SAMPLES = 200
AROUND = (": >/tmp/spied; perf stat -x, -o /tmp/around -a -e instructions:uk,context-switches -- {} && "
          "echo $(sed -n 's/^\\([0-9]*\\),.*/\\1/p' /tmp/around)")


def idle(lab):
    """Sections 3 and 6: what a sample of an idle CPU costs, with the paper's signals and pipes."""
    build(lab.folder, "spymon")
    spymon = lab.folder / "spymon"
    ways = {"SpyMon as in the paper": f"{spymon} {{interval}} {{samples}}",
            "kermon spy": "kermon spy -q -e fixed -I {interval}ms --samples {samples} -f csv "
                          "-o /tmp/spied"}
    cases = [(name, interval, samples) for name in ways for interval in INTERVALS
             for samples in (SAMPLES, 2 * SAMPLES)]
    sleeps = [(f"sleep {samples * interval / 1000:.3f}") for interval in INTERVALS
              for samples in (SAMPLES, 2 * SAMPLES)]
    commands = [ways[name].format(interval=interval, samples=samples)
                for name, interval, samples in cases]
    lines = [[int(word) for word in line.split()]
             for line in exact(lab, [AROUND.format(command) for command in sleeps + commands],
                               spymon)]
    pairs = [[after - before for before, after in zip(*pair)]
             for pair in zip(lines[::2], lines[1::2])]
    bare, of_ways = pairs[:len(INTERVALS)], pairs[len(INTERVALS):]
    table = Table("monitor", "interval", "instructions per sample and CPU", "switches to a task",
                  "share of an idle CPU")
    for number, (instructions, switches) in enumerate(of_ways):
        name, interval = list(ways)[number // len(INTERVALS)], INTERVALS[number % len(INTERVALS)]
        less = bare[number % len(INTERVALS)]
        own = (instructions - less[0]) / SAMPLES / CPUS
        table.add(name, f"{interval} ms", f"{own:,.0f}",
                  f"{(switches - less[1]) / SAMPLES / CPUS / 2:.2f}",
                  f"{own / (interval * 1e6):.2%}")
    table.note(f"Machine: {lab.guest.facts()}, one instruction per nanosecond.")
    return table


def isolation(lab):
    """Section 4: the class isolates a program from others."""
    table = Table("the program runs", "time [ms]", "longer than alone")
    run_it = "kermon run -q -e fixed --sched {} -o /tmp/run.data -- " + took(COMPUTES)
    beside = "taskset -c 1 yes >/dev/null & other=$!; {}; kill $other"
    commands = [run_it.format("inherit"), *(beside.format(run_it.format(sched))
                                            for sched in ("inherit", "kermon"))]
    alone, fair, kermon = (int(line) for line in exact(lab, [f"{{ {command}; }}"
                                                             for command in commands]))
    for name, time in (("alone", alone), ("beside another one, both SCHED_OTHER", fair),
                       ("beside another one, in the class of KerMon", kermon)):
        table.add(name, f"{time / 1e6:.1f}", "" if time == alone else more(time, alone))
    if fair < 1.8 * alone or kermon > 1.1 * alone:
        raise Failed(f"alone {alone} ns, beside another program {fair}, in the class {kermon}")
    table.note(f"Machine: {lab.guest.facts()}, one instruction per nanosecond.")
    return table


# Of enum kermon_reason. A tick comes every TICK ms, and the paper's rule is INTERVAL.
BY_TICK, TICK, INTERVAL = 4, 4, 50
REASONS = {1: "is preempted", 2: "sleeps", 3: "exits", 5: "executes a program",
           BY_TICK: f"has run for {INTERVAL} ms at a tick"}

# The samples of a recording in one line, each with its reason and the time on the CPU in ns.
LIST_SAMPLES = ("kermon dump /tmp/run.data | sed -n 's/.* event oncpu: .* period \\([0-9]*\\),"
                ".* raw ..\\(..\\).*/\\1:\\2/p' | tr '\\n' ' '; echo")


def rule(lab):
    """Section 4: a sample at each switch-out, and at a tick after 50 ms without a sample."""
    table = Table("program", "sampled because it", "samples", "shortest [ms]", "median [ms]",
                  "longest [ms]")
    programs = {"computes": COMPUTES, "waits": "taskset -c 1 sh -c 'yes | head -c 8000000'"}
    lines = exact(lab, [f"kermon run -q -e fixed -o /tmp/run.data -- {command} >/dev/null; "
                        f"{LIST_SAMPLES}" for command in programs.values()])
    for name, line in zip(programs, lines):
        samples = [[int(word) for word in sample.split(":")] for sample in line.split()]
        for number, reason in REASONS.items():
            spans = sorted(span / 1e6 for span, why in samples if why == number)
            if spans:
                table.add(name, reason, len(spans), *(f"{span:.3f}" for span in (
                    spans[0], spans[len(spans) // 2], spans[-1])))
            if number == BY_TICK and spans and (spans[0] < INTERVAL or
                                                spans[-1] > INTERVAL + TICK):
                raise Failed(f"samples at ticks of {spans[0]} to {spans[-1]} ms")
    table.note(f"Machine: {lab.guest.facts()}, one instruction per nanosecond.")
    return table


EXPERIMENTS = {
    "monitors-rule-model": rule,
    "monitors-overhead-model": program, "monitors-processes-model": processes,
    "monitors-idle-model": idle, "monitors-isolation-model": isolation,
}
