# SPDX-License-Identifier: GPL-2.0
"""Names that would control a terminal or break a line, in all commands that print them."""

import csv
import io
import json
import subprocess

import synthetic

# Colours, a title, a line break, the CSI of C1, right-to-left text, invalid UTF-8.
NAMES = ["a\x1b[31mred", "b\x1b]0;t\x07", "c\nworker", "d\udc9bm", "e\u009b1m", "f\u202efdp.exe",
         "g\udcff\udc80", "h\u2028i\tj\rk\x7f"]
SHOWN = ["a\\x1b[31mred", "b\\x1b]0;t\\x07", "c\\nworker", "d\\x9bm", "e\\u009b1m",
         "f\\u202efdp.exe", "g\\xff\\x80", "h\\u2028i\\tj\\rk\\x7f"]

COMMANDS = [
    ["report", "--header"], ["report", "-s", "comm,dso"], ["report", "--csv"],
    ["report", "--json", "--header"], ["diff", "hostile.data", "hostile.data"],
    ["diff", "--json", "hostile.data", "hostile.data"], ["script"],
    ["script", "--show-task-events", "--show-mmap-events"], ["header"], ["dump"], ["check"],
    ["export"], ["export", "-f", "json"], ["export", "-f", "firefox"], ["readperf"],
    ["report", "-i", "no\x1b[31msuch\nfile"], ["report", "--event", "no\x1b[31msuch"],
    ["report", "-s", "no\x1b[31msuch"], ["list", "no\x1b[31msuch"], ["no\x1b[31msuch"],
]
# Bytes that these commands print anyway.
WRITTEN = ["overview.csv", "processes.csv", "results.csv", "stat.csv"]


def build(data):
    """A file of threads, programs and events with such names."""
    names = list(synthetic.EVENTS)
    synthetic.EVENTS[2] = ("FP\x1b[31m\nX:u", *names[2][1:])
    base = 1000000000
    for index, name in enumerate(NAMES):
        pid = 300 + index
        data += synthetic.comm(pid, pid, name, base)
        data += synthetic.mmap2(pid, 0x400000, 0x10000, f"/no/{name}", base)
        data += synthetic.interval(pid, pid, 0, base + 300000000 + index, 0x401000,
                                   {"oncpu": 1000 + index, "instructions": 10})
    whole = synthetic.build(data, {synthetic.HOSTNAME: synthetic.string("h\x1b[31m\nost")})
    synthetic.EVENTS[:] = names
    return whole


def is_bad(character):
    code = ord(character)
    return (code < 0x20 and character != "\n") or 0x7f <= code <= 0x9f or \
        code in (0x061c, 0x200e, 0x200f, 0xfeff) or 0x2028 <= code <= 0x202e or \
        0x2066 <= code <= 0x2069 or 0xdc80 <= code <= 0xdcff


def find_bad(printed):
    """What must not be in a command's output; tabs begin the frames of scripts."""
    text = printed.decode(errors="surrogateescape").replace("\n\t", "\n")
    return [(character, text[max(0, at - 20):at + 20])
            for at, character in enumerate(text) if is_bad(character)][:3]


def check_command(kermon, words, folder):
    options = [] if words[0] in ("diff", "list") or "-i" in words or len(words) == 1 and \
        "\x1b" in words[0] else ["-i", "hostile.data"]
    done = subprocess.run([kermon, *words, *options], capture_output=True, cwd=folder,
                          stdin=subprocess.DEVNULL, timeout=20, check=False)
    hostile = any("\x1b" in word for word in words)
    if done.returncode != 0 and not hostile:
        return f"{words}: status {done.returncode}, {done.stderr}"
    if hostile and (not done.returncode or b"\\x1b[31m" not in done.stderr):
        return f"{words}: status {done.returncode}, {done.stderr}"
    bad = find_bad(done.stdout) + find_bad(done.stderr)
    return f"{words}: {bad}" if bad else None


def check_names(kermon, folder):
    """JSON has the names themselves, except for invalid UTF-8; CSV and text their escapes,
    each on its line."""
    def printed(*options):
        return subprocess.run([kermon, "report", "-i", "hostile.data", "-s", "comm", *options],
                              capture_output=True, cwd=folder, check=True).stdout.decode(errors="surrogateescape")

    rows = json.loads(printed("--json"))["rows"]
    wanted = [name.encode(errors="surrogateescape").decode(errors="replace") for name in NAMES]
    if not set(wanted) <= {row["comm"] for row in rows}:
        return f"JSON: {[row['comm'] for row in rows]}"
    rows = list(csv.DictReader(io.StringIO(printed("--csv"))))
    if not set(SHOWN) <= {row["comm"] for row in rows}:
        return f"CSV: {[row['comm'] for row in rows]}"
    text = printed("--no-pager")
    missing = [name for name in SHOWN if f"  {name}  " not in text]
    return f"text: no {missing} in {text}" if missing else None


def check(kermon, folder):
    (folder / "hostile.data").write_bytes(synthetic.recording(file=build))
    problems = list(filter(None, (check_command(kermon, words, folder) for words in COMMANDS)))
    for name in WRITTEN:
        bad = find_bad((folder / name).read_bytes())
        if bad:
            problems.append(f"{name}: {bad}")
    problem = check_names(kermon, folder)
    return "\n".join(problems + ([problem] if problem else [])) or None
