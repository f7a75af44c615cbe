# SPDX-License-Identifier: GPL-2.0
"""CPU time and memory of a command."""

import os
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
KERMON = TOP / "build/bin/kermon"


def run(command):
    """(seconds of CPU time, peak MiB) of a command that must succeed."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"bench: {' '.join(map(str, command))}: status {child.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def least(command, times=()):
    """Run once more; returns the minimum time so far, and the memory."""
    seconds, memory = run(command)
    return min([seconds, *times[:1]]), memory


def build_faults(folder):
    """Build faults.c in a folder."""
    program = folder / "faults"
    subprocess.run(["cc", "-O2", "-g", "-fno-omit-frame-pointer", "-o", program,
                    HERE / "faults.c"], check=True)
    return program


def record_faults(folder, path, samples, *options):
    """Record a sample for each page fault of that program."""
    subprocess.run(["perf", "record", "-q", "-m", "16M", "-e", "page-faults:u", "-c", "1",
                    *options, "-o", path, folder / "faults", str(samples)],
                   check=True, stdout=subprocess.DEVNULL)


def build_with_library(folder, source):
    """Build a program of libkermon in a folder."""
    program = folder / source.stem
    libraries = subprocess.run(["make", "-s", "-C", TOP / "tools", "print-libs"], check=True,
                               capture_output=True, text=True).stdout.split()
    subprocess.run(["cc", "-O2", "-std=gnu11", f"-I{TOP}/tools/lib", f"-I{TOP}/tools/lib/include",
                    f"-I{TOP}/kernel-patches/files/include/uapi", "-o", program,
                    source, TOP / "build/lib/libkermon.a", *libraries], check=True)
    return program
