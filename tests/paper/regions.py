# SPDX-License-Identifier: GPL-2.0
"""Experiments of "Advanced Modular Software Performance Monitoring" by A. Mazurov and B.
Couturier, redone with the example of a framework: time of algorithms from samples against exact
times of the same run, and what sampling costs."""

import bisect
import csv
import json
import math
import re
import statistics
from collections import Counter
from dataclasses import dataclass

from machine import KERMON, TOP, Failed, run
from tables import Table

EXAMPLE = TOP / "tools/examples/framework"
TOP_ALGORITHM = "L0Muon"
# Tables 1 to 3: by number of events and algorithm, share of the first one's time in percent,
# by the timer and by the profiler.
PAPER = {
    10: {"L0Muon": (100, 100), "Hlt1TrackAllL0Unit": (63.71, 63.571),
         "FastVeloHlt": (33.065, 7.143), "L0Calo": (8.065, 0), "HltPVsPV3D": (4.032, 0)},
    100: {"L0Muon": (100, 100), "Hlt1TrackAllL0Unit": (36.985, 42.353),
          "FastVeloHlt": (29.648, 28.235), "L0Calo": (7.94, 15.294), "HltPVsPV3D": (2.613, 4)},
    1000: {"L0Muon": (100, 100), "Hlt1TrackAllL0Unit": (35.872, 35.147),
           "FastVeloHlt": (29.648, 28.235), "L0Calo": (30.478, 29.736),
           "HltPVsPV3D": (2.491, 2.25)},
}
ALGORITHMS = tuple(PAPER[10])
# About one sample per event in the first algorithm, as in the paper.
PERIOD = 1


def program(lab):
    """The example, built once."""
    if not hasattr(lab, "framework"):
        out = lab.folder / "framework"
        run(["make", "-s", "-C", EXAMPLE, f"OUT={out}"], lab.folder)
        lab.framework = out / "kermon-framework"
    return lab.framework


def options(name):
    return EXAMPLE / "options" / f"{name}.py"


def exact_times(path):
    """Calls and times in ns by algorithm, as the timer has measured them."""
    with open(path, encoding="utf-8", newline="") as file:
        return {row["branch"].rpartition("/")[2]: row for row in csv.DictReader(file)}


class Executions:
    """When each thread executed which algorithm: the innermost ones."""

    def __init__(self, path):
        self.by_thread = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            thread, begin, end, branch = line.split()
            name = branch.rpartition("/")[2]
            if name in ALGORITHMS:
                self.by_thread.setdefault(thread, []).append((int(begin), int(end), name))
        for executions in self.by_thread.values():
            executions.sort()

    def at(self, thread, when):
        """The algorithm at this time in ns, or None."""
        executions = self.by_thread.get(thread, [])
        found = bisect.bisect(executions, (when, math.inf)) - 1
        return executions[found][2] if found >= 0 and when < executions[found][1] else None


@dataclass
class Observed:
    """Exact CPU time in ns, and number of samples, by algorithm."""
    exact: dict
    samples: dict

    def part(self, times, name):
        return times.get(name, 0) / sum(times.get(each, 0) for each in ALGORITHMS)

    def differences(self):
        """Parts of the time of all algorithms: by samples, less the exact ones."""
        return [self.part(self.samples, name) - self.part(self.exact, name)
                for name in ALGORITHMS]


def checked(times, samples):
    if not samples.get(TOP_ALGORITHM):
        raise Failed(f"no samples of {TOP_ALGORITHM}")
    return Observed({name: float(row["cpu"]) for name, row in times.items()}, samples)


def observe(lab, events, seed):
    """A run whose regions KerMon records, with samples."""
    times = lab.folder / "regions-times.csv"
    run([KERMON, "record", "-q", "-o", "regions.data", "--regions", "time", "-e", "cpu-clock",
         "--interval", f"{PERIOD}ms", "--", program(lab), options("tables"), events, seed, times], lab.folder)
    said, _ = run([KERMON, "regions", "--json", "regions.data"], lab.folder)
    regions = {row["name"]: row for row in json.loads(said)["regions"]}
    exact = exact_times(times)
    for name, row in exact.items():
        if regions[name]["calls"] != int(row["calls"]) or \
                regions[name]["durations"]["max_ns"] > int(row["longest"]):
            raise Failed(f"{name}: {regions[name]} is not what the timer has: {row}")
    return checked(exact, {name: round(regions[name]["self_sampled_ns"] / PERIOD / 1e6)
                           for name in ALGORITHMS})


def observe_by_perf(lab, events, seed):
    """A run that perf samples; samples are attributed by the times at which algorithms began and
    ended, by the clock that perf uses. Nothing of it is KerMon's."""
    times, trace = lab.folder / "regions-times.csv", lab.folder / "regions-trace"
    path, _ = lab.host.record("regions-perf", "-k", "CLOCK_MONOTONIC", "-e", "cpu-clock", "-c",
                              PERIOD * 1000000, program(lab), options("tables"), events, seed,
                              times, trace)
    executions = Executions(trace)
    said, _ = run(["perf", "script", "-i", path, "-F", "tid,time", "--ns"], lab.folder)
    samples = Counter()
    for line in said.splitlines():
        match = re.match(r" *(\d+) +(\d+)\.(\d{9}):", line)
        if match:
            samples[executions.at(match[1], int(match[2] + match[3]))] += 1
    return checked(exact_times(times), samples)


def shares(times):
    """In percent of the first algorithm, as the paper has it."""
    return {name: 100 * times.get(name, 0) / times[TOP_ALGORITHM] for name in ALGORITHMS}


def tables(lab):
    """Tables 1 to 3: share per algorithm at 10, 100 and 1000 events, from samples and exactly."""
    table = Table("events", "algorithm", "paper: timer", "profiler", "difference",
                  "ours: exact", "samples", "difference", "number of samples")
    largest = {}
    for events, theirs in PAPER.items():
        found = observe(lab, events, seed=1)
        exact, sampled = shares(found.exact), shares(found.samples)
        for name in ALGORITHMS:
            timer, profiler = theirs[name]
            table.add(events, name, float(timer), float(profiler), timer - profiler, exact[name],
                      sampled[name], exact[name] - sampled[name], found.samples.get(name, 0))
        largest[events] = max(map(abs, found.differences()))
    if largest[1000] > 0.03:
        raise Failed(f"samples of 1000 events differ from the exact times: {largest}")
    table.note(f"In percent of {TOP_ALGORITHM}. Ours: CPU time, a sample per {PERIOD} ms of it. "
               f"Machine: {lab.host.facts()}.")
    return table


def by_perf(lab):
    """The same of 1000 events by perf, which knows nothing of regions."""
    events = max(PAPER)
    ours, theirs = observe(lab, events, seed=1), observe_by_perf(lab, events, seed=1)
    table = Table("algorithm", "exact", "samples in KerMon's regions", "exact, second run",
                  "perf's samples by time")
    columns = [shares(times) for times in (ours.exact, ours.samples, theirs.exact, theirs.samples)]
    for name in ALGORITHMS:
        table.add(name, *(column[name] for column in columns))
    largest = max(map(abs, [*ours.differences(), *theirs.differences()]))
    table.note(f"In percent of {TOP_ALGORITHM}; {events} events. Machine: {lab.host.facts()}.")
    if largest > 0.03:
        raise Failed(f"parts of the time differ by up to {largest:.1%}")
    return table


EVENTS = (10, 30, 100, 300, 1000)
SEEDS = range(1, 11)
# Of the logarithm of the difference over that of the number of events: -1/2 in theory.
SLOPE = (-0.7, -0.3)


def slope_of(points):
    """Of the line through the logarithms, by least squares."""
    logs = [(math.log(x), math.log(y)) for x, y in points.items()]
    return statistics.linear_regression(*zip(*logs)).slope


def convergence(lab):
    """The difference between samples and exact times over the number of events, for many seeds."""
    table = Table("events", "samples", "difference: root mean square", "largest",
                  "times root of events")
    points = {}
    for events in EVENTS:
        runs = [observe(lab, events, seed) for seed in SEEDS]
        differences = [100 * each for found in runs for each in found.differences()]
        points[events] = math.sqrt(statistics.fmean(each ** 2 for each in differences))
        samples = statistics.fmean(sum(found.samples.get(name, 0) for name in ALGORITHMS)
                                   for found in runs)
        table.add(events, samples, points[events], max(map(abs, differences)),
                  points[events] * math.sqrt(events))
    slope = slope_of(points)
    table.note(f"Differences between parts of the CPU time of all five algorithms, in percent "
               f"points, over {len(SEEDS)} seeds. The difference falls as the number of events to "
               f"the power of {slope:.2f}. Machine: {lab.host.facts()}.")
    if not SLOPE[0] <= slope <= SLOPE[1]:
        raise Failed(f"the difference falls as the number of events to the power of {slope:.2f}, "
                     "not about -1/2")
    return table


def cpu_time(said):
    """Of the event loop, in s, as the example prints it."""
    return float(re.search(r"CPU time ([\d.]+) s", said)[1])


ROUNDS = 9
LOOP = 300
INTERVALS = ("50ms", "10ms", "1ms")


def loop(lab, *before, events=LOOP, script="tables", words=("1",), environment=None):
    """CPU time of the event loop below a command."""
    said, _ = run([*before, program(lab), options(script), events, *words,
                   lab.folder / "regions-loop.csv"], lab.folder, env=environment)
    return cpu_time(said)


def overhead(lab):
    """Section 2.2: what sampling costs, by interval, with call chains."""
    record = (KERMON, "record", "-q", "-o", "regions-cost.data", "--regions", "time")
    ways = {"not recorded": (), "``--no-samples``: regions alone": (*record, "--no-samples", "--")}
    for interval in INTERVALS:
        ways[f"``-g --interval {interval}``"] = (*record, "-e", "cpu-clock", "-g", "--interval",
                                                 interval, "--")
    found = {name: [] for name in ways}
    # In turn, as the machine's speed may change.
    for _ in range(ROUNDS):
        for name, before in ways.items():
            found[name].append(loop(lab, *before))
    table = Table("``kermon record``", "CPU time of the loop [s]", "overhead [%]")
    base = statistics.median(found["not recorded"])
    costs = {}
    for name, times in found.items():
        costs[name] = 100 * (statistics.median(times) / base - 1)
        table.add(name, statistics.median(times), costs[name])
    table.note(f"{LOOP} events, medians of {ROUNDS} runs. The paper: 5% at 10 ms, in most "
               f"applications. Machine: {lab.host.facts()}.")
    if costs["``-g --interval 10ms``"] > 5:
        raise Failed(f"overhead at 10 ms: {costs}")
    return table


TOOLS = {"none": "Valgrind itself", "callgrind": "counts instructions of each function",
         "memcheck": "its default: checks memory"}
# Events below Valgrind, and at least how much slower it is, by the paper.
FEW, SLOWER = 50, 5


def valgrind(lab):
    """Section 5: how much slower the same loop runs below Valgrind."""
    table = Table("Valgrind's tool", "what it does", "CPU time per event [ms]", "times slower")
    base = statistics.median(loop(lab) / LOOP for _ in range(3))
    table.add("", "not in Valgrind", 1000 * base, 1.0)
    slower = {}
    for tool, what in TOOLS.items():
        took = loop(lab, "valgrind", "-q", f"--tool={tool}", *(
            ["--callgrind-out-file=/dev/null"] if tool == "callgrind" else []),
                    events=FEW) / FEW
        slower[tool] = took / base
        table.add(f"``{tool}``", what, 1000 * took, slower[tool])
    table.note(f"{LOOP} events outside Valgrind, {FEW} in it. The paper: 5 to 20 times slower. "
               f"Machine: {lab.host.facts()}.")
    if slower["callgrind"] < SLOWER:
        raise Failed(f"Valgrind is faster than the document says: {slower}")
    return table


TCMALLOC = "libtcmalloc_minimal.so.4"
# Libraries whose functions allocate, by the beginning of their names; the rest of the C library
# is not called in the event loop.
ALLOCATORS = ("libc.so", "libstdc++", "libtcmalloc")
ALLOCATING = 600


def compared(lab, data, *keys):
    """Rows of kermon diff: (keys, CPU times in s)."""
    said, _ = run([KERMON, "diff", "--json", "-s", ",".join(keys), "--comms", "events", *data],
                  lab.folder)
    return [(" ".join(row[key] for key in keys), [value / 1e9 for value in row["values"]])
            for row in json.loads(said)["rows"]]


def total(rows, names=("",)):
    """Of the rows whose keys begin with one of the names, by recording."""
    chosen = [times for name, times in rows if name.startswith(names)]
    return [sum(column) for column in zip(*chosen)] or [0, 0]


def allocation(lab):
    """Figures 10 and 11: operator new of the C++ library against tcmalloc's, by kermon diff."""
    data = []
    for name, before in (("libc", ()), ("tcmalloc", ("env", f"LD_PRELOAD={TCMALLOC}"))):
        data.append(f"regions-{name}.data")
        run([KERMON, "record", "-q", "--regions", "time", "-e", "cpu-clock", "--interval", "1ms",
             "-o", data[-1], "--", *before, program(lab), options("memory"), ALLOCATING, "regions-memory.csv"],
            lab.folder)
    libraries, regions = compared(lab, data, "dso"), compared(lab, data, "region")
    if not total(libraries, "libtcmalloc")[1]:
        raise Failed(f"no {TCMALLOC}; scripts/setup paper installs it")
    one, other = total(libraries, ALLOCATORS)
    table = Table("CPU time [s]", "", "the C library's", "tcmalloc's", "difference")
    for what, rows in (("library", libraries), ("region", regions),
                       ("sum", [("libraries that allocate", [one, other]),
                                ("all", total(libraries))])):
        for name, times in rows:
            table.add(what, name, *times, times[1] - times[0])
    table.note(f"``kermon diff`` of two recordings of {ALLOCATING} events, a sample per ms. "
               f"tcmalloc allocates {one / other:.1f} times as fast; the paper: twice, and 5% of "
               f"the time of the whole application. Machine: {lab.host.facts()}.")
    if one < 1.5 * other:
        raise Failed(f"tcmalloc takes {other} s, the C library {one} s")
    return table


EXPERIMENTS = {
    "regions-tables": tables, "regions-perf": by_perf, "regions-convergence": convergence,
    "regions-overhead": overhead, "regions-valgrind": valgrind,
    "regions-allocation": allocation,
}
