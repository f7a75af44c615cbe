# SPDX-License-Identifier: GPL-2.0
"""Experiments of "The perf file format" by U. Fässler (readperf), redone."""

import re
import statistics
import subprocess
import time

from machine import Failed, KERMON, attrs_of, counted, dumped, kermon, order_of, run
from tables import Table

ORDER = ("recording", "records with a time", "out of order", "of these on their CPU",
         "step back [ms]", "held at least", "held by rounds", "largest round", "over one round",
         "over two")
# On one CPU, ms: no interrupt takes longer.
NESTED = 1


def two_loads(*words):
    """A command that runs the load twice at the same time."""
    once = " ".join(map(str, ["./load", *words]))
    return ["sh", "-c", f"{once} & {once}; wait"]


def add_order(table, name, path, picture=None, streams=1):
    """A row of numbers; what must hold of a file with so many streams per CPU is checked."""
    found = order_of(path, picture)
    if found["late"]:
        raise Failed(f"{path}: {found['late']:.0f} records are later than rounds allow")
    if streams == 1 and found["own_step"] > NESTED:
        raise Failed(f"{path}: a record is {found['own_step']} ms older than one on its own CPU")
    table.add(name, *(found[key] for key in ("timed", "unordered", "own", "step", "held",
                                              "held_by_rounds", "round", "crossing", "late")))
    return found


def order(lab):
    """Figure 6: time over the number of the record, on two CPUs."""
    table = Table(*ORDER)
    path, _ = lab.host.record("order-paper", "-a", "-T", "-F", 1000, "-e", "cpu-clock",
                              *two_loads(20))
    add_order(table, "``-F 1000 -e cpu-clock``", path, lab.folder / "order.svg")
    path, _ = lab.host.record("order-faults", "-a", "-T", "-c", 1, "-e", "page-faults",
                              *two_loads(9, 300000))
    add_order(table, "``-c 1 -e page-faults``", path, lab.folder / "order-faults.svg")
    path, _ = lab.host.record("order-small", "-a", "-T", "-F", 20000, "-m", 4, "-e", "cpu-clock",
                              *two_loads(2))
    found = add_order(table, "``-F 20000 -m 4 -e cpu-clock``", path)
    if not found["crossing"]:
        raise Failed(f"{path}: no record is older than one before the last round")
    table.note(f"Machine: {lab.host.facts()}.")
    return table


def order_model(lab):
    """The same with a hardware event, and of kermon run."""
    table = Table(*ORDER)
    path, _ = lab.guest.record("order-model", "-a", "-T", "-F", 1000, "-e", "cycles",
                               *two_loads(5))
    add_order(table, "``perf record -a -T -F 1000 -e cycles``", path)
    path = lab.folder / "order-kermon.data"
    lab.guest.run(KERMON, "run", "--interval", "1ms", "-o", path.name, "--", *two_loads(2))
    add_order(table, "``kermon run --interval 1ms``", path, streams=2)
    table.note(f"Machine: {lab.guest.facts()}.")
    return table


def times(lab):
    """Footnote 1: whether -T has any influence."""
    table = Table("``perf record``", "with a time", "``sample_type``")
    seen = {}
    for options in ("", "-a", "-i", "--per-thread", "-i --per-thread"):
        for more in ("", " -T"):
            words = (options + more).split()
            path, _ = lab.host.record("times", *words, "-e", "cpu-clock", "true")
            fields = re.search(r"sample_type ([A-Z_|]+)", attrs_of(path)["cpu-clock"])[1]
            seen[options, bool(more)] = has = "TIME" in fields.split("|")
            table.add(f"``{' '.join(words)}``" if words else "", "yes" if has else "no", fields)
    without = [options for options in ("", "-a") if not seen[options, False]]
    if without or not seen["-i --per-thread", True] or seen["-i --per-thread", False]:
        raise Failed(f"other options have times than the document says: {seen}")
    table.note(f"Machine: {lab.host.facts()}.")
    return table


def samples_of(path, event):
    """Time in s, and period, of each sample of an event."""
    lines = kermon(path.parent, "script", "--no-pager", "--ns", "-F", "time,event,period",
                   path.name).splitlines()
    found = [re.match(r" *([\d.]+): +(\d+) +(\S+?):? *$", line) for line in lines]
    return [(float(match[1]), int(match[2])) for match in found
            if match and match[3].split(":")[0] == event]


def add_rate(table, machine, event, *options):
    path, _ = machine.record("rate", "-e", event, *options, "./load", 2)
    attr = next(iter(attrs_of(path).values()))
    asked = re.search(r"sample_(freq|period) (\d+)", attr)
    samples = samples_of(path, event)
    if len(samples) < 10:
        raise Failed(f"{path}: {len(samples)} samples of {event}")
    periods = [period for _, period in samples]
    table.add(f"``{event}``", f"``{' '.join(map(str, options))}``" if options else "",
              f"{asked[1]} {int(asked[2]):,}",
              (len(samples) - 1) / (samples[-1][0] - samples[0][0]), periods[0],
              min(periods), int(statistics.median(periods)), max(periods))


RATE = ("event", "option", "in the attr", "samples/s", "first period", "lowest", "median",
        "highest")
OPTIONS = ((), ("-F", 1000), ("-c", 1000000))


def rates_of(machine, event, unit):
    table = Table(*RATE)
    for options in OPTIONS:
        add_rate(table, machine, event, *options)
    table.note(f"Periods are {unit}. Machine: {machine.facts()}.")
    return table


def rate(lab):
    """Section 2.1: 1000 samples/s by default, or one for n events."""
    return rates_of(lab.host, "cpu-clock", "ns")


def rate_model(lab):
    """The same of a hardware event, whose period the kernel adjusts."""
    return rates_of(lab.guest, "cycles", "cycles of the model")


def lost_of(path):
    return sum(int(re.search(r"lost (\d+)", line)[1]) for line in dumped(path, "LOST"))


def buffers(lab):
    """Figure 2: what the size of the buffers has to do with it."""
    table = Table("``perf record -a``", "woken", "rounds", "records with a time", "lost",
                  "step back [ms]", "held at least", "held by rounds")
    for options in (("-m", 1), ("-m", 16), (), ("-m", 1024), ("--no-buffering",)):
        path, said = lab.host.record("buffers", "-a", "-c", 1, "-e", "page-faults", *options,
                                     *two_loads(9, 100000))
        found = order_of(path)
        woken = re.search(r"Woken up (\d+) times", said)
        table.add(f"``{' '.join(map(str, options))}``" if options else "(``-m 128``)",
                  int(woken[1]), found["rounds"], found["timed"], lost_of(path), found["step"],
                  found["held"], found["held_by_rounds"])
    table.note(f"Pages of 4 KiB per CPU. Machine: {lab.host.facts()}.")
    return table


CLOCKS = ("CLOCK_MONOTONIC", "CLOCK_MONOTONIC_RAW", "CLOCK_BOOTTIME", "CLOCK_REALTIME",
          "CLOCK_TAI")
CHANGES, PAUSE_MS = 200, 10


def comm_times(path):
    """{(pid, name): time in ns} of the COMM records with a time."""
    found = {}
    for text in dumped(path, "COMM"):
        match = re.search(r"pid (\d+), tid \d+, comm (\S+), .*id\.time (\d+)\.(\d{9})", text)
        if match:
            found[match[1], match[2]] = int(match[3]) * 10 ** 9 + int(match[4])
    return found


def change_names(lab, *options):
    """{name: its COMM time, and (before, after) of each clock}, and what they are of."""
    path = lab.folder / "clock.data"
    out, _ = lab.host.run("perf", "record", "-q", "-o", path.name, *options, "-e", "dummy:u",
                          "./clocks", CHANGES, PAUSE_MS)
    stamps, found = comm_times(path), {}
    for text in out.splitlines():
        pid, name, *ns = text.split()
        ns = list(map(int, ns))
        if (pid, name) not in stamps or (pid, name + "x") not in stamps:
            raise Failed(f"{path}: no COMM record of {name}")
        found[name] = (stamps[pid, name], list(zip(ns[::2], ns[1::2])),
                       stamps[pid, name + "x"])
    if len(found) != CHANGES:
        raise Failed(f"{path}: {len(found)} changes of the name, not {CHANGES}")
    return found


def inside(found, clock):
    """How many records are between the readings of the clock before and after."""
    return sum(before <= stamp <= after for stamp, all_clocks, _ in found.values()
               for before, after in [all_clocks[clock]])


def offsets(found, clock):
    """How far ahead of the clock each record is, in ns, and how uncertain that is."""
    pairs = [(stamp, *all_clocks[clock]) for stamp, all_clocks, _ in found.values()]
    return ([stamp - (before + after) / 2 for stamp, before, after in pairs],
            statistics.median((after - before) / 2 for _, before, after in pairs))


def add_clock(table, name, at, found):
    """Returns the number of records between the readings."""
    ahead, uncertain = offsets(found, at)
    within = inside(found, at)
    table.add(name, f"``{CLOCKS[at]}``", within, f"{ahead[0] / 1e9:+,.6f}",
              f"{(ahead[-1] - ahead[0]) / 1e3:+.2f}", f"{uncertain / 1e3:.2f}")
    return within


def clock(lab):
    """Section 3.2: what the time of a record is."""
    table = Table("``perf record``", "clock", "between its readings", "ahead of it [s]",
                  "change in 2 s [us]", "uncertain by [us]")
    default = change_names(lab)
    for at in range(len(CLOCKS)):
        if add_clock(table, "", at, default) == CHANGES:
            raise Failed(f"the default clock is {CLOCKS[at]}")
    for at, name in enumerate(CLOCKS):
        found = change_names(lab, "-k", name)
        within = add_clock(table, f"``-k {name}``", at, found)
        if within != CHANGES:
            raise Failed(f"-k {name}: {CHANGES - within} records are not between its readings")
    table.note(f"{CHANGES} COMM records in {CHANGES * PAUSE_MS / 1000:.0f} s. "
               f"Machine: {lab.host.facts()}.")
    return table


def log_times(text):
    """{(pid, name): us} of the lines that the program clocks wrote to the kernel's log."""
    found = {}
    for line in text.splitlines():
        match = re.match(r"\d+,\d+,(\d+),[^;]*;kermon-paper (\d+) (\S+)", line)
        if match:
            found[match[2], match[3]] = int(match[1])
    return found


def kernel_log():
    """The kernel's log from its beginning, without waiting for more."""
    done = subprocess.run(["dd", "if=/dev/kmsg", "iflag=nonblock", "bs=8192"], text=True,
                          errors="replace", capture_output=True, check=False)
    return done.stdout


def kernel_clock(lab):
    """Section 3.2: whether the default clock is that of the kernel's log, local_clock()."""
    table = Table("lines of the log", "between two COMM records",
                  "time between the two [us]")
    out, _ = lab.host.run("perf", "record", "-q", "-o", "clock.data", "-e", "dummy:u",
                          "./clocks", CHANGES, PAUSE_MS)
    stamps = comm_times(lab.folder / "clock.data")
    pid = out.split()[0]
    lines = {name: us for (of, name), us in log_times(kernel_log()).items() if of == pid}
    if not lines:
        raise Failed("the kernel's log has no lines of the program: be root, and set "
                     "sysctl kernel.printk_devkmsg=on")
    pairs = [(stamps[pid, name], us * 1000, stamps[pid, name + "x"])
             for name, us in lines.items()]
    # the log has whole us
    within = sum(before - 1000 <= us <= after for before, us, after in pairs)
    table.add(len(pairs), within,
              statistics.median(after - before for before, _, after in pairs) / 1000)
    if within != len(pairs):
        raise Failed(f"{len(pairs) - within} lines of the log are not between COMM records")
    table.note("The kernel drops further lines of programs, unless ``kernel.printk_devkmsg`` "
               f"is ``on``. Machine: {lab.host.facts()}.")
    return table


def add_repeats(table, name, path):
    """How often a sample has the time of another one, or an older one on its CPU."""
    newest, seen, same, other, back = {}, set(), 0, 0, 0
    for text in dumped(path, "SAMPLE"):
        match = re.search(r"time (\d+)\.(\d{9}).* cpu (\d+)", text)
        stamp, cpu = int(match[1]) * 10 ** 9 + int(match[2]), match[3]
        same += stamp == newest.get(cpu)
        other += stamp in seen and stamp != newest.get(cpu)
        back += stamp < newest.get(cpu, 0)
        newest[cpu] = stamp
        seen.add(stamp)
    if len(newest) < 2 or back:
        raise Failed(f"{path}: {back} samples are older than one on their CPU")
    table.add(name, len(seen), same, other, back)


REPEATS = ("recording", "different times", "as one on the CPU", "as one on another CPU",
           "older than one on the CPU")


def repeats(lab):
    """Section 3.2: whether times increase strictly."""
    table = Table(*REPEATS)
    path, _ = lab.host.record("repeats", "-a", "-c", 1, "-e", "page-faults",
                              *two_loads(9, 200000))
    add_repeats(table, "``perf record -a -c 1 -e page-faults``", path)
    table.note(f"Machine: {lab.host.facts()}.")
    return table


def repeats_model(lab):
    """The same of kermon run, whose samples of one interval have one time."""
    table = Table(*REPEATS)
    path = lab.folder / "repeats-kermon.data"
    lab.guest.run(KERMON, "run", "--interval", "1ms", "-o", path.name, "--", *two_loads(1))
    add_repeats(table, "``kermon run --interval 1ms``", path)
    table.note(f"Machine: {lab.guest.facts()}.")
    return table


def speed(lab):
    """Section 6: readperf is slow, as it starts addr2line for each address."""
    table = Table("command", "seconds", "of what")
    path, _ = lab.host.record("speed", "-F", 20000, "-e", "cpu-clock", "--", "perf", "report",
                              "--stdio", "-i", "order-paper.data")
    nr = counted(path)["SAMPLE"]
    found = len({re.search(r"ip (\S+?),", text)[1] for text in dumped(path, "SAMPLE")})
    for words in (["perf", "report", "--stdio", "-i", path.name],
                  [KERMON, "readperf", "-q", "--output-dir", ".", path.name],
                  ["addr2line", "-f", "-e", KERMON, "0x1000"]):
        start = time.monotonic()
        run(words, lab.folder)
        took = time.monotonic() - start
        one = words[0] == "addr2line"
        name = " ".join([str(getattr(words[0], "name", words[0])), *map(str, words[1:2])])
        table.add(f"``{name}``", took * (found if one else 1),
                  f"{found:,} addresses, {took * 1000:.1f} ms each (computed)" if one else
                  f"{nr:,} samples, {found:,} addresses")
    table.note(f"Machine: {lab.host.facts()}.")
    return table


EXPERIMENTS = {
    "order": order, "order-model": order_model, "times": times, "rate": rate,
    "rate-model": rate_model, "buffers": buffers, "clock": clock,
    "kernel-clock": kernel_clock, "repeats": repeats, "repeats-model": repeats_model,
    "speed": speed,
}
