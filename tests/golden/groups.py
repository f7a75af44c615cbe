# SPDX-License-Identifier: GPL-2.0
"""Why recordings have no GROUP_DESC, although the values of a sample are read together.

With it, stock perf prints one table of all events instead of one for each, with the sum of
instructions, nanoseconds and joules in place of the count of each event. perf report --group
prints the same table of a file without GROUP_DESC.
"""
import os
import re
import subprocess

import synthetic

GROUP_DESC = 17


def grouped(data):
    """A file whose events are one group."""
    group = synthetic.pack("I", 1) + synthetic.string("{anon_group}") + \
        synthetic.pack("II", 0, len(synthetic.EVENTS))
    return synthetic.build(data, {GROUP_DESC: group})


def perf(path, *options):
    """Of each table of perf report: the count, and {thread: counts of its events}."""
    text = subprocess.run(["perf", "report", "--stdio", "-i", path, "-s", "comm", "-F",
                           "period,comm", *options], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, env={**os.environ, "HOME": "/nonexistent"}).stdout
    tables = re.split(r"^# Samples: ", text, flags=re.M)[1:]
    found = []
    for table in tables:
        rows = re.findall(r"^ +((?:\d+ +)+)(\S.*?) *$", table, re.M)
        found.append((int(re.search(r"^# Event count \(approx\.\): (\d+)", table, re.M)[1]),
                      {name: [int(value) for value in values.split()] for values, name in rows}))
    return found


def counts(kermon, path):
    """{thread: what each event counted}, of kermon script."""
    columns = {name: index for index, (name, _, _) in enumerate(synthetic.EVENTS)}
    found = {}
    for line in kermon("script", "-i", str(path), "-F", "comm,event,period").stdout.splitlines():
        comm, period, event = re.fullmatch(r" *(.*\S) +(\d+) +(\S+): *", line).groups()
        found.setdefault(comm, [0] * len(columns))[columns[event]] += int(period)
    return found


def check(kermon, folder):
    """What is not as it should be, or None."""
    plain, group = folder / "perf.data", folder / "grouped.data"
    wanted = counts(kermon, plain)
    totals = [sum(values) for values in zip(*wanted.values())]
    group.write_bytes(synthetic.recording(file=grouped))
    if [count for count, _ in perf(plain)] != totals:
        return f"not the counts of each event: {perf(plain)}, not {totals}"
    tables = perf(plain, "--group")
    if len(tables) != 1 or tables[0][1] != wanted:
        return f"--group: {tables}, not {wanted}"
    tables = perf(group)
    if tables != [(sum(totals), wanted)]:
        return f"with GROUP_DESC, perf prints other than the sum, so why not write it? {tables}"
    return None
