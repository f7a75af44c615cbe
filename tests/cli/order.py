#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Files out of order, and what "kermon check --order" has to say of any file: by the
definitions, and not by the same algorithms.

usage: order.py make KIND FILE      two-cpus, late, no-rounds, in-order, outliers or no-times
       order.py expect FILE         what it prints
       order.py picture FILE SVG    check the picture: print where it is wrong
"""
import bisect
import itertools
import random
import re
import struct
import sys
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))
sys.dont_write_bytecode = True
import synthetic  # noqa: E402

SAMPLE, ROUND = synthetic.SAMPLE, synthetic.FINISHED_ROUND
BASE = 5000000000
SVG = "{http://www.w3.org/2000/svg}"


def sample(cpu, time):
    return synthetic.sample(0, 7, 7, cpu, BASE + time, 0x1000, 1)


def finished():
    return synthetic.record(ROUND, b"")


def rounds(nr, length, dice):
    """Two CPUs, whose records of a round follow each other, and reach back a bit."""
    data, clocks = b"", [0, 0]
    for number in range(nr):
        for cpu in (0, 1):
            for _ in range(dice.randrange(length)):
                clocks[cpu] = max(clocks[cpu] + dice.randrange(50), 1000 * (number - 1))
                data += sample(cpu, clocks[cpu])
            if dice.random() < 0.2:
                data += synthetic.comm(7, 7, "named", BASE + clocks[cpu])
        data += finished()
        clocks = [max(clocks)] * 2
    return data


def outliers():
    """Many columns of points, and four points that must not get lost among them."""
    times = [1000 * i for i in range(40000)]
    times[12345], times[23456] = 60000000, -2000000
    times[20001] += 9000000
    times[39998] = 0
    return b"".join(sample(i % 2, time) for i, time in enumerate(times))


def made(kind):
    dice = random.Random(kind)
    if kind == "two-cpus":
        data = synthetic.comm(7, 7, "no time", 0) + rounds(40, 30, dice)
    elif kind == "late":
        data = rounds(10, 30, dice) + sample(0, 5) + sample(1, 10 ** 6) + rounds(5, 5, dice)
    elif kind == "no-rounds":
        data = b"".join(sample(i % 3, dice.randrange(900)) for i in range(500))
    elif kind == "in-order":
        data = b"".join(sample(0, i) for i in range(200)) + finished()
    elif kind == "outliers":
        data = outliers()
    else:
        data = synthetic.comm(7, 7, "no time", 0) + finished()
    return synthetic.build(data)


def sections(file):
    """sample_type of the first event, and where the records begin and end."""
    attrs, _, begin, size = struct.unpack_from("<4Q", file, 24)
    return struct.unpack_from("<Q", file, attrs + 24)[0], begin, begin + size


def time_and_cpu(kind, body, fields):
    """Of a record whose events all have the same sample_type; 0 and -1 if it has none."""
    before = [16, 0, 1]                     # IDENTIFIER, IP, TID
    after = [6, 9, 7, 16]                   # ID, STREAM_ID, CPU, IDENTIFIER
    if kind >= 64 or not fields & 4:
        return 0, -1
    if kind == SAMPLE:
        at = 8 * sum(fields >> bit & 1 for bit in before)
        cpu = at + 8 * (1 + sum(fields >> bit & 1 for bit in (3, 6, 9)))
    else:
        at = len(body) - 8 * (1 + sum(fields >> bit & 1 for bit in after))
        cpu = len(body) - 8 * (1 + (fields >> 16 & 1))
    time = struct.unpack_from("<Q", body, at)[0]
    return time, struct.unpack_from("<I", body, cpu)[0] if fields & 1 << 7 else -1


def records(file):
    """(number, offset, kind, time, CPU) of each."""
    fields, at, end = sections(file)
    for number in itertools.count():
        if at == end:
            return
        kind, _, size = struct.unpack_from("<IHH", file, at)
        yield (number, at, kind, *time_and_cpu(kind, file[at + 8:at + size], fields))
        at += size


def steps_back(times):
    """How much older each one is than the newest one before it; 0: it is not."""
    newest = [0, *itertools.accumulate(times, max)]
    return [max(0, before - time) for before, time in zip(newest, times)]


def held_back(times):
    """At each place, those before it that are newer than the oldest one after it."""
    if not times:
        return 0
    oldest = list(itertools.accumulate(reversed(times), min))[::-1]
    seen, most = [], 0
    for time, after in zip(times, [*oldest[1:], float("inf")]):
        bisect.insort(seen, time)
        most = max(most, len(seen) - bisect.bisect_right(seen, after))
    return most


def by_rounds(found):
    """Deliver as the rounds allow: (most held, longest round, late, rounds)."""
    held, newest, limit, most, longest, length, late, nr = [], 0, 0, 0, 0, 0, 0, 0
    lower = 0
    for _, _, kind, time, _ in found:
        if kind == ROUND:
            nr, length, lower = nr + 1, 0, limit
            held = [time for time in held if time > limit]
            limit = newest
        elif time:
            held.append(time)
            newest, length = max(newest, time), length + 1
            late += time < lower
            longest, most = max(longest, length), max(most, len(held))
    return most, longest, late, nr


def crossing(found):
    """How many are older than a record before the last FINISHED_ROUND."""
    newest, before, nr = 0, 0, 0
    for _, _, kind, time, _ in found:
        if kind == ROUND:
            before = newest
        elif time:
            newest, nr = max(newest, time), nr + (time < before)
    return nr


def as_delivered(found):
    """How far ahead of its place a record is delivered at most, if some are late."""
    held, newest, limit, out, place, ahead = [], 0, 0, 0, 0, 0

    def deliver(upto):
        nonlocal held, out, ahead
        for time, at in sorted(one for one in held if one[0] <= upto):
            ahead, out = max(ahead, at - out), out + 1
        held = [one for one in held if one[0] > upto]
    for _, _, kind, time, _ in found:
        if kind == ROUND:
            deliver(limit)
            limit = newest
        elif time:
            held.append((time, place))
            newest, place = max(newest, time), place + 1
    deliver(float("inf"))
    return ahead


def line(name, number, unit=""):
    return f"{name:<28} {number:>15,} {unit}"


def expected_cpus(timed):
    for cpu in sorted({one[4] for one in timed} - {-1}):
        steps = steps_back([one[3] for one in timed if one[4] == cpu])
        yield (f"{cpu:>5} {len(steps):>15,} {sum(map(bool, steps)):>15,} "
               f"{max(steps) / 1e6:>22.6f}")


def expected(file):
    found = list(records(file))
    timed = [one for one in found if one[3]]
    times = [one[3] for one in timed]
    steps = steps_back(times)
    most, longest, late, nr = by_rounds(found)
    step = max(steps, default=0)
    where = timed[steps.index(step)] if step else None
    yield line("records", len(found))
    yield line("with a time", len(times))
    yield line("out of order", sum(map(bool, steps)), "are older than a record before them")
    yield f"{'largest step back':<28} {step / 1e6:>15.6f} ms" + \
        (f" at record {where[0]}, offset {where[1]}" if where else "")
    if late:
        yield line("held back at least", as_delivered(found),
                   "records, by the order in which rounds deliver")
    else:
        yield line("held back at least", held_back(times), "records, if all times were known")
    yield line("rounds", nr, "(FINISHED_ROUND)")
    yield line("largest round", longest, "records")
    yield line("held back by rounds at most", most, "records")
    yield line("step back over a round", crossing(found),
               "are older than a record before the last FINISHED_ROUND")
    yield line("later than rounds allow", late, "records")
    cpus = list(expected_cpus(timed))
    if cpus:
        yield ""
        yield f"{'CPU':>5} {'records':>15} {'out of order':>15} {'largest step back [ms]':>22}"
        yield from cpus


UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


class Chart:
    """The axis upwards and the series of the chart with this title, which follows its ticks."""

    def __init__(self, root, title):
        nodes = list(root)
        begin = next(i for i, node in enumerate(nodes) if node.text == title)
        last = [i for i, node in enumerate(nodes) if node.get("class") == "title" and i > begin]
        end = last[0] if last else len(nodes)
        texts = [node for node in nodes[:begin] if node.tag == SVG + "text"]
        while texts and texts[-1].get("text-anchor") != "end":
            texts.pop()
        ticks = []
        while texts and texts[-1].get("text-anchor") == "end":
            ticks.append(texts.pop())
        unit = next(node.text for node in nodes[begin:] if node.get("transform"))
        self.unit = UNITS[re.search(r"\[(.*)\]", unit)[1]]
        (low, at), (high, to) = ((float(node.text), float(node.get("y")) - 4)
                                 for node in (ticks[-1], ticks[0]))
        self.per_pixel = (high - low) / (to - at) * self.unit
        self.origin = low * self.unit - at * self.per_pixel
        self.series = {node.get("aria-label"): node.get("d") for node in nodes[begin:end]
                       if node.get("aria-label")}

    def extremes(self, name):
        """Lowest and highest value of a series."""
        ys = [float(y) for y in re.findall(r"(?:[ML][\d.-]+ |V)([\d.-]+)", self.series[name])]
        return self.origin + max(ys) * self.per_pixel, self.origin + min(ys) * self.per_pixel


def near(chart, what, name, expected_pair):
    """Complaints if extremes are further off than the digits of a position."""
    slack = 0.4 * abs(chart.per_pixel)
    for value, wanted in zip(chart.extremes(name), expected_pair):
        if abs(value - wanted) > slack:
            yield f"{what}: {name} at {value}, not {wanted}"


def complaints(file, picture):
    timed = [one for one in records(file) if one[3]]
    times = [one[3] - timed[0][3] for one in timed]
    root = xml.etree.ElementTree.parse(picture).getroot()
    if root.tag != SVG + "svg":
        yield f"not an SVG: {root.tag}"
    chart = Chart(root, "Time of each record, in the order of the file")
    span = (min(times), max(times))
    for name in ("records", "upper bound", "lower bound"):
        first, last = span
        if name == "upper bound":
            first = chart.extremes(name)[0]
            if first < span[0] - abs(chart.per_pixel):
                yield "upper bound below all records"
        if name == "lower bound":
            last = chart.extremes(name)[1]
        yield from near(chart, "times", name, (first, last))
    chart = Chart(root, "How much older each record is than the newest one before it")
    yield from near(chart, "behind", "records", (0, max(steps_back([one[3] for one in timed]))))


def main():
    if sys.argv[1] == "make":
        Path(sys.argv[3]).write_bytes(made(sys.argv[2]))
    elif sys.argv[1] == "expect":
        print("\n".join(expected(Path(sys.argv[2]).read_bytes())))
    else:
        found = list(complaints(Path(sys.argv[2]).read_bytes(), sys.argv[3]))
        print("\n".join(found), end="\n" * bool(found))
        sys.exit(bool(found))


if __name__ == "__main__":
    main()
