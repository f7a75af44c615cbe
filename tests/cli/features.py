#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""All features of perf.data: whether they are read, printed, written, and understood by perf.

usage: features.py KERMON

Prints Documentation/features.rst. The files that it asks KERMON and stock perf about are in
the current folder: those of tests/cli/machine/make-features and tests/unit/made_recording.c.
What neither can make comes from tests/golden/every.py. A feature that any of the files has
and that is not read or printed as it should be is reported, with exit status 1.
"""
import functools
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/golden"))
import every  # noqa: E402
import headers  # noqa: E402
import synthetic  # noqa: E402

# The files: what the document calls them, and what they are.
FILES = {
    "kermon-run": ("run", "``kermon run`` on the virtual machine"),
    "kermon-run-z": ("run -z", "``kermon run -z``"),
    "kermon-record-trace": ("record -e", "``kermon record -e sched:sched_process_fork``"),
    "made": ("made", "the writer of ``kermon run`` with a made-up ``/sys``: memory nodes, two kinds "
             "of cores; and another clock than perf's default one"),
    "perf-record": ("record", "``perf record`` on the virtual machine, as are the next ones"),
    "perf-record-trace": ("trace", "``perf record -e sched:sched_process_fork``"),
    "perf-record-z": ("z", "``perf record -z``"),
    "perf-record-threads": ("threads", "``perf record --threads``"),
    "perf-record-k": ("k", "``perf record -k mono``"),
    "perf-record-group": ("group", "``perf record -e '{...}'``"),
    "perf-stat-record": ("stat", "``perf stat record``"),
    "script": ("script", "a script, by the definition of the format: branches, hardware traces and "
               "BPF programs cannot be recorded on the virtual machine. So these cells depend on how "
               "we understand the format"),
}
OURS = ("kermon-run", "kermon-run-z", "kermon-record-trace", "made")
# A merged file, and the first of its runs.
MERGED = (("kermon-merge", "kermon-run"), ("kermon-merge-z", "kermon-run-z"), ("made-merge", "made"))

# Features of the file that a script makes: what no other file has.
SCRIPTED = ("BRANCH_STACK", "AUXTRACE", "BPF_PROG_INFO", "BPF_BTF")

# Lines of perf's header about a feature, without "# ".
LINES = {
    "HOSTNAME": "hostname : ", "OSRELEASE": "os release : ", "VERSION": "perf version : ",
    "ARCH": "arch : ", "NRCPUS": "nrcpus ", "CPUDESC": "cpudesc : ", "CPUID": "cpuid : ",
    "TOTAL_MEM": "total memory : ", "CMDLINE": "cmdline : ", "EVENT_DESC": "event : ",
    "CPU_TOPOLOGY": r"sibling |CPU \d+: ", "NUMA_TOPOLOGY": r"node\d+ ",
    "BRANCH_STACK": "contains samples with branch stack", "PMU_MAPPINGS": "PMU ",
    "GROUP_DESC": "group: ", "AUXTRACE": "contains AUX area data",
    "STAT": "contains stat data", "CACHE": r" L\d ", "SAMPLE_TIME": r"time of \w+ sample : ",
    "MEM_TOPOLOGY": r" +\d+ \[", "CLOCKID": "clockid frequency: ",
    "DIR_FORMAT": "directory data version : ", "BPF_PROG_INFO": r"bpf_prog_info \d+",
    "BPF_BTF": "btf info of id ", "COMPRESSED": "compressed : ",
    "CPU_PMU_CAPS": "cpu pmu capabilities: ", "CLOCK_DATA": "clockid: |reference time: ",
    "HYBRID_TOPOLOGY": r"cpu_\w+ cpu list : ", "PMU_CAPS": r"(?!cpu )\w+ pmu capabilities: ",
}

# What else of perf shows that it has read a feature.
OTHERWISE = {
    "TRACING_DATA": (["script", "-F", "trace:trace"], r"comm=\w+ pid=\d+ child_comm="),
    "BUILD_ID": (["buildid-list"], r"[0-9a-f]{40} \S+"),
}

NOT_WRITTEN = {
    "BRANCH_STACK": "no branches are recorded",
    "GROUP_DESC": "with it, perf prints the sum of all events instead of the count of each; "
    "``perf report --group`` shows them side by side without it (``tests/golden/groups.py``)",
    "AUXTRACE": "no hardware trace is recorded",
    "STAT": "samples, not counts, are recorded",
    "DIR_FORMAT": "a recording is one file",
    "BPF_PROG_INFO": "addresses are those of user mode",
    "BPF_BTF": "addresses are those of user mode",
}

# What does not come from the runs, and when a merged file has it.
OF_MERGED = {"COMPRESSED": "with -z"}

# Features of the machine: perf records them of the same one, possibly in another order.
OF_MACHINE = ("HOSTNAME", "OSRELEASE", "ARCH", "NRCPUS", "CPUDESC", "CPUID", "TOTAL_MEM",
              "CPU_TOPOLOGY", "PMU_MAPPINGS", "CACHE", "CPU_PMU_CAPS")

NO_PERF_LINE = {"KERMON": "ignored"}

# The feature KERMON, which is a record.
NOTES = 200

# Sections that have no contents, so that nothing can be truncated.
EMPTY = ("BRANCH_STACK", "STAT")


# Messages of perf that are not about features.
HARMLESS = re.compile(r"\s*$|# |No kallsyms or vmlinux with build-id ")


class Problem(Exception):
    """A feature is not as it should be."""


def features():
    """{perf's name: (bit, title in kermon header)}, by the sources."""
    lines = subprocess.run([TOP / "scripts/tables", "features"], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    rows = [[cell.strip() for cell in line.split("|")] for line in lines if "|" in line]
    return {row[1]: (int(row[0]), row[-1]) for row in rows}


class File:
    """A perf.data file, or a folder of them."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.data = self.header().read_bytes()
        attrs_at, attrs_size, data_at, data_size = struct.unpack_from("<4Q", self.data, 24)
        assert attrs_at + attrs_size <= len(self.data)
        bits = int.from_bytes(self.data[72:104], "little")
        self.table = {}
        for index, bit in enumerate(bit for bit in range(256) if bits >> bit & 1):
            self.table[bit] = data_at + data_size + 16 * index
        self.notes = self.find_notes(data_at + data_size)

    def find_notes(self, end):
        """Offset and size of KerMon's notes, in the last record; None: there are none."""
        size, magic = struct.unpack_from("<Q8s", self.data, end - 16)
        return (end - size + 24, size - 40) if magic == b"KERMNOTE" else None

    def header(self):
        return self.path / "data" if self.path.is_dir() else self.path

    def section(self, bit):
        """The contents of a feature; None: it has none."""
        if bit == NOTES and self.notes:
            return self.data[self.notes[0]:sum(self.notes)]
        if bit not in self.table:
            return None
        offset, size = struct.unpack_from("<QQ", self.data, self.table[bit])
        return self.data[offset:offset + size]

    def cut(self, bit, path):
        """A copy that declares one byte less of a section, or two more of the notes."""
        if self.path.is_dir():
            shutil.copytree(self.path, path)
        changed = bytearray(self.data)
        if bit == NOTES:
            nr, = struct.unpack_from("<I", changed, self.notes[0])
            struct.pack_into("<I", changed, self.notes[0], nr + 2)
        else:
            struct.pack_into("<Q", changed, self.table[bit] + 8, len(self.section(bit)) - 1)
        copy = pathlib.Path(path)
        (copy / "data" if copy.is_dir() else copy).write_bytes(changed)
        return copy


def run(*words):
    environment = {**os.environ, "LC_ALL": "C", "HOME": "/nonexistent", "TZ": "UTC"}
    return subprocess.run(words, capture_output=True, text=True, errors="replace", check=False,
                          stdin=subprocess.DEVNULL, env=environment)


def expect(condition, *words):
    if not condition:
        raise Problem(" ".join(str(word) for word in words))


@functools.cache
def perf(path, *words):
    """The output of perf, which must not complain about the file."""
    done = run("perf", *words, "-i", str(path))
    complaints = [line for line in done.stderr.splitlines() if not HARMLESS.match(line)]
    expect(not done.returncode and not complaints, f"perf {' '.join(words)} of {path}:",
           done.returncode, complaints)
    return done.stdout


def perf_lines(path, name):
    """Lines of perf about a feature, which report and script print alike."""
    if name not in LINES:
        return []
    both = [[line for line in headers.one_each(perf(path, *words).splitlines())
             if re.match(LINES[name], line)]
            for words in (("report", "--header-only", "-I"), ("script", "--header-only", "-I"))]
    expect(both[0] == both[1], f"{path}: perf report and script differ: {both}")
    return both[0]


def is_read(kermon, file, name, bit, title):
    """Whether the contents are decoded: one byte less is not enough."""
    if name in EMPTY:
        expect(not file.section(bit), f"{file.path}: {name} has contents")
        return "nothing to read"
    if name == "TRACING_DATA":
        done = run(kermon, "script", "-i", str(file.path), "-F", "trace:trace")
        expect(re.search(OTHERWISE[name][1], done.stdout), f"{name}: no text of tracepoints")
        return "yes"
    copy = file.cut(bit, "cut")
    done = run(kermon, "header", "-i", str(copy))
    (shutil.rmtree if copy.is_dir() else os.unlink)(copy)
    expect(done.returncode == 1 and re.search("truncated", done.stderr),
           f"{name} ({title}): cut in {file.path}: {done.returncode} {done.stderr}")
    return "yes"


@functools.cache
def header(kermon, path):
    """The lines of kermon header."""
    done = run(kermon, "header", "-i", str(path))
    expect(not done.returncode and not done.stderr, f"kermon header of {path}: {done.stderr}")
    return headers.unquoted(done.stdout).splitlines()


def is_printed(kermon, file, name, title):
    """Whether kermon header prints what perf prints."""
    ours = header(kermon, file.path)
    expect(any(line.startswith(f"{title} ") for line in ours), f"{file.path}: no line '{title}'")
    for line in perf_lines(file.path, name):
        problem = headers.compare_line(headers.unquoted(line), ours)
        expect(not problem, f"{file.path}: {problem}")
    return "size" if name == "TRACING_DATA" else "yes"


def is_understood(file, name):
    """What stock perf does with the feature."""
    if name in OTHERWISE:
        words, pattern = OTHERWISE[name]
        expect(re.search(pattern, perf(file.path, *words)), f"perf of {file.path}: no {name}")
        return "used"
    lines = perf_lines(file.path, name)
    if name in NO_PERF_LINE:
        perf(file.path, "report", "--header-only", "-I")
        return NO_PERF_LINE[name]
    expect(lines, f"perf of {file.path}: no line about {name}")
    return "printed"


def is_written(files, name, bit):
    if any(files[one].section(bit) for one in OURS):
        expect(name not in NOT_WRITTEN, f"{name} is written, but listed as if it were not")
        ours, theirs = (sorted(perf_lines(path, name)) for path in ("kermon-run", "perf-record"))
        expect(name not in OF_MACHINE or ours == theirs, f"{name}: {ours}, of perf: {theirs}")
        return "yes"
    expect(name in NOT_WRITTEN, f"{name} is not written, for no reason")
    return f"no: {NOT_WRITTEN[name]}"


def is_merged(name, bit):
    """Of all pairs of a merged file and its first run, which all have to agree."""
    found = set()
    if name in OF_MERGED:
        expect(File("kermon-merge-z").section(bit), f"{name} is not in a merged file")
        return OF_MERGED[name]
    for merged, first in MERGED:
        section, before = File(merged).section(bit), File(first).section(bit)
        if before or section:
            found.add("as in the first run" if section == before else
                      "of all runs" if section else "missing")
    expect("missing" not in found, f"{name}: is not in a merged file")
    return max(found, default="")


def agreed(name, cells):
    """The one value of all files."""
    expect(len(set(cells)) == 1, f"{name}: {cells}")
    return cells[0]


def script_file(known):
    """A file with features that no program makes here."""
    wanted = {known[name][0]: every.FEATURES[known[name][0]] for name in SCRIPTED}
    pathlib.Path("script").write_bytes(synthetic.recording(
        file=lambda data: synthetic.build(data, wanted)))


def has(file, name, bit):
    """Whether it has the feature with contents, a count of elements that is not 0."""
    section = file.section(bit)
    return section is not None and (name in EMPTY or any(section[:8]))


def row(kermon, files, name, bit, title):
    having = [(label, files[path]) for path, (label, _) in FILES.items()
              if has(files[path], name, bit)]
    if "script" in [label for label, _ in having]:
        having = [(label, file) for label, file in having
                  if (label == "script") == (name in SCRIPTED)]
    expect(having, f"no file has {name}")
    cells = [agreed(name, [is_read(kermon, file, name, bit, title) for _, file in having]),
             agreed(name, [is_printed(kermon, file, name, title) for _, file in having]),
             is_written(files, name, bit), is_merged(name, bit),
             agreed(name, [is_understood(file, name) for _, file in having])]
    labels = [label for label, _ in having]
    return [str(bit), name, *cells, ", ".join(labels)]


PAGE = """.. SPDX-License-Identifier: GPL-2.0
.. Written by "tests/cli/features.py"; tests/cli/features.sh keeps it in step.

=====================
Features of perf.data
=====================

What ``kermon`` and stock perf 6.1 do with each feature, the optional sections in the header of
perf.data; `perf-data <perf-data.rst>`_ has their encoding. Each cell is what
``tests/cli/features.py`` saw in all files that have the feature.

=============  =====================================================================
column         meaning
=============  =====================================================================
read           ``kermon`` decodes it: if the section is declared one byte shorter,
               it is reported as truncated. Of TRACING_DATA: ``kermon script`` prints
               the text of tracepoints. KERMON is a record, which is declared to
               have more notes
printed        ``kermon header`` prints it, and all that perf prints of it
written        ``kermon run`` and ``attach`` write it, if the machine has it, and
               COMPRESSED with ``-z``. What is about the machine is what ``perf
               record`` writes there
merged         ``kermon merge`` writes it
stock perf     ``perf report --header-only -I`` and ``perf script --header-only -I``
               print it without complaint; or perf uses it: ``perf script`` prints
               the text of tracepoints, ``perf buildid-list`` prints build ids; or
               perf ignores it without complaint
files          which were tested, see below
=============  =====================================================================

.. csv-table::
   :header: bit, feature, read, printed, written, merged, stock perf, files
   :widths: 5, 16, 8, 8, 20, 11, 10, 22

{}

Files
=====

.. csv-table::
   :header: file, made by
   :widths: 10, 90

{}
"""


def cells(values):
    """A row of a csv-table."""
    return "   " + ",".join('"' + value.replace('"', '""') + '"' for value in values)


def main():
    """See the usage above."""
    kermon = sys.argv[1]
    known = features()
    script_file(known)
    files = {path: File(path) for path in FILES}
    rows, problems = [], []
    for name, (bit, title) in known.items():
        try:
            rows.append(cells(row(kermon, files, name, bit, title)))
        except Problem as problem:
            problems.append(str(problem))
    print(PAGE.format("\n".join(rows), "\n".join(map(cells, FILES.values()))), end="")
    print("\n".join(problems), end="\n" if problems else "", file=sys.stderr)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
