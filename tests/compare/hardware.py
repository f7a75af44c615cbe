# SPDX-License-Identifier: GPL-2.0
"""A perf.data file with what only hardware records: branches and memory accesses. Many
virtual machines have no PMU, so the file is synthesized; perf reads it like any other. Its
addresses are in the C library, whose symbols both know."""

import random
import struct

HEADER_SIZE, ATTR_SIZE, ID = 104, 128, 7
RAW_TYPE, CONFIG = 4, 0x1cd
(IP, TID, TIME, ADDR, CPU, PERIOD, BRANCH_STACK, DATA_SRC, IDENTIFIER, TRANSACTION, PHYS_ADDR,
 DATA_PAGE_SIZE, CODE_PAGE_SIZE, WEIGHTS) = (
    1 << bit for bit in (0, 1, 2, 3, 7, 8, 11, 15, 16, 17, 19, 22, 23, 24))
SAMPLE_TYPE = (IP | TID | TIME | ADDR | CPU | PERIOD | BRANCH_STACK | DATA_SRC | IDENTIFIER |
               TRANSACTION | PHYS_ADDR | DATA_PAGE_SIZE | CODE_PAGE_SIZE | WEIGHTS)
SAMPLE_ID_ALL = 1 << 18
COMM, SAMPLE, MMAP2, USER = 3, 9, 10, 2
EVENT_DESC, BRANCHES = 12, 15
BASE, PID = 0x7f0000000000, 100
# Lower addresses are not code, or stubs, which perf names differently.
FIRST = 0x30000

# Bits of PERF_MEM_*: (first bit, values that hardware gives)
MEMORY = [
    (0, [1, 2, 4, 8]),                      # operation: not known, load, store, prefetch
    (5, [0, 1, 0xa, 0xc, 0x22, 0x82, 4]),   # level
    (19, [0, 1, 2, 4, 8, 16]),              # snoop
    (24, [0, 1, 2]),                        # lock
    (26, [0, 1, 0xa, 0x1a, 0x24]),          # translation
    (33, [0, 1, 2, 3, 10, 12, 13]),         # number of the level
    (37, [0, 1]),                           # remote
    (38, [0, 1, 2]),                        # more of snoop
    (40, [0, 1, 2, 4, 6]),                  # blocked
]

# PERF_TXN_*: ways to end, and a code of 32 bits
TRANSACTIONS = [0, 1, 2, 6, 10, 18, 34, 66, 130, 6 | 5 << 32, 10 | 0xabcd << 32]


def record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def padded(text):
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 8)


def trailer():
    return struct.pack("<IIQIIQ", PID, PID, 0, 0, 0, ID)


def attr():
    head = struct.pack("<IIQQQQQ", RAW_TYPE, ATTR_SIZE, CONFIG, 1, SAMPLE_TYPE, 0, SAMPLE_ID_ALL)
    branches_of_user = struct.pack("<Q", 1 | 1 << 3)
    return (head.ljust(72, b"\0") + branches_of_user).ljust(ATTR_SIZE, b"\0")


def event_description():
    name = b"mem-loads".ljust(64, b"\0")
    return (struct.pack("<II", 1, ATTR_SIZE) + attr() + struct.pack("<II", 1, len(name)) + name +
            struct.pack("<Q", ID))


def branches(dice, size):
    """Some branches, one of which may begin or end at an unknown address."""
    data = b""
    nr = dice.randrange(5)
    for _ in range(nr):
        ends = [BASE + dice.randrange(FIRST, size) if dice.randrange(8) else 0x1234 for _ in range(2)]
        flags = dice.randrange(16) | dice.randrange(300) << 4 | dice.randrange(13) << 20
        data += struct.pack("<QQQ", *ends, flags)
    return struct.pack("<Q", nr) + data


def sample(dice, time, size):
    source = sum(dice.choice(values) << first for first, values in MEMORY)
    place = BASE + dice.randrange(FIRST, size)
    data = dice.choice([BASE + dice.randrange(FIRST, size), dice.getrandbits(47)])
    head = struct.pack("<QQIIQQIIQ", ID, place, PID, PID, time, data, 0, 0,
                       dice.randrange(1, 1 << 40))
    tail = struct.pack("<IHHQQQQQ", dice.getrandbits(32) >> dice.choice([0, 30]),
                       dice.getrandbits(16) >> dice.choice([0, 14]), 0, source,
                       dice.choice(TRANSACTIONS), dice.getrandbits(40),
                       dice.choice([0, 4096, 2 << 20, 1 << 30]), dice.choice([4096, 2 << 20]))
    return record(SAMPLE, head + branches(dice, size) + tail, USER)


def recording(library, size, seed=1):
    """The bytes of a file of 500 samples in the first SIZE bytes of a library."""
    dice = random.Random(seed)
    data = record(COMM, struct.pack("<II", PID, PID) + padded("worker") + trailer())
    data += record(MMAP2, struct.pack("<IIQQQ24xII", PID, PID, BASE, size, 0, 5, 2) +
                   padded(library) + trailer(), USER)
    for index in range(500):
        data += sample(dice, 1000000000 + index * 1000000, size)
    ids_at, attrs_at = HEADER_SIZE, HEADER_SIZE + 8
    data_at = attrs_at + ATTR_SIZE + 16
    header = b"PERFILE2" + struct.pack("<QQ6Q4Q", HEADER_SIZE, ATTR_SIZE + 16, attrs_at,
                                       ATTR_SIZE + 16, data_at, len(data), 0, 0,
                                       1 << EVENT_DESC | 1 << BRANCHES, 0, 0, 0)
    description = event_description()
    table_end = data_at + len(data) + 32
    table = struct.pack("<4Q", table_end, len(description), table_end + len(description), 0)
    return (header + struct.pack("<Q", ID) + attr() + struct.pack("<QQ", ids_at, 8) + data +
            table + description)
