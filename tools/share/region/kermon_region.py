# SPDX-License-Identifier: GPL-2.0
"""Mark regions of a program for "kermon run" and "kermon record", as <kermon/region.h> does.

    from kermon_region import region

    with region("Fit"):
        ...

    @region("Sort")
    def sort(values):
        ...

Without these commands, nothing is loaded, and a region costs two calls of Python functions.
Regions nest, in each thread of its own: a generator or coroutine must not leave one open when
it gives up control.
"""

import ctypes
import os
from contextlib import ContextDecorator
from functools import lru_cache

__all__ = ["region", "value", "pause", "resume", "thread"]

# Calls keep the interpreter's lock: they are shorter than giving it away.
_VOID = ctypes.PYFUNCTYPE(None)
_REGION = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


class _Collector(ctypes.Structure):
    """struct kermon_collector"""
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("region", ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)),
        ("begin", _REGION),
        ("end", _REGION),
        ("value", ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64)),
        ("value_double", ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double)),
        ("pause", _VOID),
        ("resume", _VOID),
        ("thread", ctypes.PYFUNCTYPE(None, ctypes.c_char_p)),
    ]


def _find():
    """The collector, or None."""
    file = os.environ.get("KERMON_COLLECTOR")
    if not file or os.geteuid() != os.getuid() or os.getegid() != os.getgid():
        return None
    try:
        entry = ctypes.PyDLL(file).kermon_collector
    except (OSError, AttributeError):
        return None
    entry.restype = ctypes.POINTER(_Collector)
    found = entry()
    if not found or found.contents.size < ctypes.sizeof(_Collector):
        return None
    return found.contents


_collector = _find()


@lru_cache(maxsize=None)
def _name(name):
    return _collector.region(os.fsencode(name)) if _collector else None


class region(ContextDecorator):
    """The region with a name, as a context manager and as a decorator of functions."""

    def __init__(self, name):
        self._region = _name(name)

    def __enter__(self):
        if self._region:
            _collector.begin(self._region)
        return self

    def __exit__(self, *exception):
        if self._region:
            _collector.end(self._region)
        return False


def value(name, number):
    """Attach a number to the innermost region of this thread."""
    if not _collector:
        return
    if isinstance(number, int) and 0 <= number < 1 << 64:
        _collector.value(_name(name), number)
    else:
        _collector.value_double(_name(name), float(number))


def pause():
    """Collect nothing from here on, in any thread."""
    if _collector:
        _collector.pause()


def resume():
    """Collect again."""
    if _collector:
        _collector.resume()


def thread(name):
    """Name this thread in reports."""
    if _collector:
        _collector.thread(os.fsencode(name))
