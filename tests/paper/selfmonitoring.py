# SPDX-License-Identifier: GPL-2.0
"""What it costs a thread to count itself: figures 1 to 7 of the study, by kermon bench overhead.
The virtual machine executes one instruction per nanosecond, and its TSC counts them."""

import csv
import io

from machine import KERMON, VM, Failed, run
from tables import Table

STEPS = ("start", "first read", "later read", "stop", "total")
REPEAT = 64         # on the model, where all processes take the same
HOST_REPEAT = 1024  # as in the study
TIMEOUT = 1200

# Medians of reads in the raw data of the study (github.com/deater/perfevent_overhead, folder
# rdtsc): cycles on Core 2 and Ivy Bridge with Linux 3.16.
STUDY = {
    "perf-read": (2879, 2867),
    "perf-read-static": (2166, 2233),
    "perf-rdpmc": (3334, 3039),
    "perf-rdpmc-populated": (190, 191),
    "perf-rdpmc-touched": (161, 179),
}


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def medians(rows):
    """{method: {step: median}}"""
    found = {}
    for row in rows:
        if row["step"] in STEPS:
            found.setdefault(row["method"], {})[row["step"]] = float(row["median"])
    return found


def on_model(lab, *options):
    said, _ = run([VM, "--icount", "--cpus", 1, "--timeout", TIMEOUT, "--", KERMON, "bench",
                   "overhead", "--csv", "--repeat", REPEAT, *options], lab.folder)
    return rows_of(said)


def say_machine(lab, table):
    table.note(f"Machine: {lab.guest.facts()}, one instruction per nanosecond; {REPEAT} processes "
               "for each method, medians in instructions.")


def expect(*ordered):
    """Each value is less than the next one by half at least."""
    for less, more in zip(ordered, ordered[1:]):
        if less * 1.5 > more:
            raise Failed(f"{less} is not clearly less than {more}")


def model(lab):
    """Figures 1, 3, 4, 6 and 7: all methods, in instructions."""
    found = medians(on_model(lab))
    table = Table("method", *STEPS, "study: read, Core 2", "Ivy Bridge")
    for method, steps in found.items():
        table.add(method, *(steps[name] for name in STEPS),
                  *STUDY.get(method, ("", "")))
    first = {method: steps["first read"] for method, steps in found.items()}
    expect(first["perf-rdpmc-touched"], first["perf-syscall"], first["perf-rdpmc"],
           first["perf-read"])
    if first["kermon-page"] > 1.2 * found["kermon-page"]["later read"]:
        raise Failed("the first read of KerMon's page takes longer than later ones")
    if found["kermon-page"]["total"] >= found["perf-rdpmc-running"]["total"]:
        raise Failed("KerMon's page takes longer than perf's")
    say_machine(lab, table)
    table.note("The study's are in cycles.")
    return table


READS = (1, 2, 3, 4, 8, 16)


def reads(lab):
    """Figure 5: each read in turn."""
    found = {}
    for row in on_model(lab):
        if row["step"] == "read":
            found.setdefault(row["method"], {})[int(row["read"])] = float(row["median"])
    table = Table("method", *(f"read {number}" for number in READS))
    for method, medians_of in found.items():
        table.add(method, *(medians_of[number] for number in READS))
    if max(found["kermon-page"].values()) > 1.2 * min(found["kermon-page"].values()):
        raise Failed("reads of KerMon's page differ")
    say_machine(lab, table)
    return table


MOST_EVENTS = 4


def events(lab):
    """Figure 8: several events, of which each process reads all."""
    found = {}
    for row in on_model(lab, "--events", MOST_EVENTS):
        if row["step"] == "total":
            found.setdefault(row["method"], {})[int(row["events"])] = float(row["median"])
    table = Table("method", *(f"{number} event{'s' if number > 1 else ''}"
                              for number in range(1, MOST_EVENTS + 1)))
    for method, totals in found.items():
        table.add(method, *(totals.get(number, "") for number in range(1, MOST_EVENTS + 1)))
        if list(totals.values()) != sorted(totals.values()):
            raise Failed(f"{method}: more events cost less")
    say_machine(lab, table)
    return table


def host(lab):
    """Figures 3 and 5, as far as a machine without a PMU can tell: software events."""
    methods = ("perf-read", "perf-read-static", "perf-syscall")
    said, _ = run([KERMON, "bench", "overhead", "--software", "--csv", "--repeat", HOST_REPEAT,
                   "--method", ",".join(methods)], lab.folder)
    found = medians(rows_of(said))
    table = Table("method", *STEPS)
    for method in methods:
        table.add(method, *(found[method][name] for name in STEPS))
    expect(found["perf-syscall"]["first read"], found["perf-read"]["first read"])
    table.note(f"Machine: {lab.host.facts()}; {HOST_REPEAT} processes for each method, medians in "
               "TSC cycles.")
    return table


EXPERIMENTS = {"self-monitoring-model": model, "self-monitoring-reads-model": reads,
               "self-monitoring-events-model": events, "self-monitoring-host": host}
