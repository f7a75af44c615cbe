# SPDX-License-Identifier: GPL-2.0
"""A cache of passed runs, keyed by all their inputs: kernel, QEMU, the guest's files and
command line. A run that passed with identical inputs need not be repeated.

Only runs that passed are kept, with their output, so that a caller judges them again.
AGAIN=1 in the environment repeats all.
"""

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from machine import CACHE, FIRMWARE
from relay import Result

KEPT = CACHE / "results"

# Days after which an unused result is removed.
DAYS = 30

AGAIN = os.environ.get("AGAIN", "") not in ("", "0")


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def firmware():
    """The firmware that QEMU loads for a machine without displays and disks."""
    names = ("bios-256k.bin", "kvmvapic.bin", "linuxboot_dma.bin")
    paths = [Path(folder) / name for name in names for folder in FIRMWARE]
    return [path for path in paths if path.exists()]


def key_of(words, files):
    """The key of a run determined by WORDS and the contents of FILES."""
    parts = [digest(path) for path in [*firmware(), *files]] + [str(word) for word in words]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def key_of_machine(machine):
    """The key of a self-contained machine, which has no other inputs except time."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        machine.initramfs(folder)
        command = [word.replace(name, "") for word in machine.command(folder, {})]
        places = {str(machine.kernel / "bzImage"), str(machine.qemu / "qemu-system-x86_64")}
        return key_of([word for word in command if word not in places],
                      [folder / "initramfs", *sorted(places)])


def recall(key, log):
    """The cached result, or None; its output is copied to the file LOG."""
    folder = KEPT / key
    if AGAIN or not folder.exists():
        return None
    os.utime(folder)
    shutil.copyfile(folder / "output", log)
    return Result(**json.loads((folder / "result").read_text()))


def keep(key, result, log):
    """Keep a result that passed, with its output in LOG."""
    KEPT.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix="part-", dir=KEPT))
    shutil.copyfile(log, part / "output")
    (part / "result").write_text(json.dumps(asdict(result)))
    try:
        part.rename(KEPT / key)
    except OSError:
        shutil.rmtree(part)    # another run was faster
    prune()


def prune():
    oldest = time.time() - DAYS * 86400
    for folder in KEPT.iterdir():
        # others rename and remove theirs meanwhile
        with contextlib.suppress(FileNotFoundError):
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def print_note(known, same):
    """Print how many runs were recalled because their inputs, SAME, are unchanged."""
    if any(known):
        print(f"# note: {sum(known)} of {len(known)} machines passed earlier with {same} and "
              "were not run again (AGAIN=1 repeats them)")
