#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: tests/paper/weaver.py REPOSITORY >tests/paper/weaver.csv

Medians and quartiles of the raw data of Weaver's study, in cycles, of the measurements that its
figures show. REPOSITORY is a clone of github.com/deater/perfevent_overhead, of which the commit
below is taken: the last one, of the day of the study. Its scripts for the figures choose the
same kernels (rdtsc/results/read_data.c) and take the same median, of 1024 processes.
"""

import csv
import functools
import re
import subprocess
import sys
from pathlib import Path

COMMIT = "1077da6b4fe13b7e858e256ad4284e6deed93461"
SOURCE = f"github.com/deater/perfevent_overhead, commit {COMMIT[:12]}"
KEPT = Path(__file__).with_name("weaver.csv")
COLUMNS = ("machine", "kernel", "events", "step", "read", "processes", "low", "median", "high")
STEPS = ("start", "read", "stop", "total")

MACHINES = {"core2": "Core 2", "atom-cedarview": "Atom", "ivybridge": "Ivy Bridge",
            "bobcat": "Bobcat"}
PERFMON, PERFCTR = "2.6.30-perfmon2", "2.6.32-perfctr"

# Of figures 1, 2 and 4, on Core 2.
KERNELS = [PERFMON, PERFCTR, *(f"2.6.{number}" for number in range(32, 40)),
           *(f"3.{number}.0" for number in range(19))]
COMPILERS = {f"3.10.0gcc{number}": f"gcc {number[0]}.{number[1]}" for number in
             ("44", "46", "47", "48")}
RDPMC_KERNELS = [f"3.{number}.0-rdpmc" for number in range(4, 19)]

# Of figures 3, 6 and 7: what the study calls each of the methods of kermon bench overhead.
METHODS = {
    "perf-read": "3.16.0", "perf-syscall": "3.16.0-syscall",
    "perf-read-static": "3.16.0-static", "perf-syscall-static": "3.16.0-syscall_static",
    "perf-rdpmc": "3.16.0-rdpmc", "perf-rdpmc-populated": "3.16.0-rdpmc-map_populate",
    "perf-rdpmc-touched": "3.16.0-rdpmc-touch",
    "perf-rdpmc-touched-static": "3.16.0-rdpmc-touch_static",
    "perfmon2": PERFMON, "perfctr": PERFCTR,
}

# Of figure 5: ten reads in each process. Its program stores each read 2048 bytes further.
MANY = {
    ("core2", "perf-read"): "3.18.0-read_many",
    ("core2", "perf-rdpmc-touched-static"): "3.18.0-rdpmc-touch_static-read_many",
    **{(machine, method): f"3.16.0{kind}-read_many"
       for machine in ("ivybridge", "bobcat", "atom-cedarview")
       for method, kind in (("perf-read", ""),
                            ("perf-rdpmc-touched-static", "-rdpmc-touch_static"))},
}
NR_MANY = 10

# Of figure 8, on Core 2.
VARYING = {"perf-read": "3.18.0", "perf-read-static": "3.18.0-static",
           "perf-rdpmc-touched-static": "3.18.0-rdpmc-touch_static",
           "perfmon2": PERFMON, "perfctr": PERFCTR}
MOST_EVENTS = 4


def shown(repository, machine, kernel, events):
    """What each process printed; none if that was not measured."""
    path = f"{COMMIT}:rdtsc/results/{machine}/0/{kernel}/{events}/results"
    done = subprocess.run(["git", "-C", repository, "show", path], capture_output=True, text=True,
                          errors="replace", check=False)
    return done.stdout.split("### Perf Results")[1:]


def quartiles(values):
    """As the study takes them."""
    ordered = sorted(values)
    return [ordered[len(ordered) * part // 4] for part in (1, 2, 3)]


def steps_of(text):
    found = {name: int(cycles) for name, cycles in
             re.findall(r"(start|stop|read) latency: (-?\d+) cycles", text)}
    return {**found, "total": sum(found.values())} if len(found) == 3 else None


def rows_of(repository, machine, kernel, events):
    runs = [steps for steps in map(steps_of, shown(repository, machine, kernel, events)) if steps]
    for step in STEPS if runs else ():
        values = [run[step] for run in runs]
        if any(values):
            yield (machine, kernel, events, step, "", len(values), *quartiles(values))


def rows_of_reads(repository, machine, kernel):
    by_read = [[] for _ in range(NR_MANY)]
    for text in shown(repository, machine, kernel, 1):
        for read, cycles in re.findall(r"^(\d+) [0-9a-f]+ -?\d+ (?:read)?time (-?\d+)", text, re.M):
            by_read[int(read)].append(int(cycles))
    for read, values in enumerate(by_read, 1):
        yield (machine, kernel, 1, "read", read, len(values), *quartiles(values))


def all_rows(repository):
    cells = {("core2", kernel, 1) for kernel in (*KERNELS, *COMPILERS, *RDPMC_KERNELS)}
    cells |= {(machine, kernel, 1) for machine in MACHINES for kernel in METHODS.values()}
    cells |= {("core2", kernel, events) for kernel in VARYING.values()
              for events in range(1, MOST_EVENTS + 1)}
    for cell in sorted(cells):
        yield from rows_of(repository, *cell)
    for (machine, _), kernel in sorted(MANY.items()):
        yield from rows_of_reads(repository, machine, kernel)


@functools.cache
def kept():
    """{(machine, kernel, events, step, read): row} of weaver.csv"""
    with open(KEPT, encoding="utf-8", newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    return {(row["machine"], row["kernel"], int(row["events"]), row["step"],
             int(row["read"] or 0)): row for row in csv.DictReader(lines)}


def box(machine, kernel, step, events=1, read=0):
    """(low, median, high) in cycles; None if the study has not measured it."""
    row = kept().get((machine, kernel, events, step, read))
    return row and tuple(int(row[name]) for name in ("low", "median", "high"))


def median(machine, kernel, step, events=1, read=0):
    """In cycles; "" if the study has not measured it."""
    found = box(machine, kernel, step, events, read)
    return found[1] if found else ""


def check(repository):
    """Exit unless this is a clone that has the commit."""
    done = subprocess.run(["git", "-C", repository, "cat-file", "-e", f"{COMMIT}^{{commit}}"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{repository} is no clone of {SOURCE}: {done.stderr.strip()}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    check(sys.argv[1])
    rows = list(all_rows(sys.argv[1]))
    if not rows:
        sys.exit(f"{sys.argv[1]} has the commit, but none of the results; is it a partial clone?")
    print("# SPDX-License-Identifier: GPL-2.0")
    print(f"# Written by weaver.py from {SOURCE}.")
    write = csv.writer(sys.stdout, lineterminator="\n")
    write.writerow(COLUMNS)
    write.writerows(rows)


if __name__ == "__main__":
    main()
