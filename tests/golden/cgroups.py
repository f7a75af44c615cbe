# SPDX-License-Identifier: GPL-2.0
"""Sums of each control group, compared with stock perf's, in a synthetic file."""

import json
import subprocess
from collections import Counter

import synthetic

CGROUP = 19
SAMPLE_CGROUP = 1 << 21
ATTR_CGROUP = 1 << 32
PATHS = {1: "/", 7: "/user.slice/first", 8: "/user.slice/second, third"}
NOBODY = 9


def attr():
    return synthetic.pack("IIQQQQQ", synthetic.SOFTWARE, 128, 0, 1,
                          synthetic.SAMPLE_TYPE | SAMPLE_CGROUP, 0,
                          synthetic.SAMPLE_ID_ALL | ATTR_CGROUP).ljust(128, b"\0")


def announce(number, path):
    return synthetic.record(CGROUP, synthetic.pack("Q", number) + synthetic.padded(path) +
                            synthetic.trailer(0, 0, 0))


def sample(time, period, cgroup):
    return synthetic.sample(0, 5, 5, 0, time, 0x1000, period, synthetic.pack("Q", cgroup))


def records():
    data = b"".join(announce(*each) for each in PATHS.items()) + synthetic.comm(5, 5, "worker", 1)
    for time in range(2, 100):
        data += sample(time, time * time, [1, 7, 8, 7, NOBODY][time % 5])
    return data


def of_perf(path):
    """By the path that perf shows; None: unknown."""
    done = subprocess.run(["perf", "report", "-i", path, "--stdio", "-t", "\t", "-s", "cgroup",
                           "-F", "sample,period,cgroup"], capture_output=True, text=True,
                          check=True)
    sums = Counter()
    for line in done.stdout.splitlines():
        if line and not line.startswith("#"):
            samples, period, name = [field.strip() for field in line.split("\t")]
            sums[name if name in PATHS.values() else None, int(samples)] += int(period)
    return sums


def check(kermon, folder):
    """Lines that describe where the sums differ."""
    path = folder / "cgroups.data"
    path.write_bytes(synthetic.build_one(attr(), records()))
    done = kermon("report", "-i", str(path), "--json", "-s", "cgroup")
    if done.returncode:
        return f"status {done.returncode}: {done.stderr}"
    ours = Counter({(row["cgroup"], row["samples"]): sum(row["values"].values())
                    for row in json.loads(done.stdout)["rows"]})
    theirs = of_perf(path)
    return "" if len(theirs) == len(PATHS) + 1 and ours == theirs else f"{ours}, not {theirs}"
