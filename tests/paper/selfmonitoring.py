# SPDX-License-Identifier: GPL-2.0
"""Weaver's study of what it costs a thread to count itself, figures 1 to 8, by kermon bench
overhead: the study's medians, in cycles of its processors, beside ours in instructions of the
virtual machine."""

import json

import boxes
import weaver
from boxes import Panel
from machine import KERMON, Failed, run
from selfmachines import (CLANG, CPUS, LIBRARIES, MAIN, METHODS, MOST_EVENTS, NARROW, NEW,
                          OF_COMPILERS, OLD, OWN, REPEAT, Machines, Result, today)
from tables import Table

STEPS = ("start", "first read", "stop", "total")
# What the study calls them.
THEIRS = {"start": "start", "first read": "read", "stop": "stop", "total": "total"}
CYCLES, INSTRUCTIONS = "cycles", "instructions"


def machines(lab):
    """One for all experiments."""
    if not hasattr(lab, "self_monitoring"):
        lab.self_monitoring = Machines(lab)
    return lab.self_monitoring


def on_main(lab):
    """The measurements of the machine that most figures show."""
    return machines(lab).methods({"": MAIN})[""]


def repetitions(table, results):
    """Processes of a cell: those of the methods that the table names, or of all but libraries."""
    shown = {cell for row in [table.heading, *table.rows] for cell in row} & set(METHODS)
    shown = shown or set(METHODS) - set(LIBRARIES)
    found = {}
    for result in results:
        for (method, _), cell in result.cells.items():
            if method in shown:
                found.setdefault(cell["processes"], set()).add(method)
    (most, _), *others = sorted(found.items(), reverse=True)
    return f"{most} processes" + "".join(f", {number} of {' and '.join(sorted(methods))}"
                                         for number, methods in others)


def say_machine(table, results, more="", study=True):
    """Below a table: where our columns are from, and in which unit; and those of the study."""
    versions = ", ".join(dict.fromkeys(f"Linux {result.facts.kernel} ({result.facts.compiler})"
                                       for result in results))
    cpus = ", ".join(dict.fromkeys(result.facts.cpu for result in results))
    table.note(f"Ours: {cpus}, one CPU, QEMU with KerMon's model of a PMU; {versions}; {today()}; "
               f"medians of {repetitions(table, results)}, in instructions of user and kernel mode, one "
               f"per nanosecond{more}.")
    if study:
        table.note(f"The study's: {weaver.SOURCE}; medians of 1024 processes in cycles of its "
                   "processors.")


def expect(*ordered):
    """Each value is less than the next one by a third at least."""
    for less, more in zip(ordered, ordered[1:]):
        if not less * 1.33 <= more:
            raise Failed(f"{less} is not clearly less than {more}")


def expect_same(values, part, what):
    """They differ by this part at most."""
    if max(values) > min(values) * (1 + part):
        raise Failed(f"{what}: {values} differ by more than {part:.0%}")


def picture(lab, name, title, panels):
    boxes.draw(lab.folder / f"weaver-{name}.svg", title, panels)


def of_study(machine, kernels, step):
    """{kernel: box}"""
    found = {name: weaver.box(machine, kernel, step) for name, kernel in kernels.items()}
    return {name: box for name, box in found.items() if box}


# By read(), linked as the last two of OWN.
READS = ("perf-read", "perf-read-static")


def kernels(lab):
    """Figure 1: start, read, stop and total by kernel."""
    results = machines(lab).methods({line: ("ivy-bridge", line) for line in (OLD, NEW)})
    table = Table("kernel", "interface", *STEPS)
    for kernel in weaver.KERNELS:
        name, _, interface = kernel.partition("-")
        table.add(name, interface or "perf_event",
                  *(weaver.median("core2", kernel, THEIRS[step]) for step in STEPS))
    for line, result in results.items():
        for method in (*READS, *OWN):
            table.add(line, method, *(result.median(method, step) for step in STEPS))
    say_machine(table, results.values())
    panels = []
    for step in STEPS:
        panels.append(Panel(f"{step}: the study, Core 2", CYCLES, weaver.KERNELS, {
            "perf_event": of_study("core2", {k: k for k in weaver.KERNELS[2:]}, THEIRS[step]),
            "perfmon2, perfctr": of_study("core2", {k: k for k in weaver.KERNELS[:2]},
                                          THEIRS[step])}))
        panels.append(Panel(f"{step}: ours, Ivy Bridge model", INSTRUCTIONS, list(results), {
            method: {line: result.box(method, step) for line, result in results.items()}
            for method in (*READS, *OWN)}))
    picture(lab, 1, "Figure 1: overhead by kernel", panels)
    for result in results.values():
        # Each beside the one that is linked in the same way; the page calls no library.
        for call, read in zip(OWN[1:], READS):
            expect(result.median("kermon-page", "total"), result.median(call, "total"),
                   result.median(read, "total"))
    return table


# Reads that execute nothing of the kernel.
IN_PROGRAM = ("kermon-page", "perf-rdpmc-touched-static")

# How far reads of kernels by gcc and clang may be apart. On 6.1, clang zeroes structures by
# "rep stosb", of which the model counts each byte as an instruction.
APART = {OLD: 0.6, NEW: 0.1}


def kernel_compiler(lab):
    """Figure 2: read by the compiler of the kernel."""
    results = machines(lab).methods({f"{compiler}, {line}": ("ivy-bridge", kernel)
                                     for line in (OLD, NEW)
                                     for compiler, kernel in (("gcc", line), ("clang", CLANG[line]))})
    table = Table("kernel", "compiler", "interface", *STEPS)
    for kernel, compiler in weaver.COMPILERS.items():
        table.add("3.10", compiler, "perf_event",
                  *(weaver.median("core2", kernel, THEIRS[step]) for step in STEPS))
    for method in OF_COMPILERS:
        for result in results.values():
            table.add(result.facts.kernel, result.facts.compiler, method,
                      *(result.median(method, step) for step in STEPS))
    say_machine(table, results.values())
    picture(lab, 2, "Figure 2: a read by the compiler of the kernel", [
        Panel("The study, Core 2", CYCLES, list(weaver.COMPILERS.values()), {
            "perf_event": of_study("core2", {name: kernel for kernel, name in
                                             weaver.COMPILERS.items()}, "read")}),
        Panel("Ours, Ivy Bridge model", INSTRUCTIONS, list(results), {
            method: {name: result.box(method, "first read") for name, result in results.items()}
            for method in OF_COMPILERS})])
    for line, most in APART.items():
        for method in OF_COMPILERS:
            expect_same([results[f"{compiler}, {line}"].median(method, "first read")
                         for compiler in ("gcc", "clang")],
                        0 if method in IN_PROGRAM else most, method)
    return table


def by_machine(lab, step, number, title):
    """The methods of the study on its machines and on our models, and those that it did not
    have."""
    results = machines(lab).methods({cpu: (cpu, NEW) for cpu in CPUS})
    table = Table("method", *(f"{name}, cycles" for name in weaver.MACHINES.values()),
                  *(f"{name} model" for name in CPUS.values()))
    names = list(dict.fromkeys([*weaver.METHODS, *(method for result in results.values()
                                                   for method in result.methods())]))
    for method in names:
        table.add(method, *(weaver.median(machine, weaver.METHODS.get(method), THEIRS[step])
                            for machine in weaver.MACHINES),
                  *(result.median(method, step) for result in results.values()))
    say_machine(table, results.values())
    for cpu in results:
        if cpu in NARROW:
            table.note(f"kermon-page on {CPUS[cpu]}: KerMon has taken all counters, as perf could let "
                       "narrow ones wrap unnoticed.")
    for cpu, result in results.items():
        for method, reason in result.reasons.items():
            table.note(f"{method} is not in the column {CPUS[cpu]}: {reason}.")
    picture(lab, number, title, [
        Panel("The study", CYCLES, list(weaver.METHODS), {
            name: of_study(machine, weaver.METHODS, THEIRS[step])
            for machine, name in weaver.MACHINES.items()}),
        Panel("Ours, models", INSTRUCTIONS, [name for name in names if name not in
                                             ("perfmon2", "perfctr")], {
            CPUS[cpu]: {method: result.box(method, step) for method in result.methods()}
            for cpu, result in results.items()})])
    return table, results


def methods(lab):
    """Figure 3: a read by method and machine."""
    table, results = by_machine(lab, "first read", 3, "Figure 3: the first read")
    for result in results.values():
        first = {method: result.median(method, "first read") for method in result.methods()}
        expect(first["perf-rdpmc-touched"], first["perf-syscall-static"], first["perf-rdpmc"])
        expect(first["perf-rdpmc-touched"], first["perf-read-static"], first["perf-read"])
        if first["kermon-page"] > 1.2 * result.median("kermon-page", "later read"):
            raise Failed("the first read of KerMon's page takes longer than later ones")
    return table


PROGRAMS = [(compiler, option) for compiler in ("gcc", "clang") for option in ("-O0", "-O2")]


def programs(lab):
    """Figure 3: a read by the compiler of the program, and how it is linked."""
    chosen = ("perf-read", "perf-read-static", "perf-syscall-static",
              "perf-rdpmc-touched-static", *OWN)
    results = machines(lab).programs(PROGRAMS, chosen)
    table = Table("method", *(f"{compiler} {option}" for compiler, option in PROGRAMS))
    for method in chosen:
        table.add(method, *(result.median(method, "first read") for result in results.values()))
    say_machine(table, results.values(), study=False)
    picture(lab, "3-programs", "Figure 3: the first read by the compiler of the program", [
        Panel("Ours, Ivy Bridge model", INSTRUCTIONS, list(chosen), {
            f"{compiler} {option}": {method: result.box(method, "first read")
                                     for method in chosen}
            for (compiler, option), result in results.items()})])
    for (_, option), result in results.items():
        if option == "-O2":
            expect(result.median("kermon-page", "first read"),
                   result.median("perf-syscall-static", "first read"),
                   result.median("perf-read", "first read"))
    return table


def rdpmc(lab):
    """Figure 4: RDPMC without further precautions, by kernel."""
    results = machines(lab).methods({line: ("ivy-bridge", line) for line in (OLD, NEW)})
    table = Table("kernel", "read()", "RDPMC", "populated", "touched", "KerMon's page")
    for kernel in weaver.RDPMC_KERNELS:
        line = kernel.removesuffix("-rdpmc")
        table.add(line, weaver.median("core2", line, "read"),
                  weaver.median("core2", kernel, "read"),
                  *(weaver.median("core2", f"{kernel}-{way}", "read")
                    for way in ("map_populate", "touch")), "")
    ours = ("perf-read", "perf-rdpmc", "perf-rdpmc-populated", "perf-rdpmc-touched",
            "kermon-page")
    for line, result in results.items():
        table.add(line, *(result.median(method, "first read") for method in ours))
    say_machine(table, results.values())
    picture(lab, 4, "Figure 4: the first read by RDPMC", [
        Panel("The study, Core 2", CYCLES, [kernel.removesuffix("-rdpmc")
                                            for kernel in weaver.RDPMC_KERNELS], {
            "read()": of_study("core2", {kernel.removesuffix("-rdpmc"):
                                         kernel.removesuffix("-rdpmc")
                                         for kernel in weaver.RDPMC_KERNELS}, "read"),
            "RDPMC": of_study("core2", {kernel.removesuffix("-rdpmc"): kernel
                                        for kernel in weaver.RDPMC_KERNELS}, "read")}),
        Panel("Ours, Ivy Bridge model", INSTRUCTIONS, list(results), {
            method: {line: result.box(method, "first read") for line, result in results.items()}
            for method in ours})])
    for result in results.values():
        expect(result.median("perf-rdpmc-touched", "first read"),
               result.median("perf-rdpmc", "first read"))
        if result.median("perf-rdpmc", "first read") < \
                0.8 * result.median("perf-read-static", "first read"):
            raise Failed("the page fault costs less than a system call")
    return table


L1D = "0151"
CURVES = ("perf-read", "perf-rdpmc-touched-static", "kermon-page", "kermon-call")


def reads(lab):
    """Figure 5: each read in turn, with the lines that it loads into the L1 data cache."""
    result = machines(lab).caches(CURVES, L1D)
    numbers = range(1, 17)
    table = Table("read", "study: perf-read, Core 2", "Ivy Bridge", "perf-rdpmc-touched-static, "
                  "Core 2", *(f"{method}{what}" for method in CURVES for what in
                              ("", ", L1D lines")))
    theirs = [weaver.MANY[key] for key in (("core2", "perf-read"), ("ivybridge", "perf-read"),
                                           ("core2", "perf-rdpmc-touched-static"))]
    columns = []
    for method in CURVES:
        lines = result.counted(method)
        # Its counters run before the start.
        columns += [[box[1] for box in result.reads(method)],
                    ["", *lines[1:]] if method in OWN else lines]
    for number in numbers:
        table.add(number, *(weaver.median(machine, kernel, "read", read=number)
                            for machine, kernel in zip(("core2", "ivybridge", "core2"), theirs)),
                  *(column[number - 1] for column in columns))
    say_machine(table, [result], "; with the model of caches, which take no time")
    picture(lab, 5, "Figure 5: reads in turn", [
        Panel("The study", CYCLES, list(range(1, weaver.NR_MANY + 1)), {
            f"{method}, {weaver.MACHINES[machine]}": {
                number: weaver.box(machine, kernel, "read", read=number)
                for number in range(1, weaver.NR_MANY + 1)}
            for (machine, method), kernel in weaver.MANY.items()
            if machine in ("core2", "ivybridge")}, curve=True),
        Panel("Ours, Ivy Bridge model", INSTRUCTIONS, list(numbers), {
            method: dict(zip(numbers, result.reads(method))) for method in CURVES}, curve=True),
        Panel("Ours: loaded into the L1 data cache", "lines, 0 drawn as 1", list(numbers), {
            method: {number: (lines,) * 3 for number, lines in
                     list(zip(numbers, result.counted(method)))[method in OWN:]}
            for method in CURVES}, curve=True)])
    page = [box[1] for box in result.reads("kermon-page")]
    if max(page) > 1.2 * min(page):
        raise Failed("reads of KerMon's page differ")
    return table


WAYS = ("fresh", "touched", "same")


def expect_faults(found):
    """Every second read finds a page that was never written, if it was not written before."""
    for at in range(2, 8, 2):
        pair = found["fresh"][at:at + 2]
        if sum(row[3] for row in pair) != 1:
            raise Failed(f"page faults: {found}")
        expect(*sorted(row[0] for row in pair))
    if sum(row[3] for row in found["touched"]) > 1:
        raise Failed(f"page faults: {found}")


def stack_table(found, *more):
    table = Table("read", "study: Core 2", "Ivy Bridge", "Bobcat",
                  *(f"{way}{what}" for way in WAYS for what in
                    ("", *(f", {name}" for name in more))))
    theirs = [(machine, weaver.MANY[machine, "perf-read"]) for machine in
              ("core2", "ivybridge", "bobcat")]
    chosen = (0, 2, 3) if len(more) == 2 else (0, 3)
    for number in range(1, len(found["fresh"]) + 1):
        table.add(number, *(weaver.median(machine, kernel, "read", read=number)
                            for machine, kernel in theirs),
                  *(found[way][number - 1][at] for way in WAYS for at in chosen))
    return table


def stack(lab):
    """Figure 5: why its reads go up and down: a page of the stack that was never written."""
    found, facts = machines(lab).stack(WAYS)
    table = stack_table(found, "L1D lines", "page faults")
    table.note(f"Ours: {facts}, one CPU, QEMU with KerMon's model of a PMU and of caches, which "
               f"take no time; {today()}; medians of {REPEAT} processes, in instructions of "
               "user and kernel mode. A fault is counted in the next read, as it happens when a "
               "value is stored.")
    numbers = list(range(1, len(found["fresh"]) + 1))
    picture(lab, "5-stack", "Figure 5: where reads are stored", [
        Panel("Ours, Ivy Bridge model", INSTRUCTIONS, numbers, {
            way: {number: (row[0],) * 3 for number, row in zip(numbers, rows)}
            for way, rows in found.items()}, curve=True)])
    expect_faults(found)
    return table


def stack_host(lab):
    """The same on this machine, with software events."""
    found, facts = machines(lab).stack(WAYS, software=True)
    table = stack_table(found, "page faults")
    table.note(f"Ours: {facts}; medians of {REPEAT} processes, in TSC cycles.")
    expect_faults(found)
    return table


def start(lab):
    """Figure 6: start by method and machine."""
    table, results = by_machine(lab, "start", 6, "Figure 6: start")
    for result in results.values():
        for call, read in zip(OWN[1:], READS):
            expect(result.median("kermon-page", "start"), result.median(call, "start"),
                   result.median(read, "start"))
        if result.median("perf-read-static", "start") >= result.median("perf-read", "start"):
            raise Failed("a static program starts no faster")
    return table


# What the document says of stop in parts of start: of the study's, and of ours.
STOP_OF_START = {"perf-read": ((0.2, 0.4), (0.4, 0.55)),
                 "perf-read-static": ((0.3, 0.5), (0.5, 0.65))}


def expect_parts(parts, bounds, what):
    low, high = bounds
    for part in parts:
        if not low <= part <= high:
            raise Failed(f"{what} is {part:.0%}, not {low:.0%} to {high:.0%}")


def expect_stop_of_start(results):
    for method, (theirs, ours) in STOP_OF_START.items():
        kernel = weaver.METHODS[method]
        expect_parts([weaver.median(machine, kernel, "stop") / weaver.median(machine, kernel, "start")
                      for machine in weaver.MACHINES], theirs, f"stop of start, the study's {method}")
        expect_parts([result.median(method, "stop") / result.median(method, "start")
                      for result in results], ours, f"stop of start, our {method}")


def stop(lab):
    """Figure 7: stop by method and machine."""
    table, results = by_machine(lab, "stop", 7, "Figure 7: stop")
    for result in results.values():
        expect(result.median("kermon-page", "stop"), result.median("perf-read", "stop"))
        # The linker has found the function at the start.
        expect_same([result.median(method, "stop") for method in
                     ("perf-read", "perf-read-static")], 0.1, "stop")
    expect_stop_of_start(results.values())
    return table


# With so many events, static read() takes less than touched RDPMC here, and more in the study.
MANY_EVENTS = 3


def expect_pages(result, numbers):
    """perf updates a page of each event, so that RDPMC takes less than read() of few events."""
    static, touched = "perf-read-static", "perf-rdpmc-touched-static"
    for step in ("start", "stop"):
        expect_same([(result.median(touched, step, number) -
                      result.median(static, step, number)) / number for number in numbers],
                    0.05, f"the update of a page at {step}")
    for number in numbers:
        ours = [result.median(method, "total", number) for method in (static, touched)]
        theirs = [weaver.median("core2", weaver.VARYING[method], "total", number)
                  for method in (static, touched)]
        if (ours[0] < ours[1]) != (number >= MANY_EVENTS) or theirs[0] < theirs[1]:
            raise Failed(f"another order of {static} and {touched} with {number} events than the "
                         f"document says: ours {ours}, the study's {theirs}")


def events(lab):
    """Figure 8: the total by the number of events, of which each process reads all."""
    result = on_main(lab)
    numbers = list(range(1, MOST_EVENTS + 1))
    table = Table("method", *(f"study: {number}" for number in numbers),
                  *(f"{number} event{'s' if number > 1 else ''}" for number in numbers))
    names = list(dict.fromkeys([*weaver.VARYING, *result.methods()]))
    for method in names:
        totals = [result.median(method, "total", number) for number in numbers]
        table.add(method, *(weaver.median("core2", weaver.VARYING.get(method), "total", number)
                            for number in numbers), *totals)
        known = [total for total in totals if total != ""]
        if known != sorted(known):
            raise Failed(f"{method}: more events cost less")
    expect_pages(result, numbers)
    say_machine(table, [result])
    picture(lab, 8, "Figure 8: total by the number of events", [
        Panel("The study, Core 2", CYCLES, numbers, {
            method: {number: box for number in numbers
                     if (box := weaver.box("core2", kernel, "total", number))}
            for method, kernel in weaver.VARYING.items()}, curve=True),
        Panel("Ours, Ivy Bridge model", INSTRUCTIONS, numbers, {
            method: {number: box for number in numbers
                     if (box := result.box(method, "total", number))}
            for method in (*weaver.VARYING, *OWN, "papi") if (method, 1) in result.cells},
            curve=True)])
    return table


# The machines of the study and the models that have the same counters.
ALIKE = {"core2": "core2", "ivybridge": "ivy-bridge", "atom-cedarview": "core2",
         "bobcat": "four-counters"}
RDPMC = {"perf-rdpmc-populated", "perf-rdpmc-touched", "perf-rdpmc-touched-static"}


def chain(medians):
    """The methods in ascending order: "<" if the next one takes a tenth more."""
    names = sorted(medians, key=medians.get)
    text = names[0]
    for less, more in zip(names, names[1:]):
        text += f" {'<' if medians[more] >= 1.1 * medians[less] else '~'} {more}"
    return text


def differences(theirs, ours):
    """Pairs of methods of which the second one takes a fifth more in the study, but not here."""
    return [(less, more) for less in theirs for more in theirs if less in ours and more in ours
            and theirs[more] >= 1.2 * theirs[less] and ours[more] <= ours[less]
            and not {less, more} <= RDPMC]


def order(lab):
    """Figures 1, 3, 6 and 7: the order of the methods, in the study and here."""
    results = machines(lab).methods({cpu: (cpu, NEW) for cpu in ALIKE.values()})
    table = Table("step", "the study", "its order", "model", "our order", "another order")
    for step in STEPS:
        for machine, cpu in ALIKE.items():
            theirs = {method: found for method, kernel in weaver.METHODS.items()
                      if (found := weaver.median(machine, kernel, THEIRS[step])) != ""}
            ours = {method: results[cpu].median(method, step)
                    for method in results[cpu].methods()}
            others = differences(theirs, ours)
            table.add(step, weaver.MACHINES[machine], chain(theirs), CPUS[cpu], chain(ours),
                      ", ".join(f"{less} < {more}" for less, more in others) or "none")
            if machine in ("core2", "ivybridge") and others:
                raise Failed(f"{step} on {machine}: another order than in the study: {others}")
    say_machine(table, results.values())
    table.note("With one event. Another order: pairs of methods of which the second one takes at "
               "least a fifth more in the study, but not here, except for pairs of RDPMC without a page fault, which "
               "all take the same here.")
    return table


OBSERVED = ("start", "first read", "later read", "stop")


def accesses(lab):
    """What each step executes: all instructions, system calls, and accesses to registers."""
    result = on_main(lab)
    table = Table("method", *(f"{step}: instructions" if what == "" else what
                              for step in OBSERVED for what in ("", "WRMSR", "RDMSR", "RDPMC",
                                                                "calls")))
    for method in result.methods():
        cells = []
        for step in OBSERVED:
            seen = result.accesses(method, step)
            net = result.median(method, step) - result.cells[method, 1]["empty function"][step]
            cells += [net, seen["WRMSR"], seen["RDMSR"], seen["RDPMC"], seen["system calls"]]
        table.add(method, *(cell if cell is None else float(cell) for cell in cells))
    say_machine(table, [result], ", beyond those of an empty function; register accesses of the "
                "PMU, median of 3 processes", study=False)
    page, later = result.accesses("kermon-page", "later read"), "later read"
    instructions = result.median("kermon-page", later) - \
        result.cells["kermon-page", 1]["empty function"][later]
    if page["instructions of user mode"] != instructions or page["RDPMC"] != 1 or \
            any(result.accesses("kermon-page", step)["WRMSR"] for step in OBSERVED):
        raise Failed(f"a read of KerMon's page: {page}, {instructions} instructions")
    return table


def host(lab):
    """Figures 3 and 5, as far as a machine without a PMU can tell: software events."""
    chosen = ("perf-read", "perf-read-static", "perf-syscall", "perf-syscall-static")
    said, _ = run([KERMON, "bench", "overhead", "--software", "--json", "--repeat", REPEAT,
                   "--method", ",".join(chosen), "--svg", "weaver-host.svg"], lab.folder)
    result = Result(None, json.loads(said))
    table = Table("method", *STEPS[:2], "later read", *STEPS[2:])
    for method in chosen:
        table.add(method, *(result.median(method, name)
                            for name in (*STEPS[:2], "later read", *STEPS[2:])))
    if result.median("perf-syscall-static", "first read") >= \
            result.median("perf-read", "first read"):
        raise Failed("a dynamic read() costs no more than a system call")
    table.note(f"Machine: {lab.host.facts()}; medians of {repetitions(table, [result])}, in TSC "
               "cycles.")
    return table


EXPERIMENTS = {
    "self-monitoring-kernels-model": kernels, "self-monitoring-compiler-model": kernel_compiler,
    "self-monitoring-methods-model": methods, "self-monitoring-programs-model": programs,
    "self-monitoring-rdpmc-model": rdpmc, "self-monitoring-reads-model": reads,
    "stack-model": stack, "stack": stack_host, "self-monitoring-start-model": start,
    "self-monitoring-stop-model": stop, "self-monitoring-events-model": events,
    "self-monitoring-order-model": order, "self-monitoring-accesses-model": accesses, "self-monitoring-host": host,
}
