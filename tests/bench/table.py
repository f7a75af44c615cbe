# SPDX-License-Identifier: GPL-2.0
"""The table of costs printed by the program pingpong, relative to no monitoring."""

import json
from dataclasses import astuple, dataclass
from pathlib import Path

HEADING = ("instructions", "median", "preempted", "overhead", "hooks", "WRMSR", "RDMSR",
           "RDPMC", "energy", "cycles")


@dataclass
class Bound:
    """struct bound of measure.h: limits for a pair."""
    instructions: float
    hooks: float
    wrmsr: float
    rdmsr: float
    rdpmc: float
    energy: float


@dataclass
class Cost:
    """struct cost of measure.h, and its bound, if any."""
    policy: str
    monitor: str
    instructions: float    # per round trip, mean
    median: float          # per round trip, median
    pairs: float           # per round trip
    preempted: float       # fraction of the switches
    hooks: float           # per pair, like the next three
    wrmsr: float
    rdmsr: float
    rdpmc: float
    energy: float          # RDMSR of each domain per millisecond
    bound: Bound = None

    @staticmethod
    def read(line):
        name, *figures = line.split("\t")
        figures = [float(figure) for figure in figures]
        bound = Bound(*figures[9:]) if figures[9:] else None
        return Cost(*name.split(": "), *figures[:9], bound)

    def over(self, nothing):
        """Overhead in instructions per pair."""
        return (self.median - nothing.median) / self.pairs

    def excesses(self, nothing):
        """A message for each exceeded bound."""
        if not self.bound:
            return []
        found = Bound(self.over(nothing), self.hooks, self.wrmsr, self.rdmsr, self.rdpmc,
                      self.energy)
        return [f"{self.policy}, {self.monitor}: {figure:g} {name}; the limit is {most:g}"
                for name, figure, most in zip(vars(found), astuple(found), astuple(self.bound))
                if figure > most]


class Model:
    """cycles = instructions * cycles per instruction + sum of accesses * cycles of each,
    with coefficients from a file in the format of "kermon cost --json"."""

    def __init__(self, path):
        said = json.loads(Path(path).read_text())
        self.source = " ".join(filter(None, [said["source"], said.get("processor"),
                                             said.get("hypervisor")]))
        self.of = said["coefficients"]
        # Missing on machines without energy counters.
        self.of.setdefault("energy", 0)

    def cycles(self, cost, nothing):
        of = self.of
        return (cost.over(nothing) * of["instruction"] + cost.wrmsr * of["wrmsr"] +
                cost.rdmsr * of["energy"] + cost.rdpmc * of["rdpmc"])


def show(title, costs, model):
    """Print the table of one kernel; returns the exceeded bounds."""
    nothing = {cost.policy: cost for cost in costs if cost.monitor == "nothing"}
    print(f"\n{title}\n\n{'':32}" + "".join(f"{name:>13}" for name in HEADING))
    excesses = []
    for cost in costs:
        base = nothing[cost.policy]
        print(f"{cost.policy}, {cost.monitor}".ljust(32) +
              f"{cost.instructions:13.1f}{cost.median:13.0f}{100 * cost.preempted:12.1f}%",
              end="" if cost is not base else "\n")
        if cost is base:
            continue
        hooks = f"{cost.hooks:.1f}" if cost.hooks else "-"
        print(f"{cost.over(base):13.1f}{hooks:>13}{cost.wrmsr:13.2f}{cost.rdmsr:13.3f}"
              f"{cost.rdpmc:13.2f}{cost.energy:13.3f}{model.cycles(cost, base):13.0f}", flush=True)
        excesses += cost.excesses(base)
    if {"FIFO", "KERMON"} <= nothing.keys():
        more = nothing["KERMON"].median - nothing["FIFO"].median
        print(f"\nA round trip of two tasks of the class takes {more:.0f} instructions more than "
              "under FIFO.")
    return excesses
