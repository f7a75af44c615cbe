# SPDX-License-Identifier: GPL-2.0
"""A perf.data file with every feature and every record of the format."""

import synthetic
from synthetic import pack, padded, record, string, strings, trailer

TIME = 1000000000

# The kernel's records, which end with the fields of sample_id_all.
KERNEL = [
    (1, "IIQQQ", (10, 11, 0x400000, 0x1000, 0x2000), "/mapped"),
    (2, "QQ", (1 << 48, 77), ""),
    (3, "II", (10, 11), "name"),
    (4, "IIIIQ", (10, 1, 11, 1, TIME), ""),
    (5, "QQQ", (TIME, 1 << 48, 5), ""),
    (6, "QQQ", (TIME, 1 << 48, 5), ""),
    (7, "IIIIQ", (10, 1, 11, 1, TIME), ""),
    (8, "IIQ", (10, 11, 1234), ""),
    (10, "IIQQQIIQQII", (10, 11, 0x400000, 0x1000, 0, 8, 1, 99, 3, 5, 2), "/mapped2"),
    (10, "IIQQQIIQQ", (10, 11, 0x400000, 0x1000, 0, 8, 1, 99, 3), "/mapped before 3.16"),
    (11, "QQQ", (0x10, 0x20, 1), ""),
    (12, "II", (10, 11), ""),
    (13, "Q", (9,), ""),
    (14, "", (), ""),
    (15, "II", (10, 11), ""),
    (16, "IIQQQQQ", (10, 11, 2, 4, 0xf0, 4, 0xf1), ""),
    (17, "QIHH", (0xffff0000, 64, 1, 0), "bpf_prog"),
    (18, "HHI8s", (1, 0, 42, b"\1\2\3\4\5\6\7\10"), ""),
    (19, "Q", (6,), "/user.slice"),
    (20, "QHH4s", (0xffff0000, 2, 2, b"\x90\x90\xeb\xfe"), ""),
    (21, "Q", (3,), ""),
    (22, "QQQQ", (7, 2, 0x1111, 0x2222), ""),
]

# Perf's own, in each layout since 3.4, and one of an unknown type.
OWN = [
    (65, pack("Q64s", 3, b"older-name")),
    (65, pack("Q8s", 3, b"page")),
    (65, pack("Q16s", 3, b"page-faults")),
    (65, pack("Q16s", 3, b"cache-references")),
    (66, pack("II", 8, 0)),
    (67, pack("i20sB3x", -1, bytes(range(20)), 20) + padded("/built")),
    (69, pack("QQQQQ", 1, 1 << 48, 0, 1, 10)),
    (69, pack("Q8Q4Q", 2, 1 << 48, 0, 1, 10, 1 << 47, 1, 0, 11, 500, 0, 500, 1)),
    (69, pack("Q4Q2Q", 1, 1 << 48, 0, 1, 10, 500, 3)),
    (70, pack("IIQ", 1, 0, 7)),
    (71, pack("QQQIIII", 16, 0, 5, 1, 11, 2, 0)),
    (72, pack("IIIIIIQQ64s", 1, 2, 0, 10, 11, 1, 0x401000, TIME, b"lost\nsync")),
    (72, pack("IIIIIIQ64s", 1, 3, 0, 10, 11, 0, 0x401000, b"before 5.1")),
    (72, pack("IIIIIIQ16s", 1, 3, 0, 10, 11, 0, 0x401000, b"cut short")),
    (72, pack("IIIIIIQQ24s", 1, 2, 0, 10, 11, 1, 0x401000, TIME, b"as long as it needs")),
    (72, pack("IIIIIIQQ64sII", 1, 2, 0, 10, 11, 2, 0x401000, TIME, b"of a guest", 500, 3)),
    (73, pack("QQ16s", 1, 10, b"thread")),
    (74, pack("HHHH", 0, 2, 0, 5)),
    (74, pack("HHH4xQQ2x", 1, 2, 8, 0xf0, 1)),
    (74, pack("HBBHH", 2, 1, 0, 0, 3)),
    (74, pack("HHHH", 9, 1, 2, 3)),
    (75, pack("QQQ", 1, 2, 3)),
    (76, pack("QIIQQQ", 1 << 48, 2, 0, 500, TIME, TIME)),
    (76, pack("QiIQQQ", 1 << 48, -1, 0, 500, TIME, TIME)),
    (77, pack("QQ", 1, TIME)),
    (78, pack("QQ8s", 2, 1 << 48, b"renamed")),
    (78, pack("QQd", 1, 1 << 48, 0.25)),
    (79, pack("QQQQQBB6x", 1, 2, 3, 4, 0xff, 1, 0)),
    (79, pack("QQQ", 1, 2, 3)),
    (80, pack("Q", 3) + string("host")),
    (82, b""),
    (4711, pack("Q", 0xdeadbeef)),
]
PAYLOADS = {66: bytes(8), 71: bytes(16)}

FEATURES = {
    1: b"tracing", 2: record(0, pack("i20sB3x", -1, bytes(range(20)), 8) + padded("/built"), 1 << 15),
    5: string("6.99"), 7: pack("II", 2, 1), 9: string("Vendor,1,2,3"), 10: pack("Q", 1024),
    13: strings(["0-1"]) + strings(["0", "1"]) + pack("4I", 0, 0, 1, 0) + strings(["0-1"]) +
        pack("II", 0, 0),
    14: pack("IIQQ", 1, 0, 2048, 1000) + string("0-1"),
    15: b"", 16: pack("II", 1, 4) + string("cpu"),
    17: pack("I", 1) + string("pair") + pack("II", 0, 2), 18: pack("QQQ", 1, 4096, 64), 19: b"",
    20: pack("IIIIII", 1, 1, 1, 64, 64, 8) + string("Data") + string("32K") + string("0-1"),
    # Bits beyond the third one do not count; whole words are not too short.
    22: pack("QQQQQQQ", 1, 1 << 27, 3, 0, 3, 3, 0xfd) +
        pack("4Q", 1, 64, 64, 2**64 - 1) + pack("5Q", 2, 128, 128, 2**64 - 1, 1 << 63), 23: pack("Q", 1), 24: pack("Q", 1),
    25: pack("IIIQ", 1, 8, 4, 0) + pack("II", 6, 42) + b"data", 26: pack("III", 1, 7, 4) + b"btf!",
    27: pack("5I", 1, 1, 3, 4, 524288), 28: pack("I", 1) + string("branches") + string("32"),
    29: pack("IIQQ", 1, 4, 5, 6), 30: pack("I", 1) + string("cpu_core") + string("0-1"),
    31: pack("II", 1, 1) + string("max_precise") + string("3") + string("cpu_core"),
    99: b"news",
}


def records():
    data = b""
    for kind, form, values, text in KERNEL:
        body = pack(form, *values) + (padded(text) if text else b"")
        data += record(kind, body + trailer(10, 11, TIME))
    for kind, body in OWN:
        data += record(kind, body) + PAYLOADS.get(kind, b"")
    return data


def build(_):
    return synthetic.build(records(), FEATURES)
