# SPDX-License-Identifier: GPL-2.0
"""Parse KTAP, the output of test programs, into a flat list of results.

A result with subtests is replaced by these; its own line only tells whether one of
them, or something else, failed. A plan that is not fulfilled is a failure too. Other
output belongs to the next result; for failures its last lines are kept.

A line "# took 1.234 s" before a result is the duration of that test; with ": NAME" at its
end, the duration of something else, such as a virtual machine that runs many tests.
"""

import os
import re
import time
from collections import deque
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

RESULT = re.compile(r"(?P<indent> *)(?P<word>ok|not ok)\s+(?P<number>\d+)"
                    r"(?:\s+-)?\s*(?P<name>[^#]*?)\s*(?:#\s*(?P<note>.*))?$")
VERSION = re.compile(r" *K?TAP version \d+$")
TOOK = re.compile(r" *# took (?P<seconds>\d+\.\d+) s(?:: (?P<name>.*))?$")
PLAN = re.compile(r"(?P<indent> *)1\.\.(?P<count>\d+)(?:\s*#\s*(?P<note>.*))?$")

# Lines of output to keep for a failure: few, so that several failures fit into the
# truncated end of a log.
DIAGNOSTICS = 12


@dataclass
class Test:
    """One result: status is "ok", "not ok" or "skip"; note is the reason, and said, if
    "not ok", the preceding output. seconds is 0 if unknown."""
    name: str
    status: str
    note: str = ""
    said: list = field(default_factory=list)
    seconds: float = 0

    def lines(self, number):
        """As KTAP, after the preceding output."""
        word = "not ok" if self.status == "not ok" else "ok"
        note = f"SKIP {self.note}" if self.status == "skip" else self.note
        return [f"# {line}" for line in self.said] + [took(self.seconds)] + \
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


def chosen(name):
    """Whether to run the test of this name: it must contain the shell pattern KTAP_TEST."""
    return fnmatchcase(name, f"*{os.environ.get('KTAP_TEST', '')}*")


def took(seconds, name=""):
    """The line with a duration."""
    return f"# took {seconds:.3f} s" + (f": {name}" if name else "")


def stamped(lines):
    """Lines of KTAP as they arrive, with a duration inserted before each result that has
    none: the time since the previous result."""
    last, said = time.monotonic(), False
    for line in lines:
        own, result = TOOK.match(line), RESULT.match(line)
        said = said or bool(own and not own["name"])
        if result:
            now = time.monotonic()
            if not said:
                yield f"{result['indent']}{took(now - last)}\n"
            last, said = now, False
        yield line


def close_deeper(blocks, indent):
    """Remove the blocks with deeper indentation; return all their results."""
    tests = []
    for depth in sorted(depth for depth in blocks if depth > indent):
        block = blocks.pop(depth)
        tests += block.tests
        if block.complaint():
            tests.append(Test("plan", "not ok", block.complaint()))
    return tests


def flatten(name, word, note, children, said, seconds):
    """The results that a line represents, given those of its subtests."""
    status = "skip" if note.upper().startswith("SKIP") else word
    reason = note[4:].strip() if status == "skip" else note
    tests = [replace(test, name=f"{name}: {test.name}") for test in children]
    failed = any(test.status == "not ok" for test in tests)
    if not tests or (word == "not ok" and not failed):
        tests.append(Test(name, status, reason, said if status == "not ok" else [], seconds))
    return tests


def read(text):
    """All results in KTAP output, including failures for unfulfilled plans."""
    blocks = {0: Block()}
    said = deque(maxlen=DIAGNOSTICS)
    seconds = 0
    for line in text.splitlines():
        plan, result, own = PLAN.match(line), RESULT.match(line), TOOK.match(line)
        if own:
            seconds = seconds if own["name"] else float(own["seconds"])
            continue
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
        block.tests += flatten(name, result["word"], result["note"] or "", children, list(said),
                               seconds)
        said.clear()
        seconds = 0
    return finish(blocks)


def times(text):
    """(seconds, name) of durations that do not belong to a test."""
    found = filter(None, map(TOOK.match, text.splitlines()))
    return [(float(own["seconds"]), own["name"]) for own in found if own["name"]]


def finish(blocks):
    """The top-level results, and failures for truncated output."""
    cut_off = len(blocks) > 1
    tests = blocks[0].tests + close_deeper(blocks, 0)
    if cut_off:
        tests.append(Test("plan", "not ok", "subtests without their parent result"))
    if blocks[0].complaint():
        tests.append(Test("plan", "not ok", blocks[0].complaint()))
    elif not blocks[0].seen:
        tests.append(Test("plan", "not ok", "no results"))
    return tests


def render(tests):
    """A list of results as a KTAP document."""
    lines = ["KTAP version 1", f"1..{len(tests)}"]
    for number, test in enumerate(tests, 1):
        lines += test.lines(number)
    return "\n".join(lines) + "\n"
