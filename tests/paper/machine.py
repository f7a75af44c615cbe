# SPDX-License-Identifier: GPL-2.0
"""The machine and its perf: what they are, programs to record, recordings and their order."""

import datetime
import os
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
KERMON = Path(os.environ.get("KERMON", TOP / "build/bin/kermon"))
VM = TOP / "scripts/kermon-vm"
# A virtual machine that takes longer than this, in seconds, hangs.
VM_TIMEOUT = 300

FACTS = "grep -m 1 -E '^(model name|CPU part)' /proc/cpuinfo; nproc; uname -r; perf --version; " \
    "grep -c -w hypervisor /proc/cpuinfo"


class Failed(Exception):
    """An experiment did not run, or did not show what the document says."""


def run(words, folder, **more):
    """Output and messages of a command that must succeed."""
    done = subprocess.run([str(word) for word in words], cwd=folder, text=True, check=False,
                          errors="replace", capture_output=True, **more)
    if done.returncode:
        raise Failed(f"{' '.join(map(str, words))}: status {done.returncode}\n"
                     f"{done.stderr[-2000:]}")
    return done.stdout, done.stderr


class Machine:
    """This machine, or the virtual machine with the model of a PMU."""

    def __init__(self, folder, virtual=False):
        self.folder, self.virtual = folder, virtual
        self.known = None

    def run(self, *words):
        """Output and messages of a command; recordings are written to the folder."""
        prefix = [VM, "--strict", "--timeout", VM_TIMEOUT, "--"] if self.virtual else []
        return run([*prefix, *words], self.folder)

    def facts(self):
        """One line: CPU, kernel, perf, day."""
        if self.known is None:
            # grep -c fails if it counts 0
            lines = self.run("sh", "-c", f"{FACTS}; true")[0].splitlines()
            cpu, cpus, kernel, perf = lines[0].split(":")[1].strip(), *lines[1:4]
            what = "QEMU with KerMon's model of a PMU" if self.virtual else \
                "a virtual machine" if int(lines[4]) else "not a virtual machine"
            self.known = (f"{cpu}, {cpus} CPUs, {what}; Linux {kernel}; {perf}; "
                          f"{datetime.date.today():%-d %B %Y}")
        return self.known

    def record(self, name, *words):
        """Record with perf to NAME.data; returns its path and what perf record said."""
        path = self.folder / f"{name}.data"
        _, said = self.run("perf", "record", "-o", path.name, *words)
        return path, said


def build(folder, name):
    """Build a program of this folder."""
    run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", folder / name, HERE / f"{name}.c"],
        HERE)


def kermon(folder, *words):
    return run([KERMON, *words], folder)[0]


NUMBERS = {"records": "records", "with a time": "timed", "out of order": "unordered",
           "largest step back": "step", "held back at least": "held", "rounds": "rounds",
           "held back by rounds at most": "held_by_rounds", "largest round": "round",
           "step back over a round": "crossing", "later than rounds allow": "late"}


def order_of(path, picture=None):
    """{what: number} that kermon check --order prints, steps in ms; "own" are records that are
    out of order on their own CPU, by "own_step" at most."""
    text = kermon(path.parent, "check", "--order", *(["--svg", picture] if picture else []),
                  path.name)
    found = {}
    for line in text.splitlines():
        match = re.match(r"(.{28}) +([\d,.]+)", line)
        if match and match[1].strip() in NUMBERS:
            found[NUMBERS[match[1].strip()]] = float(match[2].replace(",", ""))
    cpus = re.findall(r"^ +\d+ +[\d,]+ +([\d,]+) +([\d.]+)$", text, re.MULTILINE)
    found["own"] = sum(int(number.replace(",", "")) for number, _ in cpus)
    found["own_step"] = max((float(step) for _, step in cpus), default=0)
    missing = set(NUMBERS.values()) - set(found)
    if missing:
        raise Failed(f"kermon check --order {path}: prints no {', '.join(sorted(missing))}")
    return found


def dumped(path, kind):
    """The records of a type, as kermon dump prints them."""
    return [line for line in kermon(path.parent, "dump", "--no-pager", path.name).splitlines()
            if re.match(rf"0x[0-9a-f]+ {kind} ", line)]


def counted(path):
    """{type: number of records}"""
    lines = kermon(path.parent, "check", path.name).splitlines()
    return {match[1]: int(match[2]) for match in
            (re.match(r"(\w+) +(\d+) records? ", line) for line in lines) if match}


def attrs_of(path):
    """What kermon header prints of each event: {name: its fields}."""
    lines = kermon(path.parent, "header", "--no-pager", path.name).splitlines()
    found = [re.match(r"event  +(\S.*?): (type .*)", line) for line in lines]
    return {match[1]: match[2] for match in found if match}
