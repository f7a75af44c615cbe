# SPDX-License-Identifier: GPL-2.0
"""Call graphs of "kermon report" compared with stock perf's, on a recording of perf, and
the stacks of "kermon export" compared with these."""

import csv
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
SOURCE = TESTS / "bench/faults.c"
# How chains are recorded, and at how many faults: where stacks are unwound, inlined
# functions are in the chains.
KINDS = {
    "frame pointers": (["-g"], "3000"),
    "inlined functions": (["--call-graph", "dwarf,2048"], "150"),
}

# What both are asked for. Excluded are functions of the loader, where perf takes return
# addresses for calls, and so those of _start for _dl_start_user's; and where stacks are
# unwound, it takes a function whose symbol differs from its name in the source for an
# inlined one.
DSO, MAIN = "faults", "main"
FUNCTIONS = re.compile(r"(main|touch|f_\w+)( \(inlined\))?$")

# A chain of a folded graph, and the placeholder for an unknown function.
CHAIN = re.compile(r"^(\d+) (\S.*)$")
UNKNOWN = re.compile(r"^(0|0x[0-9a-f]+|\[unknown\].*)$")


def record(folder, options, count):
    """A file with a sample of every page fault of a program with many call chains."""
    program, path = folder / "faults", folder / "calls.data"
    subprocess.run(["cc", "-O2", "-g", "-fno-omit-frame-pointer", "-o", program, SOURCE],
                   check=True)
    subprocess.run(["perf", "record", "-q", *options, "-e", "page-faults:u", "-c", "1", "-o",
                    path, program, count], check=True, stdout=subprocess.DEVNULL)
    return path


def perf(path, *options):
    return subprocess.run(["perf", "report", "-i", path, "--stdio", "--percent-limit", "0",
                           *options], capture_output=True, text=True, check=True).stdout


def percent(text):
    return float(text.rstrip("%"))


def theirs_with_children(path):
    """(children, self, number of rows) by thread name, file and function. perf has a row
    for each function that another one was inlined into, and rounds it."""
    rows = {}
    for line in perf(path, "--children", "-g", "none", "-t", "\x1f",
                     "-F", "overhead_children,overhead,comm,dso,sym").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        both, own, comm, dso, sym = (field.strip() for field in line.split("\x1f"))
        if dso == DSO and not UNKNOWN.match(sym[4:]):
            before = rows.get((comm, dso, sym[4:]), (0, 0, 0))
            rows[comm, dso, sym[4:]] = (before[0] + percent(both), before[1] + percent(own),
                                        before[2] + 1)
    return rows


def ours_with_children(kermon, path):
    done = kermon("report", "-i", str(path), "--csv", "-s", "comm,dso,sym")
    return {(row["comm"], row["dso"], row["sym"]):
            (float(row["all_percent"]), float(row["percent"]))
            for row in csv.DictReader(done.stdout.splitlines())
            if row["dso"] == DSO and row["sym"]}


def chains(text, order):
    """Counter of folded chains below main(), as far as they are in the program itself."""
    found = Counter()
    for line in text.splitlines():
        match = CHAIN.match(line)
        names = match[2].split(";") if match else []
        if MAIN in names:
            at = names.index(MAIN)
            names = names[at:] if order == "caller" else names[:at + 1]
        if MAIN in names and all(map(FUNCTIONS.match, names)):
            found[";".join(names)] += int(match[1])
    return found


def check_chains(kermon, path, order):
    theirs = chains(perf(path, "--no-children", "-g", f"folded,0,{order},function,count",
                         "-s", "comm,dso,sym"), order)
    ours = chains(kermon("report", "-i", str(path), "--no-children", "-g",
                         f"folded,0,{order},function,count", "-s", "comm,dso,sym").stdout, order)
    if not theirs:
        return [f"{order}: perf has no chains to compare"]
    return [f"{order}: {chain}: {ours[chain]}, not {theirs[chain]}"
            for chain in sorted(set(ours) | set(theirs)) if ours[chain] != theirs[chain]]


def stacks_of_json(text):
    data = json.loads(text)
    names = [(frame["function"] or "?") + " (inlined)" * frame.get("inlined", False)
             for frame in data["frames"]]
    for stack in data["stacks"]:
        yield f"{stack['samples']} " + ";".join(names[at] for at in reversed(stack["frames"]))


def stacks_of_firefox(text):
    for thread in json.loads(text)["threads"]:
        stacks, frames = thread["stackTable"]["data"], thread["frameTable"]["data"]
        for at, *_ in thread["samples"]["data"]:
            names = []
            while at is not None:
                at, frame = stacks[at]
                names.insert(0, thread["stringTable"][frames[frame][0]].split(" (in ")[0])
            yield "1 " + ";".join(names)


def stacks_of_folded(text):
    for line in text.splitlines():
        stack, count = line.rsplit(" ", 1)
        yield f"{count} {stack.split(';', 1)[1]}"


def stacks_of_pprof(path):
    done = subprocess.run([sys.executable, "-B", TESTS / "cli/pprof.py", path], text=True,
                          capture_output=True, check=True)
    for line in done.stdout.splitlines():
        if line.startswith("samples "):
            stack, count = line.rsplit(" ", 1)
            yield f"{count} {stack.split(';', 1)[1]}"


def check_exports(kermon, path):
    """Each sample is one fault. pprof has no labels: only the sum at each address is
    known."""
    def stacks(lines):
        return chains("\n".join(lines), "caller")

    def export(*options):
        return kermon("export", "-i", str(path), "-f", *options).stdout

    profile = path.with_suffix(".pb.gz")
    export("pprof", "-o", str(profile))
    wanted = chains(kermon("report", "-i", str(path), "--no-children", "-g",
                           "folded,0,caller,count", "-s", "event").stdout, "caller")
    plain = Counter()
    for stack, count in wanted.items():
        plain[stack.replace(" (inlined)", "")] += count
    return [f"{name} differs from the report" for name, found, same in (
        ("folded", stacks(stacks_of_folded(export("folded"))), wanted),
        ("json", stacks(stacks_of_json(export("json"))), wanted),
        ("firefox", stacks(stacks_of_firefox(export("firefox"))), wanted),
        ("pprof", stacks(stacks_of_pprof(profile)), plain),
        ("nothing", Counter(), Counter() if wanted else None),
    ) if found != same]


def check_options(kermon, path):
    """Whether --inline and --no-inline do what they say."""
    return [f"{command} {option}: inlined functions: {not wanted}"
            for command in ("report", "script", "export")
            for option, wanted in (("--inline", True), ("--no-inline", False))
            if ("(inlined)" in kermon(command, "-i", str(path), option).stdout) != wanted]


def same_shares(ours, theirs):
    """Equal except for what perf has rounded off."""
    if not ours or not theirs:
        return False
    most = 0.0051 * theirs[2]
    return abs(ours[0] - theirs[0]) < most and abs(ours[1] - theirs[1]) < most


def check(kermon, folder, kind):
    """Lines that describe the first few differences."""
    path = record(folder, *KINDS[kind])
    ours, theirs = ours_with_children(kermon, path), theirs_with_children(path)
    found = [f"children and self of {' '.join(key)}: {ours.get(key)}, not {theirs.get(key)}"
             for key in sorted(set(ours) | set(theirs))
             if not same_shares(ours.get(key), theirs.get(key))]
    for order in ("caller", "callee"):
        found += check_chains(kermon, path, order)
    if kind == "inlined functions" and not any("(inlined)" in key[2] for key in ours):
        found.append("there are none")
    found += check_exports(kermon, path) + check_options(kermon, path)
    return "\n".join(found[:20])
