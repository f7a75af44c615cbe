# SPDX-License-Identifier: GPL-2.0
"""The tables of "kermon readperf" compared with stock perf's output for the same file."""

import csv
import re
import subprocess
from collections import Counter

SAMPLE = re.compile(r"^\s*(?P<comm>.*?)\s+(?P<pid>-?\d+)/(?P<tid>-?\d+)\s+(?P<time>[\d.]+):\s+"
                    r"(?P<period>\d+)\s+(?P<event>\S.*?):\s+(?P<ip>[0-9a-f]+)\s*$")
STAT = re.compile(r"^\s*(\S+) events:\s+(\d+)")

# Lines of perf's statistics that are not types of records.
NO_TYPES = {"TOTAL"}


def perf(*arguments):
    return subprocess.run(["perf", *arguments], capture_output=True, text=True, check=True).stdout


def table(folder, name):
    with open(folder / name, newline="") as lines:
        return list(csv.DictReader(lines))


def samples(path):
    text = perf("script", "-i", path, "--ns", "-F", "comm,pid,tid,time,period,event,ip", "-G")
    return [SAMPLE.match(line).groupdict() for line in text.splitlines() if line.strip()]


def check_stat(folder, path):
    text = perf("report", "-i", path, "--stats", "--stdio")
    whole = text[text.index("Aggregated stats:"):].split(" stats:\n", 2)[1]
    theirs = {match[1]: int(match[2]) for match in map(STAT.match, whole.splitlines())
              if match and match[1] not in NO_TYPES}
    ours = {row["type"]: int(row["records"]) for row in table(folder, "stat.csv")}
    return [f"stat: {ours}, not {theirs}"] if {
        name: count for name, count in ours.items() if name in theirs} != theirs else []


def check_overview(folder, theirs):
    rows = table(folder, "overview.csv")
    times = [int(row["time_ns"]) for row in rows if row["time_ns"]]
    found = [] if times == sorted(times) else ["overview: not in the order of time"]
    numbers = sorted(int(row["nr"]) for row in rows)
    if numbers != list(range(len(rows))):
        found.append("overview: nr is not the index of each record")
    ours = Counter((row["pid"], row["tid"], int(row["time_ns"]), row["event"], row["info"])
                   for row in rows if row["type"] == "SAMPLE")
    wanted = Counter((sample["pid"], sample["tid"],
                      int(sample["time"].replace(".", "")), sample["event"],
                      f"{int(sample['ip'], 16):x} {sample['period']}") for sample in theirs)
    return found + ([] if ours == wanted else
                    [f"overview: {list((ours - wanted) + (wanted - ours))[:4]}"])


def sums(rows, keys):
    found = Counter()
    for row in rows:
        for column, value in row.items():
            if column.endswith(("_records", "cpu-clock:u_ns", "page-faults:u")):
                found[(*(row[key] for key in keys), column)] += int(value)
    return +found


def wanted_sums(theirs, keys):
    units = {"cpu-clock:u": "_ns"}
    found = Counter()
    for sample in theirs:
        key, event = tuple(sample[name] for name in keys), sample["event"]
        found[(*key, event + "_records")] += 1
        found[(*key, event + units.get(event, ""))] += int(sample["period"])
    return +found


def check(kermon, workload, folder):
    """Lines that describe which table differs from perf's."""
    path = folder / "readperf.data"
    subprocess.run(["perf", "record", "-q", "-e", "cpu-clock:u,page-faults:u", "-o", path,
                    *workload], check=True, stdout=subprocess.DEVNULL)
    done = kermon("readperf", "--output-dir", str(folder), str(path))
    if done.returncode or done.stderr:
        return f"status {done.returncode}\n{done.stderr}"
    theirs = samples(path)
    found = check_stat(folder, path) + check_overview(folder, theirs)
    processes = sums(table(folder, "processes.csv"), ("pid",))
    if processes != wanted_sums(theirs, ("pid",)):
        found.append(f"processes: {processes}")
    if sums(table(folder, "results.csv"), ()) != wanted_sums(theirs, ()):
        found.append("results: other totals")
    return "\n".join(found)
