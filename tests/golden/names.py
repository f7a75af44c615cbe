# SPDX-License-Identifier: GPL-2.0
"""Names of events in pipes of old perf, which do not contain descriptions of events."""

import re

import synthetic
from synthetic import pack, record

HEADER_ATTR, HEADER_EVENT_TYPE, TRACING_DATA = 64, 65, 66
HARDWARE, SOFTWARE, TRACEPOINT, CACHE = 0, 1, 2, 3

# Bits of perf_event_attr from sample_id_all on; the first one of a byte is the lowest.
USER, KERNEL, HYPERVISOR, PRECISE, HOST, GUEST = 1 << 4, 1 << 5, 1 << 6, 1 << 15, 1 << 19, 1 << 20

# (type, config, bits, name in an EVENT_TYPE record), expected name
EVENTS = [
    ((HARDWARE, 0, GUEST, None), "cycles"),
    ((HARDWARE, 1, KERNEL | HYPERVISOR | GUEST, None), "instructions:u"),
    ((HARDWARE, 4, 2 * PRECISE, None), "branches:pp"),
    ((HARDWARE, 5, USER | HYPERVISOR | 3 * PRECISE, None), "branch-misses:kppp"),
    ((HARDWARE, 9, HOST, None), "ref-cycles:G"),
    ((SOFTWARE, 2, HYPERVISOR, None), "page-faults:uk"),
    ((CACHE, 0x10000, 0, None), "L1-dcache-load-misses"),
    ((CACHE, 0x103, KERNEL, None), "dTLB-stores:uh"),
    ((CACHE, 0x99, 0, None), "type 3 0x99"),
    ((4, 0x1c2, KERNEL | HYPERVISOR, None), "raw 0x1c2:u"),
    ((HARDWARE, 2, KERNEL | HYPERVISOR, "cache-references"), "cache-references:u"),
    ((HARDWARE, 3, 0, "LLC:k"), "LLC:k"),
    ((HARDWARE, 6, KERNEL | HYPERVISOR, "n" * 63), "n" * 63),
    ((HARDWARE, 7, USER | HYPERVISOR | 3 * PRECISE, "n" * 59), "n" * 59),
    ((HARDWARE, 8, USER | HYPERVISOR | 3 * PRECISE, "n" * 58), "n" * 58 + ":kppp"),
    ((TRACEPOINT, 316, 0, None), "sched:sched_switch"),
    ((TRACEPOINT, 31, 0, None), "type 2 0x1f"),
    ((TRACEPOINT, 77, 0, None), "syscalls:sys_enter_read"),
]
SYSTEMS = {"sched": {"sched_wakeup": 3160, "sched_switch": 316}, "syscalls": {"sys_enter_read": 77}}


def sized(text):
    return pack("Q", len(text)) + text


def tracing_data():
    data = b"\x17\x08\x44tracing0.5\0\0\x08" + pack("I", 4096)
    data += b"header_page\0" + sized(b"page") + b"header_event\0" + sized(b"event")
    data += pack("I", 1) + sized(b"name: function\nID: 316\nformat:\n")
    data += pack("I", len(SYSTEMS))
    for system, events in SYSTEMS.items():
        data += system.encode() + b"\0" + pack("I", len(events))
        for name, number in events.items():
            data += sized(f"name: {name}\nID: {number}\nformat:\n".encode())
    return data + b"\0" * (-len(data) % 8)


def pipe(traced):
    data = pack("QQ", synthetic.MAGIC, 16)
    for index, ((kind, config, flags, _), _) in enumerate(EVENTS):
        flags |= synthetic.SAMPLE_ID_ALL
        # Big-endian machines have the first bit at the top; precise_ip keeps its order.
        if synthetic.order == ">":
            precise = flags >> 15 & 3
            flags = int(f"{flags & ~(3 * PRECISE):064b}"[::-1], 2) | precise << 47
        attr = pack("IIQQQQQ", kind, 64, config, 1, synthetic.SAMPLE_TYPE, 0, flags).ljust(64, b"\0")
        data += record(HEADER_ATTR, attr + pack("Q", synthetic.FIRST_ID + index))
    for (_, config, _, name), _ in EVENTS:
        if name:
            padding = b"\0" * (-len(name) % 8)
            data += record(HEADER_EVENT_TYPE, pack("Q", config) + name.encode() + padding)
    if traced:
        body = tracing_data()
        data += record(TRACING_DATA, pack("II", len(body), 0)) + body
    return data + synthetic.sample(0, 1, 1, 0, 1000, 0x1000, 5)


def found(kermon, path):
    done = kermon("header", "-i", str(path))
    if done.returncode or done.stderr:
        return f"status {done.returncode}\n{done.stderr}"
    return re.findall(r"^event +(.*): type \d+, size", done.stdout, re.M)


def check(kermon, folder):
    path = folder / "names.data"
    wanted = [name for _, name in EVENTS]
    plain = [name if kind != TRACEPOINT else f"type 2 {config:#x}"
             for (kind, config, _, _), name in EVENTS]
    for synthetic.order in "<>":
        for traced, names in ((True, wanted), (False, plain)):
            path.write_bytes(pipe(traced))
            ours = found(kermon, path)
            if ours != names:
                synthetic.order = "<"
                return f"{ours}, not {names}"
    synthetic.order = "<"
    return None
