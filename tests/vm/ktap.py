# SPDX-License-Identifier: GPL-2.0
"""KTAP: what test programs print, read into a flat list of results.

A result with subtests counts as its subtests; its own line is only there to
say that one of them failed, or that something failed beside them. A plan that
is not kept is a failure too. What a program says before a result is about it; of
what failed the last lines of that are kept.
"""

import re
from collections import deque
from dataclasses import dataclass, field

RESULT = re.compile(r"(?P<indent> *)(?P<word>ok|not ok)\s+(?P<number>\d+)"
                    r"(?:\s+-)?\s*(?P<name>[^#]*?)\s*(?:#\s*(?P<note>.*))?$")
VERSION = re.compile(r" *K?TAP version \d+$")
PLAN = re.compile(r"(?P<indent> *)1\.\.(?P<count>\d+)(?:\s*#\s*(?P<note>.*))?$")

# Lines that are kept of what was said about a failure: few, that those of several
# failures fit in the end of a log that is cut.
DIAGNOSTICS = 12


@dataclass
class Test:
    """One result: status is "ok", "not ok" or "skip"; note says why, and of what is
    "not ok" said what went before."""
    name: str
    status: str
    note: str = ""
    said: list = field(default_factory=list)

    def lines(self, number):
        """As KTAP, what was said first."""
        word = "not ok" if self.status == "not ok" else "ok"
        note = f"SKIP {self.note}" if self.status == "skip" else self.note
        return [f"# {line}" for line in self.said] + \
            [f"{word} {number} {self.name}" + (f" # {note}" if note else "")]


@dataclass
class Block:
    """A plan and its results at one depth of indentation."""
    planned: int = -1
    seen: int = 0
    tests: list = field(default_factory=list)

    def complaint(self):
        if self.planned < 0 and self.seen:
            return f"{self.seen} results without a plan"
        if self.planned != self.seen and self.planned >= 0:
            return f"{self.seen} of {self.planned} planned results"
        return ""


def close_deeper(blocks, indent):
    """Take the blocks that are indented further; return all their results."""
    tests = []
    for depth in sorted(depth for depth in blocks if depth > indent):
        block = blocks.pop(depth)
        tests += block.tests
        if block.complaint():
            tests.append(Test("plan", "not ok", block.complaint()))
    return tests


def flatten(name, word, note, children, said):
    """The results that one line stands for, given those of its subtests."""
    status = "skip" if note.upper().startswith("SKIP") else word
    reason = note[4:].strip() if status == "skip" else note
    tests = [Test(f"{name}: {test.name}", test.status, test.note, test.said)
             for test in children]
    failed = any(test.status == "not ok" for test in tests)
    if not tests or (word == "not ok" and not failed):
        tests.append(Test(name, status, reason, said if status == "not ok" else []))
    return tests


def read(text):
    """All results of a KTAP output, the broken promises of plans among them."""
    blocks = {0: Block()}
    said = deque(maxlen=DIAGNOSTICS)
    for line in text.splitlines():
        plan, result = PLAN.match(line), RESULT.match(line)
        if not plan and not result:
            if line.strip() and not VERSION.match(line):
                said.append(line.strip().removeprefix("# "))
            continue
        indent = len((plan or result)["indent"])
        block = blocks.setdefault(indent, Block())
        if plan:
            block.planned = int(plan["count"])
            continue
        block.seen += 1
        children = close_deeper(blocks, indent)
        name = result["name"] or f"test {result['number']}"
        block.tests += flatten(name, result["word"], result["note"] or "", children, list(said))
        said.clear()
    return finish(blocks)


def finish(blocks):
    """Results of the top, and a failure for everything that was cut off."""
    cut_off = len(blocks) > 1
    tests = blocks[0].tests + close_deeper(blocks, 0)
    if cut_off:
        tests.append(Test("plan", "not ok", "subtests without the result that they belong to"))
    if blocks[0].complaint():
        tests.append(Test("plan", "not ok", blocks[0].complaint()))
    elif not blocks[0].seen:
        tests.append(Test("plan", "not ok", "no results at all"))
    return tests


def render(tests):
    """A list of results as a KTAP document."""
    lines = ["KTAP version 1", f"1..{len(tests)}"]
    for number, test in enumerate(tests, 1):
        lines += test.lines(number)
    return "\n".join(lines) + "\n"
