# SPDX-License-Identifier: GPL-2.0
"""Regions of a program in Python."""

import kermon_region
from kermon_region import region


@region("Inner")
def inner(depth):
    kermon_region.value("hits", 42)
    kermon_region.value("mass", 0.5)
    if depth:
        inner(depth - 1)


kermon_region.thread("main")
with region("Outer"):
    inner(1)
    kermon_region.pause()
    inner(0)
    kermon_region.resume()
try:
    with region("Outer"):
        raise KeyError
except KeyError:
    pass
