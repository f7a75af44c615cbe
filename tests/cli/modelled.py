#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What the model of time and power of tests/qemu must show: ceilings and phases.

usage: modelled.py ceilings|recording|spy|spies FILE NAME=VALUE...
       modelled.py both FILE SPIES NAME=VALUE...

FILE is JSON of kermon roofline bench, or of kermon roofline of a recording of
tests/cli/programs/roofs.S; "spies" and SPIES: of merged recordings of kermon spy. Values differ from the defaults of tests/qemu/README.md by
these properties.
"""

import json
import math
import sys

PROPERTIES = {
    "time-mhz": 3500, "time-insn": 250, "time-branch": 1000, "time-load": 500,
    "time-store": 1000, "time-fp-add": 1000, "time-fp-mul": 1000,
    "time-l2-mbs": 70000, "time-l3-mbs": 42000, "time-dram-mbs": 29900,
    "power-pkg-mw": 6000, "power-cpu-mw": 12000, "power-flop-pj": 200, "power-line-pj": 3000,
    "power-dram-mw": 1500, "power-dram-line-pj": 10000,
}
TOLERANCE = 0.02
WIDTHS = {"scalar": 8, "sse": 16, "avx": 32}
LANES = {"scalar": 1, "sse": 2, "avx": 4}

# Kernels of "kermon roofline bench": instructions of a loop
OPERATIONS = {"add": ["add"] * 28, "mul": ["mul"] * 28, "add+mul": ["add", "mul"] * 14}
PATTERNS = {"load": ["load"], "store": ["store"], "2:1": ["load", "load", "store"],
            "1:1": ["load", "store"]}
LOOP_BYTES = 768
BLOCK = 64

# Of roofs.S: operations and bytes. The energy registers have units of 2^-16 J.
MEMORY = 24 << 20
PHASES = {
    "start": (0, None),
    "memory": (8 * MEMORY // 64 * 4, 8 * MEMORY),
    "compute": (1500000 * 120, 1500000 * 32),
    "mixed": (8 * MEMORY // 64 * 48, 8 * MEMORY),
}
UNIT = 2 ** -16
UPDATE = 1e-3


def near(value, wanted, tolerance=TOLERANCE):
    return abs(value - wanted) <= tolerance * wanted


def cycles(instructions, width, of):
    """Of a loop, by blocks: each takes as long as its busiest unit."""
    total = 0
    for at in range(0, len(instructions), BLOCK):
        block = instructions[at:at + BLOCK]
        wide = 2 if width == 32 else 1
        busy = {"insn": len(block)}
        for unit in "load", "store":
            busy[unit] = block.count(unit) * wide
        for unit in "add", "mul":
            busy["fp-" + unit] = block.count(unit)
        total += math.ceil(max(count * of["time-" + unit] for unit, count in busy.items()) / 1000)
    return total


def peak(row, of):
    instructions = OPERATIONS[row["operation"]]
    lanes = LANES[row["isa"]]
    if row["precision"] == "single" and row["isa"] != "scalar":
        lanes *= 2
    took = cycles(instructions + ["other"] * 2, 0, of)
    return len(instructions) * lanes / took * of["time-mhz"] * 1e6


def bandwidth(row, of):
    width = WIDTHS[row["isa"]]
    pattern = PATTERNS[row["pattern"]]
    accesses = pattern * (LOOP_BYTES // width // len(pattern))
    took = cycles(accesses + ["other"] * 3, width, of)
    core = LOOP_BYTES / took * of["time-mhz"] * 1e6
    levels = ["L1", "L2", "L3", "DRAM"]
    links = [of[f"time-{name.lower()}-mbs"] * 1e6
             for name in levels[1:levels.index(row["level"]) + 1]]
    return min([core] + links)


def check_ceilings(found, of):
    assert found["machine"]["model"] is True and found["complete"] is True, found
    for row in found["flops"]:
        assert near(row["value"], peak(row, of)), (peak(row, of), row)
    for row in found["bandwidths"]:
        assert near(row["value"], bandwidth(row, of)), (bandwidth(row, of), row)
    for row in found["flops"] + found["bandwidths"]:
        assert near(row["hertz"], of["time-mhz"] * 1e6), row
    print(f"{len(found['flops'])} peaks, {len(found['bandwidths'])} bandwidths")


def rows_of(found):
    samples = found["samples"]
    rows = [{} for _ in samples["begin"]]
    for name, column in samples.items():
        for i, row in enumerate(rows):
            if name == "joules":
                row[name] = {domain: column[d][i] for d, domain in enumerate(found["domains"])}
            else:
                row[name] = column[i] if isinstance(column, list) else column
    return rows


def phases_of(rows, whys):
    """A phase ends when the program sleeps or exits."""
    phases = [[]]
    for row in rows:
        phases[-1].append(row)
        if whys[row["why"]] == "sleep":
            phases.append([])
    assert len(phases) == len(PHASES), len(phases)
    return dict(zip(PHASES, phases))


def rate_of(name, of):
    """FLOP/s: bound by memory or, at two operations of 256 bits per cycle, by the core."""
    flop, size = PHASES[name]
    return min(8 * of["time-mhz"] * 1e6, flop / size * of["time-dram-mbs"] * 1e6)


def energy(of, seconds, running, flop, lines):
    """In joules; lines come from memory."""
    cores = of["power-cpu-mw"] * 1e-3 * running + of["power-flop-pj"] * 1e-12 * flop
    return {
        "package": of["power-pkg-mw"] * 1e-3 * seconds + cores + of["power-line-pj"] * 1e-12 * lines,
        "cores": cores,
        "DRAM": of["power-dram-mw"] * 1e-3 * seconds + of["power-dram-line-pj"] * 1e-12 * lines,
    }


def check_energy(what, drawn, wanted, seconds):
    """Registers are updated once in a millisecond: what that draws is known at neither end."""
    for domain, joules in wanted.items():
        print(f"{what} {domain}: {drawn[domain]:.4f} J of {joules:.4f}")
        assert abs(drawn[domain] - joules) <= UNIT + 2 * UPDATE * joules / seconds, (what, domain)


def sum_of(rows, name):
    return sum(row[name] for row in rows)


def check_phase(name, rows, of):
    """Returns its place."""
    flop, size = PHASES[name]
    seconds = sum_of(rows, "oncpu")
    assert sum_of(rows, "flop") == flop and sum_of(rows, "bytes") == size, name
    assert near(flop / seconds, rate_of(name, of)) and seconds > 20e-3, (name, seconds)
    for row in rows:
        assert row["alone"] and near(row["flop"] / row["bytes"], flop / size), (name, row)
        # to a short one, interrupts matter more
        assert row["oncpu"] < UPDATE or near(row["flop"] / row["oncpu"], rate_of(name, of)), row
    lines = 0 if name == "compute" else size / 64
    drawn = {domain: sum(row["joules"][domain] for row in rows) for domain in rows[0]["joules"]}
    check_energy(name, drawn, energy(of, seconds, seconds, flop, lines), seconds)
    return flop / size, flop / seconds


def check_recording(found, of):
    phases = phases_of(rows_of(found), found["whys"])
    assert sum_of(phases.pop("start"), "flop") == 0
    points = [check_phase(name, rows, of) for name, rows in phases.items()]
    average = found["averages"][0]
    middle = average["intensity"], average["flops_per_s"]
    print(f"average {middle}, phases {points}")
    assert average["flop"] == sum(flop for flop, _ in PHASES.values()), average
    for axis in range(2):
        values = sorted(point[axis] for point in points)
        assert values[0] < middle[axis] < values[-1], middle
        assert all(high > 1.2 * low for low, high in zip(values, values[1:])), values
    # It is where no phase is.
    for point in points:
        assert not all(near(point[axis], middle[axis], 0.2) for axis in range(2)), point


def phase_at(row, of):
    """The one that this sample of a CPU is in the middle of, if any."""
    for name, (flop, size) in PHASES.items():
        # other tasks, and the spy itself, load a little
        if flop and row["bytes"] and near(row["flop"] / row["bytes"], flop / size, 0.05) and \
           near(row["flop"] / row["seconds"], rate_of(name, of)):
            return name
    return None


def check_spies(found, of):
    """Merged; other tasks have some scalar operations, which set1 counts, too."""
    assert set(found["samples"]["estimated"]) == {True}, found["samples"]
    assert 0 <= found["averages"][0]["error"] < 0.01, found["averages"]
    check_spy(found, of, 1e-5)


def check_both(found, spies, of):
    """Phases by KerMon and by the spies, of which samples in the middle of a phase count."""
    places = {name: check_phase(name, rows, of)
              for name, rows in phases_of(rows_of(found), found["whys"]).items() if name != "start"}
    for name, (intensity, rate) in places.items():
        rows = [row for row in rows_of(spies) if phase_at(row, of) == name]
        flop = sum_of(rows, "flop")
        own = flop / sum_of(rows, "bytes"), flop / sum_of(rows, "seconds")
        print(f"{name}: {own[0] / intensity - 1:+.2%} FLOP/byte, {own[1] / rate - 1:+.2%} FLOP/s")
        # what else runs on the CPU loads and stores, and takes time
        assert -0.05 < own[0] / intensity - 1 < 0.001, (name, own, intensity)
        assert -0.01 < own[1] / rate - 1 < 0.001, (name, own, rate)


def check_spy(found, of, more=0):
    """@more: operations of other tasks, as a part of the program's."""
    rows = rows_of(found)
    flop = sum(flop for flop, _ in PHASES.values())
    assert found["runs"][0]["monitor"] == "spy", found["runs"]
    assert flop <= found["averages"][0]["flop"] <= flop * (1 + more), found["averages"]
    names = [phase_at(row, of) for row in rows]
    print(names)
    assert all(names.count(name) >= 3 for name in list(PHASES)[1:]), names
    # Energy is read less often than counters.
    since, checked = 0, set()
    for i, row in enumerate(rows):
        if not row["joules"]["package"]:
            continue
        span = rows[since:i + 1]
        name = names[i]
        if name and set(names[since:i + 1]) == {name}:
            lines = 0 if name == "compute" else sum_of(span, "bytes") / 64
            seconds = sum_of(span, "seconds")
            check_energy(name, row["joules"],
                         energy(of, seconds, seconds, sum_of(span, "flop"), lines), seconds)
            checked.add(name)
        since = i + 1
    assert checked, names


def main():
    pairs = [word.split("=") for word in sys.argv[2:] if "=" in word]
    of = PROPERTIES | {name: int(value) for name, value in pairs}
    files = []
    for path in sys.argv[2:len(sys.argv) - len(pairs)]:
        with open(path, encoding="utf-8") as file:
            files.append(json.load(file))
    {"ceilings": check_ceilings, "recording": check_recording, "spy": check_spy,
     "spies": check_spies, "both": check_both}[sys.argv[1]](*files, of)


if __name__ == "__main__":
    main()
