#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: application.py [--samples N] [--runs N] [--hostile] [--without-samples]

Print the data of a page: an application whose phases are bound by memory, by arithmetic and
by a cache, on two CPUs, with energy. Values are the same every time.
"""

import argparse
import json
import random

# Name, FLOP/s, FLOP/byte, SIMD type, watts of the package.
PHASES = [("copy", 0.7e9, 0.06, 0, 18), ("multiply", 21e9, 9, 2, 34), ("mixed", 5e9, 0.33, 2, 27),
          ("reduce", 1.4e9, 0.11, 1, 21)]

CEILINGS = [
    ("flops", "DP FMA peak AVX, 1 thread", None, 28e9, True, False),
    ("flops", "DP ADD scalar, 1 thread", None, 3.6e9, False, False),
    ("flops", "DP peak AVX, 4 threads", None, 112e9, True, True),
    ("bandwidth", "L1 2:1, 1 thread", "L1", 160e9, True, False),
    ("bandwidth", "L2 2:1, 1 thread", "L2", 60e9, True, False),
    ("bandwidth", "L3 2:1, 1 thread", "L3", 31e9, True, False),
    ("bandwidth", "DRAM 2:1, 1 thread", "DRAM", 13e9, True, False),
]

HOSTILE = ["</script><script>document.title='taken'</script>", "<!--<script>", "]]>&amp;\u2028\u0001",
           "</SCRIPT >", "  ", "a\\\"b'`${1}"]


def ceilings():
    return [{"kind": kind, "label": label, "level": level, "operation": None, "isa": "avx",
             "precision": "double", "threads": 1 if "1 thread" in label else 4, "value": value,
             "low": value * 0.99, "high": value * 1.01, "theoretical": theoretical, "shown": shown}
            for kind, label, level, value, shown, theoretical in CEILINGS]


def sample(rng, phase, begin, seconds, speed):
    """Columns of a sample, without run, thread, CPU and time."""
    _, rate, intensity, simd, watts = phase
    noise = lambda width: rng.lognormvariate(0, width)
    oncpu = seconds * (0.9 + 0.1 * rng.random())
    flop = round(rate * speed * noise(0.06) * oncpu)
    size = round(flop / (intensity * noise(0.08)))
    power = watts * noise(0.02)
    return {"begin": round(begin, 6), "seconds": round(seconds, 6), "oncpu": round(oncpu, 6),
            "why": rng.choice([0, 1, 3, 3, 3]), "flop": flop, "bytes": size,
            "bytes_low": round(size * 0.93), "bytes_high": round(size * 1.2), "simd": simd,
            "instructions": round(flop * 1.5 + size / 6), "cycles": round(oncpu * 3.7e9),
            "joules": [round(share * power * seconds, 6) for share in (1, 0.7, 0.1)],
            "estimated": int(rng.random() < 0.05)}


def samples(runs, number):
    """Rows by time, of two threads in each run, each on its CPU."""
    rng, per_thread = random.Random(20), number // runs // 2
    rows = []
    for run in range(runs):
        for thread in range(2):
            begin = 0.001 * thread
            for index in range(per_thread):
                phase = PHASES[(index * 2 * len(PHASES) // per_thread + thread) % len(PHASES)]
                seconds = rng.choice([0.004, 0.001, 0.0025]) * (0.9 + 0.2 * rng.random())
                rows.append({"run": run, "thread": 2 * run + thread, "cpu": thread,
                             **sample(rng, phase, begin, seconds, 1 + 0.6 * run)})
                begin += seconds + 0.0001
    # an interval without arithmetic, and one whose operations were not counted
    if len(rows) > 10:
        rows[3]["flop"] = 0
        rows[5]["flop"] = rows[5]["bytes"] = rows[5]["bytes_low"] = rows[5]["bytes_high"] = None
    return sorted(rows, key=lambda row: (row["run"], row["begin"]))


def columns(rows):
    names = ["run", "thread", "cpu", "begin", "seconds", "oncpu", "why", "flop", "bytes",
             "bytes_low", "bytes_high", "simd", "instructions", "cycles", "estimated"]
    table = {name: [row[name] for row in rows] for name in names}
    table["joules"] = [[row["joules"][domain] for row in rows] for domain in range(3)]
    return table


def total(rows, name):
    return sum(row[name] or 0 for row in rows)


def quotients(rows):
    time = total([row for row in rows if row["flop"] is not None], "oncpu")
    flop, size = total(rows, "flop"), total(rows, "bytes")
    return {"flop": flop, "bytes": size, "seconds": total(rows, "oncpu"),
            "flops_per_s": flop / time if time else None,
            "intensity": flop / size if size else None}


def describe(run, rows):
    return {"label": f"run {run + 1}", "file": f"perf.data.{run + 1}",
            "monitor": "kermon", "command": "phases --all", "hostname": "host",
            "cpudesc": "Synthetic CPU", "cpuid": "GenuineIntel,6,58,9", "begin_s": 0,
            "duration_s": max([row["begin"] + row["seconds"] for row in rows], default=0),
            "model": run == 0, "statements": ["3 samples were lost: counts are lower bounds."],
            "ceilings": "other" if run else "same"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[1])
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--hostile", action="store_true", help="names that look like markup")
    parser.add_argument("--without-samples", action="store_true")
    args = parser.parse_args()
    rows = [] if args.without_samples else samples(args.runs, args.samples)
    of_run = [[row for row in rows if row["run"] == run] for run in range(args.runs)]
    names = HOSTILE if args.hostile else ["main", "worker"]
    threads = [{"run": run, "pid": 100 + run, "tid": 100 + run + thread,
                "comm": names[(2 * run + thread) % len(names)],
                **quotients([row for row in rows if row["thread"] == 2 * run + thread])}
               for run in range(args.runs) for thread in range(2)]
    data = {
        "format": "kermon roofline 1",
        "runs": [describe(run, part) for run, part in enumerate(of_run)],
        "ceilings": ceilings(), "threads": threads,
        "simd": ["scalar", "sse", "avx", "avx512"],
        "whys": ["preempted", "sleep", "exit", "tick", "set"],
        "domains": ["package", "cores", "ram"], "samples": columns(rows),
        "averages": [{"run": run, "label": "application", **quotients(part)}
                     for run, part in enumerate(of_run) if part],
        "verdict": ["run 1 is bound by the L3 bandwidth (2:1): at 61 % of it; next the L2 bandwidth."],
        "labels": ["Bytes are estimates: the events do not tell their width."],
    }
    if args.hostile:
        data["labels"] += HOSTILE
        data["runs"][0]["file"] = data["runs"][0]["command"] = HOSTILE[0]
    print(json.dumps(data, separators=(",", ":")))


main()
