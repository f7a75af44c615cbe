#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: tests/cli/regions_report.py KERMON [SEED]

Threads of two processes call regions at random, count and are sampled. What kermon regions,
report and export say of the files is compared with sums that are made while the calls are
made up: not from the marks. Prints the first difference, and fails.
"""

import csv
import io
import json
import random
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "golden"), str(HERE)]
import marked  # noqa: E402
import pprof  # noqa: E402
import synthetic  # noqa: E402

NAMES = "Top", "Fit", "Seed", "Sort", "wait for it"
OUTSIDE = "(outside)"
THREADS = (10, 10), (10, 11), (10, 12), (20, 20), (20, 21)


class Made:
    """A recording, and what is true of it: by (tid, branch)."""

    def __init__(self, seed, counts):
        self.random = random.Random(seed)
        self.file = marked.Marked(counts)
        self.calls, self.self_time, self.total = Counter(), Counter(), Counter()
        self.longest = Counter()
        self.counted = defaultdict(Counter)
        self.samples = Counter()
        self.intervals = []
        for pid in (10, 20):
            self.file.add(0, synthetic.comm(pid, pid, f"program{pid}", 0))
        self.ids = {pid: {name: self.file.name(pid, name) for name in names}
                    for pid, names in ((10, NAMES), (20, reversed(NAMES)))}
        for pid, tid in THREADS:
            self.thread(pid, tid)

    def spend(self, tid, branch, begin):
        """Time passes in a branch, in which the thread counts, and may be sampled."""
        pid = dict((tid, pid) for pid, tid in THREADS)[tid]
        time = begin + self.random.randrange(1, 50000)
        self.self_time[tid, branch] += time - begin
        for _ in range(2):
            work = {name: self.random.randrange(10000) for name in marked.COUNTS}
            self.file.work(tid, **work)
            self.counted[tid, branch].update(work)
            if self.random.random() < 0.3 and time - begin > 10:
                at = self.random.randrange(begin + 1, time)
                if not self.file.counts:
                    self.file.sample(pid, tid, at, 1000)
                    self.samples[tid, branch] += 1000
                else:
                    self.file.interval(pid, tid, at)
        return time

    def call(self, pid, tid, branch, time):
        name = self.random.choice(NAMES)
        branch = f"{branch}/{name}" if branch else name
        begin = time
        self.file.begin(pid, tid, time, self.ids[pid][name])
        time = self.spend(tid, branch, time)
        while branch.count("/") < 6 and self.random.random() < 0.55:
            time = self.call(pid, tid, branch, time)
            time = self.spend(tid, branch, time)
        number = self.random.choice((0, self.ids[pid][name]))
        self.file.end(pid, tid, time, number)
        self.calls[tid, branch] += 1
        self.total[tid, branch] += time - begin
        self.longest[tid, branch] = max(self.longest[tid, branch], time - begin)
        self.intervals.append((tid, branch, begin, time))
        return time

    def thread(self, pid, tid):
        time = 1000000 + self.random.randrange(1000)
        self.file.work(tid, oncpu=5, instructions=7)
        self.counted[tid, OUTSIDE].update(oncpu=5, instructions=7)
        for _ in range(30):
            time = self.call(pid, tid, "", time)
            time = self.spend(tid, OUTSIDE, time)
        self.file.mark(marked.CLOSED, pid, tid, time)
        if self.file.counts:
            self.file.interval(pid, tid, time + 1)


def rows(kermon, *words):
    run = subprocess.run([kermon, *words, "perf.data"], capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(run.stdout)))


def expect(what, found, wanted):
    if found == wanted:
        return
    print(f"{what}: {found}, not {wanted}")
    sys.exit(1)


def totals_of(sums, tid, branch):
    """Of a branch and all in it."""
    total = Counter()
    for (other, inner), counts in sums.items():
        if other == tid and (inner == branch or inner.startswith(branch + "/")):
            total.update(counts)
    return total


def compare_tree(kermon, made):
    """Every row of every thread."""
    seen = set()
    for row in rows(kermon, "regions", "--thread", "--csv"):
        key = int(row["tid"]), row["region"]
        seen.add(key)
        expect(f"self time of {key}", int(row["self_ns"]), made.self_time[key])
        expect(f"calls of {key}", int(row["calls"]), made.calls[key])
        if key[1] != OUTSIDE:
            expect(f"total of {key}", int(row["total_ns"]), made.total[key])
            expect(f"longest of {key}", int(row["max_ns"]), made.longest[key])
        for name in marked.COUNTS if made.file.counts else ():
            field = "oncpu_ns" if name == "oncpu" else name
            expect(f"{name} of {key}", int(row["self_" + field]), made.counted[key][name])
            expect(f"all {name} of {key}", int(row[field]),
                   totals_of(made.counted, *key)[name])
        if not made.file.counts:
            expect(f"samples of {key}", int(row["self_sampled_ns"]), made.samples[key])
    expect("rows", sorted(seen), sorted(made.self_time))


def compare_flat(kermon, made):
    """Sums by name: the totals of regions in themselves count once."""
    calls, own, total = Counter(), Counter(), Counter()
    for (_, branch), nr in made.calls.items():
        calls[branch.split("/")[-1]] += nr
    for (_, branch), time in made.self_time.items():
        own[branch.split("/")[-1]] += time
    for (_, branch), time in made.total.items():
        *around, name = branch.split("/")
        total[name] += time if name not in around else 0
    for row in rows(kermon, "regions", "--flat", "--csv"):
        expect(f"calls of {row['region']}", int(row["calls"]), calls[row["region"]])
        expect(f"self time of {row['region']}", int(row["self_ns"]), own[row["region"]])
        if row["region"] != OUTSIDE:
            expect(f"total of {row['region']}", int(row["total_ns"]), total[row["region"]])


def compare_report(kermon, made):
    """Counts by the key region: exact where KerMon counted; else samples."""
    found = {}
    for row in rows(kermon, "report", "-s", "region,tid", "--csv"):
        expect("estimate", row["estimate"], "no")
        field = "oncpu_ns" if made.file.counts else "task-clock_ns"
        if made.file.counts:
            found[int(row["tid"]), row["region"]] = [
                int(row[field])] + [int(row[name]) for name in marked.COUNTS[1:]]
        else:
            found[int(row["tid"]), row["region"]] = int(row[field])
    if not made.file.counts:
        expect("samples", found, dict(made.samples))
        return
    for key, counts in made.counted.items():
        expect(f"counts of {key}", found.get(key), [counts[name] for name in marked.COUNTS])
    sampled = rows(kermon, "report", "-s", "region,sym", "--csv")
    expect("estimates", {row["estimate"] for row in sampled}, {"yes"})
    expect("all estimates", sum(int(row["instructions"]) for row in sampled),
           sum(counts["instructions"] for counts in made.counted.values()))


def compare_calls(kermon, made):
    """Each call of a region, with what was counted in it."""
    wanted = sorted((tid, branch, begin, end - begin)
                    for tid, branch, begin, end in made.intervals
                    if branch.split("/")[-1] == "Fit")
    found = sorted((int(row["tid"]), row["region"], int(row["begin_ns"]), int(row["duration_ns"]))
                   for row in rows(kermon, "regions", "--calls", "Fit", "--csv"))
    expect("calls of Fit", found, wanted)


def compare_firefox(kermon, made):
    run = subprocess.run([kermon, "export", "-f", "firefox", "perf.data"], capture_output=True,
                         text=True, check=True)
    profile = json.loads(run.stdout)
    expect("schema", profile["meta"]["markerSchema"][0]["name"], "Region")
    found = []
    for thread in profile["threads"]:
        for name, begin, end, phase, _, data in thread["markers"]["data"]:
            expect("phase", phase, 1)
            expect("name", thread["stringTable"][name], data["branch"].split("/")[-1])
            found.append((thread["tid"], data["branch"], round((end - begin) * 1e6)))
    expect("markers", sorted(found), sorted(
        (tid, branch, end - begin) for tid, branch, begin, end in made.intervals))


def slices(data):
    """The calls in a trace of Perfetto: slices of each track nest in order of the file."""
    threads, stacks, found = {}, defaultdict(list), []
    for _, packet in pprof.fields(data):
        packet = dict(pprof.fields(packet))
        if 60 in packet:
            track = dict(pprof.fields(packet[60]))
            threads[track[1]] = dict(pprof.fields(track[4]))[2]
            continue
        event = dict(pprof.fields(packet[11]))
        stack = stacks[event[11]]
        if event[9] == 1:
            stack.append((event[23].decode(), packet[8]))
        else:
            branch = "/".join(name for name, _ in stack)
            found.append((threads[event[11]], branch, stack.pop()[1], packet[8]))
    return found


def compare_perfetto(kermon, made):
    subprocess.run([kermon, "export", "-f", "perfetto", "-o", "trace", "perf.data"], check=True)
    expect("slices", sorted(slices(Path("trace").read_bytes())), sorted(made.intervals))


def compare_folded(kermon, made):
    run = subprocess.run([kermon, "export", "--region-frames", "perf.data"], capture_output=True,
                         text=True, check=True)
    found, wanted = Counter(), Counter()
    for line in run.stdout.splitlines():
        stack, _, value = line.rpartition(" ")
        found["/".join(stack.split(";")[1:-1]) or OUTSIDE] += int(value)
    for (_, branch), value in made.samples.items():
        wanted[branch] += value
    expect("folded", found, wanted)


def main():
    kermon = sys.argv[1]
    for seed in range(int(sys.argv[2]), int(sys.argv[2]) + 1) if len(sys.argv) > 2 else range(4):
        for counts in (False, True):
            made = Made(seed, counts)
            Path("perf.data").write_bytes(made.file.build())
            compare_tree(kermon, made)
            compare_flat(kermon, made)
            compare_report(kermon, made)
            compare_calls(kermon, made)
            compare_firefox(kermon, made)
            compare_perfetto(kermon, made)
            if not counts:
                compare_folded(kermon, made)


main()
