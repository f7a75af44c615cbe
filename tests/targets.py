# SPDX-License-Identifier: GPL-2.0
"""The targets of make that test suites need, built while suites run that do not need them."""

import re
import subprocess
from concurrent.futures import Future
from pathlib import Path
from threading import Thread

TOP = Path(__file__).resolve().parents[1]

# Suites in the order in which they start, the longest first, each with its targets. Other
# suites come last and need EVERYTHING.
NEEDS = {
    "cli": "tools vm kernel-6.1 kernel-stock", "style": "kernel kernel-6.1", "scripts": "",
    "series": "", "netlink": "", "unit": "tools", "regions": "tools",
    "valgrind": "tools", "fuzz": "tools", "golden": "tools",
    "compare": "tools", "corpora": "tools", "harness": "tools vm kernel-6.1", "perf": "tools vm",
    "qemu": "vm", "kselftest": "vm kernel-6.1", "torture": "tools vm kernel-debug",
}
EVERYTHING = "tools vm kernel-6.1 kernel-stock kernel-debug"

# Targets that contain others.
CONTAINED = {"kernel": "vm"}

# A phase of the build scripts, which has ended.
PHASE = re.compile(r"  .* \d+ s$")

# Lines of output to show when a target fails.
SHOWN = 25


def of_suite(suite):
    return NEEDS.get(suite, EVERYTHING).split()


def of_suites(suites):
    """The targets of several suites, each once, in the order in which to build them."""
    order = EVERYTHING.split()
    needed = {target for suite in suites for target in of_suite(suite)}
    needed -= {part for part, whole in CONTAINED.items() if whole in needed}
    return sorted(needed, key=lambda target: order.index(CONTAINED.get(target, target)))


class Targets(Thread):
    """Builds the targets of these suites, one after the other."""

    def __init__(self, suites, logs, say):
        super().__init__(daemon=True)
        self.built = {target: Future() for target in of_suites(suites)}
        self.logs, self.say = logs, say

    def assume(self):
        """Everything is built already."""
        for future in self.built.values():
            future.set_result(True)

    def run(self):
        for target, future in self.built.items():
            future.set_result(self.build(target))

    def build(self, target):
        """Whether make succeeded. What it printed is in a log; here only phases are shown."""
        make = subprocess.Popen(["make", "--silent", "-C", TOP, target], text=True,
                                errors="replace", stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        lines = []
        with open(self.logs / f"make-{target}.log", "w", encoding="utf-8") as log:
            for line in make.stdout:
                lines.append(line)
                log.write(line)
                if PHASE.match(line):
                    self.say(line.rstrip())
        if make.wait():
            self.say("".join([f"  make {target} failed:\n", *lines[-SHOWN:]]))
        return make.returncode == 0

    def of(self, suite):
        """The targets of a suite, and what stands for them: whether they succeeded."""
        names = [name if name in self.built else CONTAINED[name] for name in of_suite(suite)]
        return {name: self.built[name] for name in names}

    def pending(self, suite):
        """What a suite has to wait for."""
        return [future for future in self.of(suite).values() if not future.done()]

    def failed(self, suite):
        """The targets without which a suite cannot run."""
        return [name for name, future in self.of(suite).items() if not future.result()]
