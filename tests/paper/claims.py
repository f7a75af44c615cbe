# SPDX-License-Identifier: GPL-2.0
"""What the two papers say of the format, compared with what perf does today. Each row is
shown by a command: a row that no longer holds fails."""

import os
import re
import struct
import subprocess
import time

from machine import Failed, attrs_of, counted, dumped, kermon, order_of, run
from tables import Table

HEADING = ("where", "the paper says", "today", "shown by", "seen")
SIGIO = 29
BUILD_ID_SIZE = 1 << 15


def expect(condition, seen):
    """Returns what was seen, if it is what the document says."""
    if not condition:
        raise Failed(f"other than the document says: {seen}")
    return seen


class Files:
    """Recordings that several rows use."""

    def __init__(self, lab):
        self.lab, self.folder = lab, lab.folder
        self.all = lab.host.record("claims-all", "-a", "-e", "cpu-clock", "sleep", "0.2")[0]
        self.one = lab.host.record("claims-one", "-e", "cpu-clock", "sh", "-c", "true; true")[0]
        self.two = lab.host.record("claims-two", "-e", "cpu-clock", "-e", "page-faults", "-e",
                                   "sched:sched_switch", "true")[0]
        self.mono = lab.host.record("claims-mono", "-k", "CLOCK_MONOTONIC", "-e", "cpu-clock",
                                    "true")[0]
        self.pipe = lab.folder / "claims-pipe.data"
        with self.pipe.open("wb") as out:
            subprocess.run(["perf", "record", "-q", "-o", "-", "-e", "cpu-clock", "true"],
                           stdout=out, stderr=subprocess.DEVNULL, check=True, cwd=lab.folder)

    def header(self, path):
        """Magic, size, attr_size, size of event_types, features."""
        bytes_ = path.read_bytes()
        magic, size, attr_size = struct.unpack_from("<8sQQ", bytes_)
        bits = struct.unpack_from("<4Q", bytes_, 72)
        features = [bit for bit in range(256) if bits[bit // 64] >> bit % 64 & 1]
        return magic.decode(), size, attr_size, struct.unpack_from("<Q", bytes_, 64)[0], features

    def line(self, path, name):
        """What kermon header prints of a feature, the first line."""
        for line in kermon(self.folder, "header", "--no-pager", path.name).splitlines():
            if re.match(rf"{name}  ", line):
                return line[len(name):].strip()
        raise Failed(f"{path}: no {name} in its header")


def magic(files):
    seen = files.header(files.all)[0]
    return expect(seen == "PERFILE2", f"``{seen}``")


def features(files):
    found = files.header(files.all)[4]
    return expect(found and max(found) < 32, f"bits {', '.join(map(str, found))}")


def attr_bytes(files):
    size = int(re.search(r"size (\d+)", attrs_of(files.all)["cpu-clock"])[1])
    return expect(size > 72, f"{size} bytes")


def event_types(files):
    size = files.header(files.all)[3]
    return expect(size == 0, f"{size} bytes")


def attr_size(files):
    size = int(re.search(r"size (\d+)", attrs_of(files.all)["cpu-clock"])[1])
    seen = files.header(files.all)[2]
    return expect(seen == size + 16, f"attr_size {seen}, attr {size}")


def sample_types(files):
    found = {re.search(r"sample_type ([A-Z_|]+)", attr)[1]
             for attr in attrs_of(files.two).values()}
    return expect(len(found) > 1 and all("IDENTIFIER" in one for one in found),
                  f"{len(found)} different ones, each with IDENTIFIER")


def frequency(files):
    seen = re.search(r"sample_freq (\d+)", attrs_of(files.all)["cpu-clock"])[1]
    return expect(seen == "4000", f"sample_freq {seen}")


def comms(files):
    path, _ = files.lab.host.record("claims-comm", "-e", "dummy:u", "./clocks", 5, 0)
    lines = [line for line in dumped(path, "COMM") if "id.time 0.0" not in line]
    execs = sum("misc 0x2000" in line for line in lines)
    return expect(len(lines) > 10 and execs == 1,
                  f"{len(lines)} COMM records, {execs} with COMM_EXEC")


def comm_sizes(files):
    sizes = sorted({int(re.search(r"size (\d+)", line)[1])
                    for line in dumped(files.all, "COMM")})
    return expect(len(sizes) > 1, f"records of {', '.join(map(str, sizes))} bytes")


def mmap2(files):
    found = counted(files.all)
    return expect(found["MMAP2"] > found.get("MMAP", 0) > 0,
                  f"{found['MMAP2']} MMAP2; {found['MMAP']} MMAP, of the kernel")


def types(files):
    known = {"MMAP", "COMM", "EXIT", "FORK", "SAMPLE"}
    more = sorted(set(counted(files.all)) - known)
    return expect(len(more) > 4, ", ".join(more))


def zero_times(files):
    zero = [line for line in dumped(files.all, "COMM") if "id.time 0.000000000" in line]
    return expect(len(zero) > 1, f"{len(zero)} COMM records with time 0")


def nobody(files):
    line = dumped(files.all, "MMAP")[0]
    return expect("pid 4294967295" in line and "kernel" in line, "the MMAP record of the kernel")


def signals(files):
    """Which signals perf record handles while it records."""
    words = ["perf", "record", "-q", "-a", "-e", "cpu-clock", "-o", "claims-signal.data",
             "sleep", "2"]
    with subprocess.Popen(words, cwd=files.folder, stderr=subprocess.DEVNULL) as perf:
        time.sleep(1)
        with open(f"/proc/{perf.pid}/status", encoding="ascii") as status:
            caught = int(re.search(r"SigCgt:\s*(\w+)", status.read())[1], 16)
    if perf.returncode:
        raise Failed("perf record failed")
    return expect(not caught >> SIGIO - 1 & 1, "SIGIO is not handled")


def refused(files, *words):
    """What a command says that must fail."""
    done = subprocess.run(list(map(str, words)), cwd=files.folder, capture_output=True,
                          text=True, check=False)
    if not done.returncode:
        raise Failed(f"{' '.join(map(str, words))} succeeds")
    return done.stdout + done.stderr


def comm_option(files):
    _, said = run(["perf", "report", "--stdio", "-Caddr2line", "-i", files.all.name],
                  files.folder)
    return expect("Invalid cpu_list" in said, "Invalid cpu_list")


def paranoid(files):
    if os.geteuid():
        return expect("Access to performance monitoring" in refused(
            files, "perf", "record", "-a", "-e", "cpu-clock", "true"), "refused")
    said = refused(files, "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                   "perf", "record", "-a", "-o", "/dev/null", "-e", "cpu-clock", "true")
    with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as file:
        level = file.read().strip()
    return expect("CAP_PERFMON" in said, f"refused at {level}")


def crossing(files):
    words = ["-a", "-F", 20000, "-m", 4, "-e", "cpu-clock", "sh", "-c",
             "./load 2 & ./load 2; wait"]
    for _ in range(5):      # it depends on where perf record itself runs
        found = order_of(files.lab.host.record("claims-rounds", *words)[0])
        if found["crossing"]:
            break
    return expect(found["crossing"] and not found["late"],
                  f"{found['crossing']:.0f} of {found['timed']:.0f} records over one, "
                  f"{found['late']:.0f} over two")


def feature(files, path, bit):
    """The bytes of a feature."""
    bytes_, found = path.read_bytes(), files.header(path)[4]
    if bit not in found:
        raise Failed(f"{path}: no feature {bit}")
    table, size = struct.unpack_from("<QQ", bytes_, 40)
    at, length = struct.unpack_from("<QQ", bytes_, table + size + 16 * found.index(bit))
    return bytes_[at:at + length]


def build_id(files):
    bytes_ = feature(files, files.all, 2)
    _, misc, _ = struct.unpack_from("<IHH", bytes_)
    return expect(misc & BUILD_ID_SIZE and bytes_[32] == 20, f"misc 0x{misc:x}, "
                  f"byte 20 is {bytes_[32]}")


def pmu_caps(files):
    nr = struct.unpack_from("<I", feature(files, files.all, 31))[0]
    hybrid = "with" if 30 in files.header(files.all)[4] else "without"
    return f"bit 31 {hybrid} bit 30; {nr} PMUs"


def clockid(files):
    seen = files.line(files.mono, "clock resolution")
    return expect(seen == "1 ns", seen)


def memory_name(files):
    del files
    found = run(["sh", "-c", "grep -ao '[A-Z]*_TOPOLOGY' $(command -v perf) | sort -u"], "/")[0]
    names = found.split()
    return expect("MEM_TOPOLOGY" in names and "SAMPLE_TOPOLOGY" not in names, ", ".join(names))


def more_types(files):
    found = counted(files.all)
    names = ["THREAD_MAP", "CPU_MAP", "EVENT_UPDATE", "FINISHED_INIT"]
    return expect(all(name in found for name in names), ", ".join(names))


def sample_time(files):
    first, last = map(float, re.findall(r"([\d.]+) s", files.line(files.all, "samples from")))
    found = [float(re.search(r" time ([\d.]+)", line)[1]) for line in dumped(files.all, "SAMPLE")]
    return expect((first, last) == (min(found), max(found)),
                  f"{first:.6f} s to {last:.6f} s, as the samples")


def pipe(files):
    found, size = counted(files.pipe), struct.unpack_from("<8sQ", files.pipe.read_bytes())[1]
    return expect(size == 16 and found["HEADER_ATTR"] and found["HEADER_FEATURE"] and
                  "HEADER_EVENT_TYPE" not in found and found["EVENT_UPDATE"],
                  f"{size} bytes; {found['HEADER_ATTR']} HEADER_ATTR, "
                  f"{found['HEADER_FEATURE']} HEADER_FEATURE, {found['EVENT_UPDATE']} "
                  "EVENT_UPDATE")


def cpus(files):
    seen = files.line(files.all, "CPUs")
    return expect(seen.split()[0] == str(os.cpu_count()) and
                  int(seen.split()[2]) >= os.cpu_count(), seen)


READPERF = [
    (magic, "table 1", "magic ``PERFFILE``", "``PERFILE2``, since 2012; ``kermon`` reads both",
     "``head -c 8 perf.data``"),
    (features, "table 1", "features: unknown bitfield",
     "a bit for each feature, of which `perf-data <perf-data.rst>`_ has all",
     "``kermon header``"),
    (attr_bytes, "table 5", "attr of 72 bytes", "it has grown six times, to 128; its size is in it",
     "``kermon header``"),
    (event_types, "table 3", "names of events in ``event_types``",
     "empty; names are in EVENT_DESC", "``od -A d -t x8 -j 64 -N 8 perf.data``"),
    (sample_types, "3.2, 4.3.2", "assumes that all events have one ``sample_type``",
     "they differ, and IDENTIFIER finds the event of a sample first",
     "``perf record -e cpu-clock -e sched:sched_switch``"),
    (types, "table 6", "MMAP, COMM, EXIT, FORK, SAMPLE", "also those of the kernel since, and "
     "perf's own from 64 on", "``kermon check``"),
    (mmap2, "table 8", "MMAP for binaries", "MMAP2, with device, inode and protection, or the "
     "build id", "``kermon check``"),
    (comms, "table 7", "at most one COMM for an execution", "one for each change of a name; "
     "COMM_EXEC tells which is of an exec", "``kermon dump``"),
    (comm_sizes, "table 7", "``comm`` of 16 bytes", "as long as the name, padded to 8",
     "``kermon dump``"),
    (zero_times, "4.3.8", "COMM of processes that already run has time 0", "still so",
     "``kermon dump``"),
    (nobody, "4.3.10", "pid ffffffff is a common process", "it is the kernel's, for its "
     "mappings", "``kermon dump``"),
    (frequency, "2.1", "1000 samples/s by default", "4000", "``kermon header``"),
    (signals, "2.1, figure 2", "a signal when a page is full", "``poll(2)`` returns when half of "
     "a buffer is full", "``grep SigCgt /proc/PID/status``"),
    (paranoid, "2.1", "``-a`` requires perf_event_paranoid 0 or -1", "or CAP_PERFMON; the "
     "default is 2", "``perf record -a``"),
    (comm_option, "2.2", "``perf report -Caddr2line`` selects a command", "``-C`` is of CPUs, "
     "``-c`` of commands; as in ``kermon report``", "``perf report -Caddr2line``"),
]

FORMAT = [
    (crossing, "Ordering, 68", "no reordering over a FINISHED_ROUND", "over one there is, but "
     "not over two", "``kermon check --order``"),
    (attr_size, "header, Attributes", "attr_size: of an attr; attrs is an array of attrs",
     "of an attr and the section of its ids, as \"Event types\" has it", "``kermon header``"),
    (event_types, "header", "event_types", "empty", "``od -A d -t x8 -j 64 -N 8 perf.data``"),
    (build_id, "2", "build_id[24]", "20 bytes, their number, 3 of padding, if the record has "
     "misc bit 15", "``od``"),
    (cpus, "7", "nr_cpus_available: not yet online", "all CPUs, those online included",
     "``kermon header``"),
    (sample_time, "21", "first and last sample", "so it is", "``kermon header``"),
    (memory_name, "22", "SAMPLE_TOPOLOGY", "MEM_TOPOLOGY in perf and here",
     "``grep -ao '[A-Z]*_TOPOLOGY' perf``"),
    (clockid, "23", "frequency of the clock", "its resolution in ns",
     "``perf record -k CLOCK_MONOTONIC``"),
    (pmu_caps, "31", "HYBRID_CPU_PMU_CAPS", "PMU_CAPS, of any PMUs on any machine",
     "``kermon header``"),
    (more_types, "record types", "none from 73 to 79, nor 82", "perf record writes four of "
     "them", "``kermon check``"),
    (pipe, "Pipe-mode", "HEADER_ATTR, HEADER_EVENT_TYPE, HEADER_FEATURE", "no "
     "HEADER_EVENT_TYPE; units are in EVENT_UPDATE", "``perf record -o -``"),
]


def table_of(lab, claims):
    table, files = Table(*HEADING), Files(lab)
    for show, where, says, today, command in claims:
        try:
            table.add(where, says, today, command, show(files))
        except (Failed, KeyError, IndexError, TypeError) as failure:
            raise Failed(f"{where}, {says}: {failure!r}") from failure
    table.note(f"Machine: {lab.host.facts()}.")
    return table


def readperf_claims(lab):
    """What readperf's paper says of the format and of perf record."""
    return table_of(lab, READPERF)


def format_claims(lab):
    """What perf.data-file-format.txt says."""
    return table_of(lab, FORMAT)


EXPERIMENTS = {"readperf-claims": readperf_claims, "format-claims": format_claims}
