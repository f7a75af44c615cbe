# SPDX-License-Identifier: GPL-2.0
"""KerMon and SpyMon of the KerMon paper: what a monitor of CPUs and one of tasks say of the same
programs. All on the virtual machine, whose counts are exact."""

import json
import re

from machine import KERMON, Failed, kermon
from tables import Table

INTERVAL = "10ms"
# On the last CPU, where both monitors have nothing else to watch.
CPU = 1
PROGRAMS = {"gzip": "gzip -9c /usr/bin/perf", "sha256sum": "sha256sum /usr/bin/perf /usr/bin/perf"}

# The monitors may differ by this part: of what the program executes, and of the watts. Energy may
# be attributed to the next interval, and the programs run for a quarter of a second only.
ALONE, WATTS = 0.01, 0.06


def pinned(*commands):
    """Commands that run on one CPU at the same time."""
    together = " & ".join(f"taskset -c {CPU} {command} >/dev/null" for command in commands)
    return ["sh", "-c", f"{together} & wait"]


def rows(folder, path, keys):
    """The rows of a report: {key: row}."""
    report = json.loads(kermon(folder, "report", "--json", "-s", keys, "-i", path))
    return {row[keys]: row for row in report["rows"]}


def spied(lab, name, words):
    """What SpyMon says of the CPU while a command runs, and the watts of the package."""
    _, said = lab.guest.run(KERMON, "spy", "-e", "fixed", "-I", INTERVAL, "-f", "perf-data", "-o",
                            f"{name}.data", "--", *words)
    watts = re.search(r"energy-pkg/ .* J, ([\d.]+) W on average", said)
    if not watts:
        raise Failed(f"kermon spy says: {said}")
    return rows(lab.folder, f"{name}.data", "cpu")[CPU], float(watts[1])


def monitored(lab, name, words):
    """What KerMon says of each program."""
    lab.guest.run(KERMON, "run", "-q", "-k", "-e", "fixed", "--interval", INTERVAL, "-o",
                  f"{name}.data", "--", *words)
    return rows(lab.folder, f"{name}.data", "comm")


def percent(part, whole):
    return f"{100 * (part / whole - 1):+.2f} %"


def alone(lab):
    """Figures 6 and 7: a program that has its CPU for itself, by both monitors."""
    table = Table("program", "quantity", "SpyMon, its CPU", "KerMon, the program", "difference")
    for name, command in PROGRAMS.items():
        cpu, spied_watts = spied(lab, f"alone-spy-{name}", pinned(command))
        program = monitored(lab, f"alone-{name}", pinned(command))[name]
        for what in ("instructions", "cycles"):
            ours, theirs = program["values"][what], cpu["values"][what]
            table.add(name, what, theirs, ours, percent(theirs, ours))
            if not 0 <= theirs / ours - 1 < ALONE:
                raise Failed(f"{name}: {theirs} {what} on its CPU, {ours} in the program")
        watts = program["energy_pkg_W"]
        table.add(name, "package [W]", f"{spied_watts:.2f}", f"{watts:.2f}",
                  percent(spied_watts, watts))
        if max(abs(seen / 35 - 1) for seen in (watts, spied_watts)) > WATTS:
            raise Failed(f"{name}: {watts} and {spied_watts} W; the model's package has 35")
    table.note(f"Machine: {lab.guest.facts()}.")
    return table


def mixed(lab):
    """Two programs on one CPU: SpyMon has their sum, KerMon each of them."""
    table = Table("instructions of", "alone", "beside the other one", "difference")
    words = pinned(*PROGRAMS.values())
    single = {name: monitored(lab, f"single-{name}", pinned(command))[name]["values"]
              for name, command in PROGRAMS.items()}
    both, (cpu, _) = monitored(lab, "mixed", words), spied(lab, "mixed-spy", words)
    for name, values in single.items():
        ours, before = both[name]["values"]["instructions"], values["instructions"]
        table.add(f"{name}, by KerMon", before, ours, percent(ours, before))
        if abs(ours / before - 1) > ALONE:
            raise Failed(f"{name}: {before} instructions alone, {ours} beside another program")
    total = sum(row["values"]["instructions"] for row in both.values())
    seen = cpu["values"]["instructions"]
    table.add("all programs, by KerMon", "", total, "")
    table.add("the CPU, by SpyMon", "", seen, percent(seen, total))
    if abs(seen / total - 1) > ALONE:
        raise Failed(f"{seen} instructions on the CPU, {total} in its programs")
    table.note(f"Machine: {lab.guest.facts()}.")
    return table


EXPERIMENTS = {"monitors-alone-model": alone, "monitors-mixed-model": mixed}
