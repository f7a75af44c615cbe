# SPDX-License-Identifier: GPL-2.0
"""The names of numbers in reports, and which columns there are."""

import csv
import io
import json

import synthetic

BOTH_MODES = [
    ("instructions:u", synthetic.HARDWARE, 1), ("instructions:k", synthetic.HARDWARE, 1),
    ("cycles:u", synthetic.HARDWARE, 0), ("cycles:k", synthetic.HARDWARE, 0),
    ("L1D:REPLACEMENT:u", synthetic.RAW_TYPE, 0x151),
    ("L1D:REPLACEMENT", synthetic.RAW_TYPE, 0x151),
    ("r00c0", synthetic.RAW_TYPE, 0xc0), ("r00c0", synthetic.RAW_TYPE, 0xc0),
    ("oncpu", synthetic.SOFTWARE, 1), ("dummy:u", synthetic.SOFTWARE, 9),
]
AMD_KINDS = [
    ("RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS:u", synthetic.RAW_TYPE, 0x103),
    ("RETIRED_SSE_AVX_FLOPS:MULT_FLOPS:DIV_FLOPS:u", synthetic.RAW_TYPE, 0x603),
    ("RETIRED_SSE_AVX_FLOPS:MAC_FLOPS:u", synthetic.RAW_TYPE, 0x803),
    ("cycles:u", synthetic.HARDWARE, 0), ("oncpu", synthetic.SOFTWARE, 1),
]
AMD_ALL = [("RETIRED_SSE_AVX_FLOPS:ANY:u", synthetic.RAW_TYPE, 0xf03), *AMD_KINDS]
CLOCKS = [("load", synthetic.SOFTWARE, 0), ("load", synthetic.SOFTWARE, 1),
          ("cpu-clock:u", synthetic.SOFTWARE, 0), ("oncpu", synthetic.SOFTWARE, 1)]
TURNS = [("FP_COMP_OPS_EXE:SSE_PACKED_SINGLE:u", synthetic.RAW_TYPE, 0x4010),
         ("SIMD_FP_256:PACKED_DOUBLE:u", synthetic.RAW_TYPE, 0x211),
         ("oncpu", synthetic.SOFTWARE, 1)]
NAMED = [("cpu-clock:u", synthetic.SOFTWARE, 0), ("cpu-clock:k", synthetic.SOFTWARE, 0),
         ("cpu-clock", synthetic.SOFTWARE, 0), ("load", synthetic.HARDWARE, 3),
         ("misses:u", synthetic.HARDWARE, 3), ("faults:u", synthetic.SOFTWARE, 2),
         ("sched:switch", synthetic.RAW_TYPE, 1), ("cpu/x=1/u", synthetic.RAW_TYPE, 2),
         ("load", synthetic.HARDWARE, 3), ("misses:u", synthetic.HARDWARE, 3),
         ("oncpu", synthetic.SOFTWARE, 1)]
OTHER_MODES = [("instructions:u", synthetic.HARDWARE, 1), ("cycles:k", synthetic.HARDWARE, 0),
               ("oncpu", synthetic.SOFTWARE, 1)]


def write(path, events, periods, slices=1, sets=None, chain=b""):
    """Intervals of one thread, 100 ms apart, each longer than the one before; of rotated
    sets with these numbers of events."""
    saved, synthetic.EVENTS[:] = list(synthetic.EVENTS), events
    oncpu, synthetic.ONCPU = synthetic.ONCPU, [name for name, *_ in events].index("oncpu")
    synthetic.with_modes = True
    synthetic.sums.clear()
    data = synthetic.comm(1, 1, "a", 0) + synthetic.mmap2(1, 0x400000, 0x10000, "/no/a", 0)
    for turn in range(slices):
        head, time = turn + 1, 1000000000 + turn * 100000000
        values = {index: period * head for index, period in enumerate(periods)}
        values[synthetic.ONCPU] = values["oncpu"] = 1000 * head
        data += synthetic.interval(1, 1, 0, time, 0x401000, values,
                                   turn=turn % len(sets or [1]), chain=chain)
    notes = ["version=1", "complete=1"]
    if sets:
        notes += ["sets=" + ",".join(map(str, sets)), "rotate_ns=10000000"]
    path.write_bytes(synthetic.build(data, {synthetic.KERMON: synthetic.strings(notes)}))
    synthetic.EVENTS[:], synthetic.ONCPU, synthetic.with_modes = saved, oncpu, False


def headings(text):
    """Headings of the columns of the last table, from top to bottom."""
    lines = text.split("\n\n")[1].splitlines()
    end = next(at for at, line in enumerate(lines) if line.lstrip()[:1].isdigit())
    return " ".join(" ".join(lines[1:end]).split())


def check_modes(kermon, path):
    write(path, BOTH_MODES, [5, 7, 10, 10, 3, 4, 8, 9, 0, 0])
    text = kermon("report", "-i", str(path), "-s", "comm").stdout
    for name in ("instructions:u", "instructions:k", "cycles:u", "cycles:k",
                 "REPLACEMENT:u", "REPLACEMENT:uk", "#2"):
        if name not in headings(text):
            return f"no {name} in {headings(text)}"
    rows = list(csv.reader(io.StringIO(kermon("report", "-i", str(path), "-s", "comm",
                                              "--csv").stdout)))
    wanted = ["comm", "samples", "percent", "estimate", "instructions:u", "instructions:k",
              "cycles:u", "cycles:k", "L1D:REPLACEMENT:u", "L1D:REPLACEMENT", "r00c0",
              "r00c0#2", "oncpu_ns", "ipc"]
    if rows != [wanted, ["a", "1", "100", "no", "5", "7", "10", "10", "3", "4", "8", "9", "1000",
                         "0.6"]]:
        return f"CSV: {rows}"
    row = json.loads(kermon("report", "-i", str(path), "-s", "comm", "--json").stdout)["rows"][0]
    if list(row["values"]) != wanted[4:-1] or (row["flop_double"], row["flop"]) != (None, None):
        return f"JSON: {row}"
    return None


def check_long_names(kermon, path):
    """Similar names that are longer than a heading."""
    names = ["n" * 300, "n" * 300 + "m", "n" * 300, "n" * 250, "n" * 250]
    write(path, [(name, synthetic.RAW_TYPE, 0x151) for name in names] +
          [("oncpu", synthetic.SOFTWARE, 1)], [1, 2, 3, 4, 5, 0])
    rows = list(csv.reader(io.StringIO(kermon("report", "-i", str(path), "-s", "comm",
                                              "--csv").stdout)))
    head = rows[0][4:]
    return f"{rows}" if len(set(head)) != 6 or head[1][-2:] != "#2" or head[2][-2:] != "#3" or \
        rows[1][4:] != ["1", "2", "3", "4", "5", "1000"] else None


def check_units(kermon, path):
    """Clocks count time, whatever their name; no two quantities have the same name."""
    write(path, CLOCKS, [1, 2, 3, 0])
    wanted = ["load_ns", "load_ns#2", "cpu-clock:u_ns", "oncpu_ns"]
    head = kermon("report", "-i", str(path), "-s", "time", "--csv").stdout.splitlines()[0]
    if head.split(",") != ["time_s", "samples", "percent", "estimate", *wanted]:
        return head
    kermon("readperf", "--output-dir", str(path.parent), str(path))
    head = (path.parent / "processes.csv").read_text().splitlines()[0].split(",")
    if head[-8:] != ["load_records", "load_ns", "load_records#2", "load_ns#2",
                     "cpu-clock:u_records", "cpu-clock:u_ns", "oncpu_records", "oncpu_ns"]:
        return f"{head}"
    for command in ["report"], ["export", "-f", "json"]:
        text = kermon(*command, "-i", str(path), *["--json"][:len(command) == 1]).stdout
        found = [(event["field"], event["unit"]) for event in json.loads(text)["events"]]
        if found != [(field, "ns") for field in wanted]:
            return f"{command}: {found}"
    said = json.loads(kermon("diff", "--event", "load", "--json", str(path), str(path)).stdout)
    return None if (said["field"], said["unit"]) == ("load_ns", "ns") else f"{said}"


def sums_by_name(kermon, path, wanted):
    """What report, diff and export select for an event, or their message."""
    report = kermon("report", "-i", str(path), "-s", "comm", "--event", wanted, "--json")
    diff = kermon("diff", "-s", "comm", "--event", wanted, "--json", str(path), str(path))
    folded = kermon("export", "-i", str(path), "--event", wanted)
    if [done.returncode for done in (report, diff, folded)] == [1, 1, 1]:
        return [done.stderr.splitlines()[0].split(": ")[2] for done in (report, diff, folded)]
    weight = json.loads(report.stdout)["weight"]
    return [json.loads(report.stdout)["rows"][0]["values"][weight],
            json.loads(diff.stdout)["files"][0]["total"], int(folded.stdout.split()[-1])]


def check_names(kermon, path):
    """The exact name first, then the only one without its modifiers; never a guess."""
    write(path, NAMED, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
    for wanted, found in (("cpu-clock", 3), ("cpu-clock:u", 1), ("CPU-CLOCK:K", 2), ("faults", 6),
                          ("sched:switch", 7), ("cpu/x=1/", 8), ("cpu/x=1/u", 8),
                          ("load", 4), ("load#2", 9),
                          ("misses", "'misses' matches several events; choose one of:"),
                          ("sched", "no event 'sched'; its events are:"),
                          ("load#3", "no event 'load#3'; its events are:")):
        if sums_by_name(kermon, path, wanted) != [found] * 3:
            return f"{wanted}: {sums_by_name(kermon, path, wanted)}, not {found}"
    said = kermon("report", "-i", str(path), "--event", "misses").stderr.split("\n  ")[1:]
    return None if " ".join(said).split() == ["misses:u", "misses:u#2"] else f"{said}"


def check_many(kermon, path):
    """Many columns: each number is under its own heading."""
    write(path, [(f"r{index:04x}", synthetic.RAW_TYPE, index) for index in range(70)] +
          [("oncpu", synthetic.SOFTWARE, 1)], [index % 3 for index in range(70)] + [0])
    lines = kermon("readperf", "--output-dir", str(path.parent), str(path)).stdout.splitlines()
    wanted = [index % 3 != 0 for index in range(70)] + [True]
    if len(lines) != 3 or [word != "-" for word in lines[2].split()[-71:]] != wanted:
        return "\n".join(lines)
    return None


def check_ipc(kermon, path):
    """Instructions of one mode are not divided by cycles of another; there is no
    message."""
    write(path, OTHER_MODES, [5, 10, 0])
    text = kermon("report", "-i", str(path), "-s", "comm").stdout
    said = json.loads(kermon("report", "-i", str(path), "-s", "comm", "--json").stdout)
    return f"{said['rows']}\n{text}" if said["rows"][0]["ipc"] is not None or "IPC" in text \
        else None


def check_empty_ipc(kermon, path):
    """Rows of one event have no instructions, or no cycles: their IPC is empty, not 0."""
    write(path, BOTH_MODES, [5, 7, 10, 10, 3, 4, 8, 9, 0, 0])
    said = json.loads(kermon("report", "-i", str(path), "-s", "event", "--json").stdout)
    table = csv.DictReader(io.StringIO(kermon("report", "-i", str(path), "-s", "event",
                                              "--csv").stdout))
    found = [row["ipc"] for row in said["rows"]], [row["ipc"] for row in table]
    return None if found == ([None] * 9, [""] * 9) else f"{found}"


def check_no_ipc(kermon, path):
    """There is no footnote on IPC without such a column."""
    write(path, AMD_KINDS, [1, 2, 4, 10, 0])
    text = kermon("report", "-i", str(path), "-s", "comm").stdout
    return text if "IPC" in text else None


def check_amd(kermon, path):
    """Operations by kind are summed; an event that counts all of them is the sum itself."""
    for events, periods, columns in ((AMD_KINDS, [1, 2, 4, 10, 0], "subtract divide fused FLOP"),
                                     (AMD_ALL, [7, 1, 2, 4, 10, 0], "FLOP subtract divide fused")):
        write(path, events, periods)
        row = json.loads(kermon("report", "-i", str(path), "-s", "comm",
                                "--json").stdout)["rows"][0]
        if (row["flop"], row["flop_single"], row["flop_double"]) != (7, None, None):
            return f"{row}"
        text = headings(kermon("report", "-i", str(path), "-s", "comm").stdout)
        found = [word for word in text.replace(",", " ").split() if word in columns.split()]
        if found != columns.split():
            return f"{text}: {found}"
    return None


def check_time(kermon, path):
    """Slices of time are in the order of time, unless an event is given."""
    write(path, OTHER_MODES, [5, 10, 0], slices=12)
    for options in (["-s", "time"], ["-s", "comm,time"], ["-s", "time", "--event", "oncpu"]):
        rows = json.loads(kermon("report", "-i", str(path), "--json", *options).stdout)["rows"]
        times = [row["time_s"] for row in rows]
        if len(times) != 12 or times != sorted(times, reverse="--event" in options):
            return f"{options}: {times}"
    table = kermon("report", "-i", str(path), "--csv", "-s", "time").stdout.splitlines()[1:]
    if [line.split(",")[3] for line in table] != ["yes"] * 12:
        return f"where in time an interval was is an estimate: {table}"
    told = kermon("report", "-i", str(path), "--csv", "-s", "comm", "--time", "1,2").stdout
    if told.splitlines()[1].split(",")[3] != "yes":
        return f"of a part of the time: {told}"
    text = kermon("report", "-i", str(path), "-s", "time").stdout.split("\n\n")[1].splitlines()
    times = [line.split()[1] for line in text if line.lstrip().startswith("~")]
    if [line.partition(",")[0] for line in table] != times or times != sorted(times):
        return f"{table} {text}"
    return None


def check_turns(kermon, path):
    """FLOP of rotated sets are as measured, and an estimate of all. Each set has its event
    in both intervals here, of which 1/3 and 2/3 of the time are its turns."""
    write(path, TURNS, [30, 40, 0], slices=2, sets=[1, 1])
    rows = list(csv.DictReader(io.StringIO(kermon("report", "-i", str(path), "-s", "comm",
                                                  "--csv").stdout)))
    wanted = {"flop_single": "360", "flop_single_estimate": "1080", "flop_double": "480",
              "flop_double_estimate": "720"}
    if {name: rows[0].get(name) for name in wanted} != wanted:
        return f"CSV: {rows}"
    row = json.loads(kermon("report", "-i", str(path), "-s", "comm", "--json").stdout)["rows"][0]
    if {name: str(row.get(name)) for name in wanted} != wanted:
        return f"JSON: {row}"
    text = kermon("report", "-i", str(path), "-s", "comm").stdout
    text = headings("\n\n" + text[text.index("\ncomm\n") + 1:])
    return None if text.count("measured") == 2 else text


def check_samples(kermon, path):
    """A sample is an interval of a thread, whatever it counted; rows by event have
    records."""
    write(path, OTHER_MODES, [5, 10, 0], slices=12)
    for keys, wanted in (("comm", [12]), ("sym", [12]), ("event", [12, 12, 12])):
        said = json.loads(kermon("report", "-i", str(path), "--json", "-s", keys).stdout)
        name = "records" if keys == "event" else "samples"
        table = kermon("report", "-i", str(path), "--csv", "-s", keys).stdout.splitlines()
        if [row[name] for row in said["rows"]] != wanted or \
           table[0].split(",")[1] != name or \
           ("records" in said["rows"][0], "samples" in said["rows"][0]).count(True) != 1 or \
           [event["records"] for event in said["events"]] != [12, 12, 12]:
            return f"{keys}: {said['rows']}"
    said = json.loads(kermon("export", "-i", str(path), "-f", "json").stdout)
    return None if [stack["samples"] for stack in said["stacks"]] == [12] else f"{said}"


def check_estimates(kermon, path):
    """What depends on where intervals ended is an estimate; other sums are not."""
    write(path, OTHER_MODES, [12345, 10, 0])
    for options, wanted in (["-s", "comm"], False), (["-s", "cpu,pid"], False), \
            (["-s", "time,cpu"], True), (["-s", "sym"], True), (["-s", "comm,dso"], True), \
            (["-s", "srcline"], True), (["-s", "addr"], True), (["-s", "comm", "-d", "a"], True):
        rows = json.loads(kermon("report", "-i", str(path), "--json", *options).stdout)["rows"]
        table = list(csv.DictReader(io.StringIO(kermon("report", "-i", str(path), "--csv",
                                                       *options).stdout)))
        text = kermon("report", "-i", str(path), *options).stdout
        if [row["estimate"] for row in rows] != [wanted] or \
           [row["estimate"] for row in table] != ["yes" if wanted else "no"] or \
           ("~12,300" in text, "12,345" in text.split("\n\n")[1]) != (wanted, not wanted) or \
           ("~: estimates" in text) != wanted:
            return f"{options}: {rows}\n{text}"
    same = kermon("diff", str(path), str(path)).stdout
    return None if "~12,300" not in same and "~0.00000100" in same and "[s]" in same else same


def check_calls(kermon, path):
    """Graphs of estimates are estimates, in the unit of the row."""
    synthetic.SAMPLE_TYPE |= synthetic.CALLCHAIN
    write(path, [*OTHER_MODES, ("power/energy-pkg/", synthetic.POWER, 2)], [12345, 10, 0, 3 << 31],
          chain=synthetic.pack("QQQ", 2, 0x401000, 0x402000))
    synthetic.SAMPLE_TYPE &= ~synthetic.CALLCHAIN
    found = []
    for by, style, wanted in (("instructions:u", "flat,0,period", "~12,300"),
                              ("instructions:u", "flat,0,percent", "~100%"),
                              ("power/energy-pkg/", "flat,0,period", "~1.50")):
        text = kermon("report", "-i", str(path), "-s", "sym", "--event", by, "-g", style).stdout
        if f"\n            {wanted}\n" not in text:
            found.append(f"{by} {style}: no {wanted} in {text}")
    row = json.loads(kermon("report", "-i", str(path), "-s", "sym", "--event", "power/energy-pkg/",
                            "--json", "-g", "caller").stdout)["rows"][0]
    if [call["value"] for call in row["calls"]] != [1.5]:
        found.append(f"{row['calls']}")
    return "\n".join(found) or None


def check_digits(kermon, path):
    """Three digits of an estimate, the last one rounded, in either format."""
    for period, exact, brief in ((7, "~7", "~7"), (999, "~999", "~999"), (1000, "~1,000", "~1000"),
                                 (9996, "~10,000", "~10.0k"), (99949, "~99,900", "~99.9k"),
                                 (99950, "~100,000", "~100k"), (999600, "~1,000,000", "~1.00M"),
                                 (2**63, "~9,220,000,000,000,000,000", "~9.22E")):
        write(path, OTHER_MODES, [period, 10, 0])
        for columns, wanted in ((0, exact), (40, brief)):
            text = kermon("report", "-i", str(path), "-s", "sym", columns=columns).stdout
            if wanted not in text.split("Events")[1].split("sym", 1)[1].split():
                return f"{period}: no {wanted} in {text}"
    return None


def check(kermon, folder):
    path = folder / "columns.data"
    checks = (check_modes, check_long_names, check_units, check_names, check_many, check_ipc,
              check_empty_ipc, check_no_ipc, check_amd, check_time, check_turns, check_samples,
              check_estimates, check_calls, check_digits)
    problems = ((each.__name__, each(kermon, path)) for each in checks)
    return "\n".join(f"{name}: {problem}" for name, problem in problems if problem) or None
