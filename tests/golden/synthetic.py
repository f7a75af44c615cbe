# SPDX-License-Identifier: GPL-2.0
"""perf.data files with known content, as "kermon run" writes them."""

import struct
import subprocess
from collections import Counter

# Of what is built: byte order, "<" or ">", and bytes of an attr.
order = "<"
attr_length = 128
# Whether attrs also have the modes that the names stand for.
with_modes = False
FIRST_ID = 1 << 48
HEADER_SIZE, HEADER_SIZE_1 = 104, 72
MAGIC = 0x32454c4946524550
EARLY_MAGIC, EARLY_SIZE = 0x594c5241454d4b00, 40

# IDENTIFIER | IP | TID | TIME | CPU | PERIOD
SAMPLE_TYPE = 1 << 16 | 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 8
READ, CALLCHAIN, RAW = 1 << 4, 1 << 5, 1 << 10
FORMAT_ID, FORMAT_GROUP = 1 << 2, 1 << 3
SAMPLE_ID_ALL = 1 << 18

MMAP, LOST, COMM, EXIT, FORK, SAMPLE, MMAP2 = 1, 2, 3, 4, 7, 9, 10
FINISHED_ROUND, COMPRESSED_RECORD = 68, 81
# exclude_user, exclude_kernel
EXCLUDED = {"u": 1 << 5, "k": 1 << 4}
USER = 2
COMM_EXEC = 1 << 13

HARDWARE, SOFTWARE, RAW_TYPE, POWER = 0, 1, 4, 9
HOSTNAME, OSRELEASE, ARCH, CPUDESC, CMDLINE, EVENT_DESC, SAMPLE_TIME = 3, 4, 6, 8, 11, 12, 21
COMPRESSED = 27
KERMON = 200

EVENTS = [
    ("instructions:u", HARDWARE, 1),
    ("cycles:u", HARDWARE, 0),
    ("FP_COMP_OPS_EXE:SSE_PACKED_SINGLE:u", RAW_TYPE, 0x4010),
    ("SIMD_FP_256:PACKED_DOUBLE:u", RAW_TYPE, 0x0211),
    ("oncpu", SOFTWARE, 1),
    ("power/energy-pkg/", POWER, 2),
]
ONCPU = 4
CPUS = 0, 1


def pack(form, *values):
    return struct.pack(order + form, *values)


def encoded(text):
    """With invalid UTF-8 as the surrogates that stand for it."""
    return text.encode(errors="surrogateescape")


def string(text):
    data = encoded(text) + b"\0"
    data += b"\0" * (-len(data) % 64)
    return pack("I", len(data)) + data


def strings(texts):
    return pack("I", len(texts)) + b"".join(map(string, texts))


def attr(index):
    _, kind, config = EVENTS[index]
    sample_type, read_format = SAMPLE_TYPE, 0
    if index == ONCPU:
        sample_type, read_format = SAMPLE_TYPE | READ | RAW, FORMAT_ID | FORMAT_GROUP
    # The first bit field is the highest bit on a big-endian machine.
    modes = EXCLUDED.get(EVENTS[index][0].rpartition(":")[2], 0) if with_modes else 0
    flags = SAMPLE_ID_ALL | modes if order == "<" else 1 << 63 - 18
    head = pack("IIQQQQQ", kind, attr_length, config, 1, sample_type, read_format, flags)
    return head.ljust(attr_length, b"\0")


def record(kind, body, misc=0):
    return pack("IHH", kind, misc, 8 + len(body)) + body


def trailer(pid, tid, time, event=0):
    return pack("IIQIIQ", pid, tid, time, 0, 0, FIRST_ID + event)


def padded(text):
    data = encoded(text) + b"\0"
    return data + b"\0" * (-len(data) % 8)


def comm(pid, tid, name, time, execs=False):
    return record(COMM, pack("II", pid, tid) + padded(name) + trailer(pid, tid, time),
                  COMM_EXEC if execs else 0)


def fork(pid, tid, parent, time):
    return record(FORK, pack("IIIIQ", pid, parent, tid, parent, time) +
                  trailer(parent, parent, time))


def mmap2(pid, start, size, path, time):
    return record(MMAP2, pack("IIQQQ24xII", pid, pid, start, size, 0, 5, 2) +
                  padded(path) + trailer(pid, pid, time), USER)


def lost(event, count, time):
    return record(LOST, pack("QQ", FIRST_ID + event, count) + trailer(0, 0, time, event))


def sample(event, pid, tid, cpu, time, ip, period, more=b""):
    body = pack("QQIIQIIQ", FIRST_ID + event, ip, pid, tid, time, cpu, 0, period)
    return record(SAMPLE, body + more, USER)


SAMPLE_RECORD, INVALID_RECORD = 1, 3    # of struct kermon_record


def event_id(event, cpu):
    return FIRST_ID + (cpu << 8) + event


def event_ids(event):
    return [event_id(event, cpu) for cpu in CPUS]


# What each id has counted in the file that is being made.
sums = Counter()


def values_of(values):
    """"oncpu" first, by index; those of the same name up to a colon are one event."""
    for index, (name, _, _) in sorted(enumerate(EVENTS), key=lambda event: event[0] != ONCPU):
        value = values.get(index, values.get(name.split(":")[0]))
        if value or index == ONCPU:
            yield index, value


def interval(pid, tid, cpu, time, ip, values, alone=False, kind=SAMPLE_RECORD, turn=0, chain=b"",
             intervals=1, tsc=0):
    """A struct perfdata_interval; values by index or name of the event."""
    read = b""
    for nr, (index, value) in enumerate(values_of(values), 1):
        sums[event_id(index, cpu)] += value
        read += pack("QQ", sums[event_id(index, cpu)], event_id(index, cpu))
    # The kernel does not swap what is raw.
    rest = struct.pack("<BBBBIIQ", kind, 4, alone, turn, intervals, 0, tsc)
    return sample(ONCPU, pid, tid, cpu, time, ip, values["oncpu"],
                  pack("Q", nr) + read + chain + pack("I", len(rest)) + rest)


def features(table_at, more=None):
    """Table and sections, after the data."""
    desc = pack("II", len(EVENTS), attr_length)
    for index, (name, _, _) in enumerate(EVENTS):
        desc += attr(index) + pack("I", len(CPUS)) + string(name)
        desc += pack(f"{len(CPUS)}Q", *event_ids(index))
    sections = {
        HOSTNAME: string("golden"), OSRELEASE: string("6.12.0-kermon"), ARCH: string("x86_64"),
        CPUDESC: string("Some CPU @ 1.00GHz"), CMDLINE: strings(["kermon", "run", "two words"]),
        EVENT_DESC: desc, SAMPLE_TIME: pack("QQ", 1000000000, 1200000000),
        KERMON: strings(["version=1", "hypervisor=TCGTCGTCGTCG", "ended=exit", "complete=1"]),
        **(more or {}),
    }
    at = table_at + 16 * len(sections)
    table, data, bits = b"", b"", [0, 0, 0, 0]
    for bit, section in sorted(sections.items()):
        table += pack("QQ", at + len(data), len(section))
        data += section
        bits[bit // 64] |= 1 << bit % 64
    return table + data, bits


def ids_and_attrs(at):
    """The ids, which begin there, and the attrs that follow them."""
    size = 8 * len(CPUS)
    events = range(len(EVENTS))
    return b"".join(pack(f"{len(CPUS)}Q", *event_ids(i)) for i in events), \
        b"".join(attr(i) + pack("QQ", at + size * i, size) for i in events)


def build(data, more=None, early=None):
    """A whole file around the records, with additional features; some of them early."""
    ids, attrs = ids_and_attrs(HEADER_SIZE)
    attrs_at = HEADER_SIZE + len(ids)
    gap = b""
    if early:
        at = attrs_at + len(attrs) + EARLY_SIZE
        table, bits = features(at, early)
        gap = pack("QQQQQ", EARLY_MAGIC, *bits) + table
    data_at = attrs_at + len(attrs) + len(gap)
    tail, bits = features(data_at + len(data), more)
    header = pack("Q", MAGIC) + pack("QQ6Q4Q", HEADER_SIZE, attr_length + 16, attrs_at,
                                       len(attrs), data_at, len(data), 0, 0, *bits)
    return header + ids + attrs + gap + data + tail


def build_one(attr, data):
    """A file with one event, whose attr has 128 bytes."""
    ids = pack("Q", FIRST_ID)
    desc = pack("II", 1, 128) + attr + pack("I", 1) + string("cpu-clock") + ids
    attrs_at = HEADER_SIZE + len(ids)
    data_at = attrs_at + 144
    tail_at = data_at + len(data) + 16
    header = pack("Q", MAGIC) + pack("QQ6Q4Q", HEADER_SIZE, 144, attrs_at, 144, data_at,
                                     len(data), 0, 0, 1 << EVENT_DESC, 0, 0, 0)
    return header + ids + attr + pack("QQ", HEADER_SIZE, 8) + data + \
        pack("QQ", tail_at, len(desc)) + desc


def version_1(data):
    """The same records in a file from before 2012: no features, but names of events."""
    ids, attrs = ids_and_attrs(HEADER_SIZE_1)
    types = b"".join(pack("Q64s", config, name.encode()) for name, _, config in EVENTS)
    attrs_at = HEADER_SIZE_1 + len(ids)
    data_at = attrs_at + len(attrs) + len(types)
    header = b"PERFFILE" + pack("QQ6Q", HEADER_SIZE_1, attr_length + 16, attrs_at, len(attrs),
                                data_at, len(data), attrs_at + len(attrs), len(types))
    return header + ids + attrs + types + data


def packed(data):
    """A record that contains these, as a frame of zstd(1)."""
    return record(COMPRESSED_RECORD, subprocess.run(
        ["zstd", "-qc", f"--stream-size={len(data)}"], input=data, capture_output=True,
        check=True).stdout)


def compressed(data):
    """The same records, those of each round in one."""
    frames, begin, at = b"", 0, 0
    while at < len(data):
        kind, _, size = struct.unpack_from(order + "IHH", data, at)
        at += size
        if kind == FINISHED_ROUND or at == len(data):
            frames += packed(data[begin:at])
            begin = at
    return build(frames, {COMPRESSED: pack("5I", 1, 1, 3, round(len(data) / len(frames)), 1 << 18)})


def recording(byte_order="<", file=build, attr_size=128, turns=4):
    """Two processes, three threads, one of which ran alone for a while."""
    global order, attr_length
    order, attr_length = byte_order, attr_size
    sums.clear()
    base = 1000000000
    data = comm(100, 100, "worker", 0) + mmap2(100, 0x400000, 0x10000, "/no/where/worker", 0)
    data += fork(100, 101, 100, base) + comm(100, 101, "helper", base + 10)
    data += fork(200, 200, 100, base + 20) + comm(200, 200, "a b \"c\" \u00e4", base + 30, True)
    for turn in range(1, turns + 1):
        time = base + turn * 50000000
        data += interval(100, 100, 0, time, 0x401000, {
            "instructions": 3000000 * turn, "cycles": 2000000 * turn, "oncpu": 48000000,
            "FP_COMP_OPS_EXE": 1000001, "power/energy-pkg/": turn << 31}, alone=turn == 4)
        data += interval(100, 101, 1, time, 0x402000, {
            "instructions": 1234567, "cycles": 7654321, "oncpu": 1234567,
            "SIMD_FP_256": 77777, "power/energy-pkg/": turn << 30})
        data += record(FINISHED_ROUND, b"")
    data += interval(200, 200, 1, base + 200000001, 0, {"oncpu": 999, "instructions": 12})
    data += lost(ONCPU, 3, base + 200000001)
    return file(data)


def counts():
    """What perf stat record writes: counts on CPUs 0 and 1, of two intervals, scaled."""
    data = record(73, pack("QQ16s", 1, 2**64 - 1, b"")) + record(74, pack("HBBHHxx", 2, 0, 0, 0, 1))
    data += record(75, pack("Q6Q", 3, 0, 0, 1, 100, 2, 1))
    data += record(78, pack("QQd", 1, FIRST_ID, 0.5)) + record(78, pack("QQ8s", 0, FIRST_ID, b"J"))
    for turn in (1, 2):
        for cpu in (0, 1):
            data += record(76, pack("QIIQQQ", FIRST_ID, cpu, 0, 100 * turn + cpu, 10 * turn,
                                    10 * turn if cpu else 5 * turn))
        data += record(77, pack("QQ", 0, 100 * turn))
    return build(data)
