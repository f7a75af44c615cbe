#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What users of perf type without thinking, and what kermon does with it.

usage: habits.py table KERMON
       habits.py check KERMON

"table" prints Documentation/habits.rst: it runs the lines below, and each option and command
of tools/kermon/ui/habits.c. "check" prints what is wrong: a line that fails, an option or a
command that is listed as refused but is not, or that perf spells otherwise, and advice that
names what kermon lacks; and changes of the tool that make its advice wrong, but are not found.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

import options

TOP = pathlib.Path(__file__).resolve().parents[2]

# Lines of perf, and what they do; perf.data and perf.data.old are in the folder.
ACCEPTED = [
    ("version", "prints the version, as --version and -v do"),
    ("help record", "record is another name of run"),
    ("report -i perf.data", "reads this file, as the argument does"),
    ("report --header", "shows the machine and the recording"),
    ("report --header-only", "shows nothing else"),
    ("report --children", "callers have what they called"),
    ("report --no-children", "only what the function did itself"),
    ("report --stdio", "text is the default"),
    ("report -g", "call graphs by callers: graph,0.5,caller"),
    ("report -g --stdio", "likewise, before another option"),
    ("report -g perf.data", "likewise, before the file"),
    ("report -g graph,0.5,caller", "call graphs, in perf's words"),
    ("report -G", "the graphs begin with callers"),
    ("report --call-graph=none", "no call graphs"),
    ("report -s comm,dso,sym", "one table by these keys"),
    ("report --sort=pid", "likewise"),
    ("report --comms worker", "threads of this name"),
    ("report --percent-limit 1", "omits smaller rows"),
    ("report -n", "a column of samples"),
    ("report --show-total-period", "exact sums; all events have columns of sums anyway"),
    ("report -q", "rows alone: no headings, totals and remarks"),
    ("report -t ;", "values separated by this character, with a line of names"),
    ("report --stdio -t , -g none -q", "likewise, without names"),
    ("report --no-demangle", "names of functions as in their files"),
    ("report --max-stack 5 -g callee", "the five innermost functions of each call chain; with "
     "callers first, where perf keeps the outermost ones, it is rejected"),
    ("report -k /usr/bin/env", "symbols of the kernel from this file; --vmlinux likewise"),
    ("report -f", "files of any owner are always read; script and diff likewise"),
    ("script --force", "likewise"),
    ("diff -f", "likewise"),
    ("script -F comm,tid,time,event,ip,sym", "these fields"),
    ("script -G", "no call chains"),
    ("script --max-stack 5", "at most five functions of each call chain"),
    ("script --show-task-events", "names, forks and exits as well"),
    ("stat true", "counts of the command when it has ended"),
    ("stat -r 2 true", "means of two runs, and their errors"),
    ("stat -j true", "JSON"),
    ("diff", "compares perf.data.old and perf.data"),
    ("diff perf.data.old perf.data", "compares these"),
    ("diff -c delta", "likewise, from increase to decrease; the default is delta-abs"),
    ("diff --compute=ratio", "the ratios of the sums"),
    ("diff -C worker", "threads of this name; elsewhere, -C is a list of CPUs"),
    ("record true", "records the command, by KerMon or by perf_event"),
    ("record -g true", "with call chains"),
    ("record --call-graph dwarf true", "likewise, of copies of the stack"),
    ("record --call-graph dwarf,4096 true", "likewise, of 4096 bytes"),
    ("record -F 99 -g -- true", "99 samples per second"),
    ("record -F max true", "as many as the kernel allows"),
    ("record -e cpu-clock -c 1000000 true", "a sample per million nanoseconds"),
    ("record -e cpu-clock,page-faults true", "two events"),
    ("record -e cpu-clock -e page-faults:u true", "likewise"),
    ("record -ag -F 99 sleep 0.1", "all tasks while the command runs"),
    ("record -a -C 0 sleep 0.1", "on some CPUs"),
    ("record -p 1 -F 99 sleep 0.1", "a process while the command runs; -t likewise"),
    ("record -z -o other.data true", "compressed, in another file"),
    ("top -b -n 1 -d 100ms", "threads that use the CPU; perf shows functions"),
    ("top -b -n 1 -d 100ms -p 1", "of a process; -t, -u likewise"),
]

# Where -h of perf is not the whole truth: --gtk is in some builds only.
NOT_AS_SHOWN = {("report", "gtk")}

HABIT = re.compile(r"^\t\{ \"([a-z,]+)\", (?:0|'(.)'), \"([a-z-]+)\",", re.MULTILINE)
COMMAND = re.compile(r"^\t\{ \"([a-z0-9-]+)\", \"use", re.MULTILINE)
NOT_SUPPORTED = re.compile(r"kermon(?: [a-z]+)?: (?:option|command) '\S+' is not supported\n"
                           r"  (\S.*)\n")

Refused = collections.namedtuple("Refused", "command letter name advice")


class Tool:
    """kermon, in a folder with two recordings. Each line is run once."""

    def __init__(self, program):
        self.program = str(pathlib.Path(program).resolve())
        self.folder = tempfile.TemporaryDirectory()
        self.done = {}
        sys.path.insert(0, str(TOP / "tests/golden"))
        recording = __import__("synthetic").recording()
        for name in "perf.data", "perf.data.old":
            (pathlib.Path(self.folder.name) / name).write_bytes(recording)

    def run(self, *words):
        """Exit status, output and messages."""
        if words not in self.done:
            done = subprocess.run([self.program, *words], cwd=self.folder.name, text=True,
                                  capture_output=True, stdin=subprocess.DEVNULL, check=False,
                                  errors="replace")
            self.done[words] = done.returncode, done.stdout, done.stderr
        return self.done[words]


class Changed:
    """A tool that prints something else in one place."""

    def __init__(self, tool, pattern, text):
        self.tool, self.pattern, self.text = tool, re.compile(pattern, re.MULTILINE), text

    def run(self, *words):
        """As Tool.run."""
        status, *texts = self.tool.run(*words)
        return status, *(self.pattern.sub(self.text, text) for text in texts)


# Changes that make advice wrong: what is printed, and what instead.
CHANGES = [
    (r"^check\t.*\n", ""),
    (r"^dump\t", "drop\t"),
    (r"^script\t\tshow-task-events\t", "script\t\tshow-tasks\t"),
    (r"kermon check FILE", "kermon verify FILE"),
]


def known_options(tool):
    """{command: its options as typed, "-s" and "--sort"}"""
    found = collections.defaultdict(set)
    for option in options.read_rows(tool.run("help", "--options")[1]):
        found[option.command] |= {f"-{option.letter}", f"--{option.name}"}
    return found


def advice_of(tool, *words):
    """What the tool says instead of doing it; None if it does not refuse it so."""
    status, _, text = tool.run(*words)
    match = NOT_SUPPORTED.fullmatch(text)
    return match[1] if status == 129 and match else None


def refused(tool):
    """All rows of habits.c: for options each command, of commands the name alone."""
    source = (TOP / "tools/kermon/ui/habits.c").read_text()
    for commands, letter, name in HABIT.findall(source):
        for command in commands.split(","):
            advice = {advice_of(tool, command, word)
                      for word in ([f"-{letter}"] if letter else []) + [f"--{name}"]}
            yield Refused(command, letter, name, advice.pop() if len(advice) == 1 else None)
    for name in COMMAND.findall(source):
        yield Refused("", "", name, advice_of(tool, name))


def spelled(row):
    if not row.command:
        return row.name
    return (f"-{row.letter}, " if row.letter else "") + f"--{row.name}"


def other_than_perf(rows):
    """Options that perf's command does not have, or with another letter."""
    perf = {command: options.perf_options(name) for command, name in options.PERF.items()}
    for row in rows:
        if row.command and (row.command, row.name) not in NOT_AS_SHOWN:
            letter, _ = perf[row.command].get(row.name, (None, ""))
            if letter != row.letter:
                yield f"{row.command} {spelled(row)}: perf has '{letter}' for it"


def lacking(row, known):
    """Words of the advice that kermon does not know: commands and their options."""
    for quoted in re.findall(r"'([^']*)'", row.advice):
        words = quoted.split()
        if words[0] not in ("kermon", row.command) and not words[0].startswith("-"):
            continue
        command = words[1] if words[0] == "kermon" else row.command
        if command not in known:
            yield f"'{quoted}': no command '{command}'"
        yield from (f"'{quoted}': no option '{word}'" for word in words
                    if word.startswith("-") and word not in known[command])


def wrongly_rejected(tool):
    """Lines of perf that fail."""
    for line, _ in ACCEPTED:
        status, _, text = tool.run(*line.split())
        if status:
            yield f"{line}: status {status}: {text.strip()}"


def wrongly_refused(tool):
    """What is not refused as listed, or with advice that does not work."""
    known = known_options(tool)
    rows = list(refused(tool))
    if not any(row.command for row in rows) or all(row.command for row in rows):
        yield "habits.c: its tables are not as expected"
    for row in rows:
        if not row.advice:
            yield f"{row.command} {spelled(row)}: listed in habits.c, but not refused so"
        else:
            yield from (f"{row.command} {spelled(row)}: {what}"
                        for what in lacking(row, known))
    yield from other_than_perf(rows)


def unnoticed(tool):
    """Changes of the tool with which nothing is wrong."""
    for change in CHANGES:
        if not list(wrongly_refused(Changed(tool, *change))):
            yield f"not found: {change}"


def cells(*texts):
    """A row of a csv-table."""
    return "   " + ",".join('"' + text.replace('"', '""') + '"' for text in texts)


def literal(text):
    return f"``{text}``"


def by_commands(rows):
    """Options that several commands refuse with the same advice are one row."""
    commands = collections.defaultdict(list)
    for row in rows:
        if row.command:
            commands[spelled(row), row.advice].append(row.command)
    for (option, advice), names in commands.items():
        yield cells(", ".join(names), literal(option), re.sub(r"'([^']*)'", r"``\1``", advice))


PAGE = """.. SPDX-License-Identifier: GPL-2.0
.. Written by "tests/cli/habits.py table"; a test keeps it in step.

====================
Habits of perf users
====================

What users of perf type without thinking has perf's meaning with ``kermon`` instead of
``perf``, or is refused with what to do instead. Every line was run. For options that
have another letter or another meaning, see `options <options.rst>`_.

Accepted
========

.. csv-table::
   :header: line of perf, what kermon does
   :widths: 45, 55

{}

Options that are refused
========================

.. csv-table::
   :header: commands, option, advice
   :widths: 18, 27, 55

{}

Commands that are refused
=========================

.. csv-table::
   :header: command, advice
   :widths: 20, 80

{}
"""


def table(tool):
    """Documentation/habits.rst"""
    rows = list(refused(tool))
    return PAGE.format(
        "\n".join(cells(literal(line), text) for line, text in ACCEPTED),
        "\n".join(by_commands(rows)),
        "\n".join(cells(literal(row.name), re.sub(r"'([^']*)'", r"``\1``", row.advice))
                  for row in rows if not row.command))


def main():
    """See the usage above."""
    what, program = sys.argv[1:]
    tool = Tool(program)
    if what == "table":
        print(table(tool), end="")
        return
    found = [*wrongly_rejected(tool), *wrongly_refused(tool), *unnoticed(tool)]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
