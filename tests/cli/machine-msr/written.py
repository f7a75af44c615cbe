#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: written.py LIST

Read what perf script prints of the tracepoint msr:write_msr, and print registers and bits that
the allow-list LIST does not permit.
"""

import re
import sys
from pathlib import Path

# What the kernel itself writes meanwhile: of the timer, and of tasks.
BY_KERNEL = {0x6e0, 0xc0000100, 0xc0000101, 0xc0000102}


def masks(file):
    """Bits of each register that may be written, or restored."""
    found = {}
    for line in Path(file).read_text().splitlines():
        match = re.match(r"(0x\w+) (0x\w+) # \w+ ?(?:zero=(0x\w+))?", line)
        if match:
            register, mask, zero = (int(text or "0", 16) for text in match.groups())
            found[register] = mask, mask | zero
    return found


def main(file):
    allowed = masks(file)
    seen = set()
    for line in sys.stdin:
        match = re.search(r"([0-9a-f]+), value ([0-9a-f]+)", line)
        register, value = int(match[1], 16), int(match[2], 16)
        if register in BY_KERNEL:
            continue
        seen.add(register)
        if value & ~allowed.get(register, (0, 0))[1]:
            print(f"register {register:#x} was written: {value:#x}")
    writable = {register for register, (mask, _) in allowed.items() if mask}
    print(f"{len(seen & writable)} of {len(writable)} registers were written")


if __name__ == "__main__":
    main(sys.argv[1])
