# SPDX-License-Identifier: GPL-2.0
"""Size and memory of reports with call graphs, by the number of functions in the graphs: of
deep chains that are all different."""

import json
import os
import random
import subprocess

import synthetic

SAMPLES, DEPTH, FUNCTIONS = 1000, 100, 27
MMAP, KERNEL, KERNEL_CALLERS = 1, 1, 2 ** 64 - 128
IP, TID, TIME, CALLCHAIN = 1 << 0, 1 << 1, 1 << 2, 1 << 5
TEXT, SIZE = 0xffffffff81000000, 4096

# Bytes of JSON for each function of a graph, with its name, file and sums; and bytes of
# memory for each node of the tree of chains, while a graph of all of them is printed.
MOST_JSON = 200
MOST_MEMORY = 400


def attr():
    return synthetic.pack("IIQQQQQ", synthetic.SOFTWARE, 128, 1, 1000000,
                          IP | TID | TIME | CALLCHAIN, 0, 0).ljust(128, b"\0")


def kallsyms():
    lines = [f"{TEXT:x} T _text", f"{TEXT + SIZE * (FUNCTIONS + 1):x} T _etext"]
    return "\n".join(lines + [f"{TEXT + SIZE * i:x} t function_{i}"
                              for i in range(FUNCTIONS)]) + "\n"


def records(samples):
    data = synthetic.record(MMAP, synthetic.pack("IIQQQ", 2 ** 32 - 1, 0, TEXT,
                                                 SIZE * (FUNCTIONS + 1), TEXT) +
                            synthetic.padded("[kernel.kallsyms]_text"), KERNEL)
    dice, all_samples = random.Random(1), []
    for time in range(1, 1 + samples):
        chain = [TEXT + SIZE * dice.randrange(FUNCTIONS) + 16 for _ in range(DEPTH)]
        body = synthetic.pack("QIIQ", chain[0], 1, 1, time) + synthetic.pack(
            f"{DEPTH + 2}Q", DEPTH + 1, KERNEL_CALLERS, *chain)
        all_samples.append(synthetic.record(synthetic.SAMPLE, body, KERNEL))
    return data + b"".join(all_samples)


def count(call):
    return sum(1 + count(callee) for callee in call["calls"])


def check_json(report):
    """One chain: with callers first, each row has the graph of what follows."""
    text = subprocess.run([*report, "--json", "-g", "caller,0"], capture_output=True, text=True,
                          check=True).stdout
    functions = sum(count(row) for row in json.loads(text)["functions"])
    if functions < DEPTH or len(text) > MOST_JSON * functions:
        return f"JSON: {len(text)} bytes for {functions} functions in graphs\n"
    return ""


def memory(command):
    """Peak KiB. Without a quarantine, which is no memory in use."""
    environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)
    return usage.ru_maxrss


def check_text(report):
    """The graphs of all rows have many times as many functions as the tree of chains."""
    used = memory([*report, "-g", "caller,0"]) - memory([*report, "-g", "none"])
    node = used * 1024 / (SAMPLES * DEPTH)
    return f"text: {node:.0f} bytes of memory for each node\n" if node > MOST_MEMORY else ""


def check(kermon, folder):
    """Lines that describe what is too large."""
    one, many, names = (folder / name for name in ("one.data", "deep.data", "deep.kallsyms"))
    names.write_text(kallsyms())
    one.write_bytes(synthetic.build_one(attr(), records(1)))
    many.write_bytes(synthetic.build_one(attr(), records(SAMPLES)))
    report = [kermon, "report", "--no-pager", "--kallsyms", names, "-i"]
    return check_json([*report, one]) + check_text([*report, many])
