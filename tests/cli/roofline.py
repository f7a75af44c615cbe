#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Recordings whose roofline is known, and whether what kermon roofline prints is that.

usage: roofline.py make KIND FILE     a recording: one of KINDS
       roofline.py ceilings FILE [CPUID [THREADS [HOSTNAME [SPEED]]]]    ceilings of the machine that they are of
       roofline.py json FILE          whether FILE is JSON of "kermon roofline 1"
       roofline.py svg FILE DOTS      whether FILE is SVG with so many dots of samples
"""
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as tree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))
# pylint: disable=wrong-import-position
import synthetic

NRCPUS, CPUDESC, CPUID, CPU_TOPOLOGY = 7, 8, 9, 13
MACHINE = "GenuineIntel,6,158,10"
ELSEWHERE = "GenuineIntel,6,85,7"
MS, SECOND = 1_000_000, 1_000_000_000
SCALAR, AVX = "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE"
LOADS, STORES = "MEM_INST_RETIRED:ALL_LOADS", "MEM_INST_RETIRED:ALL_STORES"
EVENTS = [("instructions:u", synthetic.HARDWARE, 1), ("cycles:u", synthetic.HARDWARE, 0),
          (f"{SCALAR}:u", synthetic.RAW_TYPE, 0x1c7), (f"{AVX}:u", synthetic.RAW_TYPE, 0x10c7),
          (f"{LOADS}:u", synthetic.RAW_TYPE, 0x81d0), (f"{STORES}:u", synthetic.RAW_TYPE, 0x82d0),
          ("oncpu", synthetic.SOFTWARE, 1), ("power/energy-pkg/", synthetic.POWER, 2)]
SOFTWARE = [("page-faults:u", synthetic.SOFTWARE, 2), ("oncpu", synthetic.SOFTWARE, 1)]

# A sample of each phase, of 50 ms: 0.02 GFLOP/s at 0.0125 FLOP/byte, and 16 at 8.
MEMORY = {2: 1_000_000, 4: 8_000_000, 5: 2_000_000, 0: 100_000_000, 1: 90_000_000}
COMPUTE = {3: 200_000_000, 4: 2_500_000, 5: 625_000, 0: 100_000_000, 1: 110_000_000}


class File:
    """A recording with these events, while it is made."""

    def __init__(self, events, notes=(), packages=(0, 0)):
        synthetic.EVENTS[:] = events
        synthetic.CPUS = tuple(range(len(packages)))
        names = [name for name, *_ in events]
        synthetic.ONCPU = names.index("oncpu") if "oncpu" in names else -1
        synthetic.sums.clear()
        self.notes = ["version=1", "complete=1", *notes]
        self.packages = packages
        self.data = b""

    def thread(self, tid, name):
        self.data += synthetic.comm(1, tid, name, 0)

    def sample(self, end, length, counts, joules=0, tid=1, cpu=0, ip=0, **more):
        values = {**counts, synthetic.ONCPU: length, "oncpu": length}
        if joules:
            values[len(EVENTS) - 1] = round(joules * 2**32)
        self.data += synthetic.interval(1, tid, cpu, end, ip, values, **more)

    def write(self, path, hostname="golden", cpuid=MACHINE):
        nr = len(self.packages)
        topology = synthetic.strings([f"0-{nr - 1}"]) + \
            synthetic.strings([str(cpu) for cpu in range(nr)]) + \
            b"".join(synthetic.pack("II", *cpu) for cpu in enumerate(self.packages))
        Path(path).write_bytes(synthetic.build(self.data, {
            synthetic.KERMON: synthetic.strings(self.notes),
            CPUDESC: synthetic.string("A CPU @ 1.00GHz"), CPUID: synthetic.string(cpuid),
            synthetic.HOSTNAME: synthetic.string(hostname),
            NRCPUS: synthetic.pack("II", nr, nr), CPU_TOPOLOGY: topology}))


def make_phases(path, **machine):
    """Ten samples of each phase; 10 W, then 20 W, while the thread has the package alone."""
    file = File(EVENTS)
    file.thread(1, "app")
    for turn in range(20):
        counts, watts = (MEMORY, 10) if turn < 10 else (COMPUTE, 20)
        file.sample(SECOND + (turn + 1) * 50 * MS, 50 * MS, counts, watts / 20, alone=True)
    file.write(path, **machine)


def make_elsewhere(path):
    """As phases, on another machine."""
    make_phases(path, hostname="elsewhere", cpuid=ELSEWHERE)


def make_threads(path):
    """Two threads at the same time on two CPUs: the same joules are in the samples of both."""
    file = File(EVENTS)
    file.thread(1, "one")
    file.thread(2, "two")
    for turn in range(10):
        for cpu in (0, 1):
            file.sample(SECOND + (turn + 1) * 50 * MS, 50 * MS, COMPUTE, 0.5, tid=1 + cpu, cpu=cpu)
    file.write(path)


def make_packages(path, notes=()):
    """Threads on CPUs 0 and 1 of one package and 2 of another, at the same time but for some
    pauses: energy in the first is 10 W in the samples of one thread and 20 W of the other."""
    file = File(EVENTS, notes, packages=(0, 0, 1, 1))
    for tid in (1, 2, 3):
        file.thread(tid, f"thread-{tid}")
    for turn in range(20):
        for tid, cpu, length, watts in ((1, 0, 10, 10), (2, 1, 6, 20), (3, 2, 10, 40)):
            counts = {0: 20_000_000, 1: 18_000_000}
            if not notes or turn % 2:
                counts |= {4: 1_600_000, 5: 400_000}
            if not notes or not turn % 2:
                counts |= {2: 200_000 * tid}
            more = {"turn": turn % 2} if notes else {}
            file.sample(SECOND + (turn + 1) * 10 * MS, length * MS, counts,
                        watts * length * (1 + turn % 3) / 1000, tid=tid, cpu=cpu, **more)
    file.write(path)


def make_turns(path):
    """The same with rotated sets, so that a sample is of two stays."""
    make_packages(path, ["sets=2,2", "rotate_ns=10000000"])


def make_coalesced(path):
    """Two threads on two CPUs, whose short intervals are summed up, 2 ms on the CPU in each 10:
    the first one alone, then both, then the first for all of 10 ms. Each has 20 W. The TSC, at
    1 GHz, is only known to be 5 s ahead of the clock by the last one."""
    file = File(EVENTS, ["tsc_khz=1000000"])
    file.thread(1, "one")
    file.thread(2, "two")
    counts = {3: 4_000_000, 4: 800_000, 5: 200_000}
    for turn in range(10):
        begin = SECOND + turn * 10 * MS
        for cpu in (0, 1) if turn >= 5 else (0,):
            file.sample(begin + 10 * MS, 2 * MS, counts, 0.04, tid=1 + cpu, cpu=cpu,
                        intervals=4, tsc=begin + 5 * SECOND)
    file.sample(SECOND + 110 * MS, 10 * MS, counts, 0.2, tsc=6 * SECOND + 100 * MS)
    file.write(path)


def make_uncounted(path):
    """Twenty samples, every other of which has impossible counts; 10 W, or 30 W in these."""
    file = File(EVENTS)
    file.thread(1, "app")
    for turn in range(20):
        more = {"kind": synthetic.INVALID_RECORD} if turn % 2 else {}
        file.sample(SECOND + (turn + 1) * 50 * MS, 50 * MS, {} if turn % 2 else COMPUTE,
                    1.5 if turn % 2 else 0.5, **more)
    file.write(path)


def build_program(path):
    """A program with two functions. Return: their offsets in the file."""
    source = "void _start(void) {} void stream(void) {} void compute(void) {}"
    subprocess.run(["cc", "-x", "c", "-nostdlib", "-static-pie", "-O0", "-o", path, "-"],
                   input=source, text=True, check=True)
    lines = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    symbols = {line.split()[-1]: int(line.split()[0], 16) for line in lines.splitlines()}
    return symbols["stream"], symbols["compute"]


def make_functions(path):
    """As phases, but the samples end in two functions of a program; the last one elsewhere."""
    program = Path(path).resolve().with_name("program")
    addresses = [0x400000 + offset for offset in build_program(program)]
    file = File(EVENTS)
    file.thread(1, "app")
    file.data += synthetic.mmap2(1, 0x400000, 0x100000, str(program), 0)
    for turn in range(20):
        ip = addresses[turn >= 10] + 1 if turn < 19 else 0x10
        file.sample(SECOND + (turn + 1) * 50 * MS, 50 * MS, MEMORY if turn < 10 else COMPUTE,
                    0.5, ip=ip)
    file.write(path)


def make_slices(path):
    """perf_event, in slices of 100 ms: thread 1 is on CPU 0 for half of each, of which 20 ms in
    one function, that loads and stores, and 30 ms in another one, that computes; thread 2 is
    the same on CPU 1, from the third slice on. At the end, thread 1 is elsewhere for 10 ms."""
    program = Path(path).resolve().with_name("program")
    stream, compute = (0x400000 + offset for offset in build_program(program))
    names = [*(name for name, *_ in EVENTS[:6]), "clock"]
    file = File([*EVENTS[:6], ("task-clock:u", synthetic.SOFTWARE, 1)])
    file.thread(1, "one")
    file.thread(2, "two")
    file.data += synthetic.mmap2(1, 0x400000, 0x100000, str(program), 0)

    def sample(tid, time, name, period, ip):
        file.data += synthetic.sample(names.index(name), 1, tid, tid - 1, time, ip, period)

    for turn in range(5):
        for index in range(50):
            for tid in (1, 2) if turn >= 2 else (1,):
                time = SECOND + turn * 100 * MS + index * MS
                ip = (stream if index % 5 < 2 else compute) + 1
                sample(tid, time, "clock", MS, ip)
                if index < 10:
                    sample(tid, time, f"{AVX}:u", 10_000_000, compute + 1)
                    sample(tid, time, f"{LOADS}:u", 4_000_000, stream + 1)
                    sample(tid, time, f"{STORES}:u", 1_000_000, stream + 1)
    for index in range(10):
        sample(1, SECOND + 500 * MS + index * MS, "clock", MS, 0x10)
    file.write(path)


def make_slow(path):
    """A tenth of the rate of COMPUTE, also AVX."""
    file = File(EVENTS)
    file.thread(1, "app")
    for turn in range(10):
        file.sample(SECOND + (turn + 1) * 50 * MS, 50 * MS,
                    {index: count // 10 for index, count in COMPUTE.items()})
    file.write(path)


def make_rotated(path):
    """Turns of 10 ms: operations in one set, loads and stores in the other; in the last four
    turns, those of the first set execute half as many instructions."""
    file = File(EVENTS, ["sets=2,2", "rotate_ns=10000000"])
    file.thread(1, "app")
    for turn in range(20):
        counts = {0: 20_000_000, 1: 18_000_000}
        if turn % 2:
            counts |= {4: 1_600_000, 5: 400_000}
        else:
            counts |= {2: 200_000}
        if turn >= 16 and not turn % 2:
            counts[0] //= 2
        file.sample(SECOND + (turn + 1) * 10 * MS, 10 * MS, counts, turn=turn % 2)
    file.write(path)


def make_shared(path):
    """As rotated, but both sets have loads and stores, and the last turn is without the second."""
    file = File(EVENTS[:3] + EVENTS[4:6] + EVENTS[3:], ["sets=3,3", "rotate_ns=10000000"])
    file.thread(1, "app")
    for turn in range(5):
        counts = {0: 20_000_000, 1: 18_000_000}
        if turn % 2:
            counts |= {5: 100_000, 6: 1_600_000, 7: 400_000}
        else:
            counts |= {2: 200_000, 3: 1_600_000, 4: 400_000}
        file.sample(SECOND + (turn + 1) * 10 * MS, 10 * MS, counts, turn=turn % 2)
    file.write(path)


def make_merged(path):
    """As phases, but of two runs that differ by 2.5 %."""
    file = File(EVENTS, ["runs=2", "run1=2 0 2000000000 1000000000 0 one",
                         "run2=2 0 2050000000 1000000000 0.025 two"])
    file.thread(1, "app")
    for turn in range(20):
        file.sample(SECOND + (turn + 1) * 50 * MS, 50 * MS, MEMORY if turn < 10 else COMPUTE)
    file.write(path)


def make_software(path):
    """No counters."""
    file = File(SOFTWARE)
    file.thread(1, "app")
    file.sample(2 * SECOND, 50 * MS, {0: 3})
    file.write(path)


def make_single(path):
    """One sample."""
    file = File(EVENTS)
    file.thread(1, "app")
    file.sample(SECOND + 50 * MS, 50 * MS, COMPUTE, 1)
    file.write(path)


def make_crowd(path):
    """64 threads, with names that look like markup, on 8 CPUs by turns."""
    file = File(EVENTS, packages=(0,) * 8)
    for tid in range(1, 65):
        file.thread(tid, f"<b>&{'worker' * (tid % 2)} {tid}")
    for turn in range(80):
        for cpu in range(8):
            tid = 1 + (turn * 8 + cpu) % 64
            counts = MEMORY if tid % 3 else COMPUTE
            file.sample(SECOND + (turn + 1) * 10 * MS, 10 * MS,
                        {index: count // (4 + tid) for index, count in counts.items()}, 0.4,
                        tid=tid, cpu=cpu)
    file.write(path)


def make_long(path):
    """10,000 seconds, mostly asleep."""
    file = File(EVENTS)
    file.thread(1, "app")
    for turn in range(1000):
        file.sample(SECOND + (turn + 1) * 10 * SECOND, 50 * MS, MEMORY if turn < 500 else COMPUTE, 1)
    file.write(path)


def make_zero(path):
    """Loads and stores, but no floating-point operations."""
    file = File(EVENTS)
    file.thread(1, "app")
    for turn in range(20):
        file.sample(SECOND + (turn + 1) * 50 * MS, 50 * MS, {4: 8_000_000, 5: 2_000_000, 0: 10**8}, 0.5)
    file.write(path)


class SpyFile(File):
    """By kermon spy: an interval has a sample of each event of its set, also without counts."""

    def __init__(self, events, notes=(), **more):
        self.events = [event for event in events if event[0] != "oncpu"]
        super().__init__(self.events, ["source=spy", "interval_ns=50000000", *notes], **more)
        self.thread(0, "all tasks")

    def interval(self, turn, cpu, counts, only=range(len(EVENTS)), joules=0):
        """Number TURN of 50 ms; counts and events of the set by index in EVENTS."""
        end = SECOND + (turn + 1) * 50 * MS
        values = {EVENTS[index][0]: counts.get(index, 0) for index in only}
        if joules:
            values[EVENTS[-1][0]] = round(joules * 2**32)
        for index, (name, kind, _) in enumerate(self.events):
            if name in values and (kind != synthetic.POWER or joules):
                self.data += synthetic.sample(index, 0, 0, cpu, end, 0, values[name])


def make_spy(path):
    """kermon spy on two CPUs, one of which is idle."""
    file = SpyFile(EVENTS)
    for turn in range(10):
        file.interval(turn, 0, COMPUTE, joules=None if turn % 3 else 1.5 if turn else 0.5)
        file.interval(turn, 1, {1: 1000})
    file.write(path)


def make_spy_sets(path, whole=0):
    """kermon spy whose set was changed after each interval: ten with operations and accesses
    by turns, and then so many with all events."""
    file = SpyFile(EVENTS, ["changes=9"])
    for turn in range(10 + whole):
        only = (0, 1, 2, 3, 4, 5) if turn >= 10 else (0, 1, 4, 5) if turn % 2 else (0, 1, 2, 3)
        file.interval(turn, 0, COMPUTE, only)
    file.write(path)


def make_spy_watched(path):
    """kermon spy --watch: CPU 0 counts operations, CPU 1 accesses."""
    file = SpyFile(EVENTS)
    for turn in range(10):
        file.interval(turn, 0, COMPUTE, (0, 1, 2, 3))
        file.interval(turn, 1, COMPUTE, (0, 1, 4, 5))
    file.write(path)


def make_spy_changed(path):
    """The same with two intervals of all events at the end."""
    make_spy_sets(path, 2)


def make_spy_operations(path):
    """kermon spy of operations only."""
    file = SpyFile([event for event in EVENTS if not event[0].startswith("MEM")])
    for turn in range(10):
        file.interval(turn, 0, COMPUTE)
    file.write(path)


def make_spy_accesses(path):
    """kermon spy of loads and stores only, of the same program."""
    file = SpyFile([event for event in EVENTS if not event[0].startswith("FP")])
    for turn in range(10):
        file.interval(turn, 0, COMPUTE)
    file.write(path)


def make_many(path, samples=100_000):
    """As phases, in samples of 50 us."""
    file = File(EVENTS)
    file.thread(1, "app")
    parts = []
    for turn in range(samples):
        counts = MEMORY if turn < samples // 2 else COMPUTE
        file.data = b""
        file.sample(SECOND + (turn + 1) * 50_000, 50_000,
                    {index: count // 1000 for index, count in counts.items()}, 0.0005)
        parts.append(file.data)
    file.data = synthetic.comm(1, 1, "app", 0) + b"".join(parts)
    file.write(path)


KINDS = {"phases": make_phases, "elsewhere": make_elsewhere, "threads": make_threads,
         "packages": make_packages, "turns": make_turns, "coalesced": make_coalesced,
         "uncounted": make_uncounted, "slices": make_slices,
         "single": make_single, "crowd": make_crowd, "long": make_long, "zero": make_zero,
         "functions": make_functions, "slow": make_slow,
         "rotated": make_rotated, "shared": make_shared, "merged": make_merged,
         "software": make_software, "spy": make_spy, "spy-sets": make_spy_sets,
         "spy-changed": make_spy_changed, "spy-watched": make_spy_watched,
         "spy-operations": make_spy_operations,
         "spy-accesses": make_spy_accesses, "many": make_many}


def peak(operation, isa, value, threads=1):
    return {"operation": operation, "isa": isa, "precision": "double", "threads": threads,
            "placement": "one" if threads == 1 else "cores", "cpus": f"0-{threads - 1}",
            "value": value, "low": value * 0.99, "high": value * 1.01, "windows": 50,
            "outliers": 0, "hertz": None}


def bandwidth(level, pattern, value, threads=1):
    return {"level": level, "pattern": pattern, "isa": "avx", "pages": "4K", "threads": threads,
            "placement": "one" if threads == 1 else "cores", "cpus": f"0-{threads - 1}",
            "bytes_per_thread": 1 << 14, "value": value, "low": value * 0.98, "high": value,
            "windows": 50, "outliers": 1, "hertz": None}


def ceilings(path, cpuid=MACHINE, many=2, hostname="golden", speed=1):
    """Of one thread, and as many times that of several; @speed times those of the first machine."""
    flops, bandwidths = [], []
    for threads in (1, int(many)):
        flops += [peak("add", "scalar", 2e9 * threads, threads),
                  peak("fma", "scalar", 4e9 * threads, threads),
                  peak("add", "avx", 16e9 * threads, threads),
                  peak("fma", "avx", 32e9 * threads, threads)]
        bandwidths += [bandwidth("L1", "2:1", 96e9 * threads, threads),
                       bandwidth("L2", "2:1", 40e9 * threads, threads),
                       bandwidth("L3", "2:1", 20e9 * threads, threads),
                       bandwidth("DRAM", "2:1", 8e9 * threads, threads),
                       bandwidth("DRAM", "store", 4e9 * threads, threads)]
    for element in flops + bandwidths:
        for name in ("value", "low", "high"):
            element[name] *= float(speed)
    Path(path).write_text(json.dumps({
        "format": "kermon ceilings 1", "kind": "measured",
        "machine": {"hostname": hostname, "cpuid": cpuid, "cpudesc": "A CPU @ 1.00GHz", "cpus": 2,
                    "kernel": "6.12.0", "virtual": False, "model": False},
        "when": "2026-11-27T01:00:00Z", "tool": "kermon 0.1", "conditions": {},
        "flops": flops, "bandwidths": bandwidths}))


TEXT, NUMBER, TRUTH = (str,), (int, float), (bool,)
OR_NULL = (type(None),)
RUN = {"label": TEXT, "file": TEXT, "monitor": TEXT, "command": TEXT + OR_NULL,
       "hostname": TEXT + OR_NULL, "cpudesc": TEXT + OR_NULL, "cpuid": TEXT + OR_NULL,
       "machine": NUMBER + OR_NULL, "begin_s": NUMBER, "duration_s": NUMBER, "model": TRUTH, "statements": (list,),
       "ceilings": TEXT}
CEILING = {"kind": TEXT, "label": TEXT, "level": TEXT + OR_NULL, "operation": TEXT + OR_NULL,
           "isa": TEXT + OR_NULL, "precision": TEXT + OR_NULL, "threads": NUMBER, "value": NUMBER,
           "low": NUMBER, "high": NUMBER, "theoretical": TRUTH, "shown": TRUTH, "machine": NUMBER}
SUMS = {"run": NUMBER, "flops_per_s": NUMBER + OR_NULL, "intensity": NUMBER + OR_NULL,
        "seconds": NUMBER, "joules_per_flop": NUMBER + OR_NULL, "simd": TEXT + OR_NULL}
THREAD = {**SUMS, "pid": NUMBER, "tid": NUMBER, "comm": TEXT, "flop": NUMBER + OR_NULL,
          "bytes": NUMBER + OR_NULL, "joules": (dict,)}
COLUMNS = ["run", "thread", "cpu", "begin", "seconds", "oncpu", "why", "flop", "bytes",
           "bytes_low", "bytes_high", "simd", "instructions", "cycles", "estimated", "error",
           "alone"]


def check_members(what, element, members):
    for name, types in members.items():
        if name not in element:
            yield f"{what} has no {name}"
        elif not isinstance(element[name], types):
            yield f"{what}: {name} is {element[name]!r}"


def check_columns(found):
    samples = found["samples"]
    lengths = {name: len(samples[name]) for name in COLUMNS}
    lengths |= {f"joules[{i}]": len(column) for i, column in enumerate(samples["joules"])}
    if len(set(lengths.values())) != 1:
        yield f"columns of different length: {lengths}"
    if len(samples["joules"]) != len(found["domains"]):
        yield "not a column of joules for each domain"
    for name, most in (("run", len(found["runs"])), ("thread", len(found["threads"])),
                       ("why", len(found["whys"])), ("simd", len(found["simd"]))):
        if any(index is not None and not 0 <= index < most for index in samples[name]):
            yield f"{name} has an index that is out of range"
    for name in ("run", "thread", "cpu", "begin", "seconds", "estimated"):
        if None in samples[name]:
            yield f"{name} is not known of a sample"


def check_sums(found):
    """The samples of a thread add up to it."""
    for number, thread in enumerate(found["threads"]):
        rows = [i for i, of in enumerate(found["samples"]["thread"]) if of == number]
        for name in ("flop", "bytes"):
            total = sum(found["samples"][name][i] or 0 for i in rows)
            if abs(total - (thread[name] or 0)) > 1e-6 * total:
                yield f"{name} of thread {number}: {thread[name]}, but {total} in its samples"


def check_json(path):
    found = json.loads(Path(path).read_text())
    if found["format"] != "kermon roofline 1":
        yield f"format {found['format']}"
    for name, members in (("runs", RUN), ("ceilings", CEILING), ("threads", THREAD),
                          ("averages", {**SUMS, "label": TEXT})):
        for element in found[name]:
            yield from check_members(name, element, members)
    for name in ("verdict", "labels", "simd", "whys", "domains"):
        if not all(isinstance(text, str) for text in found[name]):
            yield f"{name} has something else than text"
    yield from check_columns(found)
    yield from check_sums(found)


LEFT, RIGHT = 70, 960


def check_places(root):
    """Dots are in the plot; texts that are not turned are in the picture."""
    for element in root.iter():
        name = element.tag.rpartition("}")[2]
        if "dots" in (element.get("class") or "").split():
            for x, y in re.findall(r"M([-\d.]+) ([-\d.]+)", element.get("d")):
                if not (LEFT <= float(x) <= RIGHT and 0 < float(y) < 520):
                    yield f"a dot at {x}, {y}"
        elif name == "text" and not element.get("transform") and \
                element.get("text-anchor") == "start":
            end = float(element.get("x")) + 5 * len(element.text or "")
            if end > float(root.get("width")):
                yield f"beyond the edge: {element.text}"


def check_svg(path, dots):
    root = tree.parse(path).getroot()
    drawn = sum(len(re.findall("M", element.get("d"))) for element in root.iter()
                if "dots" in (element.get("class") or "").split())
    if drawn != int(dots):
        yield f"{drawn} dots, not {dots}"
    yield from check_places(root)
    text = Path(path).read_text()
    if re.search(r"nan|inf\b|https?:(?!//www\.w3\.org/2000/svg)", text):
        yield "a number that is none, or a link"


def main():
    what, *arguments = sys.argv[1:]
    if what == "make":
        KINDS[arguments[0]](arguments[1])
        return 0
    if what == "ceilings":
        ceilings(*arguments)
        return 0
    wrong = list({"json": check_json, "svg": check_svg}[what](*arguments))
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
