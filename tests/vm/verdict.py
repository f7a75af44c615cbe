# SPDX-License-Identifier: GPL-2.0
"""The verdict on a run of test programs in the virtual machine.

A run passes only if: the plan is complete; no test was skipped that is not on the list
of expected skips; the kernel has no taint other than O (out-of-tree module), E
(unsigned module) and those that the tests set on purpose; lockdep, if built in, is
still enabled; kmemleak, if built in, found no leak; the console has no splat. Each
condition is a KTAP result, so that a violation shows by name beside the failed tests.
"""

import fnmatch
import os
import re
from itertools import islice
from pathlib import Path

import results
from ktap import DIAGNOSTICS, Test, read
from relay import Lost

EXPECTED_SKIPS = Path(__file__).with_name("expected-skips")

# Documentation/admin-guide/tainted-kernels.rst: O is bit 12, E is bit 13.
TAINT_ALLOWED = 1 << 12 | 1 << 13

# Lines that a healthy kernel never writes. "WARNING:" and "BUG:" are used by bug.h,
# lockdep and the sanitizers; the others are reports with different wording, which
# panic_on_warn would miss. Faults of programs count, too, because the kernel may have spoilt
# their registers.
SPLAT = re.compile("|".join((
    r"WARNING:", r"\bBUG:", r"\bOops\b", r"Kernel panic", r"Call Trace:",
    r"INFO: (task|rcu|possible|trying|lockdep|inconsistent|suspicious)",
    r"general protection fault", r"unchecked MSR access", r"unreferenced object",
    r"(possible recursive|circular) locking", r"inconsistent lock state", r"bad unlock balance",
    r"(soft lockup|hard LOCKUP)", r"blocked for more than", r"rcu: .*(stall|kthread starved)",
    r"sleeping function called", r"scheduling while atomic", r"suspicious RCU usage",
    r"list_(add|del) corruption", r"refcount_t:", r"\b(KASAN|UBSAN|KCSAN|KFENCE):",
    r"DEBUG_LOCKS_WARN_ON", r"nobody cared", r"page allocation failure",
    r"ODEBUG:", r"segfault at .* in (init|ktap-run)")))


def splats(console):
    """The lines of a console that match SPLAT."""
    return [line for line in console.splitlines() if SPLAT.search(line)]


# Lines of a splat between its reason and its call trace: modules, registers, code, and
# unreliable entries of the trace.
NO_REASON = re.compile(r"Modules linked in:|Tainted: \[|Hardware name:|Code: |"
                       r"\b(RSP|R[A-D]X|RBP|R10|R13|[FC]S|CR2): +[0-9a-f]|</?TASK>|\] +\? ")


def after_splat(console):
    """The first splat in the console: its first line and the call trace."""
    lines = console.splitlines()
    first = next((i for i, line in enumerate(lines) if SPLAT.search(line)), len(lines))
    calls = (line for line in lines[first + 1:] if not NO_REASON.search(line))
    return lines[first:first + 1] + list(islice(calls, DIAGNOSTICS - 1))


def expected_skips(path=EXPECTED_SKIPS):
    """Names (shell patterns) of tests that may skip on the model, with or without the
    place, "(6.12, smp)"."""
    lines = (line.split("#")[0].strip() for line in path.read_text().splitlines())
    return [line for line in lines if line]


def judge_skip(test, expected, place=""):
    """An unexpected skip is a failure."""
    names = test.name, f"{test.name} ({place})"
    if test.status != "skip" or any(fnmatch.filter(names, pattern) for pattern in expected):
        return test
    return Test(test.name, "not ok", f"unexpected skip: {test.note}".rstrip(": "))


def kept(word, good, config, option):
    """Whether the guest reported the good word; "none" is acceptable for a kernel
    built without the option."""
    lacks = config and f"{option}=y" not in config.splitlines()
    return word == good or (word == "none" and bool(lacks))


def judge_kernel(result, taint=0):
    """One result for each condition that the kernel must meet."""
    found = splats(result.console)
    return [
        check("kernel: no splat", not found, found[0].strip() if found else "",
              after_splat(result.console)),
        check("kernel: not tainted", not result.tainted & ~(TAINT_ALLOWED | taint),
              f"/proc/sys/kernel/tainted is {result.tainted}"),
        check("kernel: locks still checked", kept(
            result.debug_locks, "1", result.config, "CONFIG_PROVE_LOCKING"),
              f"debug_locks: {result.debug_locks}"),
        check("kernel: no memory leak", kept(
            result.leaks, "0", result.config, "CONFIG_DEBUG_KMEMLEAK"),
              f"kmemleak reports: {result.leaks}"),
    ]


def check(name, good, note, said=()):
    return Test(name, "ok") if good else Test(name, "not ok", note, list(said))


def judge_lost(name, lost, output):
    """The result of a lost machine, with the last lines of its output."""
    console = Path(lost.console).read_text(errors="replace")
    heard = [line for text in (output, console)
             for line in text.splitlines()[-DIAGNOSTICS // 2:]]
    return Test(name, "not ok", str(lost), heard)


def judge(result, output, skips=None, taint=0, place=""):
    """All results of a run: its tests, its exit status, its kernel."""
    skips = expected_skips() if skips is None else skips
    tests = [judge_skip(test, skips, place) for test in read(output)]
    if tests and all(test.status == "skip" for test in tests):
        tests.append(Test("plan", "not ok", "every test was skipped"))
    tests.append(check("exit status", result.status == 0, f"status {result.status}"))
    return tests + judge_kernel(result, taint)


def run_or_recall(machine, log, key):
    """The result of a machine, and whether it was cached by an earlier run with this key."""
    result = key and results.recall(key, log)
    if result:
        return result, True
    with open(log, "wb") as out:
        return machine.run(stdout=out.fileno(), stderr=out.fileno()), False


def examine(machine, place, log, taint=0, key=None):
    """All results of a machine, named by the place, and whether they were cached: a run
    that passed with the same key is not repeated. Its output is in the file LOG, with the
    console beside it."""
    try:
        result, known = run_or_recall(machine, log, key)
    except Lost as lost:
        return [judge_lost(place, lost, log.read_text(errors="replace"))], False
    log.with_suffix(".console").write_text(result.console)
    tests = judge(result, log.read_text(errors="replace"), taint=taint, place=place)
    good = all(test.status != "not ok" for test in tests)
    if key and good and not known:
        results.keep(key, result, log)
    for test in tests:
        test.name += f" ({place})"
        if test.status == "not ok":
            test.note += f" [{os.path.relpath(log)}]"
    return tests, known
