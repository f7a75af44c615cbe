# SPDX-License-Identifier: GPL-2.0
"""Figures 6 to 10 of the KerMon paper on open programs, on a virtual machine with one CPU whose
time and power are modelled: each program by both monitors."""

import datetime
import json
import shlex
import shutil
from xml.etree import ElementTree

import bars
from inputs import prepare
from machine import KERMON, TOP, VM, Failed, build, kermon, run
from tables import Table

INTERVAL = "4ms"
TIMEOUT = 1800
# Seconds of doing nothing, and what the model's package draws then.
IDLE, IDLE_WATTS = 5, 6
# A CPU that counts operations, loads and stores with one event set: that of the paper needs two,
# and a third one for the lines of caches.
CPU, PAPERS_CPU = "sky-lake", "ivy-bridge"
SETS = "set0", "set1", "set2"
MACHINE = [VM, "--strict", "--time", "--cpus", 1, "--timeout", TIMEOUT]
HERTZ = 3.5e9
# A picture of kermon roofline, and the height of its first plot.
SVG, HEIGHT = "http://www.w3.org/2000/svg", 525
# Largest difference in instructions between runs of CalculiX that are merged, as a part.
APART = 0.05
# GFLOP/s above which a program is one of those that compute with floating point.
COMPUTES = 0.01
PYTHON = "sum(1 / (i + 0.5) ** 2 for i in range(200000))"
# In the order of the table; each command runs in the folder of the inputs.
PROGRAMS = {
    "calculix": "ccx -i beam",
    "povray": "povray +Iscene.pov +W320 +H240 -D +WT1 +Oscene.png",
    "gromacs": "gmx -quiet mdrun -s argon.tpr -nt 1 -pin off -deffnm md",
    "ergo": "ergo water.ergo",
    "node": "node --single-threaded planets.js",
    "python": f"/usr/bin/python3 -S -c {shlex.quote(PYTHON)}",
    "triad": "./simd triad",
    "polynomial": "./simd polynomial",
    "gzip": "gzip -9c text",
    "zstd": "zstd -q -19 --single-thread -c text",
    "openssl": "openssl dgst -sha256 " + " ".join(["text"] * 16),
}
MONITORS = {
    "kermon": f"kermon run -q -k --interval {INTERVAL} -e",
    "spy": f"kermon spy -q -I {INTERVAL} -f perf-data -e",
}


class Timed:
    """The virtual machine with time and power, and the ceilings of the CPU that it models."""

    def __init__(self, lab, cpu=CPU):
        self.cpu, self.folder = cpu, lab.folder
        self.inputs = lab.folder / "inputs"
        prepare(self.inputs)
        build(self.inputs, "simd")
        text = self.inputs / "text"
        text.write_bytes((TOP / "Documentation/map.rst").read_bytes() * 8)
        self.ceilings = lab.folder / "i7-3770K.json"
        kermon(lab.folder, "roofline", "bench", "--theoretical=i7-3770K", "-o", self.ceilings)

    def shell(self, lines):
        """Run a script in a copy of the inputs in the guest's memory, as its clock runs on while it
        waits for a file of the host; recordings are copied to the folder at the end."""
        script = self.folder / "script.sh"
        begin = ["set -e", "export OMP_NUM_THREADS=1 HOME=/tmp/run", "results=$PWD",
                 "cp -r inputs /tmp/run", "cd /tmp/run",
                 "trap 'echo \"$BASH_COMMAND\" >&2; tail -n 5 said >&2' ERR"]
        end = ["cp *.data $results", "grep -m 1 '^model name' /proc/cpuinfo >$results/facts",
               "uname -r >>$results/facts"]
        script.write_text("\n".join([*begin, *lines, *end]) + "\n", encoding="utf-8")
        return run([*MACHINE, "--cpu", self.cpu, "--", "bash", script.name], self.folder)[0]

    def record(self, names, sets=("roofline",)):
        """Record programs by each monitor, to NAME-MONITOR.data. All run once before, so that
        recordings have no waiting for files; for povray it may be too long, and it gives up. Of
        several sets, each is a run, and they are merged."""
        lines = [f"{monitor} fixed -o first.data -- true" for monitor in MONITORS.values()]
        for name in names:
            lines.append(f"{PROGRAMS[name]} >/dev/null 2>said || true")
            for monitor, words in MONITORS.items():
                runs = [f"{name}-{monitor}{'-' + one if len(sets) > 1 else ''}.data"
                        for one in sets]
                lines += [f"{words} {one} -o {path} -- {PROGRAMS[name]} >/dev/null 2>said"
                          for one, path in zip(sets, runs)]
                if len(sets) > 1:
                    lines.append(f"kermon merge -o {name}-{monitor}.data {' '.join(runs)} >said")
        self.shell(lines)

    def roofline(self, *words):
        return kermon(self.folder, "roofline", "--no-pager", "--ceilings", self.ceilings, *words)

    def samples(self, path, *words):
        return json.loads(self.roofline("--json", *words, path))


def note(folder, table):
    """The machine, below a table."""
    cpu, kernel = (folder / "facts").read_text(encoding="utf-8").splitlines()
    table.note(f"Machine: {cpu.split(':')[1].strip()}, one CPU of 3.5 GHz, QEMU with KerMon's "
               f"model of a PMU, of time and of power; Linux {kernel}; "
               f"{datetime.date.today():%-d %B %Y}.")


# FLOP per byte below which calculix reads and sorts, and above which it does what takes most
# operations.
BANDS = (("below 0.01", 0, 0.01), ("0.01 to 0.05", 0.01, 0.05), ("above 0.05", 0.05, 1e9))


def busy(found):
    """The samples of a recording; of SpyMon, without those whose CPU was idle for most of the
    time."""
    rows = len(found["samples"]["begin"])
    columns = {name: values if isinstance(values, list) else [values] * rows
               for name, values in found["samples"].items() if name != "joules"}
    columns["package"] = found["samples"]["joules"][found["domains"].index("package")]
    for values in zip(*columns.values()):
        row = dict(zip(columns, values))
        if row["oncpu"]:
            row["seconds"] = row["oncpu"]
        elif (row["cycles"] or 0) < row["seconds"] * HERTZ / 2:
            continue
        yield row


def power(found):
    """Watts and joules of the package while a program was recorded, and CPUs were idle, too."""
    average = found["averages"][0]
    joules = average["joules"]["package"]
    return joules / average["seconds"], joules


class Sums:
    """Of samples: time, operations, bytes and energy."""

    def __init__(self, rows):
        rows = list(rows)
        self.begin = min((row["begin"] for row in rows), default=0)
        self.end = max((row["begin"] + row["seconds"] for row in rows), default=0)
        self.seconds, self.flop, self.bytes, self.joules = (
            sum(row[name] or 0 for row in rows) for name in ("seconds", "flop", "bytes", "package"))
        self.kinds = {}
        for row in rows:
            if row["flop"] and row["simd"] is not None:
                self.kinds[row["simd"]] = self.kinds.get(row["simd"], 0) + row["flop"]

    def kind(self, names):
        """The SIMD class that has most operations."""
        return names[max(self.kinds, key=self.kinds.get)] if self.kinds else "none"

    def rates(self):
        """GFLOP/s, and FLOP/byte."""
        return self.flop / self.seconds / 1e9, self.flop / max(self.bytes, 1)


def band_of(row):
    intensity = (row["flop"] or 0) / max(row["bytes"] or 0, 1)
    return next(name for name, low, high in BANDS if low <= intensity < high)


def band_rows(table, monitor, found):
    """Rows of a table for a recording as a whole, and for each range of intensity. Return: the
    sums of these."""
    rows = list(busy(found))
    parts = {"all": Sums(rows), **{name: Sums(row for row in rows if band_of(row) == name)
                                   for name, _, _ in BANDS}}
    for name, part in parts.items():
        if part.seconds:
            flops, intensity = part.rates()
            watts = f"{part.joules / part.seconds:.1f}" if monitor == "kermon" else \
                f"{power(found)[0]:.1f}" if name == "all" else ""
            table.add(NAMES[monitor], name, f"{1e3 * part.seconds:.1f}",
                      f"{100 * part.seconds / parts['all'].seconds:.0f} %", flops,
                      f"{intensity:.4f}", f"{part.bytes / part.seconds / 1e9:.1f}",
                      watts)
    expect_phases(parts)
    return parts


def band_table():
    return Table("monitor", "FLOP/byte", "time [ms]", "share", "GFLOP/s", "FLOP/byte on average",
                 "GB/s", "package [W]")


def draw_both(timed, picture):
    """CalculiX by both monitors in one plot."""
    timed.roofline("--view", "none", "--label", "KerMon,SpyMon", "--svg", picture,
                   *(f"calculix-{monitor}.data" for monitor in MONITORS))
    crop(timed.folder / picture)


def phases(lab):
    """Figures 8 to 10: CalculiX over time, with its power, by both monitors."""
    timed = Timed(lab)
    timed.record(["calculix"])
    table = band_table()
    for monitor in MONITORS:
        found = timed.samples(f"calculix-{monitor}.data")
        whole = band_rows(table, monitor, found)["all"]
        start = found["runs"][0]["clock_begin_s"]
        timed.roofline("--view", "none", "--svg", f"calculix-{monitor}.svg", "--time",
                       f"{start + whole.begin:.6f},{start + whole.end:.6f}",
                       f"calculix-{monitor}.data")
    note(timed.folder, table)
    return table


def sets(lab):
    """Figure 8 by a run for each event set of table 1, merged, on the paper's CPU."""
    timed = Timed(lab, PAPERS_CPU)
    timed.record(["calculix"], SETS)
    table = band_table()
    for monitor in MONITORS:
        band_rows(table, monitor, timed.samples(f"calculix-{monitor}.data"))
    note(timed.folder, table)
    for monitor in MONITORS:
        runs = json.loads(kermon(timed.folder, "report", "--json", "-i",
                                 f"calculix-{monitor}.data"))["runs"]
        first = runs[0]["instructions"]
        apart = max(abs(one["instructions"] / first - 1) for one in runs)
        if [one["events"] for one in runs] != [4, 4, 4] or apart > APART:
            raise Failed(f"the runs by {NAMES[monitor]} are not those of one program: {runs}")
        table.note(f"{NAMES[monitor]}: the runs differ by {100 * apart:.2g} % in instructions"
                   f"{', a thread by ' if monitor == 'kermon' else ', the CPU by '}"
                   f"{100 * max(one['apart'] for one in runs):.2g} %.")
    draw_both(timed, "calculix-merged.svg")
    return table


def expect_phases(parts):
    """The lesson of the paper: the average is no phase."""
    low, high = parts[BANDS[0][0]], parts[BANDS[-1][0]]
    whole = parts["all"].flop / parts["all"].seconds
    if not (low.seconds and high.seconds and
            10 * low.flop / low.seconds < whole < 0.7 * high.flop / high.seconds):
        raise Failed("the phases of calculix do not stand apart")


def expect_same_point(name, flops, intensity, joules):
    """What figures 6 and 7 of the paper show of a program by KerMon and by SpyMon: about the same
    point, and more energy by SpyMon, as far as two runs are alike."""
    faster, denser, more = (spy / max(own, 1e-9) for own, spy in (flops, intensity, joules))
    if more < 0.95 or (flops[0] > COMPUTES and not (0.75 < faster < 1.2 and 0.75 < denser < 1.35)):
        raise Failed(f"{name}: SpyMon has {faster:.2f} times the FLOP/s of KerMon, {denser:.2f} "
                     f"times the FLOP/byte, {more:.2f} times the energy")


def expect_phases_in_time(name, rows, parts=10):
    """Of equal parts of the time of a program, one has hardly any operation, another many."""
    rows = list(rows)
    begin, end = rows[0]["begin"], max(row["begin"] + row["seconds"] for row in rows)
    flop = [0] * parts
    for row in rows:
        part = int((row["begin"] - begin) / (end - begin) * parts)
        flop[min(part, parts - 1)] += row["flop"] or 0
    if min(flop) > 0.1 * max(flop):
        raise Failed(f"{name} has no phases: operations of each {parts}th are {flop}")


def crop(path):
    """Leave only the first plot of a picture, as programs take different times, and no arrows from
    one program to the next."""
    ElementTree.register_namespace("", SVG)
    tree = ElementTree.parse(path)
    root = tree.getroot()
    following = next(at for at, part in enumerate(root)
                     if part.get("class") == "title" and float(part.get("y")) > HEIGHT)
    arrows = [part for part in root if part.get("class") == "axis" and "L" in part.get("d")]
    for part in {*list(root)[following:], *arrows}:
        root.remove(part)
    root.set("height", str(HEIGHT))
    root.set("viewBox", f"0 0 {root.get('width')} {HEIGHT}")
    tree.write(path, encoding="unicode")


def draw_power(path, seen):
    """Figure 7: bars of the power of each domain, and of the energy of the package; seen has for
    each program what each monitor found."""
    def of(one, domain):
        average = one["averages"][0]
        joules = average["joules"].get(domain)
        return None if joules is None else joules / average["seconds"]

    domains = next(iter(seen.values()))[0]["domains"]
    panels = [(f"{domain} [W]", [[of(one, domain) for one in found] for found in seen.values()])
              for domain in domains]
    panels.append(("energy of package [mJ]", [[1e3 * power(one)[1] for one in found]
                                              for found in seen.values()]))
    bars.draw(path, "Power and energy while recorded", [NAMES[one] for one in MONITORS],
              list(seen), panels)


def programs(lab):
    """Figures 6 and 7: averages of programs, and their power and energy, by both monitors."""
    timed = Timed(lab)
    timed.record(list(PROGRAMS))
    table = Table("program", "class", "GFLOP/s, KerMon", "SpyMon", "FLOP/byte, KerMon", "SpyMon",
                  "package [W], KerMon", "SpyMon", "energy [mJ], KerMon", "SpyMon")
    drawn, seen = [], {}
    for name in PROGRAMS:
        found = [timed.samples(f"{name}-{monitor}.data") for monitor in MONITORS]
        seen[name] = found
        sums = [Sums(busy(one)) for one in found]
        if not all(one.seconds for one in sums):
            raise Failed(f"{name} has no sample that is not idle")
        flops, intensity = zip(*(one.rates() for one in sums))
        watts, joules = zip(*(power(one) for one in found))
        expect_same_point(name, flops, intensity, joules)
        computes = flops[0] > COMPUTES
        table.add(name, sums[0].kind(found[0]["simd"]) if computes else "none",
                  *(f"{one:.3f}" for one in flops), *(f"{one:.4f}" for one in intensity),
                  *(f"{one:.1f}" for one in watts), *(f"{1e3 * one:.0f}" for one in joules))
        if computes:
            drawn.append(name)
    for monitor in MONITORS:
        timed.roofline("--view", "none", "--label", ",".join(drawn), "--svg",
                       f"programs-{monitor}.svg", *(f"{name}-{monitor}.data" for name in drawn))
        crop(timed.folder / f"programs-{monitor}.svg")
    draw_power(timed.folder / "programs-power.svg", seen)
    draw_both(timed, "calculix-both.svg")
    for monitor, found in zip(MONITORS, seen["ergo"]):
        expect_phases_in_time("ergo", busy(found))
        timed.roofline("--view", "none", "--svg", f"ergo-{monitor}.svg", f"ergo-{monitor}.data")
    note(timed.folder, table)
    return table


def idle(lab):
    """Section 6: the power of a CPU that SpyMon watches although it has nothing to do."""
    cases = [("none", "", "")] + [("SpyMon", f"{ms} ms", f"kermon spy -q -e fixed -I {ms}ms -f csv "
                                   "-o /tmp/spied -- ") for ms in (50, 10, 1)]
    measured = " && ".join(f"perf stat -a -x, -o /tmp/stat -e power/energy-pkg/,duration_time -- "
                           f"{monitor}sleep {IDLE} && sed -n 's/^\\([0-9.]*\\),.*/\\1/p' /tmp/stat"
                           for _, _, monitor in cases)
    files = [shutil.which(program) for program in ("sh", "perf", "sed", "sleep")] + [KERMON]
    # All that it needs is in its memory: it never waits for this machine.
    said = run([*MACHINE, "--cpu", CPU, *sum((["--with", file] for file in files), []), "--",
                "sh", "-c", f"{measured} && sed -n 's/^model name/&/p' /proc/cpuinfo && "
                "sed 's/.*version \\([^ ]*\\) .*/\\1/' /proc/version"],
               lab.folder)[0].splitlines()
    (lab.folder / "facts").write_text("\n".join(said[-2:]) + "\n", encoding="utf-8")
    numbers = [float(line) for line in said[:-2]]
    table = Table("monitor", "interval", "package [W]", "more than without")
    watts = [joules / ns * 1e9 for joules, ns in zip(numbers[::2], numbers[1::2])]
    for (monitor, interval, _), seen in zip(cases, watts, strict=True):
        table.add(monitor, interval, f"{seen:.3f}",
                  f"{100 * (seen / watts[0] - 1):+.2f} %" if interval else "")
    if abs(watts[0] / IDLE_WATTS - 1) > 0.02 or watts != sorted(watts):
        raise Failed(f"an idle package draws {watts} W; {IDLE_WATTS} are configured")
    note(lab.folder, table)
    return table


NAMES = {"kermon": "KerMon", "spy": "SpyMon"}
EXPERIMENTS = {"roofline-phases-model": phases, "roofline-sets-model": sets,
               "roofline-programs-model": programs, "roofline-idle-model": idle}
