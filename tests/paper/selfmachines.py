# SPDX-License-Identifier: GPL-2.0
"""Measurements of kermon bench overhead that the figures on self-monitoring share: each is made
once, on a virtual machine with one CPU that executes an instruction per nanosecond."""

import datetime
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from machine import KERMON, TOP, VM, Failed, build, run

REPEAT = 1024           # processes of a cell, as in the study
REPEAT_CACHES = 64      # where each access to memory is looked up
TIMEOUT = 5400
PROBES = KERMON.parents[1] / "libexec/kermon"
# likwid looks for its daemon by a shell, though it reads registers by itself.
NEEDED = ("sh", "grep", "cat", "bash", "which", "tr", "likwid-accessD")
SEARCHED = f"/usr/sbin:/sbin:{os.environ['PATH']}"
LIBRARIES = ("libpapi.so.7", "liblikwid.so.5.")

CPUS = {"ivy-bridge": "Ivy Bridge", "sky-lake": "Sky Lake", "ice-lake": "Ice Lake",
        "core2": "Core 2", "four-counters": "four counters", "zen3": "Zen 3", "zen4": "Zen 4"}
# Counters that the kernel can set to 31 bits only; KerMon shows them if it has all of them.
NARROW = {"core2"}
TAKE_ALL = "echo 0 >/sys/module/kermon/parameters/share"
# Where figure 8 varies the number of events.
MOST_EVENTS = 4
OLD, NEW = "6.1", "6.12"
CLANG = TOP / f"build/kernel-{NEW}-clang"

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
    compiler = re.search(r"\(\S*?(gcc|clang)\b.*? (\d+(?:\.\d+)+)", version)
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
    return [match[1] for name in LIBRARIES
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
    """From the output of PREPARE and of one command or more: later ones replace cells."""
    cpu, version, rest = said.split("\n", 2)
    found, *more = (json.loads(text) for text in rest.split("\n==\n"))
    for other in more:
        replaced = {(cell["method"], cell["events"]): cell for cell in other["cells"]}
        found["cells"] = [replaced.get((cell["method"], cell["events"]), cell)
                          for cell in found["cells"]]
    return Result(facts_of(cpu, version), found)


def command(*words):
    """A command line of kermon bench overhead. A method that does not work is a result."""
    return " ".join(["kermon bench overhead --json", *map(str, words), "|| true"])


class Machines:
    """The measurements, each made when it is asked for first."""

    def __init__(self, lab):
        self.lab, self.results = lab, {}

    def once(self, name, measure):
        if name not in self.results:
            self.results[name] = measure()
            (self.lab.folder / f"self-{name}.json").write_text(
                json.dumps(self.results[name].found), encoding="utf-8")
        return self.results[name]

    def methods(self, cpu="ivy-bridge", kernel=NEW):
        """All methods on a machine, with accesses to registers; several events where figure 8
        needs them."""
        events = MOST_EVENTS if (cpu, kernel) == ("ivy-bridge", NEW) else 1
        words = ["--events", events, "--repeat", REPEAT, "--accesses"]
        script = f"{PREPARE}; {command(*words)}"
        if cpu in NARROW:
            script += f"; echo; echo '=='; {TAKE_ALL}; {command('--method', 'kermon-page', *words)}"
        return self.once(f"{cpu}-{Path(kernel).name}", lambda: result_of(shell(
            self.lab, ["--icount", "--cpu", cpu, "--kernel", kernel], script)))

    def caches(self, methods, raw):
        """These methods with the model of caches; the events count in kernel mode, too."""
        words = ["--raw", raw, "--kernel-mode", "--repeat", REPEAT_CACHES, "--method",
                 ",".join(methods)]
        return self.once("caches", lambda: result_of(shell(
            self.lab, ["--icount", "--caches"], f"{PREPARE}; {command(*words)}")))

    def programs(self, compilers, methods):
        """{(compiler, options): result} with probes of other compilers; all on one machine."""
        missing = [pair for pair in compilers if f"program-{pair}" not in self.results]
        folders = {pair: build_probes(self.lab.folder, *pair) for pair in missing}
        files = [file for folder in folders.values() for file in sorted(folder.iterdir())]
        commands = [command("--repeat", REPEAT, "--method", ",".join(methods), "--probes", folder)
                    for folder in folders.values()]
        script = f"({PREPARE}) >/facts" + "".join(f"; cat /facts; {one}; echo '=='"
                                                  for one in commands)
        if missing:
            parts = shell(self.lab, ["--icount"], script, files).split("\n==\n")
            for pair, said in zip(missing, parts):
                self.once(f"program-{pair}", lambda said=said: result_of(said))
        return {pair: self.results[f"program-{pair}"] for pair in compilers}

    def stack(self, ways, software=False):
        """{way: [(cycles, three counts) of each read]}: medians of tests/paper/stack.c, here with
        software events, or on the virtual machine with caches; and what that is."""
        build(self.lab.folder, "stack")
        program = self.lab.folder / "stack"
        script = "; ".join(f"i=0; while [ $i -lt {REPEAT_CACHES} ]; do {program} {way} "
                           f"{'software' if software else ''} || exit 1; i=$((i + 1)); done; "
                           "echo '=='" for way in ways)
        if software:
            facts, said = self.lab.host.facts(), run(["sh", "-c", script], self.lab.folder)[0]
        else:
            cpu, version, said = shell(self.lab, ["--icount", "--caches"], f"{PREPARE}; {script}",
                                       [program]).split("\n", 2)
            facts = facts_of(cpu, version)
        return {way: medians_of_reads(part)
                for way, part in zip(ways, said.split("==\n"))}, facts


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
