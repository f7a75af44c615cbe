# SPDX-License-Identifier: GPL-2.0
"""Statements about a recording as a whole follow from the contents of the file."""

import json

import synthetic
from synthetic import FIRST_ID, KERMON, ONCPU, mmap2, pack, record, string, strings, trailer

VERSION = 5
TIME = 1000000000
INTERVAL = synthetic.interval(100, 100, 0, TIME, 0x401000, {"instructions": 5, "oncpu": 7})
synthetic.sums.clear()
ONLY_TIME = synthetic.interval(100, 100, 0, TIME, 0x401000, {"oncpu": 7})
WITHOUT_COUNTS = synthetic.interval(100, 100, 0, TIME, 0x401000, {"oncpu": 7},
                                    kind=synthetic.INVALID_RECORD)
THROTTLE = record(5, pack("QQQ", TIME, FIRST_ID, 5) + trailer(100, 100, TIME))
LOST_SAMPLES = record(13, pack("Q", 9) + trailer(100, 100, TIME))
TOTAL_LOST = record(13, pack("Q", 9) + trailer(0, 0, 0))
FILTERED = record(13, pack("Q", 9) + trailer(100, 100, TIME), 1 << 15)
INITIALIZED = record(82, b"")
WRITE_BACKWARD = 1 << 27
FORMAT_LOST = 1 << 4
CUT_MAPS = bytearray(mmap2(100, 0x400000, 0x1000, "/no/where", TIME))
CUT_MAPS[4:6] = (1 << 12 | 2).to_bytes(2, "little")


def aux_info(kind):
    return record(70, pack("IIQ", kind, 0, 7))


def aux(size, flags):
    return record(11, pack("QQQ", 0, size, flags) + trailer(100, 100, TIME)) + \
        record(71, pack("QQQIIII", size, 0, 0, 0, 100, 0, 0)) + b"\0" * size


def ours(data, *notes):
    return synthetic.build(data, {KERMON: strings(["version=1", *notes])})


def with_early_notes(data, *notes):
    """As KerMon writes it: with what is known before the recording."""
    return synthetic.build(data, {KERMON: strings(["version=1", *notes])},
                           {KERMON: strings(["version=1", "class=kermon"])})


def theirs(data, version="5.10.1"):
    return synthetic.build(data, {KERMON: b"", VERSION: string(version)})


def with_attr(file, event, read_format=None, flags=0):
    """The file, with these bits in the attr of an event; with @read_format, its samples do not
    read the counters."""
    attr = synthetic.attr(event)
    reads = attr[24:40] if read_format is None else pack("QQ", synthetic.SAMPLE_TYPE, read_format)
    changed = attr[:24] + reads + pack("Q", synthetic.SAMPLE_ID_ALL | flags) + attr[48:]
    return file.replace(attr, changed)


def counting_losses(data, events=range(len(synthetic.EVENTS))):
    """Like perf from 6.1 on, which reads the number of lost records of each event at the
    end."""
    file = theirs(INITIALIZED + data, "6.1.9")
    for event in events:
        file = with_attr(file, event, read_format=FORMAT_LOST)
    return file


def unfinished(data, bits=bytes(32)):
    """An unfinished recording; perf sets the bits of features in advance."""
    file = bytearray(theirs(data))
    file[48:56] = bytes(8)
    file[72:104] = bits
    return bytes(file[:file.index(data) + len(data)])


def pipe(data):
    attr = record(64, synthetic.attr(ONCPU) + pack("Q", FIRST_ID + ONCPU))
    return pack("QQ", synthetic.MAGIC, 16) + attr + data


def in_records(file, left):
    """The file with only this many bytes of its records."""
    return file[:file.index(INTERVAL) + left]


def behind_records(file, left):
    """The file with only this many bytes after its records, which end with an interval."""
    return file[:file.rindex(INTERVAL) + len(INTERVAL) + left]


def with_wrong_section(file, index, offset):
    """The file, with another offset in its table of sections."""
    at = len(behind_records(file, 16 * index))
    return file[:at] + pack("Q", offset) + file[at + 8:]


DONE = "complete=1", "ended=exit"
NOTHING_LOST = [("complete", "Nothing was lost."), ("exact", "Counts are exact per thread.")]
LOST = [("lost", "3 samples were lost: counts are lower bounds.")]
NO_SAMPLES = ("no-samples", "There are no samples in the file.")
UNKNOWN = [("unknown-end", "unknown")]
# Reported as damage, with what is missing, where damages are listed.
UNFINISHED = "The recording is unfinished: it is still running, or the recorder was killed or " \
    "ran out of disk space. Counts are lower bounds."
NO_LOSSES = [("no-losses", "The file reports no losses.")]
loss = synthetic.lost(ONCPU, 3, TIME)
ring_loss = synthetic.lost(0, 4, TIME)


def lost_records(text):
    return [("lost-records", f"{text} lost (samples, names or mappings): counts are lower bounds.")]



# name: file, whether it is complete, its statements: their ids and parts of their text
FILES = {
    "of ours, complete": (ours(INTERVAL, *DONE), True, NOTHING_LOST),
    "of ours, with losses": (ours(INTERVAL + loss, *DONE), False, LOST),
    "of ours, impossible": (ours(INTERVAL + 2 * WITHOUT_COUNTS, *DONE), False,
                            [("invalid", "2 intervals were omitted because of impossible counts")]),
    "of ours, with a CPU that came online": (ours(INTERVAL, "late_cpus=CPU 1: all", *DONE), False,
                                             [("late-cpus", "Missing of CPU 1: all.")]),
    "of ours, public": (ours(INTERVAL, "rdpmc_public=1", *DONE), True,
                        [("public", "Every process could read"), *NOTHING_LOST]),
    "of ours, with an erratum": (ours(INTERVAL, "erratum=MEM_UOPS (erratum BV98)", *DONE), True,
                                 [("overcounted", "MEM_UOPS (erratum BV98): these events"),
                                  NOTHING_LOST[0]]),
    "of kermon spy": (ours(INTERVAL, "source=spy", *DONE), True,
                      [("per-cpu", "Counts are those of CPUs"), *NOTHING_LOST]),
    "of kermon spy, with changes": (ours(INTERVAL, "source=spy", "changes=1", "uncounted=2", *DONE),
                                    True, [("per-cpu", "Counts are those of CPUs"),
                                           ("changed", "The set of a CPU was changed 1 time:"),
                                           ("uncounted", "were taken away in 2 intervals:"),
                                           *NOTHING_LOST]),
    "of perf_event": (ours(INTERVAL, "source=perf_event", *DONE), True,
                      [("sampled", "Sums are estimates of perf_event"), *NOTHING_LOST]),
    "of perf_event and KerMon": (ours(INTERVAL, "source=kermon,perf_event", *DONE), True,
                                 [("sampled", "Sums of events that perf_event sampled"),
                                  *NOTHING_LOST]),
    "of perf, filtered by BPF": (theirs(INTERVAL + FILTERED), True, NO_LOSSES),
    "of ours, overwritten": (ours(INTERVAL + loss, "overwrite=1", *DONE), False,
                             [("overwritten", "3 older samples were overwritten (--overwrite)")]),
    "of ours, sideband lost": (ours(INTERVAL + synthetic.lost(0, 1, TIME), *DONE), False,
                               lost_records("At least 1 record was")),
    "of ours, with losses noted": (ours(INTERVAL, "samples=1", "lost=3", *DONE), False, LOST),
    "of ours, with losses noted and recorded": (ours(INTERVAL + loss, "lost=3", *DONE), False,
                                                LOST),
    "of ours, overwritten as noted": (ours(INTERVAL, "overwrite=1", "lost=1", *DONE), False,
                                      [("overwritten", "1 older sample was overwritten")]),
    "of ours, impossible as noted": (ours(INTERVAL, "invalid=2", *DONE), False,
                                     [("invalid", "2 intervals were omitted because of impossible counts")]),
    "of ours, sideband lost as noted": (ours(INTERVAL, "sideband_lost=3", *DONE), False,
                                        lost_records("At least 3 records were")),
    "of ours, all as noted": (ours(2 * INTERVAL, "samples=2", "lost=0", "invalid=0",
                                   "sideband_lost=0", *DONE), True, NOTHING_LOST),
    "of ours, missing": (ours(INTERVAL, "samples=100", *DONE), False,
                         [("missing", "KerMon recorded 100 samples, but only 1 of them is in the "
                           "file: counts are lower bounds.")]),
    "of ours, missing in damage": (ours(INTERVAL + record(synthetic.SAMPLE, b"\0" * 8),
                                        "samples=2", *DONE), False, [("damaged", "in 1 place")]),
    "of an older version of ours": (ours(INTERVAL), None, UNKNOWN),
    "of an older version of ours, with losses": (ours(INTERVAL + loss), False, UNKNOWN + LOST),
    "of ours, failed": (ours(INTERVAL, "ended=failed: No space left on device"), False,
                        [("failed", "The recording failed: No space left on device: counts are")]),
    "of ours, not drained": (ours(INTERVAL, "ended=exit"), False, [("cut-off", "lower bounds")]),
    "of ours, outlived": (ours(INTERVAL, "outlived=2", *DONE), True,
                          [("outlived", "2 processes were still running"), NOTHING_LOST[0]]),
    "of ours, outlived by one": (ours(INTERVAL, "outlived=1", *DONE), True,
                                 [("outlived", "1 process was still running"), NOTHING_LOST[0]]),
    "of ours, set-user-ID": (ours(INTERVAL, "unrecorded=sudo[12]", *DONE), True,
                             [("unrecorded", "are not readable, or were killed during exec: sudo[12]."),
                              NOTHING_LOST[0]]),
    "of ours, killed program": (ours(INTERVAL, "complete=1", "ended=signal 11"), True,
                                [("signal", "by signal 11 (Segmentation fault)"), *NOTHING_LOST]),
    "of ours, interrupted": (ours(INTERVAL, "complete=1", "ended=interrupted"), False,
                             [("interrupted", "while the program was running: counts only cover")]),
    "of ours, interrupted and outlived": (
        ours(INTERVAL, "outlived=3", "complete=1", "ended=interrupted"), False,
        [("interrupted", "counts only cover the run"), ("outlived", "and the rest is not recorded.")]),
    "of ours, revoked": (
        ours(INTERVAL, "outlived=1", "complete=1", "ended=revoked"), False,
        [("revoked", "ended by an administrator (kermon revoke): counts only cover"),
         ("outlived", "and the rest is not recorded.")]),
    "of ours, failed and outlived": (
        ours(INTERVAL, "outlived=1", "ended=failed: No space left on device"), False,
        [("failed", "The recording failed"), ("outlived", "and the rest is not recorded.")]),
    "of ours, rotated": (ours(INTERVAL, "sets=1,1", "rotate_ns=10000000", *DONE), True,
                         [("rotated", "2 event sets were rotated every 10 ms: each event was "
                           "counted only while its set was active; see the estimates."), NOTHING_LOST[0]]),
    "of ours, merged": (ours(INTERVAL, "runs=1", "run1=1,0,5,7,0,one", *DONE), True,
                        NOTHING_LOST[:1]),
    "of ours, damaged": (ours(INTERVAL + record(synthetic.SAMPLE, b"\0" * 8), *DONE), False,
                         [("damaged", "in 1 place")]),
    "of ours, with control characters": (ours(INTERVAL, "unrecorded=a\33[31m\n", *DONE), True,
                                         [("unrecorded", ": a.[31m.."), NOTHING_LOST[0]]),
    "of ours, cut off": (in_records(ours(INTERVAL + INTERVAL, *DONE), len(INTERVAL)), False,
                         [("cut-off", "The file is truncated")]),
    "of ours, notes cut off": (
        ours(INTERVAL, *DONE)[:-100], None,
        [("truncated", "The file is truncated: 1 of its 8 header sections is missing or "
          "incomplete, but all records are present."),
         ("unknown-end", "the note that states it is missing with the end of the file.")]),
    "of ours, padding cut off": (ours(INTERVAL, *DONE)[:-1], True,
                                 [("truncated", "1 of its 8"), *NOTHING_LOST]),
    "of ours, with early notes": (with_early_notes(INTERVAL, *DONE), True, NOTHING_LOST),
    "of ours, with early notes, cut off behind its table": (
        behind_records(with_early_notes(INTERVAL, *DONE), 300), None,
        [("truncated", "header sections are"),
         ("unknown-end", "missing with the end of the file.")]),
    "of ours, failed, notes cut off": (ours(INTERVAL, "ended=failed: EIO", "pmu=x")[:-1], False,
                                       [("truncated", "1 of its 8"), ("failed", "EIO")]),
    "of ours, in front of its table": (
        behind_records(ours(INTERVAL, *DONE), 0), None,
        [("truncated", "8 of its 8 header sections are missing"), *UNKNOWN]),
    "of ours, with losses and notes cut off": (
        behind_records(ours(loss + INTERVAL, *DONE), 300), False,
        [("truncated", "header sections are missing"), *UNKNOWN, *LOST]),
    "of perf, cut off behind its table": (behind_records(theirs(INTERVAL), 300), True,
                                          [("truncated", "header sections are"), *NO_LOSSES]),
    "of perf, cut off behind its table, damaged": (
        behind_records(theirs(record(synthetic.SAMPLE, b"\0" * 8) + INTERVAL), 300), False,
        [("truncated", "header sections are"), ("damaged", "in 1 place")]),
    "of perf, with a section elsewhere": (with_wrong_section(theirs(INTERVAL), 2, 1 << 40), False,
                                          [("damaged", "in 1 place")]),
    "of perf, with a table that is none": (with_wrong_section(theirs(INTERVAL), 0, 1 << 40), False,
                                           [("damaged", "in 1 place")]),
    "killed": (unfinished(INTERVAL), False, [("cut-off", UNFINISHED)]),
    "of perf, killed": (unfinished(INTERVAL, theirs(b"")[72:104]), False,
                        [("cut-off", UNFINISHED)]),
    "of ours, without records": (ours(b"", *DONE), True, [NO_SAMPLES, NOTHING_LOST[0]]),
    "of perf, without records": (theirs(b""), True, [NO_SAMPLES, *NO_LOSSES]),
    "of perf": (theirs(INTERVAL), True, NO_LOSSES),
    "of perf, with losses": (theirs(INTERVAL + LOST_SAMPLES + loss), False,
                             [("lost", "12 samples were lost")]),
    "of perf, throttled": (theirs(INTERVAL + 2 * THROTTLE), False, [("throttled", "2 times")]),
    "of perf, with a trace": (theirs(INTERVAL + aux_info(1) + aux(16, 0) + aux(8, 1)), False,
                              [("not-decoded", "AUX data of intel_pt: 24 bytes, with gaps in 1 "
                                "place, not decoded by kermon; use perf script "
                                "--itrace.")]),
    "of perf, with a trace of kilobytes": (theirs(INTERVAL + aux_info(4) + aux(4096, 0)), True,
                                           [("not-decoded", "AUX data of arm_spe: 4.1 kB, not"),
                                            *NO_LOSSES]),
    "of perf, with an unknown trace": (theirs(INTERVAL + aux_info(99)), True,
                                       [("not-decoded", "AUX data of a hardware trace: in samples,"),
                                        *NO_LOSSES]),
    "of perf, overwritten": (with_attr(theirs(INTERVAL), 0, flags=WRITE_BACKWARD), None,
                             [("overwritten", "older samples, names and mappings were overwritten "
                               "is unknown. Counts are lower bounds.")]),
    "of perf, overwritten, with losses": (
        with_attr(theirs(INTERVAL + LOST_SAMPLES), 0, flags=WRITE_BACKWARD), False,
        [("lost", "9 samples were lost"), ("overwritten", "is unknown")]),
    "of perf 6.1": (theirs(INITIALIZED + INTERVAL, "6.1.9"), True, NO_LOSSES),
    "of perf 6.1, with losses": (counting_losses(INTERVAL + 2 * ring_loss + TOTAL_LOST), False,
                                 lost_records("9 records were")),
    "of perf 6.1, with losses at the end": (counting_losses(INTERVAL + TOTAL_LOST), False,
                                            lost_records("9 records were")),
    "of perf 6.1, killed": (counting_losses(INTERVAL + ring_loss), False,
                            lost_records("At least 4 records were")),
    "of perf 6.1, not asked for all": (counting_losses(INTERVAL + 3 * ring_loss + TOTAL_LOST),
                                       False, lost_records("At least 12 records were")),
    "of perf 6.1, with an old event": (
        counting_losses(INTERVAL + ring_loss + TOTAL_LOST, range(ONCPU)), False,
        lost_records("At least 9 records were")),
    "of perf 6.1, with losses of the hardware": (
        counting_losses(INTERVAL + ring_loss + TOTAL_LOST + LOST_SAMPLES), False,
        [("lost", "9 samples were lost"), *lost_records("9 records were")]),
    "of perf 6.1, filtered by BPF": (
        counting_losses(INTERVAL + FILTERED + record(13, pack("Q", 5) + trailer(0, 0, 0), 1 << 15)),
        True, NO_LOSSES),
    "of perf 5.10, with losses": (theirs(INTERVAL + ring_loss), False,
                                  lost_records("At least 4 records were")),
    "of perf 6.1, ended early": (theirs(INTERVAL, "6.1.9"), True,
                                 [("not-initialized", "before it had described"), *NO_LOSSES]),
    "of perf, with mappings cut short": (theirs(bytes(CUT_MAPS) + INTERVAL), True,
                                         [("cut-maps", "mappings of 1 process:"), *NO_LOSSES]),
    "of perf, empty": (theirs(LOST_SAMPLES), False, [NO_SAMPLES, ("lost", "9 samples were lost")]),
    "of a pipe": (pipe(ONLY_TIME), None, UNKNOWN),
    "of a pipe that was cut off": (pipe(ONLY_TIME)[:-8], False,
                                   [NO_SAMPLES, ("cut-off", "The file is truncated")]),
}

# Statements that other commands also print, on standard error.
LIMITS = {"lost", "invalid", "lost-records", "missing", "overwritten", "throttled", "cut-off",
          "failed", "damaged", "late-cpus", "outlived", "unrecorded", "overcounted", "per-cpu", "changed", "uncounted",
          "rotated", "not-decoded",
          "interrupted", "revoked", "no-samples", "no-branches"}


def mismatch(found, wanted):
    return [statement["id"] for statement in found] != [name for name, _ in wanted] or \
        any(text not in statement["text"] for statement, (_, text) in zip(found, wanted))


# With the file after the options; diff compares it with itself.
OTHERS = [["script", "-i"], ["report", "--csv", "-i"], ["export", "-i"], ["diff"]]


def tell(kermon, command, path, *options):
    """Messages of a command about the file."""
    name, *rest = command
    files = [path, path] if name == "diff" else [*rest, path]
    return kermon(name, *options, *files)


def check_file(kermon, path, complete, wanted, others):
    data = json.loads(kermon("report", "-i", path, "--json").stdout)
    if data["complete"] is not complete or mismatch(data["statements"], wanted):
        return f"complete is {data['complete']}, not {complete}: {data['statements']}"
    texts = [statement["text"] for statement in data["statements"]]
    footer = kermon("report", "-i", path).stdout.splitlines()[-len(texts):]
    if footer != texts:
        return f"the footer is {footer}"
    for command in others:
        told = tell(kermon, command, path).stderr
        for statement in data["statements"]:
            limits = statement["id"] in LIMITS
            is_told = limits and statement["text"] != UNFINISHED
            if statement["limits"] != limits or (statement["text"] in told) != is_told:
                return f"{command[0]}: {statement['id']}: {told}"
        if UNFINISHED in texts and len(told.splitlines()) != (2 if command[0] == "diff" else 1):
            return f"{command[0]}: not one line: {told}"
    return None


def check_truncated(kermon, path):
    """What is missing after the records is reported in one line, wherever the file is
    truncated."""
    with open(path, "rb") as file:
        data = file.read()
    for left in range(0, len(data) - len(behind_records(data, 0)), 97):
        with open(path, "wb") as file:
            file.write(behind_records(data, left))
        for command in ("report", "script", "check", "header"):
            lines = kermon(command, "-i", path).stderr.splitlines()
            if len(lines) != 1 or "the file ends behind its records" not in lines[0]:
                return f"{command}, {left} bytes behind the records: {lines}"
    return None


def check_without_records(kermon, path):
    """An empty recording is not damage."""
    with open(path, "wb") as file:
        file.write(ours(b"", *DONE))
    done = kermon("check", "-i", path)
    if done.returncode or done.stderr or not done.stdout.endswith(" conforms to the format\n"):
        return f"check: {done.stdout}{done.stderr}"
    return None


def check_filters(kermon, path):
    """All commands with filters report a filter that no sample passes."""
    for command in [["report", "-i"], *OTHERS]:
        done = tell(kermon, command, path, "--comms", "nobody")
        if "None of the 2 samples matches the filter." not in done.stdout + done.stderr:
            return f"{command}: {done.stdout}{done.stderr}"
        done = tell(kermon, command, path, "--cpu", "0")
        if "matches the filter" in done.stdout + done.stderr:
            return f"{command}: {done.stdout}{done.stderr}"
    return None


def check_branches(kermon, path):
    """Keys of branches, for a recording without branches."""
    for command in ["report", "-i"], ["report", "--csv", "-i"], ["diff"]:
        done = tell(kermon, command, path, "-s", "symbol_from")
        if "The recording has no branches: record them with perf record -b" not in done.stdout + done.stderr:
            return f"{command}: {done.stdout}{done.stderr}"
    return None


def check(kermon, folder):
    path = folder / "statements.data"
    for name, (file, complete, wanted) in FILES.items():
        path.write_bytes(file)
        limited = any(statement in LIMITS for statement, _ in wanted)
        problem = check_file(kermon, str(path), complete, wanted,
                             OTHERS if limited else OTHERS[:1])
        if problem:
            return f"{name}: {problem}"
    path.write_bytes(ours(2 * INTERVAL, *DONE))
    return check_filters(kermon, str(path)) or check_branches(kermon, str(path)) or \
        check_truncated(kermon, str(path)) or check_without_records(kermon, str(path))
