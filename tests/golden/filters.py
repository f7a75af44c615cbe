# SPDX-License-Identifier: GPL-2.0
"""Filters of "kermon report" compared with stock perf's, on a recording of perf."""

import json
import re
import subprocess
from collections import Counter

LINE = re.compile(r"^\s*(?P<comm>.*?)\s+(?P<pid>-?\d+)/(?P<tid>-?\d+)\s+\[(?P<cpu>\d+)\]\s+"
                  r"(?P<time>[\d.]+):\s+(?P<period>\d+)\s+(?P<event>\S.*?):\s*$")
FIELDS = "comm,pid,tid,cpu,time,period,event"


def samples(path, *options):
    """What "perf script" shows with these options: a list of dicts."""
    done = subprocess.run(["perf", "script", "-i", path, "--ns", "-F", FIELDS, *options],
                          capture_output=True, text=True, check=True)
    return [LINE.match(line).groupdict() for line in done.stdout.splitlines()]


def totals(found):
    sums = Counter()
    for sample in found:
        sums[sample["event"]] += int(sample["period"])
    return +sums


def ours(kermon, path, *options):
    done = kermon("report", "-i", str(path), "--json", "-s", "comm", *options)
    if done.returncode:
        return f"status {done.returncode}: {done.stderr}"
    return +Counter({event["name"]: event["total"] for event in json.loads(done.stdout)["events"]})


def choices(everything):
    """Options that pass some of the samples but not all, from the contents of the file."""
    middle = everything[len(everything) // 2]
    begin, end = everything[len(everything) // 4]["time"], middle["time"]
    yield ["--comms", middle["comm"]]
    yield ["--comms", ",".join(sorted({sample["comm"] for sample in everything})[:2])]
    yield ["--pid", middle["pid"]]
    yield ["--tid", middle["tid"]]
    yield ["--cpu", middle["cpu"]]
    yield ["--time", f"{begin},{end}"]
    yield ["--time", f"{end},"]
    yield ["--time", "10%-40%"]
    yield ["--time", "10%/2,10%/9"]
    yield ["--comms", middle["comm"], "--time", f",{end}", "--cpu", middle["cpu"]]


def check(kermon, workload, folder):
    """Lines that describe for which events and options the totals differ."""
    path = folder / "filters.data"
    subprocess.run(["perf", "record", "-q", "--sample-cpu", "-F", "5000", "-o", path,
                    "-e", "cpu-clock:u,page-faults:u", *workload], check=True,
                   stdout=subprocess.DEVNULL)
    everything = samples(path)
    found = []
    for options in choices(everything):
        theirs = totals(samples(path, *options))
        mine = ours(kermon, path, *options)
        if mine != theirs:
            found.append(f"{' '.join(options)}: {mine}, not {theirs}")
        if not theirs:
            found.append(f"{' '.join(options)}: perf has no sample to compare")
    return "\n".join(found)
