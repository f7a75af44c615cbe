# SPDX-License-Identifier: GPL-2.0
"""Call graphs of "kermon report" against those of stock perf, on a recording of perf's."""

import csv
import re
import subprocess
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "bench/faults.c"
COUNT = "3000"

# What both are asked for: of what the loader does before, perf takes return addresses for
# calls, and so those of _start for _dl_start_user's.
DSO, MAIN = "faults", "main"

# A chain of a folded graph, and what stands for a function that nobody knows.
CHAIN = re.compile(r"^(\d+) (\S.*)$")
UNKNOWN = re.compile(r"^(0|0x[0-9a-f]+|\[unknown\].*)$")


def record(folder):
    """A file with a sample of every page fault of a program with many call chains."""
    program, path = folder / "faults", folder / "calls.data"
    subprocess.run(["cc", "-O2", "-g", "-fno-omit-frame-pointer", "-o", program, SOURCE],
                   check=True)
    subprocess.run(["perf", "record", "-q", "-g", "-e", "page-faults:u", "-c", "1", "-o", path,
                    program, COUNT], check=True, stdout=subprocess.DEVNULL)
    return path


def perf(path, *options):
    return subprocess.run(["perf", "report", "-i", path, "--stdio", "--percent-limit", "0",
                           *options], capture_output=True, text=True, check=True).stdout


def theirs_with_children(path):
    rows = {}
    for line in perf(path, "--children", "-g", "none", "-t", "\x1f",
                     "-F", "overhead_children,overhead,comm,dso,sym").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        both, own, comm, dso, sym = (field.strip() for field in line.split("\x1f"))
        if dso == DSO and not UNKNOWN.match(sym[4:]):
            rows[comm, dso, sym[4:]] = (both, own)
    return rows


def ours_with_children(kermon, path):
    done = kermon("report", "-i", str(path), "--csv", "-s", "comm,dso,sym")
    return {(row["comm"], row["dso"], row["sym"]):
            (f"{float(row['all_percent']):.2f}%", f"{float(row['percent']):.2f}%")
            for row in csv.DictReader(done.stdout.splitlines())
            if row["dso"] == DSO and row["sym"]}


def chains(text):
    """Counter of folded chains; functions that nobody knows are all the same."""
    found = Counter()
    for line in text.splitlines():
        match = CHAIN.match(line)
        names = match[2].split(";") if match else []
        if MAIN in names:
            names = ("?" if UNKNOWN.match(name) else name for name in names)
            found[";".join(names)] += int(match[1])
    return found


def check_chains(kermon, path, order):
    theirs = chains(perf(path, "--no-children", "-g", f"folded,0,{order},function,count",
                         "-s", "comm,dso,sym"))
    ours = chains(kermon("report", "-i", str(path), "--no-children", "-g",
                         f"folded,0,{order},function,count", "-s", "comm,dso,sym").stdout)
    if not theirs:
        return [f"{order}: perf has no chains to compare"]
    return [f"{order}: {chain}: {ours[chain]}, not {theirs[chain]}"
            for chain in sorted(set(ours) | set(theirs)) if ours[chain] != theirs[chain]]


def check(kermon, folder):
    """Lines that tell what differs, the first few."""
    path = record(folder)
    ours, theirs = ours_with_children(kermon, path), theirs_with_children(path)
    found = [f"children and self of {' '.join(key)}: {ours.get(key)}, not {theirs.get(key)}"
             for key in sorted(set(ours) | set(theirs)) if ours.get(key) != theirs.get(key)]
    for order in ("caller", "callee"):
        found += check_chains(kermon, path, order)
    return "\n".join(found[:20])
