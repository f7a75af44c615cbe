# SPDX-License-Identifier: GPL-2.0
"""Measurements of kermon bench overhead that the figures on self-monitoring share: each is made
once, on a virtual machine with one CPU that executes an instruction per nanosecond. So it does
not matter that as many machines run at a time as there are processors."""

import datetime
import json
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from machine import KERMON, TOP, VM, Failed, build, run

REPEAT = 1024           # processes of a cell, as in the study
REPEAT_LIBRARIES = 256  # of methods that the study has not, and that take ten times as long
TIMEOUT = 5400
PROBES = KERMON.parents[1] / "libexec/kermon"
# likwid looks for its daemon by a shell, though it reads registers by itself.
NEEDED = ("sh", "grep", "cat", "bash", "which", "tr", "likwid-accessD")
SEARCHED = f"/usr/sbin:/sbin:{os.environ['PATH']}"
LIBRARY_FILES = ("libpapi.so.7", "liblikwid.so.5.")

CPUS = {"ivy-bridge": "Ivy Bridge", "sky-lake": "Sky Lake", "ice-lake": "Ice Lake",
        "core2": "Core 2", "four-counters": "four counters", "zen3": "Zen 3", "zen4": "Zen 4"}
# Counters that the kernel can set to 31 bits only; KerMon shows them if it has all of them.
NARROW = {"core2"}
TAKE_ALL = "echo 0 >/sys/module/kermon/parameters/share"
# Where figure 8 varies the number of events.
MOST_EVENTS = 4
OLD, NEW = "6.1", "6.12"
CLANG = {line: TOP / f"build/kernel-{line}-clang" for line in (OLD, NEW)}
MAIN = ("ivy-bridge", NEW)

# Of kermon bench overhead, in its order.
OWN = ("kermon-page", "kermon-call", "kermon-call-static")
PERF = ("perf-read", "perf-read-static", "perf-syscall", "perf-syscall-static", "perf-rdpmc",
        "perf-rdpmc-populated", "perf-rdpmc-touched", "perf-rdpmc-touched-static",
        "perf-rdpmc-running")
LIBRARIES = ("papi", "likwid")
METHODS = (*OWN, *PERF, *LIBRARIES)
# Of figure 2.
OF_COMPILERS = ("kermon-page", "kermon-call-static", "perf-read-static",
                "perf-rdpmc-touched-static")

# What the machine is, in two lines.
PREPARE = "grep -m 1 '^model name' /proc/cpuinfo; cat /proc/version"


@dataclass
class Facts:
    """What a machine is."""
    cpu: str
    kernel: str
    compiler: str

    def __str__(self):
        return f"{self.cpu}; Linux {self.kernel}, {self.compiler}"


def facts_of(cpu, version):
    """From what PREPARE prints."""
    compiler = re.search(r"\((?:\w+ )?(gcc|clang)\b.*? (\d+(?:\.\d+)+)", version)
    return Facts(cpu.split(":", 1)[1].strip(), version.split()[2],
                 f"{compiler[1]} {compiler[2]}" if compiler else "")


@dataclass
class Result:
    """What kermon bench overhead --json has found on a machine."""
    facts: Facts
    found: dict

    def __post_init__(self):
        self.cells = {(cell["method"], cell["events"]): cell for cell in self.found["cells"]
                      if cell["processes"]}
        self.reasons = {cell["method"]: cell["reason"] for cell in self.found["cells"]
                        if not cell["processes"] and cell["events"] == 1}

    def methods(self):
        return list(dict.fromkeys(method for method, _ in self.cells))

    def box(self, method, step, events=1):
        """(low, median, high); None if it was not measured."""
        cell = self.cells.get((method, events))
        return cell and tuple(cell[step][name] for name in ("low", "median", "high"))

    def median(self, method, step, events=1):
        found = self.box(method, step, events)
        return found[1] if found else ""

    def reads(self, method, events=1):
        """A box for each read in turn."""
        return [tuple(box[name] for name in ("low", "median", "high"))
                for box in self.cells[method, events]["reads"]]

    def counted(self, method, event=0, events=1):
        """Median of what an event counted until each read."""
        return [boxes[event]["median"]
                for boxes in self.cells[method, events]["counted until read"]]

    def accesses(self, method, step, events=1):
        return self.cells[method, events]["accesses"][step]


def libraries():
    """Files of PAPI and likwid, which the probe loads if they are there."""
    known = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=False,
                           env={**os.environ, "PATH": SEARCHED})
    return [match[1] for name in LIBRARY_FILES
            for match in re.finditer(rf"^\t{re.escape(name)}\S* .*=> (\S+)$", known.stdout, re.M)]


def shell(lab, options, script, files=()):
    """Output of a script in a machine that has only what it needs."""
    needed = [shutil.which(name, path=SEARCHED) for name in NEEDED]
    needed += [KERMON, *sorted(PROBES.iterdir()), *libraries(), *files]
    said, _ = run([VM, "--cpus", 1, "--timeout", TIMEOUT, *options,
                   *(word for file in needed for word in ("--with", file)), "--",
                   "sh", "-c", script], lab.folder)
    return said


def result_of(said):
    """From the output of PREPARE and of one command or more."""
    cpu, version, rest = said.split("\n", 2)
    return Result(facts_of(cpu, version), merged([json.loads(text)
                                                  for text in rest.split("\n==\n")]))


def merged(all_found):
    """Later ones replace cells."""
    cells = {(cell["method"], cell["events"]): cell for found in all_found
             for cell in found["cells"]}
    order = sorted(cells, key=lambda key: (METHODS.index(key[0]), key[1]))
    return {**all_found[0], "cells": [cells[key] for key in order]}


def together(call, *arguments):
    """Results of calls that each run a virtual machine."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(call, *arguments))


def one_by_one(commands):
    """What result_of() takes apart."""
    return "; echo; echo '=='; ".join(commands)


def name_of(machine):
    cpu, kernel = machine
    return f"{cpu}-{Path(kernel).name}"


def parts_of(kernel):
    """Methods that are measured on a machine of their own, as this takes long."""
    if kernel in CLANG.values():
        return [OF_COMPILERS]
    return [PERF, (*OWN, *LIBRARIES)]


def command(*words):
    """A command line of kermon bench overhead. A method that does not work is a result."""
    return " ".join(["kermon bench overhead --json", *map(str, words), "|| true"])


class Machines:
    """The measurements, each made when it is asked for first."""

    def __init__(self, lab):
        self.lab, self.results = lab, {}

    def keep(self, name, result):
        self.results[name] = result
        (self.lab.folder / f"self-{name}.json").write_text(json.dumps(result.found),
                                                           encoding="utf-8")

    def methods(self, machines):
        """{name: result} of machines, which are {name: (processor, kernel)}: all methods, those
        of figure 2 on kernels that clang has compiled; several events where figure 8 needs
        them."""
        missing = [(name_of(machine), *machine) for machine in machines.values()
                   if name_of(machine) not in self.results]
        parts = [(*machine, part) for machine in missing for part in parts_of(machine[2])]
        found = together(self.measure, *zip(*parts)) if parts else []
        for name, *_ in missing:
            own = [result for part, result in zip(parts, found) if part[0] == name]
            self.keep(name, Result(own[0].facts, merged([result.found for result in own])))
        return {key: self.results[name_of(machine)] for key, machine in machines.items()}

    def measure(self, name, cpu, kernel, methods):
        """These methods, with accesses to registers."""
        words = ["--accesses", "--events", MOST_EVENTS if name == name_of(MAIN) else 1]
        parts = [(REPEAT, [method for method in methods if method not in LIBRARIES]),
                 (REPEAT_LIBRARIES, [method for method in methods if method in LIBRARIES])]
        commands = [command("--repeat", repeat, "--method", ",".join(chosen), *words)
                    for repeat, chosen in parts if chosen]
        if cpu in NARROW and "kermon-page" in methods:
            commands.append(f"{TAKE_ALL}; " + command("--repeat", REPEAT, "--method",
                                                      "kermon-page", *words))
        return result_of(shell(self.lab, ["--icount", "--cpu", cpu, "--kernel", kernel],
                               f"{PREPARE}; {one_by_one(commands)}"))

    def caches(self, methods, raw):
        """These methods with the model of caches; the events count in kernel mode, too."""
        words = ["--raw", raw, "--kernel-mode", "--repeat", REPEAT, "--method"]
        if "caches" not in self.results:
            found = together(lambda method: result_of(shell(
                self.lab, ["--icount", "--caches"], f"{PREPARE}; {command(*words, method)}")), methods)
            self.keep("caches", Result(found[0].facts, merged([each.found for each in found])))
        return self.results["caches"]

    def programs(self, compilers, methods):
        """{(compiler, options): result} with probes of other compilers."""
        def measure(folder):
            words = ["--repeat", REPEAT, "--method", ",".join(methods), "--probes", folder]
            return result_of(shell(self.lab, ["--icount"], f"{PREPARE}; {command(*words)}",
                                   sorted(folder.iterdir())))

        folders = [build_probes(self.lab.folder, *pair) for pair in compilers]
        found = dict(zip(compilers, together(measure, folders)))
        for (compiler, options), result in found.items():
            self.keep(f"programs-{compiler}{options}", result)
        return found

    def stack(self, ways, software=False):
        """{way: [(cycles, three counts) of each read]}: medians of tests/paper/stack.c, here with
        software events, or on the virtual machine with caches; and what that is."""
        build(self.lab.folder, "stack")
        program = self.lab.folder / "stack"
        scripts = [f"i=0; while [ $i -lt {REPEAT} ]; do {program} {way} "
                   f"{'software' if software else ''} || exit 1; i=$((i + 1)); done"
                   for way in ways]
        if software:
            facts = self.lab.host.facts()
            said = [run(["sh", "-c", script], self.lab.folder)[0] for script in scripts]
        else:
            said = together(lambda script: shell(
                self.lab, ["--icount", "--caches"], f"{PREPARE}; {script}", [program]), scripts)
            cpu, version, _ = said[0].split("\n", 2)
            facts = facts_of(cpu, version)
            said = [text.split("\n", 2)[2] for text in said]
        return {way: medians_of_reads(text) for way, text in zip(ways, said)}, facts


def medians_of_reads(text):
    by_read = {}
    for line in text.splitlines():
        read, *values = map(int, line.split(","))
        by_read.setdefault(read, []).append(values)
    if not by_read:
        raise Failed("stack has printed nothing")
    return [[sorted(column)[len(column) // 2] for column in zip(*rows)]
            for _, rows in sorted(by_read.items())]


def build_probes(folder, compiler, options):
    """The folder of the probes by this compiler."""
    out = folder / f"probes-{compiler}{options}"
    run(["make", "--silent", "-C", TOP / "tools", f"BUILD={out}", f"CC={compiler}",
         f"CFLAGS={options}", "probes"], folder)
    return out / "libexec/kermon"


def today():
    return f"{datetime.date.today():%-d %B %Y}"
