# SPDX-License-Identifier: GPL-2.0
"""Copies of stacks, unwound by rules as "kermon report" does and with libdwfl alone: the same
chains and statistics, for programs compiled in several ways and for damaged stacks."""

import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
UNIT = TOP / "tests/unit"
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

# How the program is compiled, and recorded.
KINDS = {
    "optimized": (["-O2", "-fomit-frame-pointer"], ["--call-graph", "dwarf,4096"]),
    "frame pointers": (["-O1", "-fno-omit-frame-pointer"], ["--call-graph", "dwarf,16384"]),
    "no unwind information": (["-O1", "-fno-omit-frame-pointer",
                               "-fno-asynchronous-unwind-tables"],
                              ["--call-graph", "dwarf,8192"]),
    "static": (["-O2", "-static", "-no-pie"], ["--call-graph", "dwarf,1024"]),
    "few registers": (["-O2"], ["--call-graph", "dwarf,2048", "--user-regs=ip,sp,bp"]),
}
MILLISECONDS, FREQUENCY, DAMAGED = 250, 4000, 4
# In every recording: samples, and functions in the chains of each on average, of which the
# damaged ones are shorter.
LEAST_STACKS, LEAST_FRAMES = 100, 2


def build(folder):
    """The program that compares, with the sanitized library."""
    program = folder / "stacks"
    libraries = subprocess.run(["make", "-s", "-C", TOP / "tools", "print-libs"], check=True,
                               capture_output=True, text=True).stdout.split()
    subprocess.run(["cc", "-O1", "-g", "-std=gnu11", "-D_GNU_SOURCE", *SANITIZE, f"-I{UNIT}",
                    f"-I{TOP}/tools/lib", f"-I{TOP}/tools/lib/include",
                    f"-I{TOP}/kernel-patches/files/include/uapi", "-pthread", "-o", program,
                    HERE / "stacks.c", TOP / "build/sanitize/lib/libkermon.a", *libraries],
                   check=True)
    return program


def check(folder, program, kind):
    flags, options = KINDS[kind]
    load, path = folder / "stacks_load", folder / "stacks.data"
    subprocess.run(["cc", "-g", "-w", *flags, "-pthread", "-o", load, HERE / "stacks_load.c"],
                   check=True)
    subprocess.run(["perf", "record", "-q", "-e", "cpu-clock:u", "-F", str(FREQUENCY), *options,
                    "-o", path, load, str(MILLISECONDS)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = subprocess.run([program, str(DAMAGED), path], capture_output=True, text=True)
    if found.returncode:
        return f"status {found.returncode}\n{found.stdout}{found.stderr}"
    stacks, frames = map(int, found.stdout.split())
    if stacks < LEAST_STACKS or frames < LEAST_FRAMES * stacks:
        return f"{frames} functions on {stacks} stacks\n"
    return ""
