#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""All options of all commands: a table of them, and whether they speak one language.

usage: options.py table KERMON
       options.py check KERMON
       options.py pages FOLDER

"table" prints Documentation/options.rst. "check" prints where one spelling has two
meanings, or one meaning two spellings, except for what is listed here. Both ask KERMON and,
for the commands that perf has as well, perf. "pages" prints the options that the manual
pages in FOLDER describe in different words.
"""
import collections
import difflib
import functools
import itertools
import pathlib
import re
import subprocess
import sys

# The command of perf that does the same.
PERF = {"run": "record", "attach": "record", "stat": "stat", "report": "report",
        "script": "script", "diff": "diff", "list": "list", "top": "top"}

# One spelling, two meanings: the option, the commands of the second meaning, and why.
TWO_MEANINGS = [
    ("event", ("run", "attach", "stat", "spy"), "as perf record -e; other commands use one event "
     "of those that were recorded"),
    ("pid", ("run", "attach"), "as perf record -p; other commands filter by it, as perf report "
     "--pid, where -p is something else"),
    ("tid", ("run", "attach"), "as perf record -t; other commands filter by it, as perf report "
     "--tid, where -t is something else"),
    ("cpu", ("run", "attach"), "as perf record -C; other commands filter by it"),
    ("call-graph", ("run", "attach"), "as perf record -g and --call-graph; perf report -g is "
     "about the output"),
    ("interval", ("spy",), "as perf stat -I; other commands take a sample at a tick if there was "
     "no other"),
    ("format", ("spy",), "other commands write what they have read"),
    ("quiet", ("report",), "as perf report -q; other commands print no tables"),
    ("event", ("top",), "as perf top -e; they are counted, not sampled"),
    ("pid", ("top",), "as perf top -p; nothing is recorded"),
    ("tid", ("top",), "as perf top -t; nothing is recorded"),
    ("csv", ("top",), "rows of several intervals"),
    ("csv", ("roofline",), "rows of samples"),
    ("csv", ("bench-overhead",), "rows of boxes"),
    ("csv", ("regions",), "rows of regions or calls"),
    ("svg", ("check",), "a picture of the order of records"),
    ("svg", ("bench-overhead",), "box plots"),
    ("repeat", ("bench-overhead",), "each run is a result"),
    ("sort", ("top",), "as perf top -s, of one column"),
    ("iterations", ("top",), "as top -n of procps; nothing is marked"),
]

# One letter, two options: the letter, the commands of the second one, and why.
LETTERS = [
    ("C", ("diff",), "as perf diff -C; elsewhere as perf report -C"),
    ("c", ("diff",), "as perf diff -c; elsewhere as perf report -c"),
    ("c", ("run", "attach"), "as perf record -c; elsewhere as perf report -c"),
    ("F", ("run", "attach"), "as perf record -F; perf script -F is another option"),
    ("G", ("report",), "as perf report -G; perf script -G is another option"),
    ("f", ("export", "spy"), "perf has no such command; elsewhere as perf report -f"),
    ("k", ("run", "attach", "stat"), "elsewhere as perf report -k; for perf record -k see below"),
    ("d", ("top",), "as perf top -d; elsewhere as perf report -d"),
    ("n", ("run",), "as perf record -n; elsewhere as perf report -n"),
    ("n", ("list",), "perf list has no such letter; elsewhere as perf report -n"),
    ("n", ("top",), "as top -n of procps; elsewhere as perf report -n"),
    ("t", ("run", "attach", "top"), "as perf record -t; elsewhere as perf report -t"),
]

# Options that have another letter, or none, in some commands, as in perf's.
OTHER_LETTERS = {("comms", "diff"), ("cpu", "diff")}

# What perf's command of the same name has another spelling or meaning of: the option, the
# commands, and why it differs.
OTHER_THAN_PERF = {
    "call-graph": (("run", "attach"), "perf's -g and --call-graph are one option, whose argument "
                   "may be left out"),
    "dsos": (("script",), "as in the other commands, and in perf report"),
    "batch": (("top",), "as top -b of procps; no branches are sampled"),
    "iterations": (("top",), "as top -n of procps; nothing is sampled"),
    "json": (("stat", "top"), "as in the other commands"),
    "kernel": (("run", "attach"), "kermon counts user mode alone by default; the clock of a "
               "recording is always the same"),
    "log-size": (("run", "attach"), "the log is a buffer of the kernel, which is not mapped, "
                 "and its size is in bytes"),
    "verbose": (("list",), "the letter is the same, and what it does"),
}

# Options of which each page has the parts that are of its command: tools/man/options has them.
IN_PARTS = {"output"}

Option = collections.namedtuple("Option", "command letter name arg values preset help")


def read_rows(text):
    """What help --options has printed, without --help, which all have."""
    return [option for option in (Option(*line.split("\t")) for line in text.splitlines())
            if option.name != "help"]


def options_of(kermon):
    """All rows of the tables of commands."""
    return read_rows(subprocess.run([kermon, "help", "--options"], capture_output=True,
                                    text=True, check=True).stdout)


@functools.cache
def perf_options(command):
    """What perf -h tells: {long name: (letter, text)} of the options of a command."""
    done = subprocess.run(["perf", command, "-h"], capture_output=True, text=True, check=False)
    found, last = {}, None
    for line in (done.stdout + done.stderr).splitlines():
        match = re.match(r" {4,}(?:-(\w), |    )--([a-z0-9-]+)(.*)", line) or \
            re.match(r" {4,}-(\w)()(.*)", line)
        if match:
            last = match[2] or match[1]
            found[last] = [match[1] or "", match[3].strip()]
        elif last and re.match(r" {20,}\S", line):
            found[last][1] += " " + line.strip()
    return found


def spelled(letter, name):
    return f"-{letter}, --{name}" if letter else f"--{name}"


def is_positive(name):
    """Without the "no-" that perf allows before any of its options."""
    return name.removeprefix("no-")


def other_meanings():
    """{(name, command): which of the rows of TWO_MEANINGS}"""
    return {(name, command): row for row, (name, commands, _) in enumerate(TWO_MEANINGS)
            for command in commands}


def disagreements(options):
    """Of options of the same name or letter, in any two commands."""
    second = other_meanings()
    letters = {(letter, command): why for letter, commands, why in LETTERS for command in commands}
    for one, other in itertools.combinations(options, 2):
        apart = second.get((one.name, one.command)) != second.get((other.name, other.command))
        relettered = ((one.name, one.command) in OTHER_LETTERS) != \
            ((other.name, other.command) in OTHER_LETTERS)
        if one.name == other.name and not apart and \
                ((one.arg, one.help) != (other.arg, other.help) or
                 one.letter != other.letter and not relettered):
            yield f"--{one.name} of {one.command} and {other.command} differ"
        apart = letters.get((one.letter, one.command)) != letters.get((other.letter, other.command))
        if one.letter and one.letter == other.letter and one.name != other.name and not apart:
            yield (f"-{one.letter} is --{one.name} of {one.command}, "
                   f"--{other.name} of {other.command}")


def two_spellings(options):
    """Options with other names that say the same."""
    helps = {option.name: option.help for option in options}
    for (name, text), (other, same) in itertools.combinations(sorted(helps.items()), 2):
        if difflib.SequenceMatcher(None, text, same).ratio() > 0.85:
            yield f"--{name} and --{other} say nearly the same: {text} / {same}"


def other_than_perf(options):
    """What perf's command of the same name has another letter or name for."""
    for command, name in PERF.items():
        perf = perf_options(name)
        letters = {letter: long for long, (letter, _) in perf.items() if letter}
        for option in options:
            if option.command != command:
                continue
            positive = {is_positive(long): long for long in perf}
            long = positive.get(is_positive(option.name))
            if long and perf[long][0] != option.letter:
                yield option, name, long, perf[long]
            if option.letter and letters.get(option.letter, option.name) not in (long, option.name):
                yield option, name, letters[option.letter], perf[letters[option.letter]]


def unlisted(options):
    """Differences from perf that OTHER_THAN_PERF lacks, and what it has in vain."""
    found = {(option.name, option.command) for option, *_ in other_than_perf(options)}
    listed = {(name, command) for name, (commands, _) in OTHER_THAN_PERF.items()
              for command in commands}
    for name, command in sorted(found - listed):
        yield f"--{name} of {command} is not as in perf {PERF[command]}, and not listed"
    for name, command in sorted(listed - found):
        yield f"--{name} of {command} is listed, but as in perf {PERF[command]}"


def check(options):
    """Whether the options speak one language; prints what does not."""
    found = [*disagreements(options), *two_spellings(options), *unlisted(options)]
    print("\n".join(found), end="\n" if found else "")
    return not found


def by_commands(options, value):
    """"a; b (diff)": the values of an option, with the commands if they differ."""
    commands = collections.defaultdict(list)
    for option in options:
        commands[value(option)].append(option.command)
    if len(commands) == 1:
        return next(iter(commands))
    return "; ".join(f"{text} ({', '.join(names)})" for text, names in commands.items() if text)


def meaning(options):
    """What an option does, with its values and default."""
    def described(option):
        return option.help + (f": {option.values}" if option.values else "")
    preset = by_commands(options, lambda option: option.preset)
    return by_commands(options, described) + (f" (default: {preset})" if preset else "")


def cells(*texts):
    """A row of a csv-table."""
    return "   " + ",".join('"' + text.replace('"', '""').replace("*", "\\*") + '"'
                            for text in texts)


def literal(text):
    return f"``{text}``"


def rows_of_options(options):
    by_name = collections.defaultdict(list)
    for option in options:
        by_name[option.name, (option.name, option.command) in OTHER_LETTERS].append(option)
    for name, other in sorted(by_name, key=lambda key: (is_positive(key[0]), *key)):
        rows = by_name[name, other]
        yield cells(literal(spelled(by_commands(rows, lambda row: row.letter)[:1], name)),
                    by_commands(rows, lambda row: row.arg),
                    ", ".join(row.command for row in rows), meaning(rows))


def rows_of_meanings(options):
    meanings = other_meanings()
    for name, second, reason in TWO_MEANINGS:
        first = [option for option in options if option.name == name and
                 (name, option.command) not in meanings]
        other = [option for option in options if option.name == name and
                 option.command in second]
        yield cells(literal(f"--{name}"), first[0].help, ", ".join(second), other[0].help, reason)


def rows_of_letters(options):
    special = {(letter, command) for letter, commands, _ in LETTERS for command in commands}
    for letter, second, reason in LETTERS:
        here = [option for option in options if option.letter == letter]
        first = [option for option in here if (letter, option.command) not in special]
        other = [option for option in here if option.command in second]
        yield cells(literal(f"-{letter}"), literal(f"--{first[0].name}"),
                    ", ".join(option.command for option in first),
                    literal(f"--{other[0].name}"), ", ".join(second), reason)


def rows_of_perf(options):
    commands = collections.defaultdict(list)
    for option, command, name, (letter, text) in other_than_perf(options):
        text = re.sub(r"^<\S+> +", "", text)
        commands[literal(spelled(option.letter, option.name)), option.help, f"perf {command}",
                 literal(f"{spelled(letter, name)}"), text,
                 OTHER_THAN_PERF[option.name][1]].append(option.command)
    for (option, *texts), names in commands.items():
        yield cells(option, ", ".join(names), *texts)


TABLE = """.. SPDX-License-Identifier: GPL-2.0
.. Written by "tests/cli/options.py table"; a test keeps it in step.

Options

All options of all commands of ``kermon``, but ``--help``, which all have. An option has the
same spelling, meaning and text in all commands that have it, and is spelled as by perf if
perf has it. Durations need a unit: ns, us, ms, s, m or h; and sizes: B, K, M or G.

.. csv-table::
   :header: option, argument, commands, meaning
   :widths: 20, 15, 20, 45

{}

One spelling, two meanings
==========================

Where perf has one spelling for two things, so does ``kermon``.

.. csv-table::
   :header: option, meaning, in, another meaning, why
   :widths: 12, 25, 13, 25, 25

{}

One letter, two options
=======================

.. csv-table::
   :header: letter, option, in, another option, in, why
   :widths: 8, 22, 13, 22, 13, 22

{}

Other than perf
===============

Where the command of perf that does the same has another letter for an option, or another
option for a letter. ``run`` and ``attach`` are compared with ``perf record``.

.. csv-table::
   :header: option, command, meaning, perf, option, meaning, why
   :widths: 13, 8, 20, 10, 14, 20, 20

{}
"""


def table(options):
    """Documentation/options.rst"""
    return TABLE.format(*("\n".join(rows(options)) for rows in
                          (rows_of_options, rows_of_meanings, rows_of_letters, rows_of_perf)))


def is_relettered(name):
    return any(name == other for other, _ in OTHER_LETTERS)


def described(page):
    """The text of each option of a manual page, by its name."""
    texts, depth, item = {}, 0, None
    for line in page.read_text().splitlines():
        depth += line.startswith(".Bl") - line.startswith(".El")
        if depth == 0 or depth == 1 and line.startswith(".It"):
            name = re.match(r"\.It Fl (?:. , Fl )?-([a-z-]+)", line)
            item = name and texts.setdefault(name[1], [])
        if item is not None:
            item.append(re.sub(r"Fl . , ", "", line) if name and is_relettered(name[1]) else line)
    return texts


def differing_pages(folder):
    """Options that two pages describe in different words."""
    second = other_meanings()
    found = collections.defaultdict(set)
    for page in pathlib.Path(folder).glob("kermon-*.1"):
        command = page.stem.removeprefix("kermon-")
        for name, text in described(page).items():
            found[name, second.get((name, command))].add("\n".join(text))
    return sorted({name for (name, _), texts in found.items()
                   if len(texts) > 1 and name not in IN_PARTS})


def main():
    """See the usage above."""
    what, where = sys.argv[1:]
    if what == "table":
        print(table(options_of(where)), end="")
    elif what == "check":
        sys.exit(not check(options_of(where)))
    else:
        found = differing_pages(where)
        print("\n".join(found))
        sys.exit(bool(found))


if __name__ == "__main__":
    main()
