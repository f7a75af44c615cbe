#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: tests/fuzz/seeds.py

Make the corpus anew: what fuzz targets and mutations begin with. Files of known
content, recordings of stock perf made small, small ELF files.
"""

import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "golden"), str(HERE.parent / "cli")]
import roofline  # noqa: E402
import synthetic  # noqa: E402

CORPUS = HERE / "corpus"

# Features that describe the machine, which synthetic files have as well.
HOSTNAME, OSRELEASE, CPUDESC, CPUID, CMDLINE = 3, 4, 8, 9, 11
OURS = {HOSTNAME, OSRELEASE, CPUDESC, CPUID, CMDLINE}

HEADER_FEATURE = 80

# The number of records that are kept of each type.
KEPT = 6

# What perf records with software events, and other features of such files.
RECORDINGS = {
    "flat": ["-e", "cpu-clock:u"],
    "chains": ["-g", "-e", "cpu-clock"],
    "stacks": ["--call-graph", "dwarf,256", "-e", "cpu-clock:u"],
    "events": ["-e", "cpu-clock:u,page-faults:u,context-switches:u"],
    "group": ["-c", "10", "-e", "{page-faults,cpu-clock}:S"],
    "fields": ["-d", "--intr-regs", "--user-regs", "-W", "-P", "-T", "-e", "cpu-clock:u"],
    "switches": ["--switch-events", "-e", "cpu-clock:u"],
    "threads": ["--per-thread", "-e", "cpu-clock:u,page-faults:u"],
    "build-ids": ["--buildid-mmap", "-e", "cpu-clock:u"],
    "compressed": ["-z", "-g", "-e", "cpu-clock:u"],
}
COMPRESSED = {"compressed"}

WORKLOAD = ["sh", "-c", "gzip -9 -c /bin/ls /bin/tar >/dev/null; true"]

PROGRAM = """
int counter;
static inline int twice(int x) { return x + x; }
__attribute__((noinline)) int work(int x) { counter += twice(x); return counter; }
void _start(void) { for (;;) work(counter); }
"""
LIBRARY = """
extern int puts(const char *text);
extern void *malloc(unsigned long size);
namespace outer { struct inner { int call(int, const char *); }; }
int outer::inner::call(int n, const char *text) { return n ? puts(text) : !malloc(n); }
"""
COMPILE = ["-nostdlib", "-Os", "-g", "-Wl,-z,max-page-size=4096,-z,noseparate-code",
           "-Wl,--build-id=sha1"]

KALLSYMS = """\
ffffffff81000000 T _text
ffffffff81000000 T _stext
ffffffff81000040 t do_one_thing
ffffffff81000100 W weak_one
ffffffff81002000 T _etext
ffffffff81800000 D data
ffffffffc0001000 t ext4_read\t[ext4]
ffffffffc0001200 t ext4_write\t[ext4]
"""

# Descriptions as the kernel writes them: what is printed, and the layout of the data.
FIELDS = """\
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:char name[16];	offset:8;	size:16;	signed:0;
	field:pid_t pid;	offset:24;	size:4;	signed:1;
	field:u32 flags;	offset:28;	size:4;	signed:0;
	field:__data_loc char[] path;	offset:32;	size:4;	signed:0;
	field:u64 sectors[2];	offset:40;	size:16;	signed:0;
"""
PRINTED = {
    "plain": r'''"name=%s pid=%d flags=%#x", REC->name, REC->pid, REC->flags''',
    "symbolic": r'''"%s", __print_symbolic(REC->flags, { 0, "none" }, { 1, "one" })''',
    "flags": r'''"%s %s", __print_flags(REC->flags, "|", { 1UL, "a" }, { 2, "b" }), __get_str(path)''',
    "arithmetic": r'''"%llu %ld", (unsigned long long)(REC->sectors[0] >> 9) / 8, REC->pid > 1 ? (long)REC->pid << 2 : -1L''',
}


def records(data):
    """(type, bytes) of each record."""
    at = 0
    while at + 8 <= len(data):
        kind, _, size = struct.unpack_from("=IHH", data, at)
        yield kind, data[at:at + size]
        at += size


def spread(whole):
    """KEPT of them, evenly distributed."""
    return whole if len(whole) <= KEPT else [whole[i * len(whole) // KEPT] for i in range(KEPT)]


def is_wanted(kind, record):
    return kind != HEADER_FEATURE or struct.unpack_from("=Q", record, 8)[0] not in OURS


def fewer(data):
    """A few records of each type, in their order; all of those that describe others."""
    found = [one for one in records(data) if is_wanted(*one)]
    kept = {number for number, (kind, _) in enumerate(found) if kind == HEADER_FEATURE}
    for kind in {kind for kind, _ in found}:
        kept.update(spread([number for number, one in enumerate(found) if one[0] == kind]))
    return b"".join(found[number][1] for number in sorted(kept))


def features(data, at, bits):
    """{bit: section} of a file, without KerMon's own."""
    found = {}
    for bit in (bit for bit in range(256) if bits[bit // 64] >> bit % 64 & 1):
        start, size = struct.unpack_from("=QQ", data, at)
        at += 16
        if bit not in OURS:
            found[bit] = data[start:start + size]
    return found


def with_features(body, sections):
    """The table after the records, the sections after that; and the bits of the header."""
    at = len(body) + 16 * len(sections)
    table, tail, bits = b"", b"", [0, 0, 0, 0]
    for bit, section in sorted(sections.items()):
        table += struct.pack("=QQ", at + len(tail), len(section))
        tail += section
        bits[bit // 64] |= 1 << bit % 64
    return body + table + tail, bits


def smaller(data, whole=False):
    """The same recording with few records, all of them if @whole."""
    _, size, attr_size, attrs, attrs_size, start, length, _, _, *bits = \
        struct.unpack_from("=8sQQ6Q4Q", data)
    if size == 16:
        return data[:16] + fewer(data[16:])
    kept = data[start:start + length]
    kept = kept if whole else fewer(kept)
    body, bits = with_features(data[:start] + kept, features(data, start + length, bits))
    header = struct.pack("=QQ6Q4Q", size, attr_size, attrs, attrs_size, start, len(kept),
                         0, 0, *bits)
    return body[:8] + header + body[8 + len(header):]


def record(options, folder):
    path = folder / "perf.data"
    rate = [] if "-c" in options else ["-F", "1000"]
    subprocess.run(["perf", "record", "-q", *rate, *options, "-o", path, *WORKLOAD],
                   check=True, cwd=folder, stderr=subprocess.DEVNULL)
    return path.read_bytes()


def record_pipe(folder):
    done = subprocess.run(["perf", "record", "-q", "-F", "1000", "-e",
                           "cpu-clock:u,page-faults:u", "-o", "-", *WORKLOAD], check=True,
                          cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout


def compile_to(folder, compiler, name, source, *options):
    """The compiler's output, without the folder where it was compiled."""
    (folder / name).write_text(source)
    subprocess.run([compiler, *COMPILE, *options, f"-ffile-prefix-map={folder}=/source", "-o",
                    "compiled", name], check=True, cwd=folder)
    return (folder / "compiled").read_bytes()


def order():
    """Times of two bytes each; 0xffff ends a round."""
    rng = random.Random(1)
    sorted_rounds = [word for turn in range(1, 6) for word in
                     [*range(100 * turn, 100 * turn + 8), *range(100 * turn, 100 * turn + 8), 0xffff]]
    shuffled = [rng.randrange(1, 0xffff) for _ in range(64)]
    return {"rounds": sorted_rounds, "shuffled": shuffled, "timeless": [5, 0, 4, 0, 0xffff, 3]}


def calls():
    """Mappings, forks and chains of the same addresses before and after, see the target."""
    def mapping(process, region, file):
        return process << 12 | region << 8 | file

    def chain(process, *addresses):
        return [2 << 14 | process << 12 | len(addresses), *addresses]
    stack = [8 * 5 + 1, 8 * 7 + 2, 8 * 5 + 1, 8 * 9]
    fork = 1 << 14 | 1 << 2
    words = [mapping(0, 1, 0), mapping(0, 2, 1), *chain(0, *stack), mapping(0, 1, 2),
             *chain(0, *stack), fork, *chain(1, *stack), mapping(1, 2, 3), *chain(1, *stack),
             *chain(0, *stack[1:]), *chain(2, *stack)]
    return {"mappings": words[:12], "forks": words}


def jitdump():
    """Two functions, of which the first one has lines, and moves away for the second."""
    def one(kind, time, body):
        return struct.pack("=IIQ", kind, 16 + len(body), time) + body

    def load(time, index, name, code):
        return one(0, time, struct.pack("=IIQQQQ", 1, 1, 0x1000, 0x1000, len(code), index) +
                   name + b"\0" + code)
    head = struct.pack("=IIIIIIQQ", 0x4a695444, 1, 40, 62, 0, 1, 0, 0)
    moved = one(1, 2, struct.pack("=IIQQQQQ", 1, 1, 0x2000, 0x1000, 0x2000, 8, 0))
    lines = one(2, 1, struct.pack("=QQ", 0x1000, 2) +
                struct.pack("=QII", 0x1000, 3, 0) + b"first.js\0" +
                struct.pack("=QII", 0x1004, 4, 0) + b"\xff\0")
    return head + lines + load(1, 0, b"first", b"\x90" * 8) + moved + load(3, 1, b"second", b"\xc3" * 16)


def tracepoint(printed):
    """A description with the number 7, and data for it."""
    text = f"name: example\nID: 7\nformat:\n{FIELDS}\nprint fmt: {printed}\n".encode()
    described = (b"\x17\x08\x44tracing0.6\0" + struct.pack("=BBI", 0, 8, 4096) +
                 b"header_page\0" + struct.pack("=Q", 0) +
                 b"header_event\0" + struct.pack("=Q", 0) + struct.pack("=II", 0, 1) +
                 b"system\0" + struct.pack("=IQ", 1, len(text)) + text)
    data = struct.pack("=HBBi16siIII2Q", 7, 0, 0, 1, b"task", 42, 3, 5 << 16 | 56, 0, 1 << 12, 0)
    return struct.pack("=HH", 7, len(described)) + described + data + b"/dev\0\0\0\0"


def msr_packet(kind, *ops):
    """A request to kermon-msr-helper behind its size; ops: (cpu, register, value, kind)."""
    data = struct.pack("=IIIiII", kind, len(ops), 0, 0, 0, 0)
    data += b"".join(struct.pack("=IIQHHi", *op, 0, 0) for op in ops)
    return struct.pack("=H", len(data)) + data


def msr_requests():
    """Flags, size of the saved values, these, and packets; see the target."""
    batch, entries, restore = 1, 2, 3
    read, write, keep = 0, 1, 2
    session = [msr_packet(batch, (0, 0x10, 0, read), (1, 0x12, 5, write)),
               msr_packet(batch, (0, 0x11, 0x12345678, write), (0, 0x50, 1, write)),
               msr_packet(batch, (2, 0x10, 0, read), (0, 0x13, 1, write)),
               msr_packet(entries), msr_packet(restore),
               msr_packet(batch, (1, 0x12, 7, write), (1, 0x3f, 3, write))]
    left = struct.pack("=IIQ", 2, 0, 0) + struct.pack("=IIQIIQ", 0x11, 0, 7, 0x12, 1, 9)
    return {"session": bytes([write, 0]) + b"".join(session),
            "kept": bytes([write | keep, 0]) + b"".join(session),
            "killed": bytes([write, len(left)]) + left + b"".join(session)}


def put(folder, name, data):
    path = CORPUS / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def main():
    put("file", "synthetic", synthetic.recording())
    put("file", "swapped", synthetic.recording(">"))
    put("file", "packed", synthetic.recording(file=synthetic.compressed))
    put("file", "counts", synthetic.counts())
    put("file", "version-1", synthetic.recording(file=synthetic.version_1))
    put("kallsyms", "kernel", KALLSYMS.encode())
    put("jitdump", "functions", jitdump())
    for name, data in msr_requests().items():
        put("msr", name, data)
    for name in ("index", "amd-zen.list"):
        put("msrlist", name, (HERE.parents[1] / "tools/share/msr" / name).read_bytes())
    for name, printed in PRINTED.items():
        put("tracepoints", name, tracepoint(printed))
    for name, words in order().items():
        put("order", name, struct.pack(f"={len(words)}H", *words))
    for name, words in calls().items():
        put("calltree", name, struct.pack(f"={len(words)}H", *words))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for recording, options in RECORDINGS.items():
            put("file", recording, smaller(record(options, folder), recording in COMPRESSED))
        put("pipe", "events", b"\x10" + smaller(record_pipe(folder)))
        put("symbols", "program", compile_to(folder, "gcc", "program.c", PROGRAM, "-static"))
        put("symbols", "library", compile_to(folder, "g++", "library.cc", LIBRARY, "-shared", "-fPIC"))
    # The last one, as its events differ.
    roofline.make_spy(CORPUS / "file" / "spied")


if __name__ == "__main__":
    main()
