# SPDX-License-Identifier: GPL-2.0
"""perf.data files with marks of regions, and what reports must say of them.

    file = Marked(counts=True)          # as "kermon run"; else as "kermon record"
    fit = file.name(10, "Fit")
    file.begin(10, 11, 1000, fit)       # pid, tid, time, id
    file.end(10, 11, 2000, fit)
    open("perf.data", "wb").write(file.build())

Counts are made up here: each thread counts what work() says, and marks have what it has
counted so far.
"""

from collections import defaultdict

import synthetic
from synthetic import pack

TRACEPOINT = 2
REGION_ID, NAME_ID = 65520, 65521
(BEGIN, END, EVENT, VALUE, VALUE_DOUBLE, OPEN, CLOSE, FRAME, COUNTER, PAUSE, RESUME, SKIP,
 COUNTED, LOST, CLOSED) = range(1, 16)
REGION, TASK, NAMED_EVENT, NAMED_FRAME, NAMED_COUNTER, NAMED_VALUE, DOMAIN, THREAD = range(8)

WITH_COUNTS = [
    ("instructions", synthetic.HARDWARE, 1),
    ("cycles", synthetic.HARDWARE, 0),
    ("LOADS", synthetic.RAW_TYPE, 0x81d0),
    ("oncpu", synthetic.SOFTWARE, 1),
]
SAMPLED = [("task-clock", synthetic.SOFTWARE, 1)]
MARKS = [("kermon:region", TRACEPOINT, REGION_ID),
         ("kermon:region_name", TRACEPOINT, NAME_ID)]

# The order of the counts in marks.
COUNTS = "oncpu", "instructions", "cycles", "LOADS"


class Marked:
    """The records of a file."""

    def __init__(self, counts=False):
        self.counts = counts
        self.events = (WITH_COUNTS if counts else SAMPLED) + MARKS
        self.records = []
        self.ids = defaultdict(int)
        self.so_far = defaultdict(lambda: dict.fromkeys(COUNTS, 0))
        self.logged = defaultdict(lambda: dict.fromkeys(COUNTS, 0))
        self.use()

    def use(self):
        """Let the module synthetic build with these events."""
        synthetic.EVENTS[:] = self.events
        synthetic.ONCPU = 3 if self.counts else -1
        synthetic.attr = self.attr

    def attr(self, index):
        _, kind, config = self.events[index]
        more = read = 0
        if kind == TRACEPOINT:
            more = synthetic.RAW
        elif self.counts:
            more = synthetic.READ | synthetic.RAW
            read = synthetic.FORMAT_ID | synthetic.FORMAT_GROUP
        return pack("IIQQQQQ", kind, 128, config, 1, synthetic.SAMPLE_TYPE | more, read,
                    synthetic.SAMPLE_ID_ALL).ljust(128, b"\0")

    def add(self, time, record):
        self.records.append((time, record))

    def raw(self, event, pid, tid, time, data):
        data += b"\0" * (-(len(data) + 4) % 8)
        self.add(time, synthetic.sample(len(self.events) - 2 + event, pid, tid, 0xffffffff, time,
                                        0, 1, pack("I", len(data)) + data))

    def name(self, pid, text, kind=REGION, thread=0, time=1, number=None):
        if number is None:
            self.ids[pid] += kind != THREAD
            number = self.ids[pid] if kind != THREAD else 0
        text = synthetic.encoded(text) + b"\0"
        self.raw(1, pid, pid, time, pack("HBBi", NAME_ID, 0, 0, pid) +
                 pack("IIIiI", number, 0, kind, thread, 28 | len(text) << 16) + text)
        return number

    def mark(self, kind, pid, tid, time, number=0, values=(0, 0), counted=None):
        counts = b""
        if counted is None:
            counted = self.counts and kind in (BEGIN, END, EVENT, CLOSED)
        if counted:
            counts = pack("4Q", *(self.so_far[tid][name] for name in COUNTS))
        self.raw(0, pid, tid, time, pack("HBBi", REGION_ID, 0, 0, tid) +
                 pack("BBBBIQQ", kind, len(counts) // 8, 0, 0, number, *values) + counts)

    def begin(self, pid, tid, time, number, **more):
        self.mark(BEGIN, pid, tid, time, number, **more)

    def end(self, pid, tid, time, number=0, **more):
        self.mark(END, pid, tid, time, number, **more)

    def work(self, tid, **counts):
        """What the thread counts from here on, until the next mark."""
        for name, count in counts.items():
            self.so_far[tid][name] += count

    def interval(self, pid, tid, time):
        """An interval of the log that has all that was counted since the last one."""
        so_far, logged = self.so_far[tid], self.logged[tid]
        values = {name: so_far[name] - logged[name] for name in COUNTS}
        logged.update(so_far)
        # The file has sums over all threads of a CPU: in order of time.
        self.add(time, lambda: synthetic.interval(pid, tid, 0, time, 0x401000, values))

    def sample(self, pid, tid, time, period, ip=0x401000):
        self.add(time, synthetic.sample(0, pid, tid, 0, time, ip, period))

    def exit(self, pid, tid, time):
        self.add(time, synthetic.record(synthetic.EXIT, pack("IIIIQ", pid, pid, tid, tid, time) +
                                        synthetic.trailer(pid, tid, time)))

    def build(self):
        self.use()
        self.records.sort(key=lambda record: record[0])
        synthetic.sums.clear()
        return synthetic.build(b"".join(record() if callable(record) else record
                                        for _, record in self.records))
