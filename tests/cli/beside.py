#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""kermon stat beside perf stat: the same program on the virtual machine, whose counts are
the same in each run.

    beside.py page      print kermon-stat(1) with the tables of a new run
    beside.py check     fail if the counts of a run differ, or its tables from the page's

Where the numbers of the page come from a different gzip, they may differ, not the lines.
"""

import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PAGE = TOP / "tools/man/kermon-stat.1"
BEGIN, END = '.\\" tests/cli/beside.py page: begin\n', '.\\" tests/cli/beside.py page: end\n'
PROGRAM = "gzip -9c /bin/sh"
EVENTS = "task-clock,instructions:u,cycles:u,ref-cycles:u,context-switches,page-faults"
KERMON, PERF = f"kermon stat -- {PROGRAM}", f"perf stat -e {EVENTS} -- {PROGRAM}"
EXACT = ("instructions:u", "cycles:u", "ref-cycles:u")

# The program gets the environment of perf's programs in both runs.
SCRIPT = f"""
perf stat -o /dev/null -- env >/environment
while read -r line; do set -- "$@" "$line"; done </environment
env -i "$@" {KERMON} 2>&1 >/dev/null
echo ====
{PERF} 2>&1 >/dev/null
"""


def run():
    """Tables of both: the text on standard error."""
    files = [TOP / "build/bin/kermon", "/usr/bin/perf", "/usr/bin/gzip", "/usr/bin/env", "/bin/sh"]
    command = [TOP / "scripts/kermon-vm", "--icount", "--cpus", "1", "--timeout", "3600",
               "--append", "norandmaps"]
    for file in files:
        command += ["--with", file]
    done = subprocess.run(command + ["--", "sh", "-c", SCRIPT], stdout=subprocess.PIPE,
                          encoding="utf-8", check=True)
    ours, theirs = done.stdout.split("====\n")
    return ours, theirs


def counts(table):
    """Values of the events that are counted exactly, by name."""
    return {name: int(value.replace(",", "")) for value, name in
            re.findall(r"^ *([0-9,]+) +(\S+) ", table, re.MULTILINE) if name in EXACT}


def shape(text):
    """Text without what depends on the program: numbers, their prefixes, and widths."""
    text = re.sub(r"[0-9][0-9,.]*(?= +[KMGm]?\S)", "N", text)
    return re.sub(r"\b[KMGm](?=Hz|/s|/sec|W )", "", re.sub(r"[ \t]+", " ", text))


def block(ours, theirs):
    """Both tables as a literal display."""
    lines = []
    for command, table in ((KERMON, ours), (PERF, theirs)):
        lines += [f"$ {command} >/dev/null".replace(EVENTS, "events")]
        lines += [line.rstrip() for line in table.rstrip("\n").split("\n")] + [""]
    text = "\n".join(lines).rstrip("\n").replace("\\", "\\e").replace("'", "\\(aq")
    return ".Bd -literal\n" + re.sub(r"\n\n+", "\n\n", text) + "\n.Ed\n"


def main():
    head, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    old, tail = rest.split(END)
    tables = run()
    new = block(*tables)
    if sys.argv[1:] == ["page"]:
        sys.stdout.write(head + BEGIN + new + END + tail)
        return
    assert sys.argv[1:] == ["check"], __doc__
    for ours, theirs in (tables, old.split("$ perf", 1)):
        assert counts(ours).keys() == set(EXACT), ours
        assert counts(ours) == counts(theirs), (ours, theirs)
    assert shape(old) == shape(new), ("run 'tests/cli/beside.py page'", old, new)


if __name__ == "__main__":
    main()
